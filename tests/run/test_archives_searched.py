"""Our own archives hold no planted text: the search that watches every run of these tests."""

import base64

import pytest

from rageval_kit.build import compose
from rageval_kit.run import store as store_module
from rageval_kit.run.evaluate import evaluate

SMALL = ("+suite=smoke", "suites.smoke.families.ids=[ACL-01]", "report.formats=[md]")


@pytest.mark.parametrize(
    "disguise",
    [
        str,
        lambda canary: canary.encode().hex(),
        lambda canary: canary.encode().hex().upper(),
        lambda canary: base64.b64encode(canary.encode()).decode(),
        lambda canary: base64.b64encode(b"x" + canary.encode() + b"yz").decode(),
        lambda canary: base64.urlsafe_b64encode(b"??>" + canary.encode()).decode(),
    ],
)
def test_a_canary_in_an_archive_fails_whatever_is_tested(disguise, tmp_path, monkeypatch):
    plain = store_module._provenance

    def leaky(prepared, run, record):
        canary = next(iter(prepared.scene.canaries))
        return plain(prepared, run, record) | {"note": f"seen: {disguise(canary)}"}

    monkeypatch.setattr(store_module, "_provenance", leaky)
    with pytest.raises(AssertionError, match=r"LOG-06: .*provenance\.json holds planted texts"):
        evaluate(compose(*SMALL, f"archive.root={tmp_path}"))


def test_every_archive_of_these_tests_is_searched(archives_searched, tmp_path):
    record = evaluate(compose(*SMALL, f"archive.root={tmp_path}"))
    assert tmp_path / record.run_id in archives_searched
