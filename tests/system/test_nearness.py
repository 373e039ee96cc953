"""What is kept of cosines is what would be reckoned anew, in whatever batches they are asked."""

import numpy as np
import pytest

from rageval_kit.system.nearness import Nearness


def test_rows_are_the_cosines_whatever_was_asked_before():
    rng = np.random.default_rng(3)
    passages = rng.integers(-127, 128, (40, 16)).astype(np.float32)
    queries = rng.integers(-127, 128, (9, 16)).astype(np.float32)
    by_hand = queries @ passages.T / 4000**2  # the length of a vector
    near = Nearness(passages)
    for asked in ([0], [0, 3], [3, 3, 5], list(range(9))):
        assert near.of(queries[asked]) == pytest.approx(by_hand[asked])


def test_it_keeps_no_more_than_it_has_room_for(monkeypatch):
    monkeypatch.setattr("rageval_kit.system.nearness._KEPT_BYTES", 0)
    near = Nearness(np.ones((5, 4), dtype=np.float32))
    for n in range(30):
        near.of(np.full((1, 4), n, dtype=np.float32))
    assert len(near._rows) == 8
