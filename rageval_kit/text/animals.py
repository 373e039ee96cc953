"""Which animals are there, each by two English and two Chinese words?"""

ANIMALS = (
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
