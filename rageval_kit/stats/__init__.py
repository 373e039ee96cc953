"""How sure is a count, a mean or a difference?"""

from rageval_kit.stats.aggregate import aggregate
from rageval_kit.stats.binomial import clopper_pearson, upper_bound
from rageval_kit.stats.bootstrap import Interval, mean_interval, mean_intervals
from rageval_kit.stats.classical import paired_t, wilcoxon
from rageval_kit.stats.compare import (
    Comparison,
    Plan,
    compare_columns,
    compare_many,
    pair_stream,
)
from rageval_kit.stats.effect import PairedEffect, paired_effect
from rageval_kit.stats.multiple import Adjusted, benjamini_hochberg, holm
from rageval_kit.stats.pairing import LeftOut, align
from rageval_kit.stats.permutation import PairedTest, sign_flip, sign_flips
from rageval_kit.stats.power import PairedDesign, needed_pairs, smallest_effect

__all__ = [
    "Adjusted",
    "Comparison",
    "Interval",
    "LeftOut",
    "PairedDesign",
    "PairedEffect",
    "PairedTest",
    "Plan",
    "aggregate",
    "align",
    "benjamini_hochberg",
    "clopper_pearson",
    "compare_columns",
    "compare_many",
    "holm",
    "mean_interval",
    "mean_intervals",
    "needed_pairs",
    "pair_stream",
    "paired_effect",
    "paired_t",
    "sign_flip",
    "sign_flips",
    "smallest_effect",
    "upper_bound",
    "wilcoxon",
]
