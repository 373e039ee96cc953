"""The measures listed in docs/measures.md are those there are. `python tests/docs/test_measures.py`
writes the list anew.
"""

from pathlib import Path

from rageval_kit.build.check import METRICS
from rageval_kit.build.measures import measure

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"
BEGIN, END = "<!-- measures: begin -->\n", "<!-- measures: end -->\n"


def table():
    rows = ["| measure | question | grains |", "|---|---|---|"]
    for kind in sorted(METRICS.built_in()):
        asked = METRICS.module(kind, kind).__doc__.strip().split("\n")[0]
        question = asked.partition(": ")[2] or asked
        grains = ", ".join(sorted(measure(kind).grains))
        rows.append(f"| `{kind}` | {question[0].upper()}{question[1:]} | {grains} |")
    return "\n".join(rows) + "\n"


def parts():
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    listed, _, tail = rest.partition(END)
    return head, listed, tail


def test_the_measures_are_listed_as_they_are():
    assert parts()[1] == table(), "run: python tests/docs/test_measures.py"


def test_the_python_examples_run():
    tail = parts()[2]
    code = tail.partition("```python\n")[2].partition("```")[0]
    known = {}
    exec(compile(code, str(PAGE), "exec"), known)  # noqa: S102 - our own page
    assert known["scores"].runs[0].results[0].value == 1.0


if __name__ == "__main__":
    head, _, tail = parts()
    PAGE.write_text(head + BEGIN + table() + END + tail, encoding="utf-8")
