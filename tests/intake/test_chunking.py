"""Passages are verbatim slices that together lose nothing but blank space."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.intake.chunking import first_heading, passages

TEXT = """Before any heading.

# Leave

Fifteen days.

Ask first.

## Annual `#1`

```python
# not a heading

x = 1
```

# Travel

| city | cap |
|------|-----|
| 北京 | 800 |
| 上海 | 700 |
"""


def test_cuts_at_headings_and_keeps_paragraphs_together():
    found = [(p.text, p.location.split(" @")[0], p.kind) for p in passages(TEXT)]
    assert found == [
        ("Before any heading.", "¶1", "body"),
        ("# Leave\n\nFifteen days.\n\nAsk first.", "Leave ¶2-3", "body"),
        (
            "## Annual `#1`\n\n```python\n# not a heading\n\nx = 1\n```",
            "Leave > Annual `#1` ¶4",
            "body",
        ),
        (
            "# Travel\n\n| city | cap |\n|------|-----|\n| 北京 | 800 |\n| 上海 | 700 |",
            "Travel ¶5",
            "table",
        ),
    ]
    assert first_heading(TEXT) == "Leave"


def test_a_table_cut_in_several_keeps_its_head_rows():
    rows = "\n".join(f"| 城市{n} | {n} |" for n in range(100))
    pieces = passages(f"| city | cap |\n|---|---|\n{rows}\n", 300)
    assert len(pieces) > 3
    assert {piece.table_header for piece in pieces} == {"| city | cap |\n|---|---|"}
    assert all(len(piece.text) <= 300 for piece in pieces)


def test_a_long_paragraph_is_cut_at_the_end_of_a_sentence():
    pieces = passages("年假十五天。" * 100, 100)
    assert all(piece.text.endswith("。") and len(piece.text) <= 100 for piece in pieces)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab。.# \n|-`\r\u2028年", max_size=200), st.integers(5, 60))
def test_every_passage_is_a_slice_and_nothing_is_lost(text, limit):
    found = passages(text, limit)
    position = 0
    for piece in found:
        assert piece.text == text[piece.start : piece.end]
        assert piece.start >= position
        assert not text[position : piece.start].strip()
        position = piece.end
    assert not text[position:].strip()


@pytest.mark.parametrize(
    "text", ["#" * 200_000, "|-" * 100_000, "a. " * 70_000, "\n" * 200_000, "# a\n" * 50_000]
)
def test_time_stays_bounded_on_hostile_text(text):
    start = time.perf_counter()
    passages(text)
    assert time.perf_counter() - start < 3
