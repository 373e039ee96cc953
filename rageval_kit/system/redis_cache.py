"""How are answers given before kept in a Redis, as they are in memory?

Under the same scopes: only where a shelf lies is another matter. What one system keeps no other
finds, and it takes it away when it starts anew; what it leaves behind when it dies expires.
"""

import hashlib
import secrets
from collections.abc import Hashable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import msgspec
import numpy as np

from rageval_kit.records.faults import InputError, TargetError
from rageval_kit.system.cache import AnswerCache, Served, Shelf
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.dense import Vectors

if TYPE_CHECKING:
    from redis import Redis

_EXPIRE_S = 3600
_WHERE = "retriever.cache_url"
Key = TypeVar("Key", str, bytes)
Value = TypeVar("Value")


def opened(url: str) -> "Redis":
    try:
        import redis
    except ImportError as error:
        way_out = "pip install 'rageval-kit[redis]'"
        raise InputError.one(_WHERE, "needs the package redis", "", way_out) from error
    try:
        return redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5)
    except ValueError:  # whose words would show the address, and a password in it
        way_out = "write redis://host:port/0, rediss:// or unix://"
        raise InputError.one(_WHERE, "is no address of a Redis", "", way_out) from None


def answer_cache(config: EmbeddedConfig) -> AnswerCache:
    if config.cache_url is None:
        return AnswerCache(config.semantic_threshold)
    return RedisCache(config.semantic_threshold, config.cache_url)


class RedisCache(AnswerCache):
    """A Redis that does not answer fails the question: a cache passed by would hide its faults."""

    def __init__(self, threshold: float, url: str) -> None:
        super().__init__(threshold)
        self._redis = opened(url)
        self._space = f"rageval-kit:{secrets.token_hex(8)}"

    def clear(self) -> None:
        with self._lock, _reached(self._redis):
            self._scopes.clear()
            mine = f"{self._space}:all"
            self._redis.delete(*self._redis.smembers(mine), mine)

    def _made(self, key: Hashable) -> Shelf:
        name = f"{self._space}:{hashlib.sha256(repr(key).encode()).hexdigest()}"
        return Shelf(
            _Hash(self._redis, f"{name}:same", self._space, _Answer()),
            _Hash(self._redis, f"{name}:alike", self._space, _Answers()),
        )


@contextmanager
def _reached(client: "Redis") -> Iterator[None]:
    import redis

    try:
        yield
    except redis.RedisError as error:
        at = client.connection_pool.connection_kwargs
        where = at.get("path") or f"{at.get('host')}:{at.get('port')}"
        raise TargetError(
            f"the Redis at {where} does not answer: {type(error).__name__}; "
            f"start it, or correct {_WHERE}"
        ) from None


class _Form(Protocol[Value]):
    def write(self, value: Value) -> bytes: ...
    def read(self, data: bytes) -> Value: ...


class _Answer:
    def write(self, value: Served) -> bytes:
        return msgspec.msgpack.encode(value)

    def read(self, data: bytes) -> Served:
        return msgspec.msgpack.decode(data, type=Served)


class _Answers:
    """With the vectors of their questions."""

    def write(self, value: list[tuple[Vectors, Served]]) -> bytes:
        return msgspec.msgpack.encode([(vector.tobytes(), served) for vector, served in value])

    def read(self, data: bytes) -> list[tuple[Vectors, Served]]:
        some = msgspec.msgpack.decode(data, type=list[tuple[bytes, Served]])
        return [(np.frombuffer(vector, dtype=np.float32), served) for vector, served in some]


class _Hash(MutableMapping[Key, Value], Generic[Key, Value]):
    """One hash of the Redis as a mapping; whatever is asked of it is asked of the Redis."""

    def __init__(self, client: "Redis", name: str, space: str, form: _Form[Value]) -> None:
        self._redis: Any = client  # its stubs leave open whether it decodes; ours does not
        self._name = name
        self._space = space
        self._form = form

    def __getitem__(self, key: Key) -> Value:
        with _reached(self._redis):
            data = self._redis.hget(self._name, key)
        if data is None:
            raise KeyError(key)
        return self._form.read(data)

    def __setitem__(self, key: Key, value: Value) -> None:
        mine = f"{self._space}:all"
        with _reached(self._redis), self._redis.pipeline() as together:
            together.hset(self._name, key, self._form.write(value))
            together.sadd(mine, self._name)
            together.expire(self._name, _EXPIRE_S)
            together.expire(mine, _EXPIRE_S)
            together.execute()

    def __delitem__(self, key: Key) -> None:
        with _reached(self._redis):
            self._redis.hdel(self._name, key)

    def __len__(self) -> int:
        with _reached(self._redis):
            return int(self._redis.hlen(self._name))

    def __iter__(self) -> Iterator[Key]:
        with _reached(self._redis):
            keys = self._redis.hkeys(self._name)
        yield from keys
