"""Tables of ratings: two forms, three file types, and every fault at once with its line."""

import json

import pytest

from rageval_kit.intake.ratings import read_ratings
from rageval_kit.records.faults import InputError

LONG = "item,rater,label\nq1,a,1\nq2,a,0\nq1,b,1\nq2,b,\n"
WIDE = "item,a,b\nq1,1,1\nq2,0,\n"
LONG_ROWS = [
    {"item": "q1", "rater": "a", "label": 1},
    {"item": "q2", "rater": "a", "label": 0.0},
    {"item": "q1", "rater": "b", "label": "1"},
    {"item": "q2", "rater": "b", "label": None},
]
WIDE_ROWS = [{"item": "q1", "a": 1, "b": 1}, {"item": "q2", "a": 0}]


def lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.fixture
def write(tmp_path):
    def put(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    return put


def refusals(path, *args):
    with pytest.raises(InputError) as caught:
        read_ratings(path, *args)
    return [str(fault).replace(str(path), path.name) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.csv", LONG),
        ("r.csv", WIDE),
        ("r.csv", "\ufeff" + WIDE.replace("\n", "\r\n")),
        ("r.tsv", LONG.replace(",", "\t")),
        ("r.tsv", "\ufeff" + WIDE.replace(",", "\t").replace("\n", "\r\n")),
        ("r.jsonl", lines(LONG_ROWS)),
        ("r.jsonl", lines(WIDE_ROWS)),
        ("r.csv", LONG.replace("item,rater,label", " Item ,Annotator,Rating")),
        ("r.csv", LONG.replace("item,rater,label", "条目,标注者,标签")),
    ],
)
def test_either_form_in_any_file_is_the_same_table(write, name, text):
    table = read_ratings(write(name, text))
    assert (table.items, table.raters, table.warnings) == (("q1", "q2"), ("a", "b"), ())
    assert table.ratings.categories == ("0", "1")
    assert table.ratings.ordered
    assert table.ratings.codes.tolist() == [[1, 1], [0, -1]]


def test_labels_may_be_chinese_and_their_order_is_the_one_given(write):
    path = write("r.csv", "item,小王,小李\nq1,相关,部分相关\nq2,无关,无关\n")
    assert not read_ratings(path).ratings.ordered
    table = read_ratings(path, ["无关", "部分相关", "相关"])
    assert table.ratings.ordered
    assert table.ratings.codes.tolist() == [[2, 1], [0, 0]]


def test_a_label_may_stand_for_no_rating(write):
    path = write("r.csv", "item,a,b\nq1,yes,NULL\nq2,no,yes\n")
    as_label = read_ratings(path)
    assert as_label.ratings.categories == ("NULL", "no", "yes")
    assert [one.rule for one in as_label.warnings] == ["counts as a label like any other"]
    left_out = read_ratings(path, None, ["NULL"])
    assert left_out.ratings.codes.tolist() == [[1, -1], [0, 1]]
    assert left_out.warnings == ()


def test_an_item_that_nobody_rated_is_still_an_item(write):
    table = read_ratings(write("r.csv", "item,a,b\nq1,1,1\nq2,,\n"))
    assert table.items == ("q1", "q2")
    assert table.ratings.codes.tolist() == [[0, 0], [-1, -1]]


def test_true_is_not_1_and_a_whole_float_is_its_integer(write):
    rows = [{"item": 1, "a": True, "b": 1}, {"item": 2, "a": 2.0, "b": 2}]
    table = read_ratings(write("r.jsonl", lines(rows)))
    assert table.ratings.categories == ("1", "2", "true")
    assert table.ratings.codes[1].tolist() == [1, 1]


def test_all_faults_of_long_form_come_at_once_with_their_lines(write):
    text = "item,rater,label\nq1,a,1\nq1,a,0\n,a,1\nq2, ,1\nq3,b,high\nq4,b,high\nq4,a,2\n"
    assert refusals(write("r.csv", text), ["0", "1", "2"]) == [
        "r.csv:3: rater 'a' has rated the item on line 2 already (met 'q1'); keep one of the two",
        "r.csv:4: item: is empty (met ''); name it",
        "r.csv:5: rater: is empty (met ' '); name it",
        "r.csv:6: is none of the categories: line 6, line 7 (met 'high'); write one of 0, 1, 2",
    ]


def test_all_faults_of_wide_form_come_at_once_with_their_lines(write):
    text = lines(
        [
            {"item": "q1", "a": 1, "b": 1},
            {"item": "q1", "a": 0, "b": 1},
            {"item": None, "a": 0, "b": 1},
            {"item": 1.5, "a": 0, "b": 1},
            {"item": "q2", "a": [0], "b": 1},
            ["q3"],
        ]
    )
    assert refusals(write("r.jsonl", text)) == [
        "r.jsonl:2: the item stands on line 1 already (met 'q1'); keep one of the two",
        "r.jsonl:3: item: is empty; name it",
        (
            "r.jsonl:4: item: an id cannot be a number with a point (met 1.5); "
            "write it as text, in quotes, as it is meant"
        ),
        "r.jsonl:5: a: is no label (met [0]); write one text or number",
        "r.jsonl:6: is not an object (met ['q3']); write one per line",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("item,label,a\nq1,1,1\n", "has a column of labels but none of raters"),
        ("item,rater,a\nq1,1,1\n", "has a column of raters but none of labels"),
        ("query,a,b\nq1,1,1\n", "has no column of items (met 'query, a, b')"),
        ("item;rater;label\nq1;a;1\n", "has no column of items"),
        ("item,id,a,b\nq1,1,1,1\n", "names more than one column that may be the item"),
        ("item,a\nq1,1\n", "has one rater at most"),
        (",item,a,b\n0,q1,1,1\n", "has a column without a name"),
        ("item,a,a \nq1,1,1\n", "has columns that differ only in spaces"),
        ("item,a,a\nq1,1,1\n", "the head line names a column twice"),
        ("item,rater,label\nq1,a,1\nq2,a,1\n", "has one rater only"),
        ("item,a,b\nq1,,\n", "holds no rating: every cell is empty"),
        ("item,a,b\n", "holds no rating; add rows"),
        ("", "has no head line"),
        ("item,a,b\nq1,1\n", "has 2 cells where the head line has 3"),
        ("item,a,b\nq1,1,1.0\n", "is one number written in different ways (met '1, 1.0')"),
    ],
)
def test_a_table_whose_form_is_not_clear_is_refused(write, text, problem):
    (fault,) = refusals(write("r.csv", text))
    assert problem in fault
    assert "; " in fault


def test_a_broken_row_of_a_tab_table_is_named(write):
    (fault,) = refusals(write("r.tsv", "item\ta\tb\nq1\t1\n"))
    assert fault.startswith("r.tsv:2: has 2 cells where the head line has 3")


def test_an_unknown_ending_a_missing_file_and_another_encoding_are_refused(write, tmp_path):
    assert "has the ending '.xlsx'" in refusals(write("r.xlsx", LONG))[0]
    assert "cannot be opened" in refusals(tmp_path / "none.csv")[0]
    chinese = "item,甲,乙\nq1,相关,相关\n".encode("gb18030")
    assert "is not UTF-8" in refusals(write("r.csv", chinese))[0]


def test_a_misspelt_label_is_answered_with_the_nearest_category(write):
    (fault,) = refusals(write("r.csv", "item,a,b\nq1,relevant,relevnt\n"), ["relevant", "not"])
    assert fault.endswith("(met 'relevnt'); did you mean 'relevant'?")


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ("item,a,b\nq1,Yes,yes\n", "['Yes', 'yes']", "differ only in case, width or spaces"),
        ("item,a,b\nq1,相关,相关 \n", "['相关', '相关 ']", "differ only in case, width or spaces"),
        ("item,a,A\nq1,1,1\n", "['a', 'A']", "raters differ only in case"),
        ("item,a,b\nq1,0,3\nq2,1,1\n", "'0, 1, 3'", "unequal steps"),
        ("item,a,b,c\nq1,1,1,\n", "'c'", "rated nothing"),
        ("item,a,b,c\nq1,1,1,a note\n", "'c'", "shares no label with any other"),
        ("item,a,b\nq1,1,1\nq1 ,1,1\n", "'q1 '", "items differ only in spaces"),
        ("item,rater,label,why\nq,a,1,x\nq,b,1,\n", "", "neither item, rater nor label"),
    ],
)
def test_what_is_odd_but_can_be_counted_is_warned_about(write, text, value, rule):
    found = read_ratings(write("r.csv", text)).warnings
    assert any(one.value == value and rule in one.rule for one in found), found


def test_a_whole_scale_given_has_no_warning_about_steps(write):
    path = write("r.csv", "item,a,b\nq1,0,3\nq2,1,1\n")
    assert read_ratings(path, ["0", "1", "2", "3"]).warnings == ()
