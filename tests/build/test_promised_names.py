"""The names that style promises to importers stay what they are."""

import importlib


def test_compose_is_a_function_also_after_a_run_was_composed():
    build = importlib.import_module("rageval_kit.build")
    importlib.import_module("rageval_kit.build.ask")  # a submodule of its name would replace it
    assert callable(build.compose)
    assert callable(build.plan)
