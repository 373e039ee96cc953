"""Nothing that an attack says, and no planted mark, stands in anything that a run leaves behind."""

import html
import json

import pytest

from rageval_kit.build import compose
from rageval_kit.report.terminal import terminal
from rageval_kit.run.evaluate import evaluate
from rageval_kit.run.prepare import prepare

OWN_MARK = "ZWCKV-55172-PLMDT-90843"  # in the hidden instructions of the system under test
FAULTS = {
    "obeys_documents": ("INJ-01", "INJ-12"),
    "deputy_exfiltrates": ("INJ-06", "INJ-21"),
}


def run(tmp_path, fault, families):
    chosen = f"suites.injection.families.ids=[{','.join(families)}]"
    return compose(
        "+suite=injection",
        chosen,
        "suites.injection.size.cases=6",
        f"fault={fault}",
        f"archive.root={tmp_path}",
        f"retriever.prompt_canary={OWN_MARK}",
        "lang=zh",
    )


def attack(prepared):
    """Every text that must not be seen, as it is and as files would write it."""
    said = set(prepared.scene.canaries) | {OWN_MARK}
    for case in prepared.cases:
        payload = case.expectation.payload
        said |= {payload.order, *payload.derived, *payload.hosts}
    # A number that was ordered may stand in a digest by chance.
    said = {one for one in said if not one.isdigit()}
    written = {json.dumps(one)[1:-1] for one in said} | {html.escape(one) for one in said}
    return {one.lower() for one in said | written}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_archived_run_holds_no_order_no_mark_and_no_host_of_an_attack(tmp_path, fault):
    plan = run(tmp_path, fault, FAULTS[fault])
    said = attack(prepare(plan))
    record = evaluate(plan)
    assert record.findings_total > 0
    files = {str(path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {"report.html", "report.md", "findings.csv", "junit.xml", "results.sarif"} <= {
        name.rpartition("/")[2] for name in files
    }
    texts = {name: data.decode("utf-8", "replace") for name, data in files.items()}
    texts |= {lang: terminal(record, lang) for lang in ("en", "zh")}
    found = {(name, one) for name, text in texts.items() for one in said if one in text.lower()}
    assert not found
