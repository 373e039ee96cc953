"""How is a day said, and asked about, in Chinese and in English?"""

from datetime import datetime
from zoneinfo import ZoneInfo

from rageval_kit.text.normalise import language

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


def dated(question: str, instant: datetime, zone: str) -> str:
    """The question with the day that it asks about said in front of it."""
    lang = language(question)
    day = spoken(instant, lang, zone)
    return f"截至{day}，{question}" if lang == "zh" else f"As of {day}: {question}"
