"""A real browser opens the file: no error, no request beyond it, nothing wider than the screen."""

import os
import shutil

import pytest

from rageval_kit.report.render import render

pytestmark = pytest.mark.browser
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PAGES = [(name, lang) for name in ("failing", "wide", "hostile", "empty") for lang in ("en", "zh")]

# WCAG 2.2: relative luminance and contrast, over every element that holds text.
CONTRAST = """() => {
  const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = e => { for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] > 0) return c; } return [255, 255, 255]; };
  let worst = 99;
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const a = light(parse(getComputedStyle(e).color)), b = light(ground(e));
    worst = Math.min(worst, (Math.max(a, b) + .05) / (Math.min(a, b) + .05));
  }
  return worst;
}"""

# Each word of the matrix, and on how many lines it stands.
WORDS = """() => {
  const found = [];
  for (const cell of document.querySelectorAll('.matrix thead th, .matrix .cell b')) {
    const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode())
      for (const word of node.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
        found.push([word[0], range.getClientRects().length]);
      }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def chromium():
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is missing, and CI must not skip")
        pytest.skip("Chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.mark.parametrize(("name", "lang"), PAGES)
def test_a_page_opens_quietly_and_fits_every_screen(records, chromium, tmp_path, name, lang):
    file = tmp_path / "report.html"
    file.write_text(render(getattr(records, name)(), "html", lang), encoding="utf-8")
    errors, requests = [], []
    page = chromium.new_page(viewport={"width": 360, "height": 800})
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert errors == []
    assert [url for url in requests if not url.startswith("data:,")] == [file.as_uri()]
    page.close()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_stage_fits_at_1280_and_a_narrower_screen_is_told_to_scroll(
    records, chromium, tmp_path, lang
):
    file = tmp_path / "report.html"
    file.write_text(render(records.wide(), "html", lang), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(file.as_uri())
    for width, cut, told in ((1280, False, False), (768, True, True), (360, False, False)):
        page.set_viewport_size({"width": width, "height": 800})
        root, table = (
            page.evaluate(f"(e => e.scrollWidth - e.clientWidth)(document.querySelector('{one}'))")
            for one in ("html", ".wide")
        )
        assert root <= 0
        assert (table > 0) is cut
        assert page.locator(".hint").is_visible() is told
    page.set_viewport_size({"width": 1280, "height": 800})
    # A word that fits its cell stands on one line: none of the stages' names is broken.
    words = page.evaluate(WORDS)
    assert words
    assert {lines for _, lines in words} == {1}
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_reaches_the_contrast_of_wcag_aa(records, chromium, tmp_path, scheme):
    file = tmp_path / "report.html"
    file.write_text(render(records.failing()), encoding="utf-8")
    page = chromium.new_page(color_scheme=scheme)
    page.goto(file.as_uri())
    assert page.evaluate(CONTRAST) >= 4.5
    page.close()


def test_the_first_screen_shows_the_verdict_and_what_was_not_tested(records, chromium, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(render(records.failing()), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(file.as_uri())
    for text in (
        "Verdict: FAIL",
        "What was tested",
        "What was not tested",
        "the target shows no",
    ):
        box = page.get_by_text(text).first.bounding_box()
        assert box["y"] + box["height"] <= 800, text
    page.close()


def test_the_keyboard_reaches_the_verdict_first(records, chromium, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(render(records.failing()), encoding="utf-8")
    page = chromium.new_page()
    page.goto(file.as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    page.close()
