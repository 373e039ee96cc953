"""The hand-written records, for every test of this folder."""

import importlib.util
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def records():
    name = "report_records"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("records.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
