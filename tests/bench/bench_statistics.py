"""How often do the intervals hold the truth and the tests err, and how long do they take?

Run by hand: `python tests/bench/bench_statistics.py`. Scores are skewed and bounded, with atoms at
0 and 1. Targets: bootstrap at least 5 times as fast as scipy's at 10,000 resamples of 6,980
queries; sign flips of 10 measures at the same size well under a second.
"""

import statistics
import time
import tracemalloc

import numpy as np
from scipy import stats as peer

from rageval_kit.records.streams import stream
from rageval_kit.stats import (
    Plan,
    clopper_pearson,
    compare_many,
    mean_interval,
    mean_intervals,
    paired_t,
    sign_flips,
    wilcoxon,
)

SIZES = (10, 30, 100, 300)
REPETITIONS = 3000
RESAMPLES = 2000
LEVEL = 0.05
N_QUERIES, N_RESAMPLES, N_MEASURES = 6980, 10_000, 10


def reciprocal_ranks(generator, shape):
    """1/rank where the rank is geometric and nothing beyond 10 counts."""
    rank = generator.geometric(0.35, shape)
    return np.where(rank <= 10, 1 / rank, 0.0)


def gains(generator, shape):
    """Like nDCG: a tenth at 0, a quarter at 1, the rest beta(2, 1.2)."""
    kind = generator.random(shape)
    between = generator.beta(2, 1.2, shape)
    return np.where(kind < 0.10, 0.0, np.where(kind > 0.75, 1.0, between))


def rare(generator, shape):
    """Mostly 0: nine in ten, the rest beta(1, 2)."""
    return np.where(generator.random(shape) < 0.9, 0.0, generator.beta(1, 2, shape))


SCORES = {"reciprocal rank": reciprocal_ranks, "gain": gains, "rare": rare}


def title(text):
    print(f"\n{text}")


def coverage(samples, truth, **given):
    """The share of columns whose interval holds the truth, misses on either side, mean width."""
    found = mean_intervals(samples, stream(1, "coverage"), resamples=RESAMPLES, **given)
    kept = [
        one
        if one.low is not None
        else mean_interval(sample, stream(2, "coverage"), resamples=RESAMPLES, **given)
        for one, sample in zip(found, samples.T, strict=True)
    ]
    ends = [one for one in kept if one.low is not None]
    above = sum(one.low > truth for one in ends) / len(kept)
    below = sum(one.high < truth for one in ends) / len(kept)
    width = float(np.mean([one.high - one.low for one in ends]))
    return 1 - above - below, above, below, width


def show_coverage():
    title(f"Coverage of 95 % intervals of a mean, {REPETITIONS} samples, {RESAMPLES} resamples")
    print(f"{'scores':<16}{'n':>5}  {'method':<11}  holds  too high  too low   width")
    for name, draw in SCORES.items():
        truth = float(draw(stream(3, name), 4_000_000).mean())
        for n in SIZES:
            samples = draw(stream(4, name, str(n)), (n, REPETITIONS))
            for method in ("percentile", "bca"):
                holds, above, below, width = coverage(samples, truth, method=method)
                shares = f"{holds:>7.3f}{above:>10.3f}{below:>9.3f}{width:>8.3f}"
                print(f"{name:<16}{n:>5}  {method:<11}{shares}")


def show_clusters():
    title(f"Coverage where queries of one document are alike (1 to 9 each), {REPETITIONS} samples")
    print(f"{'clusters':>8}  {'method':<11}{'whole':>7}{'single':>8}")
    for n in SIZES:
        generator = stream(5, "clusters", str(n))
        names = np.repeat(np.arange(n), 1 + generator.integers(0, 9, n))
        level = generator.beta(2, 1.2, (n, REPETITIONS))[names]
        samples = (generator.random((len(names), REPETITIONS)) < level).astype(float)
        for method in ("percentile", "bca"):
            whole = coverage(samples, 2 / 3.2, method=method, clusters=names)[0]
            single = coverage(samples, 2 / 3.2, method=method)[0]
            print(f"{n:>8}  {method:<11}{whole:>7.3f}{single:>8.3f}")


def show_exact():
    title("Coverage of Clopper-Pearson intervals, exact (summed over every count)")
    print(f"{'n':>5}" + "".join(f"{share:>9}" for share in (0.02, 0.1, 0.5, 0.9, 0.99)))
    for n in SIZES:
        ends = [clopper_pearson(k, n) for k in range(n + 1)]
        cells = ""
        for share in (0.02, 0.1, 0.5, 0.9, 0.99):
            holds = [low <= share <= high for low, high in ends]
            cells += f"{peer.binom.pmf(np.arange(n + 1), n, share)[holds].sum():>9.4f}"
        print(f"{n:>5}{cells}")


def show_size():
    title(f"How often tests at level .05 reject a true null, {REPETITIONS} samples (error .004)")
    print(f"{'scores':<16}{'n':>5}{'sign flip':>11}{'t':>8}{'wilcoxon':>10}{'interval':>10}")
    for name, draw in SCORES.items():
        for n in SIZES:
            generator = stream(6, name, str(n))
            columns = draw(generator, (n, REPETITIONS)) - draw(generator, (n, REPETITIONS))
            flips = sign_flips(columns, stream(7, "flips"), resamples=RESAMPLES)
            intervals = mean_intervals(columns, stream(8, "i"), resamples=RESAMPLES, method="bca")
            shares = [
                np.mean([one.p is not None and one.p <= LEVEL for one in flips]),
                *(
                    np.mean([(one := test(c)).p is not None and one.p <= LEVEL for c in columns.T])
                    for test in (paired_t, wilcoxon)
                ),
                np.mean(
                    [one.low is not None and not one.low <= 0 <= one.high for one in intervals]
                ),
            ]
            print(
                f"{name:<16}{n:>5}{shares[0]:>11.3f}{shares[1]:>8.3f}{shares[2]:>10.3f}{shares[3]:>10.3f}"
            )


def timed(calls, repeats=5):
    """Medians of wall and processor seconds of each call, taken in turn, and peak memory in MB.

    Where other work runs beside, the ratio of processor seconds is the steadier one.
    """
    seconds, busy = {name: [] for name in calls}, {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            start, cpu = time.perf_counter(), time.process_time()
            call()
            seconds[name].append(time.perf_counter() - start)
            busy[name].append(time.process_time() - cpu)
    peaks = {}
    for name, call in calls.items():
        tracemalloc.start()
        call()
        peaks[name] = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
    first = next(iter(calls))
    wall, cpu = (
        {name: statistics.median(taken) for name, taken in one.items()} for one in (seconds, busy)
    )
    print(f"{'':<36}{'wall s':>8}{'x':>7}{'cpu s':>8}{'x':>7}{'MB':>9}")
    for name in calls:
        times = f"{wall[name]:>8.3f}{wall[name] / wall[first]:>7.1f}"
        times += f"{cpu[name]:>8.3f}{cpu[name] / cpu[first]:>7.1f}"
        print(f"{name:<36}{times}{peaks[name]:>9.1f}")


def looped(columns, generator):
    """The test as one writes it first: one resample at a time."""
    observed, extreme = np.abs(columns.mean(axis=0)), np.zeros(columns.shape[1])
    for _ in range(N_RESAMPLES):
        signs = generator.choice((-1.0, 1.0), len(columns))
        extreme += np.abs((signs[:, None] * columns).mean(axis=0)) >= observed
    return (extreme + 1) / (N_RESAMPLES + 1)


def show_speed():
    shape = f"{N_RESAMPLES} resamples of {N_QUERIES} queries"
    generator = stream(9, "speed")
    columns = generator.beta(2, 5, (N_QUERIES, N_MEASURES))
    one, few = columns[:, 0], np.round(columns[:, 0], 1)

    def theirs(method, batch):
        return lambda: peer.bootstrap(
            (one,), np.mean, method=method, n_resamples=N_RESAMPLES, batch=batch, rng=generator
        )

    for method, name in (("percentile", "percentile"), ("bca", "BCa")):
        title(f"Bootstrap of one mean, {method}, {shape}")
        timed(
            {
                "ours": lambda m=method: mean_interval(
                    one, generator, resamples=N_RESAMPLES, method=m
                ),
                "scipy.stats.bootstrap": theirs(name, None),
                "scipy.stats.bootstrap, batch=100": theirs(name, 100),
            }
        )
    title(f"Bootstrap, more of ours, {shape}")
    clusters = generator.integers(0, 500, N_QUERIES)
    timed(
        {
            "one mean": lambda: mean_interval(one, generator, resamples=N_RESAMPLES),
            "one mean, eleven distinct scores": lambda: mean_interval(
                few, generator, resamples=N_RESAMPLES
            ),
            "ten means": lambda: mean_intervals(columns, generator, resamples=N_RESAMPLES),
            "ten means, 500 clusters": lambda: mean_intervals(
                columns, generator, resamples=N_RESAMPLES, clusters=clusters
            ),
        }
    )
    title(f"Sign flips of {N_MEASURES} measures, {shape}")
    differences = columns - generator.beta(2, 5, columns.shape)
    timed(
        {
            "ours": lambda: sign_flips(differences, generator, resamples=N_RESAMPLES),
            "a plain numpy loop": lambda: looped(differences, generator),
        },
        repeats=3,
    )
    title("Two systems compared whole: 10 measures, intervals, tests, effects")
    from rageval_kit.records.scores import ScoreColumn

    known = np.ones(N_QUERIES, dtype=bool)
    other = generator.beta(2, 5, columns.shape)
    sides = [
        [ScoreColumn(f"m{i}", table[:, i], known) for i in range(N_MEASURES)]
        for table in (columns, other)
    ]
    timed({"compare_many": lambda: compare_many(*sides, generator, Plan())}, repeats=3)
    try:
        from ranx.statistical_tests import fisher_randomization_test
    except ImportError:
        print("ranx is not installed: not compared")
    else:
        title("Sign flips of one measure against ranx")
        timed(
            {
                "ours": lambda: sign_flips(differences[:, :1], generator),
                "ranx": lambda: fisher_randomization_test(
                    columns[:, 0], other[:, 0], n_permutations=N_RESAMPLES
                ),
            },
            repeats=1,
        )


if __name__ == "__main__":
    show_speed()
    show_exact()
    show_coverage()
    show_clusters()
    show_size()
