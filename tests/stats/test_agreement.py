"""Coefficients against published examples and plain loops over the definitions' own words.

The loops below compare pair by pair and use shares; the kit counts patterns and uses totals.
"""

import csv
import gzip
import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.records.faults import InputError
from rageval_kit.stats.agreement import (
    MISSING,
    Ratings,
    by_pair,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    observed_agreement,
    overview,
)

LEVELS = ("nominal", "ordinal", "interval")
_ = None
# Krippendorff, Computing Krippendorff's alpha-reliability (2011), example C: 12 units, 4 observers.
KRIPPENDORFF = [
    (1, 1, _, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4),
    (4, 4, 4, 4), (1, 1, 2, 1), (2, 2, 2, 2), (_, 5, 5, 5), (_, _, 1, 1), (_, _, 3, _),
]  # fmt: skip
# Fleiss 1971, table 1: 30 patients, 6 psychiatrists each, 5 diagnoses.
FLEISS = """00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050
02031 00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"""


def paired(first, second, categories=None):
    return Ratings.of_labels(list(zip(first, second, strict=True)), categories)


def rng(seed=1):
    return np.random.default_rng(seed)


def rows_of(ratings):
    return [[None if c == MISSING else c for c in row] for row in ratings.codes.tolist()]


# --- plain loops -------------------------------------------------------------------------------


def given_labels(row):
    return [label for label in row if label is not None]


def plain_share(row):
    pairs = list(itertools.combinations(given_labels(row), 2))
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else None


def plain_observed(rows):
    shares = [share for row in rows if (share := plain_share(row)) is not None]
    return sum(shares) / len(shares) if shares else None


def plain_kappa(rows, weight=lambda a, b: a != b):
    """Every item of one rater against every item of the other: chance without a table."""
    both = [row for row in rows if None not in row]
    if not both:
        return None
    seen = sum(weight(a, b) for a, b in both) / len(both)
    chance = sum(weight(a, b) for a, _ in both for _, b in both) / len(both) ** 2
    return 1 - seen / chance if chance else None


def plain_alpha(rows, level):
    """Every value against every other one: within its unit, and in all units."""
    units = [given_labels(row) for row in rows if len(given_labels(row)) > 1]
    everything = [value for unit in units for value in unit]
    n = len(everything)
    often = {value: everything.count(value) for value in everything}

    def apart(a, b):
        if level == "nominal":
            return a != b
        if level == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(often.get(g, 0) for g in range(low, high + 1))
        return (between - (often[a] + often[b]) / 2) ** 2

    def other(values):
        return itertools.permutations(values, 2)

    if len(often) < 2:
        return None
    seen = sum(sum(apart(a, b) for a, b in other(u)) / (len(u) - 1) for u in units) / n
    chance = sum(apart(a, b) for a, b in other(everything)) / (n * (n - 1))
    return 1 - seen / chance


def plain_fleiss(rows, missing):
    most = max((len(given_labels(row)) for row in rows), default=0)
    if most < 2:
        return None
    if missing == "drop":
        items = [given_labels(row) for row in rows if len(given_labels(row)) == most]
    else:
        items = [[*g, *["none"] * (most - len(g))] for g in map(given_labels, rows)]
    seen = sum(map(plain_share, items)) / len(items)
    everything = [label for item in items for label in item]
    chance = sum((everything.count(x) / len(everything)) ** 2 for x in set(everything))
    return (seen - chance) / (1 - chance) if len(set(everything)) > 1 else None


def plain_ac1(rows, q):
    seen = plain_observed(rows)
    if seen is None or q == 1:
        return None
    items = [given_labels(row) for row in rows if given_labels(row)]
    share = [sum(item.count(c) / len(item) for item in items) / len(items) for c in range(q)]
    chance = sum(p * (1 - p) for p in share) / (q - 1)
    return (seen - chance) / (1 - chance)


TWO_TO_FIVE = st.integers(2, 5)


@st.composite
def tables(draw, raters=TWO_TO_FIVE):
    q, m, n = draw(st.integers(1, 4)), draw(raters), draw(st.integers(1, 12))
    code = st.integers(MISSING, q - 1)
    codes = draw(st.lists(st.lists(code, min_size=m, max_size=m), min_size=n, max_size=n))
    return Ratings(np.array(codes), tuple("0123"[:q]), ordered=True)


def same(found, expected):
    if expected is None:
        assert found.value is None
        assert found.reason
        assert (found.low, found.high) == (None, None)
    else:
        assert found.value == pytest.approx(expected, abs=1e-9)
        assert found.reason == ""


@settings(max_examples=120, deadline=None)
@given(tables())
def test_every_coefficient_of_many_raters_is_that_of_plain_loops(ratings):
    rows = rows_of(ratings)
    same(observed_agreement(ratings, rng(), resamples=5), plain_observed(rows))
    for level in LEVELS:
        found = krippendorff_alpha(ratings, rng(), level=level, resamples=5)
        same(found, plain_alpha(rows, level))
    for missing in ("drop", "category"):
        found = fleiss_kappa(ratings, rng(), missing=missing, resamples=5)
        same(found, plain_fleiss(rows, missing))
    same(gwet_ac1(ratings, rng(), resamples=5), plain_ac1(rows, len(ratings.categories)))


@settings(max_examples=80, deadline=None)
@given(tables(raters=st.just(2)))
def test_kappa_of_two_raters_is_that_of_plain_loops(ratings):
    rows = rows_of(ratings)
    for weights, weight in (
        ("none", lambda a, b: a != b),
        ("linear", lambda a, b: abs(a - b)),
        ("quadratic", lambda a, b: (a - b) ** 2),
    ):
        found = cohen_kappa(ratings, rng(), weights=weights, resamples=5)
        same(found, plain_kappa(rows, weight))


# --- published ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_of_krippendorffs_example_with_missing_ratings(level, published):
    found = krippendorff_alpha(Ratings.of_labels(KRIPPENDORFF), rng(), level=level)
    assert found.value == pytest.approx(published, abs=5e-4)
    assert (found.n_items, found.n_total, found.n_raters) == (11, 12, 4)
    assert found.missing == "pairable"


def test_ac1_counts_the_items_that_two_have_rated():
    """aa, ab, a-, --: agreement rests on two items, the use of labels on three.

    Agreed 1/2; a is used (1 + 1/2 + 1) / 3 = 5/6, so by chance 2 (5/6)(1/6) = 10/36: (1/2 - 5/18) /
    (1 - 5/18) = 4/13.
    """
    rows = [["a", "a"], ["a", "b"], ["a", None], [None, None]]
    found = gwet_ac1(Ratings.of_labels(rows), rng())
    assert found.value == pytest.approx(4 / 13)
    assert (found.n_items, found.n_total) == (2, 4)
    assert found.metric().reasons == {"unmeasured: too few ratings (missing: rated)": 2}


def test_ac1_of_the_same_example_is_that_of_gwets_handbook():
    found = gwet_ac1(Ratings.of_labels(KRIPPENDORFF), rng())
    assert found.value == pytest.approx(0.77544, abs=5e-6)


def test_kappa_of_fleiss_table_of_1971():
    rows = [
        [str(c) for c, times in enumerate(item) for _ in range(int(times))]
        for item in FLEISS.split()
    ]
    # The paper's own column totals, so that the table is known to be the paper's.
    assert [sum(row.count(c) for row in rows) for c in "01234"] == [26, 26, 30, 55, 43]
    ratings = Ratings.of_labels(rows)
    assert observed_agreement(ratings, rng()).value == pytest.approx(0.555, abs=1e-3)
    assert fleiss_kappa(ratings, rng()).value == pytest.approx(0.430, abs=5e-4)


def test_kappa_of_cohens_table():
    """Cohen (1960; again 1968): N = 200, observed .70, expected .41, kappa .29 / .59 = .492."""
    table = [[88, 10, 2], [14, 40, 6], [18, 10, 12]]
    pairs = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    found = cohen_kappa(paired(*zip(*pairs, strict=True)), rng())
    assert found.value == pytest.approx(0.29 / 0.59)
    # The large-sample error of Fleiss, Cohen and Everitt (1969) for this table is about .05.
    assert found.value - found.low == pytest.approx(1.96 * 0.05, rel=0.15)
    assert found.high - found.value == pytest.approx(1.96 * 0.05, rel=0.15)


def test_quadratic_kappa_is_one_less_squared_difference_over_spread():
    """Of independent a and b, E(a - b)² is var a + var b + the squared difference of means."""
    a = rng(3).integers(0, 4, 200)
    b = np.clip(a + rng(4).integers(-1, 2, 200), 0, 3)
    expected = 1 - ((a - b) ** 2).mean() / (a.var() + b.var() + (a.mean() - b.mean()) ** 2)
    found = cohen_kappa(paired(a, b), rng(), weights="quadratic")
    assert found.value == pytest.approx(expected)


# --- degenerate --------------------------------------------------------------------------------


def test_bug_102_one_label_only_leaves_kappa_undefined_and_agreement_1():
    from rageval_kit.gates import decide_run, load_policy

    ratings = paired(["rel"] * 4, ["rel"] * 4)
    kappa, agreement = cohen_kappa(ratings, rng()), observed_agreement(ratings, rng())
    assert (kappa.value, kappa.low, kappa.high) == (None, None, None)
    assert kappa.reason == "undefined: one label only"
    assert (agreement.value, agreement.reason) == (1.0, "")
    policy = load_policy({"thresholds": {"k": {"metric": "cohen_kappa", "at_least": 0.6}}})
    decision = decide_run(policy, [], [kappa.metric()], calls=4, calls_answered=4)
    gate = next(one for one in decision.gates if one.gate == "k")
    assert (gate.value, gate.shown) == (None, "not measured")
    assert "one label only" in gate.reasons[0]
    assert decision.outcome == "incomplete"


def test_bug_102_the_second_pair_has_kappa_of_8_thirteenths():
    """Observed 4/5; expected 3/5 · 2/5 + 2/5 · 3/5 = 12/25; (20 - 12) / (25 - 12) = 8/13."""
    ratings = paired(["rel", "rel", "non", "non", "rel"], ["rel", "non", "non", "non", "rel"])
    assert cohen_kappa(ratings, rng()).value == pytest.approx(8 / 13)
    assert observed_agreement(ratings, rng()).value == pytest.approx(0.8)


@pytest.mark.parametrize("codes", [[[0, 0], [0, 0]], [[1, 1], [1, 1]]], ids=["first", "second"])
def test_one_label_of_two_possible_is_undefined_for_all_but_ac1(codes):
    """AC1 knows that there are two: by chance 0 agree, so the agreement seen is 1."""
    ratings = Ratings(np.array(codes), ("0", "1"), ordered=True)
    told = {one.coefficient: one for one in overview(ratings)}
    assert told.pop("observed_agreement").value == 1.0
    assert told.pop("gwet_ac1").value == 1.0
    assert {one.reason for one in told.values()} == {"undefined: one label only"}


def test_interval_alpha_of_one_odd_number_is_undefined_despite_rounding():
    """Of 0.1 only, three times: sums of squares leave a rounding trace where all is equal."""
    codes = np.zeros((7, 3), dtype=int)
    ratings = Ratings(codes, ("0.1", "0.7", "0.2"), ordered=True)
    assert krippendorff_alpha(ratings, rng(), level="interval").value is None


@pytest.mark.parametrize("codes", [[[0, -1], [-1, 1]], [[-1, -1]]], ids=["never_both", "nothing"])
def test_without_an_item_of_two_ratings_nothing_is_measured(codes):
    for one in overview(Ratings(np.array(codes), ("0", "1"), ordered=True)):
        assert (one.value, one.reason) == (None, "unmeasured: no item has two ratings")


def test_no_item_at_all_is_unmeasured():
    for one in overview(Ratings(np.zeros((0, 3), dtype=int), ("0", "1"), ordered=True)):
        assert (one.value, one.n_items, one.n_total) == (None, 0, 0)
        assert one.reason.startswith("unmeasured: ")


def test_labels_without_order_or_number_have_no_ordered_coefficient():
    told = {one.coefficient: one for one in overview(paired("好坏好坏", "好坏坏坏"))}
    assert told["cohen_kappa"].value == pytest.approx(0.5)
    for name in ("cohen_kappa_linear", "cohen_kappa_quadratic", "krippendorff_alpha_ordinal"):
        assert told[name].reason == "not_applicable: the categories have no order"
    interval = told["krippendorff_alpha_interval"]
    assert interval.reason == "not_applicable: the categories are not numbers"
    ordered = cohen_kappa(paired("好坏好坏", "好坏坏坏", ["坏", "好"]), rng(), weights="linear")
    assert ordered.value == pytest.approx(0.5)


def test_numbers_order_themselves_as_numbers():
    ratings = paired([10, 9, -1], [2, 9, -1])
    assert (ratings.categories, ratings.ordered) == (("-1", "2", "9", "10"), True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired(["1"], ["1.0"]), "one number in different ways.*1, 1.0"),
        (lambda: paired("ab", "ac", "ab"), "item 1, rater 1: the label is none.*'c'"),
        (lambda: Ratings(np.array([[0, 2]]), ("a", "b")), "the place of no category.*met 2"),
        (lambda: Ratings(np.array([[0.0, 1.0]]), ("a", "b")), "not a table of whole numbers"),
        (lambda: Ratings(np.array([0, 1]), ("a", "b")), "not a table of whole numbers"),
        (lambda: Ratings(np.array([[0, 0]]), ("a", "a")), "name one twice"),
        (lambda: Ratings.of_labels([["a"], ["a", "b"]]), "rows of different length"),
        (lambda: paired(range(2_000), range(2_000)), "too many to agree on.*2,000"),
        (lambda: cohen_kappa(Ratings.of_labels(KRIPPENDORFF), rng()), "is for two raters.*4"),
        (lambda: cohen_kappa(paired("ab", "ab"), rng(), weights="cubic"), "not known.*cubic"),
        (lambda: krippendorff_alpha(paired("ab", "ab"), rng(), level="ratio"), "not known.*ratio"),
        (lambda: fleiss_kappa(paired("ab", "ab"), rng(), missing="mean"), "not known.*mean"),
        (lambda: gwet_ac1(paired("ab", "ab"), rng(), confidence=95), "between 0 and 1"),
        (lambda: observed_agreement(paired("ab", "ab"), rng(), resamples=0), "1 or more"),
    ],
)
def test_what_cannot_be_is_refused_by_name(call, message):
    with pytest.raises(InputError, match=message):
        call()


# --- intervals ---------------------------------------------------------------------------------


def noisy(n, m=2, q=3, seed=5):
    truth = rng(seed).integers(0, q, (n, 1))
    noise = rng(seed + 1).random((n, m)) < 0.3
    codes = np.where(noise, rng(seed + 2).integers(0, q, (n, m)), truth)
    return Ratings(codes, tuple(str(c) for c in range(q)), ordered=True)


def kappa_of_shares(rows):
    n = len(rows)
    first, second = zip(*rows, strict=True)
    seen = sum(a == b for a, b in rows) / n
    chance = sum(first.count(c) * second.count(c) for c in set(first)) / n**2
    return (seen - chance) / (1 - chance)


def nominal_alpha_of_fleiss(rows):
    """Without missing ratings alpha is Fleiss' kappa, moved towards 1 by 1/N of the rest."""
    n = sum(map(len, rows))
    kappa = plain_fleiss(rows, "drop")
    return kappa + (1 - kappa) / n


@pytest.mark.parametrize("n", [40, 150], ids=["drawn_by_item", "drawn_by_count"])
@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("cohen_kappa", kappa_of_shares),
        ("krippendorff_alpha_nominal", nominal_alpha_of_fleiss),
        ("gwet_ac1", lambda rows: plain_ac1(rows, 3)),
        ("fleiss_kappa", lambda rows: plain_fleiss(rows, "drop")),
    ],
)
def test_the_interval_is_that_of_items_drawn_one_by_one(name, plain, n):
    """Another generator and the plain loops: quantiles of 1,500 draws agree within their error."""
    ratings = noisy(n)
    rows, other = rows_of(ratings), np.random.Generator(np.random.MT19937(9))
    drawn = [plain([rows[i] for i in other.integers(0, n, n)]) for _ in range(1_500)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    found = next(one for one in overview(ratings, seed=2) if one.coefficient == name)
    spread = np.std(drawn)
    assert found.low == pytest.approx(low, abs=0.35 * spread)
    assert found.high == pytest.approx(high, abs=0.35 * spread)
    assert found.note == ""


def test_each_resample_has_ordinal_distances_of_its_own():
    ratings, other = noisy(25, m=3), np.random.Generator(np.random.MT19937(9))
    rows = rows_of(ratings)
    drawn = [
        plain_alpha([rows[i] for i in other.integers(0, 25, 25)], "ordinal") for _ in range(300)
    ]
    found = krippendorff_alpha(ratings, rng(), level="ordinal")
    assert found.low == pytest.approx(np.quantile(drawn, 0.025), abs=0.4 * np.std(drawn))
    assert found.high == pytest.approx(np.quantile(drawn, 0.975), abs=0.4 * np.std(drawn))


def test_one_generator_state_gives_one_result_in_blocks_of_any_size(monkeypatch):
    from rageval_kit.stats.agreement import estimate

    ratings = noisy(40)
    whole = cohen_kappa(ratings, rng())
    assert cohen_kappa(ratings, rng()) == whole
    monkeypatch.setattr(estimate, "_CELLS", 1_000)
    blocks = cohen_kappa(ratings, rng())
    assert (blocks.low, blocks.high) == (whole.low, whole.high)


def test_one_coefficient_more_changes_no_other():
    ratings = noisy(60)
    assert overview(ratings, 3)[0] == overview(ratings, 3, missing="category")[0]
    assert overview(ratings, 3)[1].low != overview(ratings, 4)[1].low


def test_perfect_agreement_has_an_exact_interval_or_none_and_says_so():
    """All 20 agree: the least share that shows 20 of 20 in 2.5 % of samples is .025^(1/20)."""
    ratings = paired([1, 2] * 10, [1, 2] * 10)
    agreement, kappa = observed_agreement(ratings, rng()), cohen_kappa(ratings, rng())
    assert (agreement.low, agreement.high) == (pytest.approx(0.025 ** (1 / 20)), 1.0)
    assert (kappa.value, kappa.low, kappa.high) == (1.0, None, None)
    assert kappa.note.startswith("resampling shows no spread")


def test_an_interval_is_withheld_where_too_many_resamples_are_undefined():
    """One of ten items shows the second label: (9/10)^10 = 35 % of resamples lack it."""
    kappa = cohen_kappa(paired([1] * 9 + [2], [1] * 9 + [2]), rng())
    assert (kappa.value, kappa.low) == (1.0, None)
    lost = int(kappa.note.split()[2])
    assert lost / 2_000 == pytest.approx(0.9**10, abs=0.04)


def test_intervals_cover_the_value_of_the_whole_population():
    """Samples of 80 from 4 cells of known shares: kappa is .5."""
    shares, cells = [0.35, 0.15, 0.10, 0.40], np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    chance = 0.5 * 0.45 + 0.5 * 0.55
    true = (0.75 - chance) / (1 - chance)
    draw, held = rng(11), 0
    for i in range(300):
        ratings = Ratings(cells[draw.choice(4, 80, p=shares)], ("0", "1"))
        found = cohen_kappa(ratings, rng(i), resamples=400)
        held += found.low <= true <= found.high
    # 300 trials at 93.5 % (percentiles of small samples are a little short): ± 3 errors of 1.4 %.
    assert 0.89 <= held / 300 <= 0.98


# --- records -----------------------------------------------------------------------------------


def test_fleiss_counts_ratings_whoever_gave_them():
    """Three items of two ratings each by four raters: complete, though no rater rated all."""
    rows = [("a", "a", _, _), (_, "b", "b", _), (_, _, "a", "b")]
    found = fleiss_kappa(Ratings.of_labels(rows), rng())
    # Observed 2/3; a and b each 3 of 6: expected 1/2; (2/3 - 1/2) / (1/2) = 1/3.
    assert (found.value, found.n_items) == (pytest.approx(1 / 3), 3)


def test_every_pair_that_shares_an_item_is_told():
    rows = [("a", "a", _), ("b", "a", _), ("a", "a", _), (_, "a", "a"), (_, _, "b")]
    pairs = by_pair(Ratings.of_labels(rows))
    assert [(one.first, one.second, one.observed.n_items) for one in pairs] == [
        (0, 1, 3),
        (1, 2, 1),
    ]
    assert pairs[0].observed.value == pytest.approx(2 / 3)
    assert pairs[0].kappa.value == pytest.approx(0.0)
    assert pairs[1].kappa.reason == "undefined: one label only"


def test_a_metric_says_how_many_items_count_and_why_others_do_not():
    found = krippendorff_alpha(Ratings.of_labels(KRIPPENDORFF), rng()).metric()
    assert (found.n_scored, found.n_total, found.value) == (11, 12, pytest.approx(0.743, abs=5e-4))
    assert list(found.reasons.values()) == [1]
    assert {"en", "zh"} <= found.definition.keys()
    dropped = fleiss_kappa(Ratings.of_labels(KRIPPENDORFF), rng()).metric()
    counted = fleiss_kappa(Ratings.of_labels(KRIPPENDORFF), rng(), missing="category").metric()
    assert dropped.identity != counted.identity


# --- real data ---------------------------------------------------------------------------------


def real(name):
    import os
    from pathlib import Path

    folder = Path(__file__).resolve().parents[3] / "shared" / "data" / name
    if not folder.is_dir():
        missing = f"data set {name!r} is not beside the checkout (looked for {folder})"
        (pytest.fail if os.environ.get("CI", "").lower() == "true" else pytest.skip)(missing)
    return folder


@pytest.mark.real
def test_the_two_annotators_of_ragchecker_agree_by_413_plain_and_698_quadratic():
    path = real("ragchecker_human") / "human_labeled_data.json.gz"
    by_instance = {}
    for one in json.loads(gzip.decompress(path.read_bytes())):
        by_instance.setdefault(one["instance_id"], []).append(one["overall_label"])
    ratings = Ratings.of_labels(by_instance.values())
    assert ratings.categories == ("-2", "-1", "0", "1", "2")
    plain = cohen_kappa(ratings, rng())
    quadratic = cohen_kappa(ratings, rng(), weights="quadratic")
    assert (round(plain.value, 3), round(quadratic.value, 3)) == (0.413, 0.698)
    assert plain.n_items == quadratic.n_items == 280


def xsum():
    """NULL is no rating; of 1,869 summaries, 10 have only two rows."""
    path = real("xsum_factuality_3annotators") / "factuality_annotations_xsum_summaries.csv"
    items = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            label = None if row["is_factual"] == "NULL" else row["is_factual"]
            items.setdefault((row["bbcid"], row["system"]), {})[row["worker_id"]] = label
    return [list(raters.values()) for raters in items.values()]


@pytest.mark.real
def test_xsum_has_fleiss_787_with_null_a_category_and_774_with_incomplete_items_dropped():
    """1,859 items have three rows; of these 11 are NULL by all three, and none by one or two."""
    rows = [row for row in xsum() if len(row) == 3]
    ratings = Ratings.of_labels(rows)
    counted = fleiss_kappa(ratings, rng(), missing="category")
    dropped = fleiss_kappa(ratings, rng(), missing="drop")
    assert (round(counted.value, 3), counted.n_items, counted.missing) == (0.787, 1_859, "category")
    assert (round(dropped.value, 3), dropped.n_items, dropped.missing) == (0.774, 1_848, "drop")
    assert dropped.n_total == 1_859


@pytest.mark.real
def test_xsum_drops_the_ten_items_of_two_rows_as_well_and_keeps_them_for_alpha():
    rows = [[*row, *[None] * (3 - len(row))] for row in xsum()]
    ratings = Ratings.of_labels(rows)
    dropped = fleiss_kappa(ratings, rng())
    assert (round(dropped.value, 3), dropped.n_items, dropped.n_total) == (0.774, 1_848, 1_869)
    alpha = krippendorff_alpha(ratings, rng())
    assert alpha.n_items == 1_858
    assert math.isclose(alpha.value, 0.774, abs_tol=1e-3)
