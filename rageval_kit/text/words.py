"""Which words does a text consist of, in Chinese and in English?"""

import re

from rageval_kit.text.normalise import CJK, fold, is_cjk

_WORD = f"[^\\W_{CJK}]+"
# A compound keeps what people search for whole: 3.5, v2.1.0, PEP-484, KTX-4821-KQ, don't.
_RUN = re.compile(f"[{CJK}]+|{_WORD}(?:[-._'\u2019]{_WORD})*")
_FIRST_CJK = CJK[0]
_JOINT = re.compile("[-._'\u2019]")


def words(text: str) -> list[str]:
    """Words in the order of the text, repeated as often as they occur.

    Latin and digits: each word, and a compound beside its parts. Ideographs, kana and hangul: each
    character, and each pair of neighbours, so that a word of any length is found without a lexicon.
    """
    return words_and_units(text)[0]


def units(text: str) -> int:
    """The length of a text for a budget: its Latin words plus its ideographs."""
    return words_and_units(text)[1]


def words_and_units(text: str) -> tuple[list[str], int]:
    """Both in one pass, for an index."""
    found: list[str] = []
    n_units = 0
    for run in _RUN.findall(fold(text)):
        # most runs are settled by one comparison: nothing in CJK stands before its first character
        if run[0] >= _FIRST_CJK and is_cjk(run[0]):
            found.extend(run)
            found.extend(map(str.__add__, run, run[1:]))
            n_units += len(run)
        else:
            found.append(run)
            n_units += 1
            if not run.isalnum():
                found.extend(_JOINT.split(run))
    return found, n_units
