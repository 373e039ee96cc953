"""A run that is signed and whose texts are sealed: whole, interrupted, and gone on with."""

import json

import pytest

from rageval_kit.archive import sealing, signing
from rageval_kit.archive.folder import SIGNATURE
from rageval_kit.archive.verify import verify
from rageval_kit.build import compose
from rageval_kit.records.faults import InputError
from rageval_kit.run.evaluate import evaluate
from rageval_kit.run.open import OpenRun
from rageval_kit.run.prepare import prepare

FAULT = "fault=cache_key_without_principal"
SMALL = (
    "+suite=smoke",
    "suites.smoke.families.ids=[ACL-01,CTL-01,LOG-06]",
    "report.formats=[md]",
    "engine.block=3",
)


@pytest.fixture
def keys(tmp_path):
    signing.generate(tmp_path / "sign")
    return tmp_path / "sign", tmp_path / "id", sealing.generate(tmp_path / "id")


def planned(tmp_path, keys, *words):
    sign, _, recipient = keys
    return compose(
        *SMALL,
        f"archive.root={tmp_path / 'archive'}",
        f"archive.sign_key={sign}",
        f"archive.recipients=[{recipient}]",
        *words,
    )


def texts(folder, keys, out):
    rows = [
        json.loads(line)
        for path in sealing.unseal(folder, keys[1], out)
        for line in path.read_text("utf-8").splitlines()
    ]
    return {row["case_id"]: row for row in rows}


def test_what_was_asked_shown_and_answered_stands_sealed_and_nowhere_else(tmp_path, keys):
    plan = planned(tmp_path, keys, FAULT)
    record = evaluate(plan)
    folder = tmp_path / "archive" / record.run_id
    assert verify(folder, keys=[signing.public_key(tmp_path / "sign.pub")]).ok
    found = texts(folder, keys, tmp_path / "out")
    assert found.keys() == {finding.case_id for finding in record.findings}
    assert record.findings_total == len(found) > 0
    scripts = {case.case_id: case.script for case in prepare(plan).cases}
    everything = b"".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())
    for case_id, row in found.items():
        assert row["outcome"] == "violated"
        asked = [step["asked"] for step in row["steps"]]
        assert asked == [step.query for step in scripts[case_id].steps]
        taps = [tap for step in row["steps"] for tap in step["seen"].values()]
        shown = [text for tap in taps for text in tap.get("texts", ())]
        assert any(len(text) > 20 for text in shown)
        for text in (*asked, *(text for text in shown if len(text) > 20)):
            assert text.encode() not in everything
    # LOG-06 searched the bundle with the sealed files in it.
    own = next(family for family in record.families if family.family == "LOG-06")
    assert (own.violated, own.held) == (0, own.planned)
    assert keys[2] in (folder / "evidence" / "README.txt").read_text("utf-8")


def test_a_run_without_findings_seals_nothing_and_one_without_recipients_says_so(tmp_path, keys):
    record = evaluate(planned(tmp_path, keys))
    evidence = tmp_path / "archive" / record.run_id / "evidence"
    assert [one.name for one in evidence.iterdir()] == ["README.txt"]
    record = evaluate(compose(*SMALL, f"archive.root={tmp_path / 'plain'}", FAULT))
    folder = tmp_path / "plain" / record.run_id
    assert [one.name for one in (folder / "evidence").iterdir()] == ["README.txt"]
    assert "None were" in (folder / "evidence" / "README.txt").read_text("utf-8")
    assert not (folder / SIGNATURE).exists()


def test_an_interrupted_run_goes_on_with_the_texts_of_all_its_blocks(tmp_path, keys, monkeypatch):
    """Stopped after a block was sealed and before it stood in the journal, the worst moment."""
    whole = evaluate(planned(tmp_path / "whole", keys, FAULT))
    expected = texts(tmp_path / "whole" / "archive" / whole.run_id, keys, tmp_path / "a")

    kept, plan = OpenRun.keep, planned(tmp_path, keys, FAULT)

    def stopped(self, block, rows, result):
        if block == 1:
            raise KeyboardInterrupt
        kept(self, block, rows, result)

    with monkeypatch.context() as patch:
        patch.setattr(OpenRun, "keep", stopped)
        with pytest.raises(KeyboardInterrupt):
            evaluate(plan)
    (folder,) = (tmp_path / "archive").iterdir()
    assert all(one.suffix == ".age" for one in (folder / "evidence").iterdir())
    # For other people it is another run; for the same ones it goes on.
    record = evaluate(planned(tmp_path, keys, FAULT))
    assert record.run_id == folder.name
    assert record.resumed == 3
    found = texts(folder, keys, tmp_path / "b")
    assert found == expected
    assert verify(folder, keys=[signing.public_key(tmp_path / "sign.pub")]).ok


def test_what_was_sealed_for_some_is_not_gone_on_with_for_others(tmp_path, keys):
    ours = prepare(planned(tmp_path, keys)).fingerprint
    other = sealing.generate(tmp_path / "other")
    theirs = prepare(planned(tmp_path, keys, f"archive.recipients=[{other}]")).fingerprint
    nobody = prepare(planned(tmp_path, keys, "archive.recipients=[]")).fingerprint
    unsigned = prepare(planned(tmp_path, keys, "archive.sign_key=null")).fingerprint
    assert len({ours, theirs, nobody}) == 3
    assert ours == unsigned


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("archive.sign_key={}/nowhere", "is not a file"),
        ("archive.recipients=[age1nobody]", "neither a public key"),
    ],
)
def test_a_wrong_key_is_refused_before_anything_is_written(words, said, tmp_path, keys):
    with pytest.raises(InputError, match=said):
        evaluate(planned(tmp_path, keys, words.format(tmp_path)))
    assert not (tmp_path / "archive").exists()
