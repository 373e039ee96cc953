"""How an order can be written so that not everybody reads it: one file each, no list.

`disguise(text, lang)` gives the text in disguise. `WHOLE`: the wording round the order is disguised
with it; else the order alone, behind a few words that say how to read it. `ASCII_ONLY`: it cannot
write Chinese, so the order is in English. `READS`: how it reads to whoever decodes it. `UNSEEN`:
the characters without a shape that it puts into a text, as a pattern.
"""
