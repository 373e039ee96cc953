"""How do public corpora with histories become what `rageval-kit snapshot` takes?

    python tests/tools/versioned_corpora.py ../shared/data OUT [site_policy zh_laws …]

Each becomes a table of versions and a directory: everyone of one tenant may read everything, and
one outsider belongs to another. Windows are computed here from the dates of the data alone, by no
code of the kit, so that what the kit makes of the same dates can be held against them.
"""

import gzip
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

SHANGHAI = ZoneInfo("Asia/Shanghai")
GITHUB = ZoneInfo("America/Los_Angeles")  # where the authors of the site policies sit
READERS = ("reader", "colleague")
OUTSIDER = "outsider"


@dataclass(frozen=True, slots=True)
class Source:
    """Files that `snapshot` takes, with the words it needs; `samples` where there are questions."""

    name: str
    table: Path
    directory: Path
    clock: str
    timezone: str
    samples: Path | None = None

    def snapshot(self, out: Path):
        """Build it; the result names the snapshot folder and the directory file."""
        from rageval_kit.intake.build import build_snapshot

        return build_snapshot(
            self.table,
            out,
            name=self.name,
            clock=self.clock,
            timezone=self.timezone,
            directory=self.directory,
        )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _written(
    out: Path, name: str, rows: Iterable[Mapping[str, Any]], clock: datetime, timezone: str
) -> Source:
    out.mkdir(parents=True, exist_ok=True)
    table = out / f"{name}.jsonl"
    fixed = {"tenant": name, "everyone": True}
    with table.open("w", encoding="utf-8") as file:
        for row in rows:
            kept = {key: value for key, value in row.items() if value is not None}
            file.write(json.dumps({**fixed, **kept}, ensure_ascii=False) + "\n")
    return Source(name, table, directory(out, name), clock.isoformat(), timezone)


def directory(out: Path, tenant: str) -> Path:
    """Two readers of the tenant, and one person of another."""
    path = out / f"{tenant}-people.json"
    people = [{"principal_id": who, "tenant": tenant} for who in READERS]
    people.append({"principal_id": OUTSIDER, "tenant": "elsewhere"})
    tenants = [{"tenant_id": tenant}, {"tenant_id": "elsewhere"}]
    told = {"schema": 1, "tenants": tenants, "principals": people}
    path.write_text(json.dumps(told, indent=2), encoding="utf-8")
    return path


# --- site_policy: a policy repository, as a table and as a repository built anew ---------------

MONTHS = "January February March April May June July August September October November December"
_STATED = re.compile(
    rf"effective date[:*]*\s*(?P<month>{'|'.join(MONTHS.split())}) (?P<day>\d+), (?P<year>\d{{4}})",
    re.IGNORECASE,
)
PATTERN = r"effective date[:*]*\s*(?P<date>[A-Z][a-z]+ \d{1,2}, \d{4})"
HEAD = 30  # lines; 195 versions speak of an effective date there, 159 name a day


def stated(text: str, zone: ZoneInfo) -> datetime | None:
    match = _STATED.search("\n".join(text.split("\n")[:HEAD]))
    if match is None:
        return None
    month = [name.lower() for name in MONTHS.split()].index(match["month"].lower()) + 1
    return datetime(int(match["year"]), month, int(match["day"]), tzinfo=zone)


def policy_rows(data: Path, among: tuple[str, ...] = ("",)) -> list[dict[str, Any]]:
    """The versions, oldest first, of the paths that hold one of the words."""
    return sorted(
        (
            row
            for row in _lines(data / "site_policy" / "versions.jsonl.gz")
            if any(word in row["path"] for word in among)
        ),
        key=lambda row: (datetime.fromisoformat(row["date"]), row["commit"], row["path"]),
    )


def site_policy(data: Path, out: Path, among: tuple[str, ...] = ("",)) -> Source:
    """One row a version: recorded by its commit, in force from the later of commit and statement.

    One that is replaced before its day comes was never in force: its record ends.
    """
    of_path: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in policy_rows(data, among):
        since = datetime.fromisoformat(row["date"])
        said = stated(row["text"], GITHUB)
        is_first = not of_path[row["path"]]
        of_path[row["path"]].append(
            {
                "document_id": row["path"],
                "version_id": f"{row['path']}@{row['version']}",
                "recorded_from": since,
                "valid_from": (said or since) if is_first else max(said or since, since),
                "text": row["text"],
            }
        )
    rows = [row for of_one in of_path.values() for row in of_one]
    for of_one in of_path.values():
        for place, row in enumerate(of_one):
            later = of_one[place + 1 :]
            swallowed = [new for new in later if new["valid_from"] <= row["valid_from"]]
            row["recorded_to"] = swallowed[0]["recorded_from"] if swallowed else None
            known = later[: later.index(swallowed[0])] if swallowed else later
            row["valid_to"] = min((new["valid_from"] for new in known), default=None)
    clock = max(row["recorded_from"] for row in rows)
    times = ("recorded_from", "recorded_to", "valid_from", "valid_to")
    for row in rows:
        row.update({name: row[name] and row[name].isoformat() for name in times})
    return _written(out, "site_policy", rows, clock, GITHUB.key)


def site_policy_repository(data: Path, folder: Path, among: tuple[str, ...] = ("",)) -> Path:
    """Build a real repository: the same commits in order, with their author dates and old names."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    commits: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in policy_rows(data, among):
        commits[row["commit"]].append(row)
    names: dict[str, str] = {}
    script: list[bytes] = []
    for rows in commits.values():
        at = datetime.fromisoformat(rows[0]["date"])
        when = f"{int(at.timestamp())} {at.strftime('%z')}"
        script.append(
            f"commit refs/heads/main\nauthor A <a@x> {when}\ncommitter C <c@x> {when}\n".encode()
            + b"data 1\nx\n"
        )
        for row in rows:
            path = row["name_then"]
            before = names.get(row["path"], path)
            if before != path:
                script.append(f'R "{before}" "{path}"\n'.encode())
            names[row["path"]] = path
            text = row["text"].encode()
            script.append(b'M 100644 inline "%s"\ndata %d\n%s\n' % (path.encode(), len(text), text))
    subprocess.run(
        ["git", "-C", str(folder), "fast-import", "--quiet"], input=b"".join(script), check=True
    )
    return folder


# --- zh_laws: publication is known time, the stated day is valid time ---------------------------

LAWS_CLOCK = datetime(2023, 6, 1, 9, tzinfo=SHANGHAI)  # after the last day of effect in the data


def law_rows(data: Path) -> list[dict[str, Any]]:
    return list(_lines(data / "zh_laws" / "laws.jsonl.gz"))


def zh_laws(data: Path, out: Path) -> Source:
    """Texts of one name are versions; the next by publication ends the one before it.

    It ends where the next takes effect, or is published where the data leave that empty. A text
    without a day of effect gets none. The flag `expired` decides no window (it is 0 for 31 of the
    42 texts that have a successor); a text that has none and carries it is withdrawn at the clock.
    """
    law = {row["id"]: row for row in law_rows(data)}
    rows = []
    for row in law.values():
        later = law.get(row["superseded_by"])
        published = f"{row['publish']}T00:00:00+08:00" if row["publish"] else None
        first = {"at": published or "1949-10-01T00:00:00+08:00", "state": "published"}
        states = [first]
        if row["expired"] and later is None:
            states.append({"at": LAWS_CLOCK.isoformat(), "state": "withdrawn"})
        until = (later["valid_from"] or later["publish"]) if later else None
        rows.append(
            {
                "document_id": row["name"],
                "version_id": row["id"],
                "title": row["name"],
                "language": "zh",
                "recorded_from": published,
                "valid_from": row["valid_from"] or None,
                "valid_to": f"{until}T00:00:00+08:00" if until else None,
                "state": states,
                "text": row["text"],
            }
        )
    return _written(out, "zh_laws", rows, LAWS_CLOCK, SHANGHAI.key)


# --- peps: one text each, with its states and chains --------------------------------------------

IN_FORCE = ("Active", "Final", "Accepted", "Provisional")
ENDED = ("Superseded", "Replaced")
GIVEN_UP = ("Withdrawn", "Rejected")


def pep_history(data: Path) -> dict[str, list[tuple[datetime, str]]]:
    found: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for row in _lines(data / "peps" / "status_history.jsonl"):
        found[row["file"]].append((datetime.fromisoformat(row["date"]), row["status"]))
    return {file: sorted(changes) for file, changes in found.items()}


def pep_links(data: Path) -> list[tuple[str, str]]:
    """(older, newer) as the heads say it: `Superseded-By` of the one, `Replaces` of the other."""
    links = set()
    for row in _lines(data / "peps" / "headers.jsonl"):
        number = row["number"]
        links |= {(number, new) for new in re.findall(r"\d+", row["superseded_by"] or "")}
        links |= {(old, number) for old in re.findall(r"\d+", row["replaces"] or "")}
    return sorted(links, key=lambda link: (int(link[0]), int(link[1])))


def peps(data: Path, out: Path) -> Source:
    """A PEP is in force from its first acceptance until the history calls it superseded.

    Where the history dates no end, the chain does: the successor names what it supersedes, if one
    successor only is named and began later. Drafts and what was given up are states.
    """
    history = pep_history(data)
    number = {row["file"]: row["number"] for row in _lines(data / "peps" / "headers.jsonl")}
    begins: dict[str, datetime] = {}
    ends: dict[str, datetime] = {}
    for file, changes in history.items():
        first = [at for at, status in changes if status in IN_FORCE]
        last = [at for at, status in changes if status in ENDED]
        if first:
            begins[number[file]] = first[0]
            if last and last[-1] > first[0]:
                ends[number[file]] = last[-1]
    links = pep_links(data)
    successors = Counter(old for old, _ in links)
    supersedes: dict[str, list[str]] = defaultdict(list)
    for old, new in links:
        dated = old in begins and new in begins and begins[old] < begins[new]
        if dated and old not in ends and successors[old] == 1:
            supersedes[new].append(f"pep-{int(old):04}")
    rows = []
    for text in _lines(data / "peps" / "texts.jsonl.gz"):
        pep = number[text["file"]]
        title = re.search(r"^Title: *(.+)$", text["text"], flags=re.MULTILINE)
        rows.append(
            {
                "document_id": f"PEP {pep}",
                "version_id": f"pep-{int(pep):04}",
                "title": title.group(1) if title else f"PEP {pep}",
                "language": "en",
                "recorded_from": history[text["file"]][0][0].isoformat(),
                "valid_from": begins[pep].isoformat() if pep in begins else None,
                "valid_to": ends[pep].isoformat() if pep in ends else None,
                "supersedes": supersedes.get(pep),
                "state": _pep_states(history[text["file"]]),
                "text": text["text"],
            }
        )
    clock = max(at for changes in history.values() for at, _ in changes)
    return _written(out, "peps", rows, clock, "UTC")


def _pep_states(changes: list[tuple[datetime, str]]) -> list[dict[str, str]]:
    """What was superseded stays published: its window ends, and it may be asked for as of then."""
    states: list[dict[str, str]] = []
    for at, status in changes:
        if status in IN_FORCE or status in ENDED:
            state = "published"
        else:
            state = "withdrawn" if status in GIVEN_UP else "draft"
        if not states or states[-1]["state"] != state:
            states.append({"at": at.isoformat(), "state": state})
    return states


# --- pypa_advisories: published, and some withdrawn ---------------------------------------------


def pypa_advisories(data: Path, out: Path) -> Source:
    """An advisory holds from its publication; withdrawn is a state, since it never was right."""
    rows, instants = [], []
    for line in _lines(data / "pypa_advisories" / "advisories.jsonl.gz"):
        told = yaml.load(line["yaml"], getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
        published, withdrawn = _utc(told["published"]), told.get("withdrawn")
        instants += [published, _utc(told["modified"]), *([_utc(withdrawn)] if withdrawn else [])]
        states = [{"at": published.isoformat(), "state": "published"}]
        if withdrawn:
            states.append({"at": _utc(withdrawn).isoformat(), "state": "withdrawn"})
        package = ", ".join(sorted({item["package"]["name"] for item in told["affected"]}))
        rows.append(
            {
                "document_id": told["id"],
                "version_id": f"{told['id']}@1",
                "title": f"{told['id']}: {package}",
                "language": "en",
                "recorded_from": published.isoformat(),
                "valid_from": published.isoformat(),
                "state": states,
                "text": f"Package: {package}\n\n{told['details']}",
            }
        )
    return _written(out, "pypa_advisories", rows, max(instants), "UTC")


def _utc(instant: str | datetime) -> datetime:
    stated = instant if isinstance(instant, datetime) else datetime.fromisoformat(instant)
    return stated.replace(tzinfo=stated.tzinfo or UTC)


# --- timeqa: one page each, questions about a stretch of time -----------------------------------

PAGES_SINCE = "1000-01-01"  # a page tells of all times; the data do not say when it was written
PAGES_CLOCK = datetime(2021, 1, 1, tzinfo=UTC)
_YEAR = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")


def timeqa(data: Path, out: Path) -> Source:
    """A paragraph is a passage; a question without an answer on its page is unanswerable.

    It is asked as of the middle of the first year that it names, which stands in its strata too.
    """
    with gzip.open(data / "timeqa" / "human_annotated_test.part.json.gz", "rt") as file:
        pages = json.load(file)
    rows, samples = [], []
    for page in pages:
        name = page["index"]
        for number, paragraph in enumerate(page["paras"]):
            rows.append(
                {
                    "document_id": name,
                    "version_id": f"{name}@1",
                    "title": page["paras"][0],
                    "language": "en",
                    "valid_from": PAGES_SINCE,
                    "chunk_id": f"{name}#{number}",
                    "text": paragraph,
                }
            )
        for number, (question, answers) in enumerate(page["questions"]):
            found = [answer for answer in answers if answer["answer"]]
            year = _YEAR.search(question)
            samples.append(
                {
                    "query_id": f"{name}?{number}",
                    "question": question,
                    "principal": READERS[0],
                    "answerability": "answerable" if found else "unanswerable",
                    "expected_behavior": "answer" if found else "refuse",
                    "relevant_passages": {f"{name}#{answer['para']}": 3 for answer in found},
                    **({"reference_answer": found[0]["answer"]} if found else {}),
                    **({"as_of": f"{year.group()}-07-01"} if year else {}),
                    "strata": {"year": year.group() if year else "none"},
                    "origin": "real",
                }
            )
    source = _written(out, "timeqa", rows, PAGES_CLOCK, "UTC")
    asked = out / "timeqa-questions.jsonl"
    lines = (json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples)
    asked.write_text("".join(lines), encoding="utf-8")
    return Source("timeqa", source.table, source.directory, source.clock, "UTC", asked)


CORPORA = {
    "site_policy": site_policy,
    "zh_laws": zh_laws,
    "peps": peps,
    "pypa_advisories": pypa_advisories,
    "timeqa": timeqa,
}


def main(words: list[str]) -> None:
    data, out, *names = words
    for name in names or CORPORA:
        built = CORPORA[name](Path(data), Path(out)).snapshot(Path(out))
        print(f"{name}: corpus.path={built.folder} access.path={built.directory}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
