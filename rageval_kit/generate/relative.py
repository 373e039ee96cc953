"""Which instant does a relative date mean, and how is it said?

"The end of" a period is its last instant: just before the next one begins in the corpus's zone.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from rageval_kit.corpus.times import INSTANT

PHRASES: Mapping[str, Mapping[str, str]] = {
    "quarter": {"en": "As of the end of last quarter, ", "zh": "截至上季度末，"},
    "year": {"en": "As of the end of last year, ", "zh": "截至去年年底，"},
    "month": {"en": "As of the end of last month, ", "zh": "截至上月月底，"},
    "fiscal_year": {
        "en": "As of the end of the last fiscal year (ending in March), ",
        "zh": "截至上一财年末（三月底），",
    },
}
APRIL = 4


def end_of_last(period: str, asked: datetime, timezone: str) -> datetime:
    """The last instant of the period before the one in which `asked` lies."""
    here = asked.astimezone(ZoneInfo(timezone))
    year, month = here.year, here.month
    if period == "quarter":
        month -= (month - 1) % 3
    elif period == "year":
        month = 1
    elif period == "fiscal_year":
        year, month = (year if month >= APRIL else year - 1), APRIL
    begins = datetime(year, month, 1, tzinfo=ZoneInfo(timezone))
    return begins.astimezone(UTC) - INSTANT
