"""Who may read which document, by Cedar policies, as Cedar's own engine decides?"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from rageval_kit.intake.files import read_text
from rageval_kit.intake.policies.decisions import Decisions
from rageval_kit.intake.report import Collector
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.world import World

_BATCH = 4096
_LISTED = 20
# A policy ends at a semicolon outside of texts and comments.
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|;|[^";/]+|/', re.DOTALL)


def decisions(
    content: World, policies: Path, entities: Path, user: str, document: str, reads: str
) -> Decisions:
    """Whether `Action::"reads"` is allowed, for every entity of type `user`, on every document.

    `policies`: a file, or a folder of *.cedar. Documents of the snapshot that are no entities are
    asked of, too: a policy may name one. A policy that errs for some request is refused: Cedar
    would pass over it, also where it forbids.
    """
    files = sorted(policies.glob("*.cedar")) if policies.is_dir() else [policies]
    if not files:
        raise InputError.one(str(policies), "holds no *.cedar file", "", "name a file of policies")
    faults = Collector()
    texts = {path: read_text(path, faults) or "" for path in files}
    stated = read_text(entities, faults) or ""
    if faults.faults:
        raise InputError(fault.fault for fault in faults.ordered())
    cedar = _engine()
    wrong = [fault for path, text in texts.items() for fault in _unparsable(cedar, path, text)]
    known, more = _entities(entities, stated)
    if wrong or more:
        raise InputError([*wrong, *more])
    source = "\n".join(texts.values())
    made = _made(cedar.PolicySet.from_str, source, str(policies))
    held = _made(cedar.Entities.from_json_str, stated, str(entities))
    readable = {
        who: frozenset(_allowed(cedar, content, made, held, (user, who, document, reads)))
        for kind, who in known
        if kind == user
    }
    digest = sha256(json.dumps([*texts.values(), stated, user, document, reads]).encode())
    names = frozenset(name for kind, name in known if kind == document)
    named = names | {d for d in content.documents if _ref(document, d) in source}
    return Decisions("Cedar policies", digest.hexdigest(), readable, frozenset(named))


def _allowed(
    cedar: Any, content: World, policies: Any, entities: Any, asked: tuple[str, str, str, str]
) -> Iterator[str]:
    """The documents that one principal may read; always asked many at a time."""
    user, who, document, reads = asked
    ids = list(content.documents)
    for start in range(0, len(ids), _BATCH):
        part = ids[start : start + _BATCH]
        replies = cedar.is_authorized_batch(
            [
                {
                    "principal": _ref(user, who),
                    "action": _ref("Action", reads),
                    "resource": _ref(document, document_id),
                    "context": {},
                }
                for document_id in part
            ],
            policies,
            entities,
        )
        faults = {
            error: Fault(
                f"Cedar, {who} reads {document_id}",
                "a policy cannot be decided",
                str(error),
                "a reference has no request: leave out what hangs on its context",
            )
            for document_id, reply in zip(part, replies, strict=True)
            for error in reply.diagnostics.errors
        }
        if faults:
            raise InputError(list(faults.values())[:_LISTED])
        yield from (one for one, reply in zip(part, replies, strict=True) if reply.allowed)


def _made(make: Callable[[str], Any], text: str, where: str) -> Any:
    try:
        return make(text)
    except ValueError as error:
        raise InputError.one(where, "is refused by Cedar", str(error)) from error


def _unparsable(cedar: Any, path: Path, text: str) -> Iterator[Fault]:
    """Each policy that Cedar cannot parse, by the line on which it begins."""
    for line, policy in _policies(text):
        try:
            cedar.policies_to_json_str(policy)
        except ValueError as error:
            problem = "is a Cedar policy that does not parse"
            yield Fault(f"{path}:{line}", problem, str(error), policy.strip().splitlines()[0][:80])


def _policies(text: str) -> Iterator[tuple[int, str]]:
    """(line, policy) of each; comments between two stand with the later one."""
    held, line, at = "", 1, 1
    for piece in _PIECE.findall(text):
        if not held.strip():
            blank = len(piece) - len(piece.lstrip())
            line = at + piece[:blank].count("\n")
            if piece.startswith("//"):
                at += piece.count("\n")
                continue
        held += piece
        at += piece.count("\n")
        if piece == ";":
            yield line, held
            held = ""
    if held.strip():
        yield line, held


def _entities(path: Path, text: str) -> tuple[Sequence[tuple[str, str]], list[Fault]]:
    """(type, id) of each entity, and what is wrong with them."""
    try:
        rows = json.loads(text)
    except ValueError as error:
        return (), [Fault(str(path), "is not JSON", str(error), "write Cedar entities")]
    if not isinstance(rows, list):
        return (), [Fault(str(path), "is not a list of Cedar entities")]
    found: dict[tuple[str, str], None] = {}
    faults: list[Fault] = []
    for number, row in enumerate(rows, 1):
        uid = row.get("uid") if isinstance(row, Mapping) else None
        if isinstance(uid, Mapping):
            uid = uid.get("__entity", uid)
        kind, name = (uid.get("type"), uid.get("id")) if isinstance(uid, Mapping) else (None, None)
        where = f"{path}: entity {number}"
        if not (isinstance(kind, str) and isinstance(name, str)):
            faults.append(Fault(where, "has no uid with type and id", str(row)[:80]))
        elif (kind, name) in found:
            faults.append(Fault(where, "stands twice", f"{kind}::{name}", "keep one of the two"))
        else:
            found[kind, name] = None
    return tuple(found), faults


def _ref(kind: str, name: str) -> str:
    return f"{kind}::{json.dumps(name, ensure_ascii=False)}"


def _engine() -> Any:
    try:
        import cedarpy
    except ImportError as error:
        raise InputError.lacking("access=cedar", "cedar") from error
    return cedarpy
