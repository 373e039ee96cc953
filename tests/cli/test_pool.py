"""The sheet as people and programs get it; run files are small TREC files."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval_kit.cli.pool import _csv
from rageval_kit.intake.sheets import plain, plain_cells

A = "q1 Q0 d1 1 9 A\nq1 Q0 d2 2 8 A\nq2 Q0 =1+1 1 5 A\n"
B = "q1 Q0 d2 1 9 B\nq1 Q0 d3 2 8 B\n"


@pytest.fixture
def folder(kit):
    for name, text in {"a.run": A, "b.run": B, "qrels": "q1 0 d1 1\nq1 0 d9 1\n"}.items():
        (kit.folder / name).write_text(text, encoding="utf-8")
    return kit.folder


def rows_of(path):
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"))))


def test_a_sheet_is_written_and_what_it_holds_is_said(kit, folder):
    ended = kit("pool", "a.run", "b.run", "-o", "sheet.csv")
    assert ended.returncode == 0, ended.stderr
    assert rows_of(folder / "sheet.csv") == [
        ["query_id", "document_id", "grade", "best_rank", "runs", "rank in a.run", "rank in b.run"],
        ["q1", "d2", "", "1", "2", "2", "1"],
        ["q1", "d1", "", "1", "1", "1", ""],
        ["q1", "d3", "", "2", "1", "", "2"],
        ["q2", "'=1+1", "", "1", "1", "1", ""],
    ]
    assert "sheet.csv: 4 documents of 2 queries" in ended.stderr
    assert ended.stdout == ""


def test_lines_of_json_are_exact(kit, folder):
    assert kit("pool", "a.run", "-o", "sheet.jsonl", "--depth", "1").returncode == 0
    lines = (folder / "sheet.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[1]) == {
        "query_id": "q2",
        "document_id": "=1+1",
        "grade": None,
        "best_rank": 1,
        "runs": 1,
        "rank in a.run": 1,
    }


def test_how_much_is_judged_is_said_for_each_run(kit, folder):
    ended = kit("pool", "a.run", "b.run", "--judged", "qrels")
    assert "1 of 4 documents in the pool are judged (25.0%)" in ended.stderr
    assert "coverage@20 of a.run: 1 of 3 (33.3%)" in ended.stderr
    assert "coverage@20 of b.run: 0 of 2 (0.0%)" in ended.stderr
    assert [row[1] for row in rows_of(folder / "pool.csv")[1:]] == ["d2", "d3", "'=1+1"]


def test_all_keeps_what_is_judged(kit, folder):
    assert kit("pool", "a.run", "--judged", "qrels", "--all").returncode == 0
    assert [row[1:3] for row in rows_of(folder / "pool.csv")[1:]] == [
        ["d1", "1"],
        ["d2", ""],
        ["'=1+1", ""],
    ]


def test_a_blind_sheet_has_neither_ranks_nor_runs(kit, folder):
    (folder / "q.jsonl").write_text('{"_id": "q1", "text": "What?"}\n', encoding="utf-8")
    ended = kit("pool", "a.run", "b.run", "--blind", "--queries", "q.jsonl")
    rows = rows_of(folder / "pool.csv")
    assert rows[0] == ["query_id", "query_text", "document_id", "grade"]
    assert rows[1][1] == "What?"
    assert "warning: q.jsonl has no text for 1 of the queries" in ended.stderr


def test_texts_of_queries_may_come_as_a_table(kit, folder):
    (folder / "q.tsv").write_text("q1\tWhat?\nq2\t怎么？\n", encoding="utf-8")
    assert kit("pool", "a.run", "--queries", "q.tsv").returncode == 0
    assert {tuple(row[:2]) for row in rows_of(folder / "pool.csv")[1:]} == {
        ("q1", "What?"),
        ("q2", "怎么？"),
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a.run", "-o", "qrels.csv"], "exists already"),
        (["a.run", "-o", "pool.xlsx"], "is neither .csv nor .jsonl"),
        (["a.run", "--depth", "0"], "--depth: must be 1 or more"),
        (["a.run", "--budget", "0"], "budget: must be 1 or more"),
        (["a.run", "./a.run"], "named twice"),
        (["a.run", "--queries", "a.run"], "a.run:1: is no query"),
        (["a.run", "nowhere.run"], "nowhere.run"),
        (["empty.run"], "empty.run"),
        ([], "RUN"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_written(kit, folder, words, said):
    (folder / "qrels.csv").write_text("mine", encoding="utf-8")
    (folder / "empty.run").write_text("", encoding="utf-8")
    before = sorted(one.name for one in folder.iterdir())
    ended = kit("pool", *words)
    assert ended.returncode == 2, ended.stderr
    assert said in ended.stderr
    assert sorted(one.name for one in folder.iterdir()) == before
    assert (folder / "qrels.csv").read_text(encoding="utf-8") == "mine"


def test_force_replaces(kit, folder):
    (folder / "pool.csv").write_text("mine", encoding="utf-8")
    assert kit("pool", "a.run", "--force").returncode == 0
    assert len(rows_of(folder / "pool.csv")) == 4


def test_the_adaptive_order_turns_to_the_run_that_found_what_is_judged_relevant(kit, folder):
    """x at rank 1 of d.run is relevant, y of c.run is not: of two at rank 2, z is d.run's."""
    (folder / "one").write_text("q 0 x 1\nq 0 y 0\n", encoding="utf-8")
    (folder / "c.run").write_text("q Q0 y 1 9 C\nq Q0 b 2 8 C\n", encoding="utf-8")
    (folder / "d.run").write_text("q Q0 x 1 9 D\nq Q0 z 2 8 D\n", encoding="utf-8")
    assert kit("pool", "c.run", "d.run", "--judged", "one", "--order", "adaptive").returncode == 0
    assert [row[1] for row in rows_of(folder / "pool.csv")[1:]] == ["z", "b"]


def test_files_of_one_name_are_told_apart_by_their_folders(kit, folder):
    for name, text in (("x", A), ("y", B)):
        (folder / name).mkdir()
        (folder / name / "run.txt").write_text(text, encoding="utf-8")
    assert kit("pool", "x/run.txt", "y/run.txt").returncode == 0
    assert rows_of(folder / "pool.csv")[0][-2:] == ["rank in x/run.txt", "rank in y/run.txt"]


@given(st.text("'=+-@＝a1 \t\n", max_size=6) | st.text(max_size=6))
def test_every_id_can_be_read_back_and_none_is_a_formula(name):
    import polars as pl

    table = pl.DataFrame({"document_id": [name]}, {"document_id": pl.String})
    (_, (cell,)) = csv.reader(io.StringIO(_csv(table).decode("utf-8-sig"), newline=""))
    assert plain(cell) == name
    assert plain_cells(pl.Series([cell])).to_list() == [name]
    assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋"))
