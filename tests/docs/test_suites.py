"""The families listed in docs/suites.md are those of the suite. `python tests/docs/test_suites.py`
writes the list anew.
"""

from pathlib import Path

from rageval_kit.build import compose
from rageval_kit.generate.shelf import load
from rageval_kit.resources import tree

PAGE = Path(__file__).resolve().parents[2] / "docs" / "suites.md"
BEGIN, END = "<!-- families: begin -->\n", "<!-- families: end -->\n"


def table():
    from fnmatch import filter as matching

    folder = tree("suites") / "families"
    there = sorted(path.stem for path in folder.glob("*.yaml"))
    wanted = compose("+suite=acl_negative").spec.suites["acl_negative"].families.ids
    ids = [one for pattern in wanted for one in matching(there, pattern)]
    rows = ["| family | asks | severity | must be seen |", "|---|---|---|---|"]
    for family in sorted(load(folder, ids), key=lambda one: one.id):
        taps = "the kit itself" if family.is_code else ", ".join(family.must)
        kind = "" if family.counts_as == "security" else f" ({family.counts_as})"
        rows.append(
            f"| `{family.id}` {family.title['en']} · {family.title['zh']} | {family.motive['en']} "
            f"| {family.severity}{kind} | {taps} |"
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


if __name__ == "__main__":
    head, _, tail = parts()
    PAGE.write_text(head + BEGIN + table() + END + tail, encoding="utf-8")
