"""What does each coefficient of agreement say, in words that go into a report?"""

from collections.abc import Mapping

VERSION = 1  # of all of them

DEFINITIONS: Mapping[str, Mapping[str, str]] = {
    "observed_agreement": {
        "en": "The mean over items of the share of pairs of raters that gave the same label.",
        "zh": "对每个条目，计算给出相同标签的标注者对所占的比例，再对条目取平均。",
    },
    "cohen_kappa": {
        "en": "Cohen's kappa (1960): 1 - observed / expected disagreement of two raters; expected "
        "from each rater's own use of the labels. Items that one did not rate are left out.",
        "zh": "Cohen κ（1960）：1 减去两名标注者的实际分歧与期望分歧之比；期望分歧按各自的"
        "标签使用频率计算。有一方未标注的条目不计。",
    },
    "cohen_kappa_linear": {
        "en": "Cohen's weighted kappa (1968): a disagreement weighs as many as the categories are "
        "places apart.",
        "zh": "加权 Cohen κ（1968）：分歧的权重是两个类别在顺序中相隔的位数。",
    },
    "cohen_kappa_quadratic": {
        "en": "Cohen's weighted kappa (1968): a disagreement weighs the square of how many places "
        "the categories are apart.",
        "zh": "加权 Cohen κ（1968）：分歧的权重是两个类别在顺序中相隔位数的平方。",
    },
    "krippendorff_alpha_nominal": {
        "en": "Krippendorff's alpha (2011): 1 - observed / expected disagreement; any two "
        "different labels disagree alike. Items with fewer than two ratings are left out.",
        "zh": "Krippendorff α（2011）：1 减去实际分歧与期望分歧之比；任意两个不同标签的分歧相同。"
        "少于两个标注的条目不计。",
    },
    "krippendorff_alpha_ordinal": {
        "en": "Krippendorff's alpha (2011) for ordered labels: the distance of two labels is "
        "the squared difference of their mid-ranks among all ratings.",
        "zh": "有序标签的 Krippendorff α（2011）：两个标签的距离是"
        "它们在全部标注中平均秩之差的平方。",
    },
    "krippendorff_alpha_interval": {
        "en": "Krippendorff's alpha (2011) for numbers: the distance of two labels is their "
        "squared difference.",
        "zh": "数值标签的 Krippendorff α（2011）：两个标签的距离是其差的平方。",
    },
    "fleiss_kappa": {
        "en": "Fleiss' kappa (1971): (observed - expected) / (1 - expected) agreement; expected "
        "from the use of labels by all raters together. Every item counts the same number of "
        "ratings: items with fewer are dropped, or what they lack is a category of its own.",
        "zh": "Fleiss κ（1971）：（实际一致率 - 期望一致率）/（1 - 期望一致率）；期望一致率"
        "按全体标注者的标签使用频率计算。每个条目的标注数相同：不足的条目要么舍去，要么把缺失"
        "视为单独一类。",
    },
    "gwet_ac1": {
        "en": "Gwet's AC1 (2008): as kappa, but chance agreement is the sum of p(1 - p) over the "
        "categories, divided by their number less one; little moved by one label being far more "
        "frequent.",
        "zh": "Gwet AC1（2008）：形式同 κ，但偶然一致率是各类别 p(1 - p) 之和除以类别数减一；"
        "受某一标签过于频繁的影响较小。",
    },
}

# What `missing` of a result says.
MISSING_RATINGS: Mapping[str, Mapping[str, str]] = {
    "both_rated": {
        "en": "items that one of the two did not rate are left out",
        "zh": "有一方未标注的条目不计",
    },
    "pairable": {
        "en": "items with fewer than two ratings are left out",
        "zh": "少于两个标注的条目不计",
    },
    "rated": {
        "en": "items with fewer than two ratings are left out; one rating counts for chance only",
        "zh": "少于两个标注的条目不计；只有一个标注的条目只用于计算偶然一致率",
    },
    "drop": {
        "en": "items with fewer ratings than the fullest are left out",
        "zh": "标注数少于最多者的条目不计",
    },
    "category": {
        "en": "a missing rating is a category of its own",
        "zh": "缺失的标注视为单独一类",
    },
}

NAMES: Mapping[str, Mapping[str, str]] = {
    "observed_agreement": {"en": "observed agreement", "zh": "实际一致率"},
    "cohen_kappa": {"en": "Cohen's kappa", "zh": "Cohen κ"},
    "cohen_kappa_linear": {"en": "Cohen's kappa, linear", "zh": "Cohen κ（线性加权）"},
    "cohen_kappa_quadratic": {"en": "Cohen's kappa, quadratic", "zh": "Cohen κ（平方加权）"},
    "krippendorff_alpha_nominal": {
        "en": "Krippendorff's alpha, nominal",
        "zh": "Krippendorff α（类别）",
    },
    "krippendorff_alpha_ordinal": {
        "en": "Krippendorff's alpha, ordinal",
        "zh": "Krippendorff α（有序）",
    },
    "krippendorff_alpha_interval": {
        "en": "Krippendorff's alpha, interval",
        "zh": "Krippendorff α（数值）",
    },
    "fleiss_kappa": {"en": "Fleiss' kappa", "zh": "Fleiss κ"},
    "gwet_ac1": {"en": "Gwet's AC1", "zh": "Gwet AC1"},
}
