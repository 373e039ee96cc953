"""What did a word of `world` make, or find, for the cases of its own family?

Planting and cases are made at different times from the same arguments and seed, so an exhibit is
never stored: whoever needs it derives it again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rageval_kit.records.cases import Choice, Payload
from rageval_kit.records.changes import Change


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What one case is about.

    `documents` by role: `target` (the one asked about, or the one that carries a payload) and, as
    the word has them, `clean`, `true`, `decoy`, `secret` …. `parts`: the passages that carry the
    payload, one set of ids per part. `readers`: who is meant to ask; empty: whoever may read the
    target. `questions` by name of wording (`topic` at least). `values`: the value that each version
    states, by version id; `truth` names the version that is right where the access rule does not
    decide it (of two documents that both may be read). `events` by name: changes that a step of the
    script brings about (`publish`, `delete` …). `choices`: the options of a question, by its name.
    """

    exhibit_id: str
    documents: Mapping[str, str]
    questions: Mapping[str, str]
    readers: tuple[str, ...] = ()
    author_id: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    truth: str = ""
    parts: tuple[frozenset[str], ...] = ()
    payload: Payload | None = None
    events: Mapping[str, tuple[Change, ...]] = field(default_factory=dict)
    lang: str = "en"
    choices: Mapping[str, Choice] = field(default_factory=dict)
