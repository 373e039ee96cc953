"""How is a day said, in Chinese and in English?"""

from datetime import datetime
from zoneinfo import ZoneInfo

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def spoken(instant: datetime, lang: str, zone: str) -> str:
    """The day of the instant in the zone; not by the locale of the machine."""
    day = instant.astimezone(ZoneInfo(zone))
    if lang == "zh":
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
