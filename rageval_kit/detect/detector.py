"""Which planted tokens does a text carry, and through how much disguise?"""

import codecs
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rageval_kit.detect import decode
from rageval_kit.detect.fold import (
    Codes,
    fold,
    fold_text,
    plain,
    plain_text,
    to_codes,
    to_text,
    without_numerals,
)
from rageval_kit.detect.index import PatternIndex
from rageval_kit.detect.seams import seam_of, stands_joined
from rageval_kit.records.faults import Fault, InputError

_DEEPEST = 2  # decoders nested in one another
_LEAST_FOLDED = 6  # shorter ones meet by chance: a 4-digit number stood in 1.2 % of passages


class Rung(StrEnum):
    """The least disguise through which a token was seen, from none to most."""

    VERBATIM = "verbatim"
    NORMALISED = "normalised"
    STRIPPED = "stripped"
    DECODED = "decoded"
    NUMERALS = "numerals"


_ORDER = {rung: place for place, rung in enumerate(Rung)}


@dataclass(frozen=True, slots=True)
class Match:
    """`token`, what it marks, and how it was found; `via` names the decoders, outermost first."""

    token: str
    marks: str
    rung: Rung
    via: tuple[str, ...] = ()


def _disguises(token: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The token as it reads folded, and folded after the two transforms that need no parsing.

    Turning the tokens instead of every text keeps rot13 and reversal free of cost.
    """
    if token.isascii():  # the same, without a table look-up for each of 50,000 tokens
        bare = "".join(filter(str.isalnum, token.lower()))
        turned = codecs.encode(bare, "rot13")
        yield from ((bare, ()), (bare[::-1], ("reversed",)))
        yield from ((turned, ("rot13",)), (turned[::-1], ("rot13", "reversed")))
        return
    turned = codecs.encode(token, "rot13")
    yield fold_text(token), ()
    yield fold_text(token[::-1]), ("reversed",)
    yield fold_text(turned), ("rot13",)
    yield fold_text(turned[::-1]), ("rot13", "reversed")


class Detector:
    """Finds any of `tokens` (token -> what it marks) in a text.

    A token needs six letters or digits: less is met by chance. Cost is linear in the text and does
    not grow with the number of tokens; nothing but the text and the tokens decides.
    A token made of two of `pieces` counts only where they stand joined (see `seams`).
    """

    def __init__(self, tokens: Mapping[str, str], pieces: Collection[str] = ()) -> None:
        self._tokens = dict(tokens)
        self._seams = {token: seam for token in tokens if (seam := seam_of(token, pieces))}
        readings: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        faults = []
        least = None
        for token in self._tokens:
            for pattern, via in _disguises(token):
                if len(pattern) < _LEAST_FOLDED:
                    faults.append(
                        Fault(
                            f"token {token!r}",
                            "has too few letters and digits to be told from chance",
                            str(len(pattern)),
                            f"use {_LEAST_FOLDED} or more (new_canary gives 20)",
                        )
                    )
                    break
                least = len(pattern) if least is None else min(least, len(pattern))
                known = readings.setdefault(pattern, [])
                if all(token != other for other, _ in known):
                    known.append((token, via))
        if faults:
            raise InputError(faults)
        self._readings = readings
        self._least = least or _LEAST_FOLDED
        self._index = PatternIndex(readings)

    def __len__(self) -> int:
        return len(self._tokens)

    def find(self, text: str, echo: str = "") -> tuple[Match, ...]:
        """Every token in `text`, each once, at its least disguise, in the order of `tokens`' text.

        A token that stands in `echo` (the question itself) is no news and is not reported.
        """
        if not text or not self._tokens:
            return ()
        found = self._find(text)
        if found and echo:
            known = self._find(echo)
            found = {token: match for token, match in found.items() if token not in known}
        return tuple(found[token] for token in sorted(found))

    def _find(self, text: str) -> dict[str, Match]:
        best: dict[str, Match] = {}
        for via, codes in self._views(to_codes(text), ()):
            for span in self._index.search(fold(codes)):
                by_numerals = span.pattern not in fold_text(without_numerals(to_text(codes)))
                for token, turned in self._readings[span.pattern]:
                    if not self._is_joined(token, turned, codes, span.pattern):
                        continue
                    rung = self._rung(token, text, (*via, *turned))
                    rung = Rung.NUMERALS if by_numerals else rung
                    match = Match(token, self._tokens[token], rung, (*via, *turned))
                    known = best.get(token)
                    if known is None or (_ORDER[rung], len(match.via)) < (
                        _ORDER[known.rung],
                        len(known.via),
                    ):
                        best[token] = match
        return best

    def _is_joined(self, token: str, turned: tuple[str, ...], codes: Codes, pattern: str) -> bool:
        seam = self._seams.get(token, 0)
        if "reversed" in turned and seam:
            seam = len(pattern) - seam
        return not seam or stands_joined(codes, pattern, seam)

    def _views(self, codes: Codes, via: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Codes]]:
        """The text, then what its decoders make of it, then what theirs make of that."""
        yield via, codes
        if len(via) < _DEEPEST:
            for name, decoded in decode.decodings(plain(codes), self._least):
                yield from self._views(to_codes(decoded), (*via, name))

    @staticmethod
    def _rung(token: str, text: str, via: tuple[str, ...]) -> Rung:
        if "number_words" in via:
            return Rung.NUMERALS
        if via:
            return Rung.STRIPPED if via == ("tags",) else Rung.DECODED
        if token.casefold() in text.casefold():
            return Rung.VERBATIM
        if plain_text(token).casefold() in plain_text(text).casefold():
            return Rung.NORMALISED
        return Rung.STRIPPED


@lru_cache(maxsize=256)
def detector_of(tokens: tuple[str, ...], pieces: tuple[str, ...] = ()) -> Detector:
    """One for the tokens themselves, built once: the replies to one payload are many."""
    return Detector({one: one for one in tokens}, pieces)
