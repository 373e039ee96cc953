"""Does an index still hold what its source says: nothing missing, orphaned, stale, or late?"""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rageval_kit.cli.machine import machine
from rageval_kit.records.faults import InputError

if TYPE_CHECKING:
    from rageval_kit.build.planning import Plan
    from rageval_kit.corpus.reconcile import Reconciliation
    from rageval_kit.records.target import Indexed
    from rageval_kit.records.world import World

_PATH = click.Path(path_type=Path)
_NAMED = 5
DIFFERS = 1
_WORDS = {
    "missing": "in force in the source, not in the index",
    "orphaned": "in the index, not in the source",
    "stale": "another text or version than the source has",
    "wrong_model": "a vector of another embedding model",
    "repeated": "held more than once",
    "late": "indexed later than the service level allows",
    "pending": "not yet followed, inside the service level",
}


@click.command("reconcile", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("words", nargs=-1, metavar="[INDEX] [OVERRIDES…]")
@click.option("--level", default=600.0, show_default=True, help="Seconds that a change may take.")
@click.option("--model", default="", help="The embedding model that every vector must be of.")
@click.option("--timed-from", help="An instant: what the source held before it was loaded in bulk.")
@click.option("-o", "--output", type=_PATH, help="Write every difference to this JSONL file.")
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(
    *,
    words: Sequence[str],
    level: float,
    model: str,
    timed_from: str | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Hold an index against its source; 1 if they differ, 4 if --model is not told of every entry.

    INDEX is a listing of the index (JSONL, CSV or Parquet: chunk_id, and where it can say so
    version_id, digest or text, model, indexed_at). Without one the configured target is asked to
    list its own. OVERRIDES choose the source as for a run: corpus=snapshot corpus.path=….
    """
    from rageval_kit.build import compose
    from rageval_kit.cli.streams import say
    from rageval_kit.corpus.reconcile import reconcile, source_index
    from rageval_kit.corpus.times import TimeError, parse_instant
    from rageval_kit.gates.decision import EXIT_INCOMPLETE
    from rageval_kit.run.prepare import read_world

    files = [word for word in words if "=" not in word]
    if len(files) > 1:
        raise click.UsageError(f"one INDEX at a time, not {len(files)}: {', '.join(files)}")
    if level < 0:
        raise click.UsageError(f"--level is {level:g}; give 0 or more seconds")
    made = compose(*(word for word in words if "=" in word))
    world, digest, *_ = read_world(made)
    try:
        since = parse_instant(timed_from, world.timezone) if timed_from else None
    except TimeError as fault:
        raise click.UsageError(f"--timed-from {timed_from!r} {fault}") from fault
    held = _listing(Path(files[0]), world.timezone) if files else _asked(made, world)
    found = reconcile(source_index(world, model, timed_from=since), held, level)
    if output is not None:
        _write(output, found)
    if as_json:
        machine(_told(found, digest))
    for line in _lines(found, world.clock.isoformat(), level):
        say(line)
    if found.differs:
        return DIFFERS
    return EXIT_INCOMPLETE if found.model_not_told else 0


def _listing(path: Path, timezone: str) -> "list[Indexed]":
    from rageval_kit.intake.inventories import read_inventory

    return read_inventory(path, timezone)


def _asked(made: "Plan", world: "World") -> "list[Indexed]":
    """What the configured target lists of its own index."""
    from rageval_kit.records.target import Inventories

    target = made.target
    if not isinstance(target, Inventories):
        way_out = "give a listing: rageval-kit reconcile INDEX.jsonl …"
        raise InputError.one("retriever", "does not list its index", target.name, way_out)
    target.connect(world)
    try:
        return list(target.inventory())
    finally:
        target.close()


def _write(path: Path, found: "Reconciliation") -> None:
    import msgspec

    from rageval_kit.corpus.atomic import write_file

    lines = (msgspec.json.encode(one) for one in found.differences)
    write_file(path, b"".join(line + b"\n" for line in lines))


def _told(found: "Reconciliation", digest: str) -> dict[str, object]:
    return {
        "agrees": found.agrees,
        "snapshot": digest,
        "source": found.n_source,
        "due": found.n_due,
        "held": found.n_held,
        "counts": {str(kind): n for kind, n in found.counts.items()},
        "worst_lag_s": found.worst_lag_s,
        "models": found.models,
        "untold": found.untold,
        "model_not_told": found.model_not_told,
    }


def _lines(found: "Reconciliation", clock: str, level: float) -> Sequence[str]:
    due = f"{found.n_source:,} passages, {found.n_due:,} in force"
    lines = [f"source at {clock}: {due}; the index holds {found.n_held:,}"]
    for kind, n in found.counts.items():
        if n:
            some = [one.chunk_id for one in found.differences if one.kind is kind][:_NAMED]
            more = " …" if n > _NAMED else ""
            lines.append(f"{kind:<12}{n:>8,}  {_WORDS[kind]}: {', '.join(some)}{more}")
    if found.worst_lag_s is not None:
        worst, allowed = (timedelta(seconds=round(s)) for s in (found.worst_lag_s, level))
        lines.append(f"longest lag {worst}, service level {allowed}")
    if found.models and len(found.models) > 1:
        lines.append("models: " + ", ".join(f"{m} {n:,}" for m, n in sorted(found.models.items())))
    silent = [f"{name} of {n:,}" for name, n in found.untold.items() if n]
    if silent:
        lines.append(f"not told by the index, so not compared: {', '.join(silent)} entries")
    if found.differs:
        lines.append("the index differs")
    elif found.model_not_told:
        lines.append("whether every vector is of the model asked about cannot be said")
    else:
        lines.append("the index agrees with its source")
    return lines
