"""No name that a target is told says what is tested, and a session is one wherever it is named."""

from rageval_kit.execute.block import Runner
from rageval_kit.execute.names import case_name, session_name
from rageval_kit.records.cases import Ask, Look, Script
from rageval_kit.records.target import Caller, Grain, Response, Seen, Stage


class Listens:
    """Has one door and the search; `told` is every name that it was told, in order."""

    name, grain = "listens", Grain.DOCUMENT
    taps, powers = frozenset({Stage.RETRIEVE}), frozenset()
    doors = frozenset({"history"})

    def __init__(self):
        self.told = []

    def connect(self, world):
        """Nothing to index."""

    def close(self):
        """Nothing to close."""

    def describe(self):
        return {}

    def search(self, requests):
        self.told += [(r.request_id, r.session, r.script) for r in requests]
        return [Response(r.request_id, {Stage.RETRIEVE: Seen()}) for r in requests]

    def look(self, _door, _text, _caller, session=""):
        self.told.append(("", session, ""))
        return Response("", {Stage.RETRIEVE: Seen()})


def test_no_name_tells_the_target_what_is_tested_or_who_reads_as_what():
    target = Listens()
    steps = (
        Ask("reader", Caller("a"), "q", session="reader"),
        Ask("reader", Caller("a"), "q", session="reader"),
        Ask("twin", Caller("b"), "q", session="twin"),
        Ask("twin", Caller("b"), "q"),
    )
    for repeat in (0, 1):
        Runner(target, repeat).run([Script("ACL-01-00001", steps, whole_path=False)])
    said = " ".join(word for words in target.told for word in words)
    assert not [word for word in ("ACL", "reader", "twin", ":") if word in said]
    assert len({request_id for request_id, _, _ in target.told}) == 8  # each asking has its own
    sessions = [session for _, session, _ in target.told]
    assert sessions[:4] == sessions[4:]
    assert sessions[0] == sessions[1] != sessions[2]
    assert sessions[3] == ""
    assert {name for _, _, name in target.told} == {case_name("ACL-01-00001")}


def test_sessions_of_one_name_in_two_scripts_have_nothing_in_common():
    assert session_name("c0", "reader") != session_name("c1", "reader")


def test_a_door_is_told_the_same_session_as_search():
    target = Listens()
    steps = (
        Ask("reader", Caller("a"), "q", session="talk"),
        Look("reader", Caller("a"), "history", "", "talk"),
    )
    (trace,) = Runner(target).run([Script("c", steps, whole_path=False)]).traces
    assert not any(o.error for o in trace.observations)
    assert [session for _, session, _ in target.told] == [session_name("c", "talk")] * 2
