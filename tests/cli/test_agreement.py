"""`rageval-kit agreement`: what it prints, what it refuses, and that a machine can read it."""

import itertools
import json

import pytest

# Observed .8, kappa 8/13 = .615: worked in the tests of the coefficients (BUG-102).
TWO = "item,a,b\nq1,rel,rel\nq2,rel,non\nq3,non,non\nq4,non,non\nq5,rel,rel\n"
THREE = "item,小王,小李,Ann\nq1,1,1,1\nq2,2,1,2\nq3,3,3,\nq4,1,1,1\nq5,2,2,3\n"


@pytest.fixture
def table(kit):
    def write(text, name="r.csv"):
        (kit.folder / name).write_text(text, encoding="utf-8")
        return name

    return write


def rows(told):
    """The first words and the figure of each line of the first table."""
    return {line.split("  ")[0]: line for line in told.splitlines()}


def test_two_raters_get_every_coefficient_with_a_value_or_the_reason(kit, table):
    ended = kit("agreement", table(TWO))
    assert (ended.returncode, ended.stderr) == (0, "")
    told = rows(ended.stdout)
    assert told["5 items, 2 raters"]
    assert told["observed agreement"].split()[2] == "0.800"
    assert told["Cohen's kappa"].split()[2] == "0.615"
    assert "not_applicable: the categories have no order" in told["Cohen's kappa, linear"]
    assert "raters" not in told


def test_three_raters_get_each_pair_and_how_missing_ratings_were_treated(kit, table):
    ended = kit("agreement", table(THREE))
    assert ended.returncode == 0
    told = rows(ended.stdout)
    assert told["labels: 1 < 2 < 3"]
    assert "4 of 5" in told["Fleiss' kappa"]
    assert "missing: drop" in told["Fleiss' kappa"]
    assert "missing: drop: items with fewer ratings than the fullest are left out" in told
    assert told["小王, 小李"].split()[2] == "0.800"
    assert {"小王, Ann", "小李, Ann"} <= told.keys()
    counted = rows(kit("agreement", "r.csv", "--missing", "category").stdout)
    assert "missing: category" in counted["Fleiss' kappa"]


def test_columns_line_up_though_chinese_is_twice_as_wide(kit, table):
    import unicodedata

    told = kit("agreement", table(THREE)).stdout.splitlines()
    start = next(i for i, line in enumerate(told) if line.startswith("raters"))

    def cells(text):
        return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

    table = itertools.takewhile(bool, told[start + 1 :])
    at = {cells(line[: line.index("0.") if "0." in line else 0]) for line in table}
    assert at == {told[start].index("observed")}


def test_the_order_given_makes_ordered_coefficients(kit, table):
    told = rows(kit("agreement", table(TWO), "--categories", "non, rel").stdout)
    assert told["labels: non < rel"]
    assert told["Cohen's kappa, linear"].split()[3] == "0.615"


def test_one_seed_gives_one_answer_and_another_seed_another(kit, table):
    name = table(TWO)
    first = kit("agreement", name, "--seed", "3").stdout
    assert kit("agreement", name, "--seed", "3").stdout == first
    assert kit("agreement", name, "--seed", "4").stdout != first


@pytest.mark.parametrize(
    ("lang", "head", "name", "says"),
    [
        ("en", "5 items, 2 raters", "Cohen's kappa", "expected from each rater's own use"),
        ("zh", "5 个条目，2 名标注者", "Cohen κ", "期望分歧按各自的标签使用频率计算"),
    ],
)
def test_every_coefficient_with_a_value_is_defined_in_either_language(
    kit, table, lang, head, name, says
):
    told = rows(kit("agreement", table(TWO), "--lang", lang).stdout)
    assert told[head]
    assert "0.615" in told[name]
    defined = {line.partition(": ")[0]: line for line in told}
    assert says in defined["cohen_kappa"]
    assert {"observed_agreement", "gwet_ac1", "fleiss_kappa"} <= defined.keys()
    assert "cohen_kappa_linear" not in defined  # the labels have no order


def test_every_word_is_there_in_both_languages():
    from rageval_kit.cli.agreement import _WORDS
    from rageval_kit.stats.agreement.definitions import DEFINITIONS, MISSING_RATINGS, NAMES

    assert NAMES.keys() == DEFINITIONS.keys()
    for words in (_WORDS, DEFINITIONS, MISSING_RATINGS, NAMES):
        assert all(one.keys() == {"en", "zh"} and all(one.values()) for one in words.values())


def test_a_machine_reads_the_same(kit, table):
    ended = kit("agreement", table(THREE), "--json")
    told = json.loads(ended.stdout)
    assert (told["items"], told["raters"], told["ordered"]) == (5, ["小王", "小李", "Ann"], True)
    named = {one["coefficient"]: one for one in told["coefficients"]}
    assert named["fleiss_kappa"]["missing"] == "drop"
    assert named["fleiss_kappa"]["n_items"] == 4
    assert named["fleiss_kappa"]["definition"].keys() == {"en", "zh"}
    assert told["pairs"][0]["raters"] == ["小王", "小李"]
    assert told["pairs"][0]["observed"]["value"] == pytest.approx(0.8)


def test_bug_102_one_label_only_is_told_and_is_no_failure(kit, table):
    ended = kit("agreement", table("item,a,b\nq1,rel,rel\nq2,rel,rel\n"))
    assert ended.returncode == 0
    told = rows(ended.stdout)
    assert told["observed agreement"].split()[2] == "1.000"
    assert "undefined: one label only" in told["Cohen's kappa"]
    assert "nan" not in ended.stdout.lower()


def test_labels_that_differ_only_in_case_are_warned_about(kit, table):
    ended = kit("agreement", table("item,a,b\nq1,Rel,rel\nq2,rel,rel\n"))
    assert ended.returncode == 0
    assert "warning: r.csv: labels differ only in case" in ended.stderr


def test_every_fault_is_refused_at_once_with_2(kit, table):
    ended = kit("agreement", table("item,rater,label\nq1,a,1\nq1,a,1\n,b,1\n"))
    assert (ended.returncode, ended.stdout) == (2, "")
    repeated, empty = ended.stderr.splitlines()
    assert repeated.startswith("rageval-kit: r.csv:3: rater 'a' has rated the item on line 2")
    assert empty == "rageval-kit: r.csv:4: item: is empty (met ''); name it"


def test_a_label_that_would_paint_the_terminal_is_shown_by_code_point(kit, table):
    ended = kit("agreement", table("item,a,b\nq1,\x1b[31mred,x\nq2,x,x\n"))
    assert "\x1b" not in ended.stdout + ended.stderr
    assert "⟨U+001B⟩" in ended.stdout


def test_help_names_both_treatments(kit):
    ended = kit("agreement", "-h")
    assert ended.returncode == 0
    assert "[drop|category]" in ended.stdout
