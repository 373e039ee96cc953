"""Intervals agree with scipy and with plain loops; columns share their draws; memory is bounded."""

import tracemalloc

import numpy as np
import pytest

from rageval_kit.records.faults import InputError
from rageval_kit.records.streams import stream
from rageval_kit.stats import Interval, mean_interval, mean_intervals
from rageval_kit.stats.resample import resampled_means, resampled_totals

SKEWED = stream(1, "skewed").beta(0.6, 3, size=60)


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_both_methods_agree_with_scipy(method, theirs):
    from scipy.stats import bootstrap

    # 40,000 resamples: an end varies by about .0007 (sd .024, density .058/.024 at the tail).
    expected = bootstrap(
        (SKEWED,), np.mean, method=theirs, n_resamples=40_000, batch=1000, rng=stream(2, "t")
    ).confidence_interval
    ours = mean_interval(SKEWED, stream(3, "o"), method=method, resamples=40_000)
    assert (ours.low, ours.high) == pytest.approx((expected.low, expected.high), abs=0.002)
    assert ours.mean == pytest.approx(SKEWED.mean())
    assert ours.n == 60


def test_bca_corrects_for_bias_where_it_is_large():
    # Plainly by the textbook (Efron 1987). Without the bias z = .16 the low end would be .0174.
    from scipy.stats import norm

    values = (np.arange(1, 13) / 12) ** 12
    means = values[stream(2, "plain").integers(0, 12, (300_000, 12))].mean(axis=1)
    z, away = norm.ppf((means < values.mean()).mean()), values - values.mean()
    a = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    reach = z + norm.ppf([0.025, 0.975])
    low, high = np.quantile(means, norm.cdf(z + reach / (1 - a * reach)))
    ours = mean_interval(values, stream(3, "o"), method="bca", resamples=60_000)
    assert ours.low == pytest.approx(low, abs=0.003)
    assert ours.high == pytest.approx(high, abs=0.02)


def test_bca_moves_the_interval_of_a_right_skewed_mean_to_the_right():
    plain = mean_interval(SKEWED, stream(3, "o"), resamples=40_000)
    moved = mean_interval(SKEWED, stream(3, "o"), resamples=40_000, method="bca")
    assert moved.low > plain.low
    assert moved.high > plain.high


@pytest.mark.parametrize("kind", ["MT19937", "Philox", "SFC64"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_an_independent_bit_generator_finds_the_same_interval(kind, method):
    values = np.append(np.round(SKEWED, 3), SKEWED)  # plain draws
    repeated = np.repeat([0.0, 0.5, 1.0], [100, 70, 30])  # drawn by counts
    for sample in (values, repeated):
        ours = mean_interval(sample, stream(4, "a"), method=method, resamples=20_000)
        other = np.random.Generator(getattr(np.random, kind)(99))
        theirs = mean_interval(sample, other, method=method, resamples=20_000)
        step = 0.0025 if sample is repeated else 0  # its means lie on a lattice of 1/400
        error = 0.06 * sample.std() / np.sqrt(len(sample)) + step
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=error)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_whole_clusters_are_drawn_as_in_a_plain_loop(method):
    """The loop pools the queries of the clusters it draws; an end errs by some .0015."""
    from scipy.stats import norm

    generator = stream(5, "clusters")
    sizes = generator.integers(1, 9, 25)
    names = [f"d{i}" for i, size in enumerate(sizes) for _ in range(size)]
    level = dict(zip(sorted(set(names)), generator.beta(1, 3, 25), strict=True))
    values = np.array([level[name] + 0.1 * generator.random() for name in names])
    members = [values[[one == name for one in names]] for name in sorted(set(names))]

    means = []
    sums, counts = np.array([one.sum() for one in members]), np.array([len(one) for one in members])
    for _ in range(20_000):
        drawn = generator.integers(0, 25, 25)
        means.append(sums[drawn].sum() / counts[drawn].sum())
    levels = np.array([0.025, 0.975])
    if method == "bca":
        without = np.array(
            [np.concatenate(members[:i] + members[i + 1 :]).mean() for i in range(25)]
        )
        pull = without.mean() - without
        skew = (pull**3).sum() / (6 * (pull**2).sum() ** 1.5)
        bias = norm.ppf((np.array(means) < values.mean()).mean())
        reach = bias + norm.ppf(levels)
        levels = norm.cdf(bias + reach / (1 - skew * reach))
    expected = np.quantile(means, levels)
    ours = mean_interval(values, stream(6, "c"), clusters=names, resamples=20_000, method=method)
    assert (ours.low, ours.high) == pytest.approx(tuple(expected), abs=0.006)
    assert (ours.n, ours.n_clusters) == (len(values), 25)
    single = mean_interval(values, stream(6, "c"), resamples=5000)
    assert ours.high - ours.low > 1.3 * (single.high - single.low)


def test_copies_of_each_query_as_clusters_give_the_interval_of_the_queries():
    # Five copies of each of 60 values carry no more than the 60 do.
    names = np.repeat(np.arange(60), 5)
    copied = mean_interval(np.repeat(SKEWED, 5), stream(7, "c"), clusters=names, resamples=20_000)
    once = mean_interval(SKEWED, stream(8, "c"), resamples=20_000)
    assert (copied.low, copied.high) == pytest.approx((once.low, once.high), abs=0.003)


def test_a_further_column_changes_no_number_of_the_others():
    columns = stream(9, "columns").random((500, 4))
    alone = mean_intervals(columns[:, :1], stream(10, "d"))
    together = mean_intervals(columns, stream(10, "d"))
    assert together[0].low == pytest.approx(alone[0].low, abs=1e-12)
    assert together[0].high == pytest.approx(alone[0].high, abs=1e-12)


def test_columns_share_their_resamples():
    column = stream(9, "columns").random(500)
    first, twice = mean_intervals(np.column_stack((column, 2 * column)), stream(10, "d"))
    assert (twice.low, twice.high) == pytest.approx((2 * first.low, 2 * first.high))


@pytest.mark.parametrize("n", [3, 7, 256, 6980, 40_000, 65_535, 65_536, 70_000])
def test_every_row_is_drawn_equally_often(n):
    # The share of draws below n/2 and the mean row number, each within five standard errors.
    resamples = max(4, 200_000 // n)
    units = np.zeros((n, 2))
    units[:, 0] = 1
    units[: n // 2, 1] = 1
    totals = resampled_totals(units, stream(11, str(n)), resamples)
    assert (totals[:, 0] == n).all()
    share = totals[:, 1].sum() / (n * resamples)
    spread = np.sqrt(0.25 / (n * resamples))
    assert share == pytest.approx((n // 2) / n, abs=5 * spread)
    place = np.arange(n, dtype=float)[:, None]
    mean_place = resampled_totals(place, stream(12, str(n)), resamples).mean() / n
    assert mean_place == pytest.approx((n - 1) / 2, abs=5 * place.std() / np.sqrt(n * resamples))


def test_counts_have_the_variance_of_a_multinomial():
    # Of 50 rows, how often row 0 is drawn has mean 1 and variance 1 - 1/50; row 1 correlates -1/50.
    units = np.eye(50)[:, :2]
    totals = resampled_totals(units, stream(13, "m"), 60_000)
    assert totals.mean(axis=0) == pytest.approx([1, 1], abs=0.02)
    assert totals.var(axis=0) == pytest.approx([0.98, 0.98], abs=0.03)
    assert np.cov(totals.T)[0, 1] == pytest.approx(-0.02, abs=0.02)


def drawn_means(values, resamples, generator):
    """The plain way: every row of every resample drawn."""
    rows = generator.integers(0, len(values), (resamples, len(values)))
    return values[rows].mean(axis=1)


@pytest.mark.parametrize("n", [12, 250])
@pytest.mark.parametrize("shape", ["beta", "outlier", "lattice"])
def test_means_drawn_from_their_distribution_are_those_of_drawn_rows(shape, n):
    # 40,000 against 40,000: a quantile errs by about 1/80 of the spread. An outlier that is drawn
    # 0, 1, 2 … times makes clumps with shares .37, .37, .18: the levels lie within them.
    values = {
        "beta": stream(16, "v").beta(0.6, 3, n),
        "outlier": np.append(stream(16, "v").random(n - 1), 2000.0),
        "lattice": np.arange(n) % 11 / 10 + 0.003,
    }[shape]
    ours = resampled_means(values, stream(17, shape), 40_000)
    plain = drawn_means(values, 40_000, np.random.default_rng(18))
    spread = values.std() / np.sqrt(n)
    levels = (0.2, 0.5, 0.85) if shape == "outlier" else (0.025, 0.2, 0.5, 0.8, 0.975)
    # On the lattice a quantile that errs so little may be the next mean that there is.
    most = spread / 15 + (0.1 / n if shape == "lattice" else 0)
    assert np.quantile(ours, levels) == pytest.approx(np.quantile(plain, levels), abs=most)
    assert ours.mean() == pytest.approx(values.mean(), abs=4 * spread / 200)
    assert ours.std() == pytest.approx(spread, rel=0.02)
    assert values.min() <= ours.min() <= ours.max() <= values.max()


@pytest.mark.parametrize(("n", "ones"), [(5, 2), (50, 15), (2000, 500)])
def test_the_distribution_of_a_mean_of_ones_and_zeros_is_binomial(n, ones):
    # The share of resampled means of at most k / n is that of binomial counts, and each is k / n.
    from scipy.stats import binom

    values = np.repeat([0.0, 1.0], [n - ones, ones])
    counts = resampled_means(values, stream(19, "binomial"), 50_000) * n
    assert counts == pytest.approx(np.round(counts), abs=1e-6)
    for k in range(0, n, max(1, n // 40)):
        assert (counts < k + 0.5).mean() == pytest.approx(binom.cdf(k, n, ones / n), abs=0.01)


def test_memory_is_that_of_one_block():
    # All draws at once would take 10,000 x 6,980 x 8 bytes = 558 MB.
    # Nor do 3 columns take more than one: the transforms of 6,980 take 2 MB each.
    columns = stream(14, "big").random((6980, 3))
    tracemalloc.start()
    mean_intervals(columns, stream(15, "b"), resamples=2000)
    mean_intervals(columns, stream(15, "b"), resamples=500, clusters=np.arange(6980) // 2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6


@pytest.mark.parametrize(
    ("values", "clusters", "reason"),
    [
        ([0.2, 0.4], ["a", "a"], "all 2 values are of one cluster"),
        ([0.2, 0.4, 0.2, 0.4], ["a", "a", "b", "b"], "the means of all 2 clusters are equal"),
        ([], [], "nothing was measured"),
    ],
)
def test_clusters_without_spread_give_a_reason(values, clusters, reason):
    found = mean_interval(np.array(values), stream(1, "b"), clusters=clusters)
    assert (found.low, found.high, found.reason) == (None, None, reason)
    assert found.n == len(values)


def test_a_column_without_spread_does_not_stop_the_others():
    columns = np.column_stack((np.full(30, 0.4), SKEWED[:30]))
    flat, other = mean_intervals(columns, stream(1, "b"))
    assert flat == Interval(pytest.approx(0.4), None, None, 30, "all 30 values are equal")
    assert other.low < other.mean < other.high


def test_all_ones_in_clusters_count_clusters():
    # 4 clusters, all right: the exact lower end is that of 4 of 4, .025^(1/4), not of 20 of 20.
    found = mean_interval(
        np.ones(20), stream(1, "b"), clusters=np.repeat(np.arange(4), 5), unit_interval=True
    )
    assert found.low == pytest.approx(0.025**0.25)


def test_too_few_resamples_for_bca_give_a_reason():
    found = mean_interval(np.array([0.0, 0.3, 1.0]), stream(1, "b"), resamples=1, method="bca")
    assert found.low is None
    assert found.reason == "all resampled means lie on one side of the mean"


@pytest.mark.parametrize(
    ("given", "named"),
    [({"confidence": 1.0}, "confidence"), ({"resamples": 0}, "resamples")],
)
def test_settings_out_of_range_are_refused_by_name(given, named):
    with pytest.raises(InputError, match=named):
        mean_interval(SKEWED, stream(1, "b"), **given)


def test_a_cluster_is_needed_for_every_value():
    with pytest.raises(InputError, match="one cluster for every value"):
        mean_interval(SKEWED, stream(1, "b"), clusters=["a"])
