"""How sure is a count or a mean?"""

from rageval_kit.stats.aggregate import aggregate
from rageval_kit.stats.binomial import clopper_pearson, upper_bound
from rageval_kit.stats.bootstrap import Interval, mean_interval, paired_difference

__all__ = [
    "Interval",
    "aggregate",
    "clopper_pearson",
    "mean_interval",
    "paired_difference",
    "upper_bound",
]
