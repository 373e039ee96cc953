"""A permission matrix that nobody here wrote, as Cedar policies and as an OpenFGA store.

Both are written from PERMISSIONS.md; the 200 decisions of expected.jsonl must come out of either.
"""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from rageval_kit.intake.policies import cedar, openfga
from rageval_kit.intake.policies.decisions import refuse_unlike, world_of
from rageval_kit.intake.policies.expected import read_expected
from rageval_kit.records.faults import InputError

_SPEC = importlib.util.spec_from_file_location(
    "real_importers_again", Path(__file__).with_name("importers.py")
)
assert _SPEC
assert _SPEC.loader
importers = importlib.util.module_from_spec(_SPEC)
sys.modules["real_importers_again"] = importers
_SPEC.loader.exec_module(importers)

pytestmark = pytest.mark.real

POLICIES = """
permit(principal, action == Action::"read", resource)
when { resource.department == "public" || principal.department == resource.department };
"""
MODEL = """\
model: |
  model
    schema 1.1
  type user
  type department
    relations
      define member: [user]
  type document
    relations
      define viewer: [user, department#member]
      define can_read: viewer
tuples:
"""


@pytest.fixture(scope="module")
def matrix(shared_data):
    """(folder, staff, the department of each document, shares, exceptions) as the page says."""
    folder = shared_data("authzed_rag_acl")
    page = (folder / "PERMISSIONS.md").read_text("utf-8")
    table = importers._table
    staff = {row[0]: row[1] for row in table(page, "## Users and Departments")}
    shared = [(row[0], row[2]) for row in table(page, "### 2. Cross-Department Documents")]
    own = [(row[0].split(" ")[0], row[1]) for row in table(page, "### 3. Individual User")]
    departments = {path.stem: path.stem.split("-")[0] for path in folder.glob("documents/*.txt")}
    return folder, staff, departments, shared, own


@pytest.fixture
def by_cedar(matrix, tmp_path):
    folder, staff, departments, shared, own = matrix
    said = [POLICIES]
    for document, unit in shared:
        where = f'resource == Document::"{document}"'
        said.append(
            f'permit(principal, action, {where}) when {{principal.department == "{unit}"}};'
        )
    for user, document in own:
        said.append(
            f'permit(principal == User::"{user}", action, resource == Document::"{document}");'
        )
    (tmp_path / "p.cedar").write_text("\n".join(said))
    things = [("User", name, unit) for name, unit in staff.items()]
    things += [("Document", name, unit) for name, unit in departments.items()]
    entities = [
        {"uid": {"type": kind, "id": name}, "attrs": {"department": unit}, "parents": []}
        for kind, name, unit in things
    ]
    (tmp_path / "e.json").write_text(json.dumps(entities))
    content = importers.authzed_rag_acl(folder)
    words = ("User", "Document", "read")
    return content, cedar.decisions(content, tmp_path / "p.cedar", tmp_path / "e.json", *words)


@pytest.fixture
def by_openfga(matrix, tmp_path):
    folder, staff, departments, shared, own = matrix
    rows = [(f"user:{user}", "member", f"department:{unit}") for user, unit in staff.items()]
    for document, unit in [*departments.items(), *shared]:
        units = set(staff.values()) if unit == "public" else {unit}
        rows += [(f"department:{one}#member", "viewer", f"document:{document}") for one in units]
    rows += [(f"user:{user}", "viewer", f"document:{document}") for user, document in own]
    lines = [f'  - {{user: "{u}", relation: {r}, object: "{o}"}}' for u, r, o in rows]
    (tmp_path / "s.fga.yaml").write_text(MODEL + "\n".join(lines) + "\n")
    content = importers.authzed_rag_acl(folder)
    store = tmp_path / "s.fga.yaml"
    return openfga.decisions(content, store, "user", "document", "can_read")


def test_the_stated_decisions_come_out_of_both_engines(matrix, by_cedar, by_openfga):
    content, ours = by_cedar
    assert read_expected(matrix[0] / "expected.jsonl", ours) == 200
    assert read_expected(matrix[0] / "expected.jsonl", by_openfga) == 200
    assert ours.allowed == by_openfga.allowed == 71
    refuse_unlike(ours, by_openfga, "the store")
    assert len(world_of(content, ours).documents) == 50


def test_one_decision_changed_is_found(matrix, by_cedar, tmp_path):
    lines = (matrix[0] / "expected.jsonl").read_text("utf-8").splitlines()
    row = json.loads(lines[41])
    lines[41] = json.dumps(row | {"allowed": not row["allowed"]})
    path = tmp_path / "expected.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match=r"expected\.jsonl:42.*decided otherwise by Cedar"):
        read_expected(path, by_cedar[1])
