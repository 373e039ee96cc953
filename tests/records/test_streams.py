"""Streams are named: what one draws never moves another (BUG-084)."""

import random

import numpy as np

from rageval_kit.records.streams import python_stream, stream, stream_digest


def draw(*names):
    return stream(42, *names).integers(0, 1 << 60, size=4).tolist()


def test_bug_084_the_order_of_generation_changes_nothing():
    first = [draw("suite A"), draw("suite B")]
    assert [draw("suite B"), draw("suite A")] == first[::-1]


def test_bug_084_a_new_attribute_of_principals_leaves_the_canaries_of_documents_alone():
    before = draw("documents", "canary")
    draw("principals", "a new attribute")
    assert draw("documents", "canary") == before


def test_a_global_seed_changes_nothing():
    random.seed(1)
    one = python_stream(42, "a").random()
    random.seed(2)
    assert python_stream(42, "a").random() == one


def test_names_are_framed():
    digests = {
        stream_digest(1, "ab", "c"),
        stream_digest(1, "a", "bc"),
        stream_digest(1, "abc"),
        stream_digest(1, "abc", ""),
        stream_digest(11, "abc"),
        stream_digest(1, "a\x1f1\x1fb"),
        stream_digest(1, "a", "b"),
    }
    assert len(digests) == 7


def test_a_stream_is_the_same_on_every_machine():
    # sha256 of "42", then of the framed name, by another implementation of the same sentence.
    import hashlib

    body = b"42" + b"\x1f" + b"6" + b"\x1f" + "金丝".encode()
    assert stream_digest(42, "金丝") == hashlib.sha256(body).digest()
    expected = np.random.Generator(np.random.PCG64(int(hashlib.sha256(body).hexdigest(), 16)))
    assert stream(42, "金丝").random() == expected.random()
