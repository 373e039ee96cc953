"""Every seeded fault of the permission families is noticed today by a family that names it."""

import pytest

from rageval_kit.build import requests
from rageval_kit.run.prove import OF_PERMISSIONS, how_killed
from rageval_kit.system.faults import FAULTS

OURS = sorted(
    name
    for name, info in FAULTS.items()
    if any(OF_PERMISSIONS(family) or family.startswith("CTL-0") for family in info.families)
)
LEAST = 70


@pytest.fixture(scope="module")
def asked():
    return requests(("+suite=acl_full", "retriever=hybrid"))[0][0]


def test_there_are_as_many_as_were_asked_for():
    assert len(OURS) >= LEAST


@pytest.mark.parametrize("fault", OURS)
def test_is_killed(asked, fault):
    families = [f for f in FAULTS[fault].families if OF_PERMISSIONS(f) or f.startswith("CTL-0")]
    assert how_killed(asked, fault, families)
