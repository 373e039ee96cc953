"""A system of somebody else misbehaves: its cases fail with their cause, the exit code is right."""

import json
import time

import pytest
from resilience_kit import Command, chain, interrupt, one_line, read

from rageval_kit.archive.verify import verify

ODD = '''
"""The embedded system, answering in odd ways."""
import os
import time
from dataclasses import dataclass, replace

from rageval_kit.records.target import Power, Response, Seen, Stage
from rageval_kit.retrievers.embedded import Embedded


@dataclass(frozen=True)
class Config:
    way: str = "well"


class Odd:
    name = "odd"
    taps = frozenset({Stage.RETRIEVE})

    def __init__(self, config):
        self.way, self.inner, self.asked = config.way, Embedded(), 0
        self.grain = self.inner.grain
        together = config.way == "hangs_in_a_thread"
        self.powers = frozenset({Power.CONCURRENT}) if together else frozenset()

    def connect(self, world):
        if self.way == "connect_raises":
            raise ValueError("no such index")
        self.inner.connect(world)

    def close(self):
        if self.way == "close_raises":
            raise RuntimeError("cannot close")

    def describe(self):
        return {"odd": "1"}

    def search(self, requests):
        self.asked += 1
        given = [
            replace(one, seen={Stage.RETRIEVE: one.seen[Stage.RETRIEVE]})
            for one in self.inner.search(requests)
        ]
        return getattr(self, self.way)(given)

    def put(self, given, **changes):
        return [
            replace(one, seen={Stage.RETRIEVE: replace(one.seen[Stage.RETRIEVE], **changes)})
            for one in given
        ]

    def well(self, given):
        return given

    close_raises = well

    def raises(self, given):
        raise ConnectionResetError("\\udcff gone")

    def raises_once(self, given):
        if self.asked == 2:
            raise ConnectionResetError("gone")
        return given

    def exits(self, given):
        raise SystemExit(0)

    def hangs(self, given):
        if self.asked > 2:
            open("hanging", "w").close()
            time.sleep(1000)
        return given

    def hangs_in_a_thread(self, given):
        if len(given) == 1:
            open("hanging", "w").close()
            time.sleep(1000)
        return given

    def none(self, given):
        return None

    def short(self, given):
        return given[:-1]

    def dicts(self, given):
        return [{"ids": list(one.seen[Stage.RETRIEVE].ids)} for one in given]

    def mixed_up(self, given):
        return given[::-1] if len(given) > 1 else [replace(given[0], request_id="other")]

    def garbage(self, given):
        return [replace(one, seen={"retrieve": ["a", "b"]}) for one in given]

    def unknown_tap(self, given):
        return [replace(one, seen={"thoughts": Seen(("a",))}) for one in given]

    def none_texts(self, given):
        return self.put(given, texts=(None, "words"))

    def numbers(self, given):
        return self.put(given, ids=(1, 2, 3))

    def half_a_surrogate(self, given):
        return self.put(given, ids=("\\ud800",))

    def odd_times(self, given):
        return [replace(one, latency_s=float("nan")) for one in given]

    def lists(self, given):
        return [
            replace(one, seen={"retrieve": Seen(list(one.seen["retrieve"].ids))}) for one in given
        ]

    def unknown_ids(self, given):
        return self.put(given, ids=("no-such-chunk", "another"))

    def doubled(self, given):
        return [self.put([one], ids=one.seen[Stage.RETRIEVE].ids * 2)[0] for one in given]

    def huge(self, given):
        return self.put(given, texts=("很 word " * 6_250_000,))  # 50 million characters


def build(config):
    return Odd(config)
'''
WAYS = [
    ("well", 0, ""),
    ("close_raises", 0, ""),
    ("lists", 0, ""),
    ("doubled", 0, ""),
    ("odd_times", 0, ""),
    ("raises", 5, "adapter (ConnectionResetError: "),
    ("raises_once", 4, "adapter (ConnectionResetError: gone)"),
    ("exits", 5, "adapter (SystemExit: 0)"),
    ("none", 4, "malformed (NoneType instead of a list of replies)"),
    ("short", 4, "malformed ("),
    ("dicts", 4, "malformed (dict instead of a reply)"),
    ("mixed_up", 4, "malformed (reply to another request)"),
    ("garbage", 4, "malformed (retrieve: list instead of what was seen)"),
    ("unknown_tap", 4, "malformed ('thoughts' is not a stage)"),
    ("none_texts", 4, "malformed (retrieve: texts: NoneType among them)"),
    ("numbers", 4, "malformed (retrieve: ids: int among them)"),
    ("half_a_surrogate", 4, "malformed (retrieve: '\\ud800' is no id)"),
    ("unknown_ids", 4, "id not in the snapshot: 'another' (2 such)"),
]
FEW = (
    "-cd",
    "mine",
    "+suite=smoke",
    "suites.smoke.families.ids=[ACL-01,CTL-01]",
    "suites.smoke.size.cases=2",
    "report.formats=[md]",
    "retriever=odd",
)


def announced(kit, site):
    """The command where a package announces the system `odd`."""
    meta = site / "odd-1.0.dist-info"
    meta.mkdir(parents=True)
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text("[rageval_kit.retrievers]\nodd = odd_target\n")
    (site / "odd_target.py").write_text(ODD, encoding="utf-8")
    choice = kit.folder / "mine" / "retriever" / "odd.yaml"
    choice.parent.mkdir(parents=True)
    choice.write_text("kind: odd\nway: well\n")
    kit.env["PYTHONPATH"] = f"{site}:{kit.environment()['PYTHONPATH']}"
    return kit


@pytest.fixture
def odd(kit, tmp_path):
    return announced(kit, tmp_path / "site")


@pytest.fixture(scope="module")
def each_way(tmp_path_factory, home):
    """All ways in one sweep: (exit code, folder) of each, by way."""
    folder = tmp_path_factory.mktemp("ways")
    (folder / "work").mkdir()
    kit = announced(Command(folder / "work", home), folder / "site")
    ways = [way for way, _, _ in WAYS]
    ended = kit("-m", *FEW, f"retriever.way={','.join(ways)}", "--json")
    assert ended.returncode == 5, ended.stderr
    assert "Traceback" not in ended.stderr
    told = json.loads(ended.stdout)["runs"]
    return {
        way: (run["exit_code"], kit.folder / run["folder"])
        for way, run in zip(ways, told, strict=True)
    }


@pytest.mark.parametrize(("way", "code", "reason"), WAYS, ids=[way for way, _, _ in WAYS])
def test_each_way_has_its_outcome_and_its_code(each_way, way, code, reason):
    ended, run = each_way[way]
    assert ended == code
    lines = chain(run / "verdicts.jsonl")
    if code:
        assert any(line["reason"].startswith(f"failed: {reason}") for line in lines), lines
        assert "failed" in {line["outcome"] for line in lines}
    else:
        assert {line["outcome"] for line in lines} == {"held"}
    assert verify(run).exit_code == 0


def test_a_system_that_cannot_be_opened_is_5_on_one_line(odd):
    ended = odd(*FEW, "retriever.way=connect_raises")
    assert ended.returncode == 5
    one_line(ended, "ValueError: no such index")
    assert odd.sealed() == []


def test_texts_of_50_million_characters_are_searched_not_choked_on(odd):
    began = time.monotonic()
    ended = odd(*FEW, "retriever.way=huge", "suites.smoke.size.cases=1")
    assert ended.returncode == 0, ended.stderr
    (run,) = odd.sealed()
    assert sum(path.stat().st_size for path in run.rglob("*") if path.is_file()) < 2_000_000
    assert time.monotonic() - began < 120


@pytest.mark.parametrize(
    ("way", "families"),
    [("hangs", "[ACL-01,CTL-01]"), ("hangs_in_a_thread", "[ACL-01,PRN-01]")],
)
def test_a_system_that_hangs_is_left_by_one_interrupt_and_the_run_goes_on_later(odd, way, families):
    words = (*FEW, f"suites.smoke.families.ids={families}", "engine.block=1")
    process = odd.start(*words, f"retriever.way={way}")
    until = time.monotonic() + 60
    while not (odd.folder / "hanging").exists():
        assert time.monotonic() < until
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    began = time.monotonic()
    ended = interrupt(process)
    assert ended.returncode == 130
    assert time.monotonic() - began < 10
    assert len(ended.lines) == 1
    # The way is part of the configuration: the same command needs a system that has recovered.
    site = odd.env["PYTHONPATH"].split(":")[0]
    text = ODD.replace("time.sleep(1000)", "pass")
    with open(f"{site}/odd_target.py", "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(text)
    again = odd(*words, f"retriever.way={way}")
    assert again.returncode == 0, again.stderr
    (run,) = odd.sealed()
    assert read(run / "provenance.json")["resumed"] is True
    assert {line["outcome"] for line in chain(run / "verdicts.jsonl")} == {"held"}
