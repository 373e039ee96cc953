"""How much less is it to derive the index of another world than to index that world anew?

Run by hand: `python tests/bench/bench_worlds.py`. 20,000 passages; a tenth of them is left out, or
one document says something else. Target: less than half.
"""

import random
import time
from dataclasses import replace
from datetime import UTC, datetime

from rageval_kit.corpus.counterfactual import other_world
from rageval_kit.records.cases import OtherWorld
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Version,
    World,
)
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.state import first_state

SINCE = datetime(2020, 1, 1, tzinfo=UTC)
N_DOCUMENTS, PASSAGES_EACH, WORDS_EACH, N_WORDS = 5_000, 4, 80, 30_000


def big_world(n_documents=N_DOCUMENTS):
    rng = random.Random(7)
    words = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(3, 9))) for _ in range(N_WORDS)]

    def text():
        picked = (min(int(rng.paretovariate(0.6)), N_WORDS - 1) for _ in range(WORDS_EACH))
        return " ".join(words[n] for n in picked) + "."

    documents = {}
    for number in range(n_documents):
        name = f"d{number:05d}"
        chunks = tuple(Chunk(f"{name}@1#{part}", text()) for part in range(PASSAGES_EACH))
        title = f"{rng.choice(words)} {number}"
        version = Version(
            f"{name}@1", title, chunks, valid_from=SINCE, states=((SINCE, State.PUBLISHED),)
        )
        everyone = Entry(f"{name}-e", Effect.ALLOW, SubjectKind.EVERYONE, "")
        documents[name] = Document(name, "t", (version,), entries=(everyone,))
    people = {"u": Principal("u", "t")}
    return World(documents, {}, {"t": Tenant("t")}, people, {}, {}, {}, {}, SINCE)


def timed(make):
    started = time.perf_counter()
    made = make()
    return time.perf_counter() - started, made


def main():
    world, config = big_world(), EmbeddedConfig()
    _, first = timed(lambda: first_state(world, config))
    names = list(world.documents)
    document = world.documents[names[0]]
    (version,) = document.versions
    said = replace(version.chunks[0], text="Something else is said here.")
    swapped = replace(document, versions=(replace(version, chunks=(said, *version.chunks[1:])),))
    others = {
        "a tenth left out": OtherWorld("out", without=frozenset(names[::10])),
        "one document swapped": OtherWorld("swapped", replaced=(swapped,)),
    }
    for name, other in others.items():
        there = other_world(world, other)
        anew = min(timed(lambda there=there: first_state(there, config))[0] for _ in range(3))
        derived = min(
            timed(lambda there=there: first_state(there, config, first))[0] for _ in range(3)
        )
        print(f"{name}: anew {anew:.2f} s, derived {derived:.2f} s, ratio {derived / anew:.2f}")


if __name__ == "__main__":
    main()
