"""What do the short words in demo/*.yaml mean: times, windows, list lines, chunks, versions?"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml

from rageval_kit.corpus.times import Side, parse_instant
from rageval_kit.records.world import (
    Chunk,
    Effect,
    Entry,
    State,
    SubjectKind,
    Version,
    Window,
)

HERE = Path(__file__).parent / "demo"
ZONE = "Asia/Shanghai"


def read(name: str) -> Any:
    return yaml.load((HERE / name).read_text(encoding="utf-8"), Loader=TextDates)  # noqa: S506


class TextDates(yaml.SafeLoader):
    """YAML without its dates: one reader of times, the corpus's own, sees them all as text."""


TextDates.yaml_implicit_resolvers = {
    first: [(tag, rule) for tag, rule in rules if tag != "tag:yaml.org,2002:timestamp"]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def instant(text: str, side: Side = Side.START) -> datetime:
    return parse_instant(text, ZONE, side)


def window(text: str) -> tuple[Window, datetime | None]:
    """`from D`, `until D` (includes the day), `revoked D`, in any order."""
    said = dict(re.findall(r"\b(from|until|revoked) (\S+)", text))
    start = instant(said["from"]) if "from" in said else None
    end = instant(said["until"], Side.END) if "until" in said else None
    revoked_at = instant(said["revoked"]) if "revoked" in said else None
    return Window(start, end), revoked_at


def entries(object_id: str, lines: Sequence[str]) -> tuple[Entry, ...]:
    made = []
    for number, line in enumerate(lines, start=1):
        words = line[1:].split(" ")
        kind = SubjectKind(words[0])
        named = kind not in {SubjectKind.EVERYONE, SubjectKind.PUBLIC}
        live, revoked_at = window(line)
        effect = Effect.ALLOW if line[0] == "+" else Effect.DENY
        subject_id = words[1] if named else ""
        made.append(Entry(f"{object_id}.e{number}", effect, kind, subject_id, live, revoked_at))
    return tuple(made)


def chunk(version_id: str, number: int, raw: str | Mapping[str, Any]) -> Chunk:
    given = {"text": raw} if isinstance(raw, str) else raw
    return Chunk(
        chunk_id=f"{version_id}.{number}",
        text=given["text"],
        location=given.get("at", f"¶{number}"),
        table_header=given.get("header"),
        label=given.get("label"),
        compartments=frozenset(given.get("compartments", ())),
        kind=given.get("kind", "body"),
    )


def version(raw: Mapping[str, Any], language: str) -> Version:
    since, until = raw["valid"]
    states = [line.split(" ") for line in raw["states"]]
    recorded_until = raw.get("recorded_until")
    return Version(
        version_id=raw["id"],
        title=raw["title"],
        chunks=tuple(chunk(raw["id"], n, c) for n, c in enumerate(raw["chunks"], start=1)),
        valid_from=instant(since) if since else None,
        valid_to=instant(until) if until else None,
        recorded_from=instant(raw["recorded"]),
        recorded_to=instant(recorded_until) if recorded_until else None,
        states=tuple((instant(day), State(state)) for day, state in states),
        language=raw.get("language", language),
    )
