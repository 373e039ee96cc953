"""Has this user this relation to that object, by the tuples and rules of an OpenFGA store?

Answers are True, False, or the names of the conditions on which it hangs: what a condition comes
to is known only to a request with its values. Whatever is decided without them is decided.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from rageval_kit.intake.policies import fga_model as rules
from rageval_kit.intake.policies.fga_model import Model, Rule
from rageval_kit.records.faults import InputError

Answer = bool | frozenset[str]
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Tuple:
    """`user` has `relation` to `object`; `line` is where that is said, 0 where nobody asks."""

    user: str
    relation: str
    object: str
    condition: str = ""
    file: str = ""
    line: int = 0


def any_of(answers: Iterable[Answer]) -> Answer:
    hanging: set[str] = set()
    for one in answers:
        if one is True:
            return True
        if one is not False:
            hanging |= one
    return frozenset(hanging) or False


def all_of(answers: Iterable[Answer]) -> Answer:
    hanging: set[str] = set()
    for one in answers:
        if one is False:
            return False
        if one is not True:
            hanging |= one
    return frozenset(hanging) or True


def negated(answer: Answer) -> Answer:
    return not answer if isinstance(answer, bool) else answer


class Relations:
    """A model with its tuples; what was found for a user is kept until another one is asked of."""

    def __init__(self, model: Model, tuples: Iterable[Tuple]) -> None:
        self.model = model
        self._named: dict[tuple[str, str], list[Tuple]] = defaultdict(list)
        self._objects: dict[str, dict[str, None]] = defaultdict(dict)
        for one in tuples:
            self._named[one.object, one.relation].append(one)
            for name in (one.object, one.user.partition("#")[0]):
                kind, _, own = name.partition(":")
                if own != "*":
                    self._objects[kind][name] = None
        self._user = ""
        self._found: dict[tuple[str, str], Answer] = {}
        self._open: dict[tuple[str, str], None] = {}
        self._cut = False

    def of_type(self, kind: str) -> tuple[str, ...]:
        """Every object of a type that some tuple names, users among them."""
        return tuple(self._objects.get(kind, ()))

    def check(self, user: str, relation: str, object_id: str) -> Answer:
        if user != self._user:
            self._user, self._found = user, {}
        return self._check(object_id, relation)

    def _check(self, object_id: str, relation: str) -> Answer:
        if self._user == f"{object_id}#{relation}":
            return True
        asked = (object_id, relation)
        if asked in self._found:
            return self._found[asked]
        if asked in self._open:
            self._cut = True  # what is being asked adds nothing to itself
            return False
        if len(self._open) > _DEEPEST:
            problem = f"relations nest deeper than {_DEEPEST}"
            raise InputError.one(f"{object_id}#{relation}", problem, "", "shorten the chain")
        rule = self.model.types.get(object_id.partition(":")[0], {}).get(relation)
        if rule is None:
            return False
        before, self._cut = self._cut, False
        self._open[asked] = None
        answer = self._by(rule, object_id, relation)
        del self._open[asked]
        # Inside a circle an answer holds for the way it was asked alone.
        if not self._cut or not self._open or answer is True:
            self._found[asked] = answer
        self._cut = (before or self._cut) and bool(self._open)
        return answer

    def _by(self, rule: Rule, object_id: str, relation: str) -> Answer:
        match rule:
            case rules.Direct():
                return any_of(self._direct(one) for one in self._named[object_id, relation])
            case rules.Same():
                return self._check(object_id, rule.relation)
            case rules.Through():
                return any_of(
                    self._when(one, self._check(one.user, rule.relation))
                    for one in self._named[object_id, rule.via]
                )
            case rules.Any():
                return any_of(self._by(part, object_id, relation) for part in rule.parts)
            case rules.All():
                return all_of(self._by(part, object_id, relation) for part in rule.parts)
            case rules.Except():
                base = self._by(rule.base, object_id, relation)
                return all_of((base, negated(self._by(rule.less, object_id, relation))))

    def _direct(self, one: Tuple) -> Answer:
        """Does this tuple name the user: itself, everybody of its type, or a set that it is in?"""
        if one.user == self._user:
            return self._when(one, answer=True)
        kind, _, name = one.user.partition(":")
        if name == "*":
            same = self._user.partition(":")[0] == kind and "#" not in self._user
            return self._when(one, answer=same)
        holder, _, relation = one.user.partition("#")
        return self._when(one, self._check(holder, relation)) if relation else False

    def _when(self, one: Tuple, answer: Answer) -> Answer:
        return all_of((answer, frozenset({one.condition}))) if one.condition else answer
