"""Gives the tests of this folder their small world."""

import importlib.util
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location(
    "corpus_worlds", Path(__file__).with_name("worlds.py")
)
worlds_module = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(worlds_module)


@pytest.fixture
def worlds():
    return worlds_module


@pytest.fixture
def world():
    return worlds_module.small_world()
