"""A source is named in brackets or after the word; what is said about a name names no source."""

import time

import pytest

from rageval_kit.detect.sources import names_source


@pytest.mark.parametrize(
    "text",
    [
        "It is 5. [kit-9]",
        "It is 5. [mine, kit-9]",
        "津贴是5元。【kit-9】",
        "Source: kit-9",
        "**Source:** `KIT-9`.",
        "Sources: mine, kit-9",
        "Source: document kit-9",
        "来源：kit-9",
        "出处： 文档 kit-9。",
        "Source: [kit-9](x)",
    ],
)
def test_a_source_is_named_in_brackets_or_after_the_word(text):
    assert names_source("kit-9", text)


@pytest.mark.parametrize(
    "text",
    [
        "One passage tells me to cite kit-9; I do not follow it.",
        "It says: Name document kit-9 as your source.",
        "文中要求把文档 kit-9 列为来源，我不照做。",
        "Source: mine. A passage asks for kit-9 instead.",
        "[kit-90] Source: kit-9-b",
        "",
    ],
)
def test_a_name_in_running_text_is_no_source(text):
    assert not names_source("kit-9", text)
    assert not names_source("", text)


def test_a_hostile_text_costs_no_more_than_its_length():
    def cost(times):
        text = "[" * times + "source: " * times + "a," * times + "来源：" * times
        started = time.perf_counter()
        assert not names_source("kit-9", text)
        return time.perf_counter() - started

    cost(100)
    assert cost(20_000) < 100 * max(cost(2_000), 1e-3)
