"""With Latin letters replaced by Cyrillic ones of the same shape."""

READS = "the text, once each look-alike is read as the letter it looks like"
WHOLE = True
LOOK_ALIKES = str.maketrans("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ")


def disguise(text: str, lang: str) -> str:
    del lang
    return text.translate(LOOK_ALIKES)
