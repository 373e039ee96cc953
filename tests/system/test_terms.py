"""Completions are ranked by what their reader may see, and by nothing else."""

import numpy as np

from rageval_kit.system.terms import Terms


def test_passages_kept_back_do_not_lift_a_title_that_may_be_seen():
    """By hand: two titles of one visible passage each, one with two hidden passages below it."""
    held = Terms(
        (),
        words={},
        titles={"review a": [0], "review b": [1, 2, 3]},
    )
    titles = np.array([True, True, True, True])
    passages = np.array([True, True, False, False])
    assert held.titles_from("re", titles, passages) == ["review a", "review b"]
    assert held.titles_from("re", titles, None) == ["review b", "review a"]
    assert held.titles_from("re", np.array([False, True, True, True]), passages) == ["review b"]
