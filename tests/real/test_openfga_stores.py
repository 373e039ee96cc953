"""Every expectation of the public OpenFGA stores that can be expressed agrees; the rest is listed.

`python tests/real/test_openfga_stores.py` writes the list in docs/policies.md anew. The
expectations are those of the stores' authors.
"""

import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from rageval_kit.access import Monitor
from rageval_kit.intake.policies import openfga
from rageval_kit.intake.policies.decisions import world_of
from rageval_kit.intake.policies.fga_store import read_store
from rageval_kit.intake.report import Collector
from rageval_kit.records.target import Grain
from rageval_kit.records.world import Chunk, Document, State, Version, World

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "policies.md"
BEGIN, END = "<!-- stores: begin -->\n", "<!-- stores: end -->\n"

pytestmark = pytest.mark.real


def stores(folder):
    found = {}
    for path in sorted(folder.rglob("*.fga.yaml")):
        faults = Collector()
        found[path.relative_to(folder).as_posix()] = read_store(path, faults)
        assert [str(one.fault) for one in faults.ordered()] == []
    return found


def stated(path):
    """How many expectations a file states, counted without the reader."""
    tests = yaml.safe_load(path.read_text("utf-8"))["tests"]
    rows = [row for t in tests for kind in ("check", "list_objects", "list_users")
            for row in t.get(kind) or []]  # fmt: skip
    return sum(len(row["assertions"]) for row in rows)


def table(folder):
    rows = ["| store | agree | differ | not expressible, and why |", "|---|---|---|---|"]
    total = Counter()
    for name, store in stores(folder).items():
        outcomes = list(store.outcomes())
        count = Counter(one.agrees for one in outcomes)
        total += count
        reasons = Counter(one.detail for one in outcomes if one.agrees is None)
        why = "; ".join(f"{n}: {reason}" for reason, n in sorted(reasons.items())) or "–"
        rows.append(
            f"| {name.removesuffix('.fga.yaml')} | {count[True]} | {count[False]} | {why} |"
        )
    rows.append(f"| **all** | {total[True]} | {total[False]} | {total[None]} |")
    return "\n".join(rows) + "\n"


def parts():
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    listed, _, tail = rest.partition(END)
    return head, listed, tail


def test_every_expectation_that_can_be_expressed_agrees(shared_data):
    count, kinds = Counter(), Counter()
    folder = shared_data("openfga_stores")
    for store in stores(folder).values():
        for one in store.outcomes():
            assert one.agrees is not False, (store.file, str(one.assertion), one.detail)
            count[one.agrees] += 1
            kinds[one.assertion.kind, one.agrees] += 1
    assert sum(count.values()) == sum(map(stated, folder.rglob("*.fga.yaml"))) == 363
    assert count == {True: 291, None: 72}
    assert kinds["check", True] == 268
    assert kinds["list_objects", True] == 10


def test_the_expectations_would_notice_a_reader_that_is_wrong(shared_data, monkeypatch):
    """Read `but not` and `and` as `or`, or follow no folder, and some store disagrees."""
    from rageval_kit.intake.policies import fga_check

    folder = shared_data("openfga_stores")

    def differing():
        return sum(one.agrees is False for s in stores(folder).values() for one in s.outcomes())

    assert differing() == 0
    with monkeypatch.context() as patch:
        patch.setattr(fga_check, "all_of", fga_check.any_of)
        assert differing() > 0
    for name in ("_direct", "_check"):
        kept = getattr(fga_check.Relations, name)
        with monkeypatch.context() as patch:
            patch.setattr(fga_check.Relations, name, lambda *a, kept=kept: not kept(*a))
            assert differing() > 100


def test_the_list_in_the_documentation_is_what_was_found(shared_data):
    expected = table(shared_data("openfga_stores"))
    assert parts()[1] == expected, "run: python tests/real/test_openfga_stores.py"


def test_the_drive_as_the_reference_of_a_world(shared_data):
    """gdrive: its README says who reads which document; the monitor must say the same."""
    folder = shared_data("openfga_stores")
    since = datetime(2024, 1, 1, tzinfo=UTC)
    documents = {
        name: Document(
            name,
            "any",
            (Version(f"{name}@1", name, (Chunk(f"{name}#1", "text"),), since,
                     states=((since, State.PUBLISHED),)),),
        )
        for name in ("2021-roadmap", "public-roadmap", "unheard-of")
    }  # fmt: skip
    empty = World(documents, {}, {}, {}, {}, {}, {}, {}, clock=since)
    made = openfga.decisions(empty, folder / "gdrive" / "store.fga.yaml", "user", "doc", "can_read")
    monitor = Monitor(world_of(empty, made))
    found = {
        who: {one for one in documents if one in monitor.permitted(who, Grain.DOCUMENT)}
        for who in ("anne", "beth", "charles")
    }
    both = {"2021-roadmap", "public-roadmap"}
    # Beth reads the roadmap by name, Charles through his group and the folder, Anne as its owner.
    assert found == {"anne": both, "beth": both, "charles": both}
    # Daniel, of whom the README says that he cannot, is in no tuple: no principal of this world.
    assert "daniel" not in made.readable
    assert made.known == both


if __name__ == "__main__":
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared/data/openfga_stores"
    head, _, tail = parts()
    PAGE.write_text(f"{head}{BEGIN}{table(data)}{END}{tail}", encoding="utf-8")
