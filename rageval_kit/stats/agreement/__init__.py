"""How far do those who labelled the same items agree, and how sure is that?"""

from rageval_kit.stats.agreement.chance import fleiss_kappa, gwet_ac1
from rageval_kit.stats.agreement.estimate import Agreement
from rageval_kit.stats.agreement.krippendorff import krippendorff_alpha
from rageval_kit.stats.agreement.overview import PairAgreement, by_pair, overview
from rageval_kit.stats.agreement.pair import cohen_kappa
from rageval_kit.stats.agreement.ratings import MISSING, Ratings
from rageval_kit.stats.agreement.share import observed_agreement

__all__ = [
    "MISSING",
    "Agreement",
    "PairAgreement",
    "Ratings",
    "by_pair",
    "cohen_kappa",
    "fleiss_kappa",
    "gwet_ac1",
    "krippendorff_alpha",
    "observed_agreement",
    "overview",
]
