"""Which cases do the families of a suite come to in this world, and what cannot be run, and why?"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rageval_kit.generate.cells import AUDIT, EXACT, OPEN_THEN, OTHER_WORLD, VIA, door
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.family import Family, Word, variants, word_module
from rageval_kit.generate.scene import Found, Pair, Scene
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.records.cases import Case, Coordinates, Expectation, Script
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.world import PrincipalKind

FINER: Mapping[Grain, frozenset[str]] = {
    Grain.DOCUMENT: frozenset({"chunk", "attachment", "version"}),
    Grain.VERSION: frozenset({"chunk", "attachment"}),
    Grain.CHUNK: frozenset(),
}
WHOLE_PATH = {
    Stage.CACHE,
    Stage.CONTEXT,
    Stage.CITATION,
    Stage.ANSWER,
    Stage.ANSWER_STREAM,
    Stage.LOG,
    Stage.EGRESS,
}
NOW = frozenset({"open", "count", "look"})
LACKS = {
    OTHER_WORLD: "the target holds no other world beside its own",
    EXACT: "the target cannot be asked for an exact scan",
    VIA: "the target is not told through whom a question passes",
    AUDIT: "the target shows no audit trail",
}
NOBODY = Word("nobody")
NONE: frozenset[str] = frozenset()
PLANTED = frozenset({"look_alike"})  # words of `world` whose documents the family itself asks for


@dataclass(frozen=True, slots=True)
class FamilyCases:
    """The cases of one family. `nothing` maps a variant to why it makes none."""

    family: Family
    cases: tuple[Case, ...]
    variants: Mapping[str, Family]
    pairs_available: int = 0
    all_pairs: bool = False
    nothing: Mapping[str, str] = field(default_factory=dict)

    @property
    def not_applicable(self) -> str:
        """Why no case came of it; '' where some did."""
        if self.cases or self.family.is_code:
            return ""
        return "; ".join(dict.fromkeys(self.nothing.values())) or "no pair in this world"


def compile_family(whole: Scene, family: Family, size: int) -> FamilyCases:
    """All cases of a family: its variants x the pairs of each x its wordings, about `size`."""
    if family.is_code:
        return FamilyCases(family, (), {})
    concrete = variants(family)
    cases: list[Case] = []
    nothing: dict[str, str] = {}
    known: dict[str, Family] = {}
    available, every = 0, True
    for asked in concrete:
        variant = _in_one_world(whole, asked)
        label = ",".join(value for _, value in variant.variant) or "all"
        reason = _lacking(whole, variant)
        if reason:
            nothing[label] = reason
            continue
        scene = whole.today if _asks_of_now(variant) else whole
        if any(word.name in PLANTED for word in variant.world):
            scene = scene.mingled
        shown = _exhibits(scene, variant)
        if shown is not None and not shown:
            nothing[label] = "this world holds no document of this kind"
            continue
        if shown is not None:
            scene = scene.showing(shown)
        per_pair = max(1, len(variant.ask))
        own = len(concrete) - len(family.added)
        limit = max(1, math.ceil(size / own / per_pair))
        found = _find(scene, variant, limit)
        usable = [pair for pair in found.pairs if not _unusable(scene, pair)]
        if not usable:
            nothing[label] = found.nothing or "the target cannot be changed by the kit"
            continue
        available += found.available
        # What was planted is a sample of what could be: all of it is not all there is.
        found_here = all(_is_own(whole, pair) for pair in usable)
        every = every and found_here and len(usable) >= found.available
        for pair, word, others in _combinations(variant, usable):
            case_id = f"{family.id}-{len(cases) + 1:05d}"
            case = _case(scene, variant, case_id, pair, word, others)
            if case is not None:
                cases.append(case)
                known[case_id] = variant
    return FamilyCases(family, tuple(cases), known, available, every and bool(cases), nothing)


def _asks_of_now(variant: Family) -> bool:
    """Whether it opens handles or counts: such a call carries no time but the target's own."""
    return any(word.name in NOW for word in variant.when) or any(
        word.args.get("by") in NOW for word in variant.alive
    )


def _combinations(
    variant: Family, pairs: Sequence[Pair]
) -> Iterator[tuple[Pair, Word, Sequence[Pair]]]:
    """Each pair with each wording; where many readers share a step, one case for the whole lot."""
    together = [word for word in variant.when if word.name == "together"]
    if together:
        step = int(together[0].args.get("in_flight", 16)) // 2
        for start in range(0, len(pairs), step):
            yield pairs[start], variant.ask[0], pairs[start + 1 : start + step]
        return
    for pair in pairs:
        for word in variant.ask:
            yield pair, word, ()


def _is_own(scene: Scene, pair: Pair) -> bool:
    """Whether the pair is about a document of the world itself, not about a planted one."""
    return scene.places[pair.chunk_id].document.document_id in scene.given.documents


def _exhibits(scene: Scene, variant: Family) -> list[Exhibit] | None:
    """What the variant's own words of `world` show; None where none of them shows anything."""
    modules = [(word_module("world", word.name), word) for word in variant.world]
    showing = [(module, word) for module, word in modules if hasattr(module, "exhibits")]
    if not showing:
        return None
    shown: list[Exhibit] = []
    for module, word in showing:
        of_given = hasattr(module, "of_given") and module.of_given(word.args)
        world = scene.given if of_given else scene.world
        shown += module.exhibits(world, word.args, scene.seed)
    return shown


def _find(scene: Scene, variant: Family, limit: int) -> Found:
    who = variant.denied_by or NOBODY
    find = word_module("who", who.name).find
    wanted = limit * 4 if variant.beside == "service_account" else limit
    found: Found = find(scene, who.args, wanted, variant.part)
    if variant.beside == "service_account":
        pairs = tuple(p for pair in found.pairs if (p := _beside_service(scene, pair)))
        nothing = "" if pairs else "no service account may read what the reader may not"
        found = replace(found, pairs=pairs[:limit], nothing=found.nothing or nothing)
    return found


def _beside_service(scene: Scene, pair: Pair) -> Pair | None:
    column = scene.columns[pair.chunk_id]
    for row in sorted(scene.services):
        reader = scene.readers[row]
        is_service = scene.world.principals[reader].kind is PrincipalKind.SERVICE
        readable = not scene.reasons[row, column]
        if is_service and readable and reader != pair.twin_id:
            return replace(pair, service_id=reader)
    return None


def _unusable(scene: Scene, pair: Pair) -> bool:
    return bool(pair.setup or pair.event) and not scene.has(Power.MUTATE, Power.RESTORE)


def _lacking(scene: Scene, variant: Family) -> str:  # noqa: PLR0911 - the first that applies
    """What the target lacks for this variant, in words; '' where nothing."""
    silent = [stage for stage in variant.must if stage not in scene.taps]
    if silent:
        return f"the target shows no {', '.join(silent)}"
    needs = set().union(*_needs("when", variant.when), *_needs("world", variant.world))
    # One check that can look is enough: only what all of them need is lacking.
    needs |= frozenset.intersection(*_needs("checks", variant.checks))
    missing = sorted(needs - scene.powers)
    if missing:
        return f"the target lacks the power {', '.join(missing)}"
    for word in variant.alive:
        if word.name == "live" and Stage(str(word.args["is"])) not in scene.taps:
            return f"the target shows no {word.args['is']}"
    steps = {word.name for word in variant.when}
    steps |= {str(word.args.get("by", "search")) for word in variant.alive}
    steps |= {OPEN_THEN for word in variant.when if word.name == "open" and "as_of" in word.args}
    unable = sorted((steps & {"open", "count", "read", OPEN_THEN}) - scene.abilities)
    if unable:
        return f"the target cannot be asked to {', '.join(unable)}"
    unable = sorted(_abilities_needed(variant) - scene.abilities)
    if unable:
        return "; ".join(map(_unable, unable))
    who = variant.denied_by
    any_grain = who is not None and getattr(word_module("who", who.name), "ANY_GRAIN", False)
    if variant.part in FINER[scene.grain] and not any_grain:
        return f"the target's ids tell no {variant.part}s apart within a {scene.grain}"
    return ""


def _unable(ability: str) -> str:
    return LACKS.get(ability) or f"the target has no door {ability.removeprefix(door(''))}"


def _in_one_world(scene: Scene, variant: Family) -> Family:
    """The variant without its contrast, where the target holds one world and a check needs no more.

    What is left of it can be judged all the same: a count above what may be seen is too high.
    """
    contrast = variant.contrast
    if contrast is None or OTHER_WORLD in scene.abilities:
        return variant
    if OTHER_WORLD not in _asked_by("contrast", contrast):
        return variant
    if all(getattr(word_module("checks", w.name), "COMPARES", False) for w in variant.checks):
        return variant
    alive = tuple(w for w in variant.alive if OTHER_WORLD not in _asked_by("alive", w))
    return replace(variant, contrast=None, alive=alive)


def _asked_by(slot: str, word: Word) -> frozenset[str]:
    """What a word asks of the target beyond searching, as its `abilities(args)` says."""
    module = word_module(slot, word.name)
    asked: frozenset[str] = module.abilities(word.args) if hasattr(module, "abilities") else NONE
    return asked


def _abilities_needed(variant: Family) -> frozenset[str]:
    """What all the words together ask of the target beyond searching."""
    contrast = () if variant.contrast is None else (variant.contrast,)
    slots = {
        "who": () if variant.denied_by is None else (variant.denied_by,),
        "when": variant.when,
        "ask": variant.ask,
        "contrast": contrast,
        "checks": variant.checks,
        "alive": variant.alive,
    }
    return NONE.union(*(_asked_by(slot, word) for slot, words in slots.items() for word in words))


def _needs(slot: str, words: Sequence[Word]) -> list[frozenset[Power]]:
    """The powers without which each word means nothing, as its module says."""
    modules = [(word_module(slot, word.name), word) for word in words]
    return [
        module.needs(word.args)
        if hasattr(module, "needs")
        else getattr(module, "NEEDS", frozenset())
        for module, word in modules
    ]


def _wording(scene: Scene, pair: Pair, word: Word) -> Wording | None:
    """None where the word cannot be said of the pair: there is nothing to ask then."""
    wording: Wording | None = word_module("ask", word.name).query(scene, pair, word.args)
    if wording is None:
        return None
    if pair.as_of or pair.known_at:
        wording = replace(wording, as_of=pair.as_of, known_at=pair.known_at)
    return wording


def _case(
    scene: Scene,
    variant: Family,
    case_id: str,
    pair: Pair,
    word: Word,
    others: Sequence[Pair],
) -> Case | None:
    wording = _wording(scene, pair, word)
    if wording is None:
        return None
    more = [(other, w) for other in others if (w := _wording(scene, other, word)) is not None]
    walk = Walk(scene, variant, pair, wording, more)
    walk.apply(pair.setup)
    for step in variant.when:
        word_module("when", step.name).emit(walk, step.args)
    if variant.contrast is not None:
        word_module("contrast", variant.contrast.name).prepare(walk, variant.contrast.args)
    for condition in _alive(variant, pair):
        word_module("alive", condition.name).prepare(walk, condition.args)
    for oracle in variant.checks:  # what it must know of the world, if anything
        if prepare := getattr(word_module("checks", oracle.name), "prepare", None):
            prepare(walk, oracle.args)
    if pair.reference:
        walk.roles["relevant"] = _relevant(scene, pair)
    coordinates = Coordinates(
        variant.id,
        scene.seed,
        pair.reader_id,
        scene.places[pair.chunk_id].document.document_id,
        pair.twin_id,
        variant.variant,
        word.name,
    )
    expectation = Expectation(
        case_id,
        walk.expected,
        walk.roles,
        walk.level_s,
        {name: tuple(steps) for name, steps in walk.marks.items()},
        timezone=scene.world.timezone,
        **_exhibited(pair.exhibit),
    )
    about = (chunk_id for chunk_id in (pair.chunk_id, pair.sibling_id) if chunk_id in scene.places)
    touches = frozenset(scene.places[chunk_id].document.document_id for chunk_id in about)
    if pair.exhibit:
        touches |= frozenset(pair.exhibit.documents.values())
    script = Script(case_id, tuple(walk.steps), _whole_path(scene, variant), touches)
    return Case(case_id, coordinates, script, expectation, pair.conditions)


def _exhibited(exhibit: Exhibit | None) -> dict[str, Any]:
    """What an expectation says of the exhibit itself."""
    if exhibit is None:
        return {}
    entity = exhibit.questions.get("entity", "")
    values = {value: name for name, value in exhibit.values.items()}
    return {
        "payload": exhibit.payload,
        "values": values,
        "kept": (entity,) if entity else (),
        "choices": exhibit.choices,
    }


def _alive(variant: Family, pair: Pair) -> tuple[Word, ...]:
    """The living positives of a case; where no twin exists the reader's own sibling stands in."""
    if pair.twin_id:
        return variant.alive
    words = [word for word in variant.alive if word.name != "allowed_reader"]
    if pair.sibling_id and all(word.name != "sibling_found" for word in words):
        words.append(Word("sibling_found"))
    return tuple(words)


def alive_words(variant: Family, expectation: Expectation) -> tuple[Word, ...]:
    """The conditions whose steps a case carries: the same choice as when it was made."""
    has_twin = bool({"twin", "service", "together"} & expectation.marks.keys())
    pair = Pair(
        "",
        "",
        twin_id="yes" if has_twin else "",
        sibling_id="yes" if "sibling" in expectation.marks else "",
    )
    words = _alive(variant, pair)
    if "changed" in expectation.marks and all(word.name != "acknowledged" for word in words):
        # A pair that a script brings about is denied only if the target took the changes.
        words = (*words, Word("acknowledged"))
    return words


def _relevant(scene: Scene, pair: Pair) -> frozenset[str]:
    """What of the target's crowd the reader may see, by the monitor."""
    start = scene.places[pair.chunk_id].document.document_id.rsplit("-", 1)[0] + "-"
    permitted = scene.monitor.permitted(pair.reader_id, scene.grain)
    return frozenset(
        item
        for place in scene.places.values()
        if place.document.document_id.startswith(start)
        for item in (
            {
                Grain.DOCUMENT: place.document.document_id,
                Grain.VERSION: place.version.version_id,
                Grain.CHUNK: place.chunk.chunk_id,
            }[scene.grain],
        )
        if item in permitted
    )


def _whole_path(scene: Scene, variant: Family) -> bool:
    return bool(WHOLE_PATH & {*variant.must, *variant.also} & scene.taps)
