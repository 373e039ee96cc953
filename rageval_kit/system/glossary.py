"""Which words does whoever answers know by another word, or in another language?"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from rageval_kit.text.normalise import fold

# English, another English word, Chinese, another Chinese word.
THINGS = (
    ("falcon", "hawk", "猎鹰", "鹞子"), ("stag", "deer", "雄鹿", "梅花鹿"),
    ("serpent", "snake", "长蛇", "蟒蛇"), ("bull", "ox", "公牛", "牯牛"),
    ("hound", "dog", "猎犬", "狗"), ("stallion", "horse", "骏马", "马匹"),
    ("ram", "sheep", "公羊", "绵羊"), ("toad", "frog", "蟾蜍", "青蛙"),
    ("boar", "pig", "野猪", "山猪"), ("rooster", "cockerel", "公鸡", "雄鸡"),
    ("hare", "rabbit", "野兔", "兔子"), ("drake", "duck", "公鸭", "鸭子"),
    ("gander", "goose", "大鹅", "家鹅"), ("pigeon", "dove", "鸽子", "信鸽"),
    ("raven", "crow", "渡鸦", "乌鸦"), ("mule", "donkey", "骡子", "毛驴"),
    ("tortoise", "turtle", "乌龟", "海龟"), ("leopard", "panther", "花豹", "豹子"),
    ("squirrel", "chipmunk", "松鼠", "花鼠"), ("whale", "orca", "鲸鱼", "虎鲸"),
    ("lizard", "gecko", "蜥蜴", "壁虎"), ("beetle", "ladybird", "甲虫", "瓢虫"),
    ("salmon", "trout", "鲑鱼", "鳟鱼"), ("cricket", "grasshopper", "蟋蟀", "蚱蜢"),
)  # fmt: skip
_OF: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {word: entry for entry in THINGS for word in entry}
)


_NAMED = re.compile(
    "|".join(
        rf"\b{word}s?\b" if word.isascii() else word for word in sorted(_OF, key=len, reverse=True)
    )
)


def thing_in(text: str) -> tuple[str, ...]:
    """The first thing of the glossary that the text names, by all its words; () where none."""
    found = _NAMED.search(fold(text))
    if found is None:
        return ()
    return _OF.get(found[0]) or _OF[found[0].removesuffix("s")]
