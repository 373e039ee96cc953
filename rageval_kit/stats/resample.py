"""What do the means of resampled queries, and the sums of resampled clusters, come to?"""

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.scores import Floats

_CELLS = 1 << 16  # draws of one block: its arrays stay in a cache
_CODES = 1 << 16  # values of 16 random bits
_EVERY_WORD = 2**64 - 1
_STEPS = 64  # of the lattice per standard deviation of a value, or somewhat more
_WHOLE = 60  # the lattice from least to greatest is a multiple: halves to sixths, tenths lie on it
_REACH = 10  # standard deviations of the sum on either side


def resampled_totals(units: Floats, generator: np.random.Generator, resamples: int) -> Floats:
    """Column sums of `units` (rows: units, columns: measures) over rows drawn with replacement.

    Every column sees the same draws, and what is drawn depends on the number of rows alone.
    """
    n, columns = units.shape
    totals = np.empty((resamples, columns))
    at_once = max(1, _CELLS // n)
    room = np.empty((at_once, n))  # one for all blocks: fresh pages cost more than the draws
    for start in range(0, resamples, at_once):
        block = totals[start : start + at_once]
        drawn, work = _draws(n, len(block), generator), room[: len(block)]
        for counts, numbers in zip(work, drawn, strict=True):
            counts[:] = np.bincount(numbers, minlength=n)
        block[:] = work @ units
    return totals


def resampled_means(values: Floats, generator: np.random.Generator, resamples: int) -> Floats:
    """Means of `values` drawn with replacement, in ascending order; the values are not all equal.

    They are drawn from the distribution of such a mean, which is cheaper than n values for each:
    the sum of n draws is the n-fold convolution of one draw, a power of its Fourier transform.
    Values stand on a lattice from the least to the greatest. One between two points is shared out
    between them so that the mean stays exact; that adds at most 1/128 of its standard deviation to
    the resampled mean, as an independent error, and nothing where all values lie on the lattice (0
    and 1, halves, thirds, tenths). The transform wraps round far beyond what the sum reaches.
    """
    n, least, greatest = len(values), float(values.min()), float(values.max())
    spread = float(values.std())
    cells = _WHOLE * int(np.ceil(_STEPS * (greatest - least) / spread / _WHOLE))
    step = (greatest - least) / cells
    length = 1 << int(2 * _REACH * spread / step * np.sqrt(n)).bit_length()
    place = (values - least) / step
    below = np.floor(place).astype(np.int64)
    share = place - below
    single = np.bincount(below % length, 1 - share, minlength=length)
    single += np.bincount((below + 1) % length, share, minlength=length)
    chances = np.fft.irfft(np.fft.rfft(single / n) ** n, length)
    start = round(float(place.sum())) - length // 2
    reached = np.cumsum(np.roll(np.maximum(chances, 0), -(start % length)))
    levels = np.sort(generator.random(resamples)) * reached[-1]
    total = start + np.searchsorted(reached, levels, "right")
    means: Floats = np.clip(least + total * step / n, least, greatest)
    return means


def random_words(size: int, generator: np.random.Generator) -> NDArray[np.uint64]:
    """64 random bits each, in one byte order on every machine."""
    words = generator.integers(0, _EVERY_WORD, size, dtype=np.uint64, endpoint=True)
    return words.astype("<u8", copy=False)


def _draws(n: int, rows: int, generator: np.random.Generator) -> NDArray[np.unsignedinteger]:
    """`rows` times `n` row numbers, uniform on 0 … n-1.

    Four come from each 64-bit word: those below the last multiple of `n` are uniform modulo `n`,
    and the few above it are drawn again.
    """
    size = rows * n
    if n >= _CODES:
        return generator.integers(0, n, (rows, n), dtype=np.uint32)
    drawn = random_words(-(-size // 4), generator).view(np.uint16)[:size]
    beyond = np.flatnonzero(drawn >= _CODES // n * n) if _CODES % n else np.empty(0, np.intp)
    drawn[beyond] = generator.integers(0, n, len(beyond), dtype=np.uint16)
    drawn -= drawn // np.uint16(n) * np.uint16(n)  # numpy's % is slower
    return drawn.reshape(rows, n)
