"""Which queries does each resample hold, and what do their columns sum to?"""

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.scores import Floats

_CELLS = 1 << 16  # draws of one block: its arrays stay in a cache
_CODES = 1 << 16  # values of 16 random bits
_EVERY_WORD = 2**64 - 1
_STEPS = 128  # of the lattice per standard deviation of a value
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
        if columns == 1:
            # "clip" only spares a check: every number drawn is a row.
            block[:, 0] = units[:, 0].take(drawn, out=work, mode="clip").sum(axis=1)
            continue
        for counts, numbers in zip(work, drawn, strict=True):
            counts[:] = np.bincount(numbers, minlength=n)
        block[:] = work @ units
    return totals


def means_by_distribution(values: Floats, generator: np.random.Generator, resamples: int) -> Floats:
    """Resampled means of one long column, drawn from the distribution of the mean itself.

    The sum of n draws is distributed as the n-fold convolution of one draw: a power of its Fourier
    transform. Values stand on a fine lattice, each shared between its neighbours so that means
    stay exact; that blurs the means by at most 1/256 of their standard deviation, a fraction of the
    error of 10,000 resamples. The transform wraps round far beyond what the sum reaches.
    """
    n, step = len(values), float(values.std()) / _STEPS
    length = 1 << int(2 * _REACH * _STEPS * np.sqrt(n)).bit_length()
    place = (values - values.mean()) / step
    below = np.floor(place).astype(np.int64)
    share = place - below
    single = np.bincount(below % length, 1 - share, minlength=length)
    single += np.bincount((below + 1) % length, share, minlength=length)
    chances = np.fft.irfft(np.fft.rfft(single / n) ** n, length)
    reached = np.cumsum(np.roll(np.maximum(chances, 0), length // 2))
    drawn = np.searchsorted(reached, generator.random(resamples) * reached[-1], "right")
    means: Floats = values.mean() + (drawn - length // 2) * step / n
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
