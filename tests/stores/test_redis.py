"""Are answers kept in a real Redis found, kept apart and taken away as those in memory are?"""

import pytest

from rageval_kit.cli.door import start
from rageval_kit.corpus.snapshots import load_world
from rageval_kit.records import changes
from rageval_kit.records.faults import InputError, TargetError
from rageval_kit.records.target import Caller, Request, Stage
from rageval_kit.resources import tree
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.system.config import EmbeddedConfig

DEMO = tree("suites") / "worlds" / "demo"
QUESTION = "expense policy travel"


@pytest.fixture(scope="module")
def demo():
    return load_world(DEMO / "snapshot", DEMO / "directory.json")


@pytest.fixture
def pair(redis_url, demo):
    """The same system with its answers in Redis, and in memory."""
    made = [Embedded(EmbeddedConfig(cache_url=url)) for url in (redis_url, None)]
    for one in made:
        one.connect(demo)
    yield made
    for one in made:
        one.close()


def asked(target, who, query=QUESTION):
    return target.answer([Request("1", query, Caller(who))])[0].seen


def keys(redis_url):
    import redis

    with redis.Redis.from_url(redis_url) as client:
        return client.keys("rageval-kit:*")


def test_what_was_answered_is_found_again_by_its_reader_alone(pair, demo, redis_url):
    readers = list(demo.principals)[:4]
    for target in pair:
        first = asked(target, readers[0])
        again = asked(target, readers[0])
        assert again[Stage.ANSWER] == first[Stage.ANSWER]
        assert again[Stage.CACHE].ids == first[Stage.CONTEXT].ids
        assert first[Stage.CONTEXT].ids
        assert all(not asked(target, other)[Stage.CACHE].ids for other in readers[1:])
    assert keys(redis_url)
    in_redis, in_memory = (asked(target, readers[0], "travel expense policy") for target in pair)
    assert in_redis == in_memory
    assert in_redis[Stage.CACHE].ids  # the same words in another order: near enough


def test_a_change_leaves_no_answer_to_be_found(pair, demo):
    reader = next(iter(demo.principals))
    for target in pair:
        asked(target, reader)
        target.apply(changes.SetClock(demo.clock))
        assert not asked(target, reader)[Stage.CACHE].ids


def test_starting_anew_takes_away_what_was_kept_and_nothing_else(pair, demo, redis_url):
    import redis

    with redis.Redis.from_url(redis_url) as client:
        client.set("somebody:else", "1")
        asked(pair[0], next(iter(demo.principals)))
        pair[0].restore()
        assert keys(redis_url) == []
        assert client.get("somebody:else") == b"1"
        client.delete("somebody:else")


def told(redis_url, tmp_path, *words):
    return start(
        [
            "+suite=acl_negative",
            "suites.acl_negative.families.ids=[CAC-01,CAC-04]",
            "retriever=hybrid",
            f'retriever.cache_url="{redis_url}"',
            f"archive.root={tmp_path}",
            *words,
        ]
    )


def test_the_cache_families_hold_and_a_key_without_its_reader_is_seen(redis_url, tmp_path):
    assert told(redis_url, tmp_path) == 0
    assert told(redis_url, tmp_path, "fault=cache_key_without_principal") == 3
    assert told(redis_url, tmp_path, "fault=cache_ignores_rights") == 3
    assert keys(redis_url) == []


def test_a_redis_that_is_not_there_ends_with_5_and_its_password_is_not_told(tmp_path, capfd):
    assert told("redis://:hunter2-secret@127.0.0.1:1/0", tmp_path) == 5
    said = capfd.readouterr()
    assert "127.0.0.1:1 does not answer" in said.err
    files = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert "hunter2-secret" not in said.out + said.err
    assert [one for one in files if b"hunter2-secret" in one.read_bytes()] == []


def test_what_is_no_address_is_refused_unseen(demo):
    with pytest.raises(InputError, match="is no address of a Redis") as refused:
        Embedded(EmbeddedConfig(cache_url="hunter2-secret"))
    assert "hunter2" not in str(refused.value)
    target = Embedded(EmbeddedConfig(cache_url="redis://127.0.0.1:1/0"))
    with pytest.raises(TargetError, match="does not answer"):
        target.connect(demo)
