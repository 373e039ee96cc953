import importlib.util
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location("stubs", Path(__file__).with_name("stubs.py"))
_STUBS = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_STUBS)


@pytest.fixture
def stub():
    """`with stub(script) as server`: a server whose replies the test writes."""
    return _STUBS.stub
