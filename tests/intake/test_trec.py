"""What TREC files may look like, and what is refused, by file and line, all at once."""

import gzip
import io
from unicodedata import normalize

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.intake import trec
from rageval_kit.intake.rankings import ranking, read_judgments, read_top
from rageval_kit.records.faults import InputError

RUN = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2.5 t\nq2 Q0 c 1 -1e-3 t\n"
ROWS = [("q1", "a", 3.0), ("q1", "b", 2.5), ("q2", "c", -0.001)]
QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c -1\n"
JUDGED = [("q1", "a", 1), ("q1", "b", 0), ("q2", "c", -1)]


@pytest.fixture
def write(tmp_path):
    def written(content, name="run.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


def rows(path, **options):
    return [row for block in trec.ranking_blocks(path, **options) for row in block.rows()]


@pytest.mark.parametrize(
    "content",
    [
        RUN,
        RUN.rstrip("\n"),
        RUN.replace("\n", "\r\n"),
        "\ufeff" + RUN,
        "\ufeff" + RUN.replace("\n", "\r\n"),
        RUN.replace(" ", "\t"),
        RUN.replace(" ", "  "),
        RUN.replace("q1 Q0", "q1\t Q0"),
        RUN.replace("t\n", "t  \n"),
        " " + RUN.replace("\nq", "\n  q"),
        RUN.replace("t\n", "t\n\n"),
        "# made by hand\n" + RUN,
        RUN.replace("a 1 3 t", "a 1 3 a tag with blanks"),
        RUN.replace("2.5", "+2.5e0"),
    ],
    ids=[
        "plain", "no_end", "crlf", "bom", "bom_crlf", "tabs", "two_blanks", "mixed", "trailing",
        "leading", "blank_lines", "comment", "long_tag", "signed_score",
    ],
)  # fmt: skip
@pytest.mark.parametrize("block", [16, 1 << 20])
def test_a_run_is_read_whatever_blanks_and_line_ends_it_has(write, content, block):
    assert rows(write(content), block=block) == ROWS


def zstd(content):
    """Packed by polars, a cell of one line each."""
    into = io.BytesIO()
    lines = pl.DataFrame({"line": content.decode().rstrip("\n").split("\n")})
    lines.write_csv(into, compression="zstd", include_header=False, quote_style="never")
    return into.getvalue()


def noted(n):
    return f"lines passed over as comments, since they begin with '# ': {n}"


@pytest.mark.parametrize("block", [16, 1 << 20])
@pytest.mark.parametrize(
    "more", ["", "q3  Q0 c 1 1 t\n", "q3 Q0 c 1 1 t\n# \n#\n\n # Q0 b 1 1 t\n"]
)
def test_an_id_may_begin_with_a_mark_and_a_comment_is_a_mark_and_a_blank(write, more, block):
    """`#1` stays an id whatever its neighbours look like; `# Q0 b …` is a comment everywhere."""
    path = write("#1 Q0 a 1 3 t\n##2 Q0 a 1 2 t\n" + more)
    notes = []
    expected = [("#1", "a", 3.0), ("##2", "a", 2.0), *([("q3", "c", 1.0)] if more else [])]
    assert rows(path, notes=notes, block=block) == expected
    comments = more.count("#")
    assert notes == ([noted(comments)] if comments else [])


@pytest.mark.parametrize("block", [16, 1 << 20])
def test_a_whole_line_after_a_mark_and_a_blank_is_no_result(write, block):
    assert rows(write("q1 Q0 a 1 3 t\n# Q0 b 1 3 t\n"), block=block) == [("q1", "a", 3.0)]
    assert rows(write("#\tQ0\tb\t1\t3\tt\nq1\tQ0\ta\t1\t3\tt\n"), block=block) == [("q1", "a", 3.0)]


def test_a_comment_without_a_blank_is_refused_with_the_way_out(write):
    with pytest.raises(InputError, match="put a blank after the #") as refused:
        rows(write("#made by hand\n" + RUN))
    assert ":1: has 3 columns, not 6" in str(refused.value)
    with pytest.raises(InputError, match="put a blank after the #"):
        read_judgments(write("#made\n" + QRELS))


@pytest.mark.parametrize("number", ["1_0", "３", "1.0e1_0", "0x1p3", "٣"])
def test_numbers_are_written_in_plain_digits(write, number):
    """Python reads these as numbers; a column of ids would pass for grades."""
    for blanks in (" ", "  "):
        with pytest.raises(InputError, match=":2: the grade is not a whole number"):
            read_judgments(write(f"q1 0 a 1\nq1{blanks}0 b {number}\n"))
        with pytest.raises(InputError, match=":2: the score is not a number"):
            rows(write(f"q1 Q0 a 1 3 t\nq1{blanks}Q0 b 2 {number} t\n"))


def test_a_ranking_in_the_place_of_judgments_is_known_for_one(write):
    with pytest.raises(InputError, match="the judgments come first, then the rankings"):
        read_judgments(write(RUN))


def test_a_grade_of_thousands_of_digits_is_refused_as_any_other(write):
    with pytest.raises(InputError, match="out of all proportion"):
        read_judgments(write(f"q1 0 a {'9' * 5000}\n"))


@given(
    st.from_regex(
        r"[-+]?([0-9]{1,4}\.?[0-9]{0,4}|\.[0-9]{1,4})([eE][-+]?[0-9]{1,2})?", fullmatch=True
    )
)
@settings(deadline=None, max_examples=60)
def test_a_score_is_read_alike_in_plain_and_in_irregular_files(tmp_path_factory, number):
    path = tmp_path_factory.mktemp("runs") / "run"
    for blanks in (" ", " \t"):
        path.write_text(f"q1 Q0 a 1{blanks}{number} t\n\n" * 2, encoding="utf-8")
        assert rows(path) == [("q1", "a", float(number))] * 2
        path.write_text(f"q1 Q0 a 1{blanks}{number} t\n" * 2, encoding="utf-8")
        assert rows(path) == [("q1", "a", float(number))] * 2


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_packed_file_is_read_whatever_it_is_called(write, pack):
    assert rows(write(pack(RUN.encode()), "run")) == ROWS
    assert read_judgments(write(pack(QRELS.encode()), "qrels.txt")).frame.rows() == JUDGED


def test_a_file_cut_short_is_refused(write):
    cut = gzip.compress(RUN.encode() * 500)[:-20]
    with pytest.raises(InputError, match="not a whole gzip file"):
        rows(write(cut, "run.gz"))


def test_judgments_are_read_in_every_form_of_blanks(write):
    for content in (QRELS, QRELS.replace(" ", "\t"), "# note\n" + QRELS.replace(" ", "   ")):
        assert read_judgments(write(content, "q.txt")).frame.rows() == JUDGED


def test_ids_stay_text(write):
    content = "007 Q0 1.0 1 3 t\n007 Q0 NO 2 2 t\n007 Q0 文档 3 1 t\n"
    assert [row[:2] for row in rows(write(content))] == [
        ("007", "1.0"), ("007", "NO"), ("007", "文档"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("q1 Q0 b 2 nan t", "not finite"),
        ("q1 Q0 b 2 inf t", "not finite"),
        ("q1 Q0 b 2 -Infinity t", "not finite"),
        ("q1 Q0 b 2 1e999 t", "not finite"),
        ("q1 Q0 b 2 abc t", "score is not a number"),
        ("q1 Q0 b 2 2", "5 columns, not 6"),
        ("q1  Q0 b  2 2", "5 columns, not 6"),
        ("q1 Q0 b  2 t", "5 columns, not 6"),
        ("q1 Q0 b c 2 2 t", "score is not a number|more than 6 columns"),
        ("q1", "1 columns, not 6"),
    ],
)
def test_a_bad_line_of_a_run_is_refused_by_file_and_line(write, line, problem):
    path = write(f"q1 Q0 a 1 3 t\n{line}\nq1 Q0 z 3 1 t\n")
    with pytest.raises(InputError, match=problem) as refused:
        rows(path)
    assert str(refused.value).startswith(f"{path}:2: ")


def test_a_line_that_is_too_long_does_not_hide_one_that_is_too_short(write):
    path = write("q1 Q0 a 1 3 t\nq1  Q0 b 2 2 t\nq1 Q0 c 3 1\n")
    with pytest.raises(InputError) as refused:
        rows(path)
    assert [fault.where for fault in refused.value.faults] == [f"{path}:3"]


def test_every_bad_line_is_told_at_once_in_every_block(write):
    bad = "".join(f"q{n} Q0 d 1 nan t\nq{n} Q0 e 2 1 t\n" for n in range(1, 70))
    path = write(bad)
    for block in (64, 1 << 20):
        with pytest.raises(InputError) as refused:
            rows(path, block=block)
        wheres = [fault.where for fault in refused.value.faults]
        assert wheres[:2] == [f"{path}:1", f"{path}:3"]
        assert wheres[49] == f"{path}:99"
        assert wheres[50] == f"{path}: and 19 more lines"


def test_a_line_that_is_not_utf8_is_refused(write):
    path = write(b"q1 Q0 a 1 3 t\nq1 Q0 \xff 2 2 t\n")
    with pytest.raises(InputError, match="is not UTF-8"):
        rows(path)
    with pytest.raises(InputError, match="UTF-16"):
        rows(write(RUN.encode("utf-16")))


@pytest.mark.parametrize(
    ("grade", "problem"),
    [("1.0", "not a whole number"), ("high", "not a whole number"), ("12345", "proportion")],
)
def test_a_grade_that_is_none_is_refused(write, grade, problem):
    path = write(f"q1 0 a 1\nq1 0 b {grade}\n")
    with pytest.raises(InputError, match=problem) as refused:
        read_judgments(path)
    assert f"{path}:2" in str(refused.value)


def test_bug_014_an_equal_repeat_is_kept_once_and_a_conflict_refused(write):
    same = read_judgments(write("q1 0 d1 1\nq1 0 d1 1\nq1 0 d2 1\n"))
    assert same.frame.rows() == [("q1", "d1", 1), ("q1", "d2", 1)]
    assert same.notes == ("1 repeated judgment with the same grade, kept once",)
    path = write("q1 0 d1 1\nq1 0 d1 1\nq1 0 d2 1\nq1 0 d2 0\n")
    with pytest.raises(InputError) as refused:
        read_judgments(path)
    told = str(refused.value)
    assert f"{path}:3, 4: query 'q1', document 'd2'" in told
    assert "grades 1, 0" in told
    assert "d1" not in told


def test_no_judgment_at_all_is_refused(write):
    with pytest.raises(InputError, match="holds no judgment"):
        read_judgments(write("\n"))


def test_what_cannot_be_opened_is_refused(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        ranking(tmp_path / "none.txt")
    with pytest.raises(InputError):
        read_judgments(tmp_path / "none.txt")


def test_ranks_are_whole_numbers_where_they_rule(write):
    path = write("q1 Q0 a one 3 t\n")
    assert rows(path) == [("q1", "a", 3.0)]
    with pytest.raises(InputError, match="no whole number as rank"):
        rows(path, with_rank=True)


def test_the_first_results_are_read_in_order(write):
    path = write("q1 Q0 a 1 1 t\nq1 Q0 b 2 3 t\nq1 Q0 c 3 2 t\n")
    assert read_top(path, 2).sort("rank").rows() == [("q1", "b", 1), ("q1", "c", 2)]


cell = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=6)


@settings(deadline=None)
@given(
    st.lists(st.tuples(cell, cell, st.floats(-1e300, 1e300)), min_size=1, max_size=20),
    st.sampled_from([" ", "\t", "   "]),
    st.integers(8, 200),
)
def test_what_is_written_comes_back(tmp_path_factory, told, blank, block):
    told = [row for row in told if row[0] != "#"]  # alone it begins a comment
    path = tmp_path_factory.mktemp("runs") / "run"
    lines = [blank.join([q, "Q0", d, "1", repr(s), "tag"]) for q, d, s in told]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    expected = [(normalize("NFC", q), normalize("NFC", d), s) for q, d, s in told]
    assert rows(path, block=block) == expected


@pytest.mark.real
def test_the_judgments_of_trec_eval_with_comments_are_its_judgments(shared_data):
    folder = shared_data("trec_eval_fixtures")
    with_comments = read_judgments(folder / "qrels.test.with-comments")
    plain = read_judgments(folder / "qrels.test")
    # the same judgments, with a # put into some ids
    there = [(q, d.replace("#", ""), grade) for q, d, grade in with_comments.frame.rows()]
    assert there == plain.frame.rows()
    assert plain.notes == ()
    lines = (folder / "qrels.test.with-comments").read_text("utf-8").splitlines()
    n = sum(line.startswith("#") for line in lines)
    assert with_comments.notes == (noted(n),)
