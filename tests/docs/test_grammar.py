"""The list of words in docs/grammar.md is that of the code. `python tests/docs/test_grammar.py`
writes it anew.
"""

import ast
import inspect
from pathlib import Path

from rageval_kit.generate.family import KIT_CHECKS, SLOTS, vocabulary, word_module
from rageval_kit.generate.sound import FIELDS, REQUIRED, SERVICE_LEVELS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "grammar.md"
BEGIN, END = "<!-- words: begin -->\n", "<!-- words: end -->\n"


def table():
    rows = ["| slot | word | meaning | arguments |", "|---|---|---|---|"]
    for slot in SLOTS:
        for word in sorted(vocabulary(slot)):
            module = word_module(slot, word)
            meaning = " ".join(inspect.getdoc(module).split("\n\n")[0].split())
            rows.append(f"| {slot} | `{word}` | {meaning} | {arguments(module)} |")
    return "\n".join(rows) + "\n"


def arguments(module):
    takes = getattr(module, "TAKES", {})
    told = [
        f"`{name}`" if values is None else f"`{name}`: {', '.join(map(str, values))}"
        for name, values in takes.items()
    ]
    return "; ".join(told) or "–"


def parts():
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    listed, _, tail = rest.partition(END)
    return head, listed, tail


def test_every_word_is_listed_as_the_code_has_it():
    assert parts()[1] == table(), "run: python tests/docs/test_grammar.py"


def test_every_field_service_level_and_check_in_code_is_told():
    head = parts()[0]
    fields = head.partition("## Fields")[2].partition("\n## ")[0]
    for name in FIELDS:
        assert f"`{name}`" in fields, name
    for name in REQUIRED:
        row = next(
            line for line in fields.splitlines() if line.startswith("|") and f"`{name}`" in line
        )
        assert row.endswith("| required |"), name
    for name in SERVICE_LEVELS:
        assert name in fields
    assert {f"CTL-0{n}" for n in range(2, 8)} | {"LOG-06"} == KIT_CHECKS


def test_the_family_shown_is_the_shipped_one():
    import yaml

    from rageval_kit.resources import tree

    shown = yaml.safe_load(parts()[0].split("```yaml\n")[1].split("```")[0])
    path = tree("suites") / "families" / f"{shown['id']}.yaml"
    shipped = yaml.safe_load(path.read_text(encoding="utf-8"))
    same = set(shipped) - {"motive", "limits", "look_first"}
    assert {key: shown[key] for key in same} == {key: shipped[key] for key in same}
    assert set(shown) == set(shipped)


def test_links_of_all_pages_lead_somewhere():
    import re

    root = PAGE.parents[1]
    broken = []
    for page in [root / "README.md", *(root / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(root)}: {target}")
    assert broken == []


def test_python_shown_in_pages_can_be_read():
    for page in PAGE.parent.rglob("*.md"):
        for piece in page.read_text(encoding="utf-8").split("```python\n")[1:]:
            ast.parse(piece.split("```")[0])


if __name__ == "__main__":
    head, _, tail = parts()
    PAGE.write_text(head + BEGIN + table() + END + tail, encoding="utf-8")
