"""The families listed in docs/suites.md are those of the suite. `python tests/docs/test_suites.py`
writes the list anew.
"""

import shlex
from pathlib import Path

import pytest

from rageval_kit.build import compose
from rageval_kit.generate.shelf import load
from rageval_kit.resources import tree

PAGE = Path(__file__).resolve().parents[2] / "docs" / "suites.md"
SUITES = ("acl_full", "acl_negative", "staleness", "as_of", "injection", "poisoning")
BEGIN, END = "<!-- families: begin -->\n", "<!-- families: end -->\n"


def table():
    from fnmatch import filter as matching

    folder = tree("suites") / "families"
    there = sorted(path.stem for path in folder.glob("*.yaml"))
    listing = {
        name: {one for pattern in wanted.ids for one in matching(there, pattern)}
        - {one for pattern in wanted.exclude for one in matching(there, pattern)}
        for name in SUITES
        for wanted in [compose(f"+suite={name}").spec.suites[name].families]
    }
    rows = ["| family | asks | severity | must be seen | suites |", "|---|---|---|---|---|"]
    for family in sorted(load(folder, there), key=lambda one: one.id):
        taps = "the kit itself" if family.is_code else ", ".join(family.must)
        kind = "" if family.counts_as == "security" else f" ({family.counts_as})"
        rows.append(
            f"| `{family.id}` {family.title['en']} · {family.title['zh']} | {family.motive['en']} "
            f"| {family.severity}{kind} | {taps} "
            f"| {', '.join(name for name, ids in listing.items() if family.id in ids)} |"
        )
    return "\n".join(rows) + "\n"


def parts():
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    listed, _, tail = rest.partition(END)
    return head, listed, tail


def test_the_families_are_listed_as_their_files_have_them():
    assert parts()[1] == table(), "run: python tests/docs/test_suites.py"


def test_every_shipped_suite_is_told():
    for path in (tree("conf") / "suite").glob("*.yaml"):
        assert f"| `{path.stem}` |" in parts()[0]


def commands():
    block = PAGE.read_text(encoding="utf-8").split("## Choosing")[1].split("```")[1]
    return [shlex.split(line)[1:] for line in block.strip().splitlines()]


@pytest.mark.parametrize("words", commands(), ids=lambda words: words[-1])
def test_a_way_of_choosing_is_accepted(words):
    assert compose(*words).spec.suites


def test_a_suite_of_ones_own_is_chosen_as_told(tmp_path):
    text = PAGE.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "weekly.yaml").write_text(text, encoding="utf-8")
    suite = compose("+suite=weekly", config_dir=tmp_path).spec.suites["weekly"]
    shipped = compose("+suite=acl_negative").spec.suites["acl_negative"]
    assert suite.service_levels_s.revocation == 30
    assert suite.service_levels_s.acl_sync == shipped.service_levels_s.acl_sync
    assert suite.families.ids == ("ACL-01", "ACL-02", "ACL-08", "CTL-*")


if __name__ == "__main__":
    head, _, tail = parts()
    PAGE.write_text(head + BEGIN + table() + END + tail, encoding="utf-8")
