"""The report as headless Chromium shows it: both themes, desk and phone, paper."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest

KINDS = ("binary", "many-classes", "several", "hostile", "fallback")
WIDTHS = (1280, 390)
THEMES = ("light", "dark")
ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome")
# Of every kind of text on the page, and of text on a figure's coloured cells.
READ = (
    "h1", "h1 small", ".lede", ".quiet", ".sizes dt", ".sizes dd", "nav a", "h2", "h3",
    "figcaption", ".caption", "thead th", "tbody td", ".tag", ".notice", "summary", "pre code",
    "footer p",
)  # fmt: skip

# The contrast of an element's text with the nearest background that is not transparent; the
# colours may be given by name instead.
CONTRAST = """(element, names) => {
  if (names) {
    element = document.body.appendChild(document.createElement('p'));
    element.style.color = `var(--${names[0]})`;
    element.style.backgroundColor = `var(--${names[1]})`;
  }
  const numbers = text => text.match(/[\\d.]+/g).map(Number);
  const light = rgb => {
    const [r, g, b] = rgb.map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = node => numbers(getComputedStyle(node).backgroundColor);
  let behind = element;
  while (behind.parentElement && back(behind)[3] === 0) behind = behind.parentElement;
  const [a, b] = [numbers(getComputedStyle(element).color), back(behind)].map(light);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium; without one the tests are skipped, but never in CI."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        reason = f"no Chromium: none of {', '.join(NAMES)} on PATH, and CHROMIUM is not set"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@contextmanager
def opened(
    browser: Any, page: Path, width: int = 1280, theme: str = "light"
) -> Iterator[tuple[Any, list[str]]]:
    """Open a page; what it complains of or asks for is added to the list."""
    complaints: list[str] = []
    size = {"width": width, "height": 900}
    with browser.new_context(viewport=size, color_scheme=theme) as context:
        tab = context.new_page()
        tab.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        tab.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        tab.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        tab.on("request", lambda request: complaints.append(f"request: {request.url}"))
        tab.goto(page.as_uri())
        yield tab, complaints


@pytest.mark.parametrize("kind", KINDS)
def test_page_is_quiet_and_every_figure_has_size(browser, pages, kind):
    address = pages[kind].as_uri()
    with opened(browser, pages[kind]) as (tab, complaints):
        for width, theme in product(WIDTHS, THEMES):
            complaints.clear()
            tab.set_viewport_size({"width": width, "height": 900})
            tab.emulate_media(color_scheme=theme)
            tab.goto(address)
            boxes = tab.locator("figure > svg").evaluate_all(
                "svgs => svgs.map(svg => svg.getBoundingClientRect().toJSON())"
            )
            assert len(boxes) == tab.locator("figure").count() > 0
            for box in boxes:
                assert box["width"] > 200
                assert box["height"] > 50
                assert 0 <= box["left"] < box["right"] <= width
            root = "document.documentElement"
            assert tab.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0
            assert complaints == [f"request: {address}"]


@pytest.mark.parametrize("kind", ["several", "fallback"])
def test_every_figure_has_a_name_that_says_n(browser, pages, kind):
    with opened(browser, pages[kind], 390, "light") as (tab, _):
        n = tab.locator("figure").count()
        figures = tab.locator("figure").and_(tab.get_by_role("group", name=re.compile(r"n = \d")))
        assert figures.count() == n > 0
        assert tab.get_by_role("img", name=re.compile(".")).count() == n


def test_every_picture_says_what_it_shows(browser, pages):
    with opened(browser, pages["several"]) as (tab, _):
        for words in tab.locator("svg > desc").all_text_contents():
            assert re.match(r"n = (the first )?[\d,]+ ", words), words
            assert len(re.findall(r"\d", words)) > 2, words


@pytest.mark.parametrize("width", WIDTHS)
def test_text_of_figures_is_about_as_large_as_it_was_meant(browser, pages, width):
    with opened(browser, pages["binary"], width, "light") as (tab, _):
        heights = tab.locator("svg.plot text").evaluate_all(
            "texts => texts.map(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a)"
        )
        # The transform of a turned text has no scale in `a`.
        upright = [height for height in heights if height > 1]
        assert min(upright) >= 9
        assert max(upright) <= 15


@pytest.mark.parametrize("theme", THEMES)
def test_text_stands_out_from_its_background(browser, pages, theme):
    with opened(browser, pages["binary"], theme=theme) as (tab, _):
        for selector in READ:
            found = tab.locator(selector).first.evaluate(CONTRAST)
            assert found >= 4.5, f"{selector}: {found:.2f}"
        on_cells = [("on-low", f"step-{n}") for n in range(3)]
        on_cells += [("on-high", f"step-{n}") for n in range(3, 6)]
        for text, ground in [("ink", "page"), ("accent", "page"), ("surface", "accent"), *on_cells]:
            found = tab.locator("body").evaluate(CONTRAST, [text, ground])
            assert found >= 4.5, f"{text} on {ground}: {found:.2f}"
        for series in range(5):
            found = tab.locator("body").evaluate(CONTRAST, [f"series-{series}", "page"])
            assert found >= 3, f"series {series}: {found:.2f}"


def test_themes_differ_and_paper_is_light(browser, pages):
    ground = "getComputedStyle(document.body).backgroundColor"
    ink = "getComputedStyle(document.querySelector('svg text')).fill"
    seen = {}
    for theme in THEMES:
        with opened(browser, pages["binary"], theme=theme) as (tab, _):
            seen[theme] = tab.evaluate(ground), tab.evaluate(ink)
            tab.emulate_media(media="print")
            assert tab.evaluate(ground) == "rgb(255, 255, 255)"
            assert tab.evaluate(ink) == "rgb(26, 31, 36)"
    assert seen["light"][0] != seen["dark"][0]
    assert seen["light"][1] != seen["dark"][1]


@pytest.mark.parametrize("kind", ["binary", "several"])
def test_page_prints(browser, pages, kind):
    with opened(browser, pages[kind], 690, "dark") as (tab, _):
        tab.emulate_media(media="print")
        assert not tab.locator("nav").is_visible()
        assert tab.evaluate("document.documentElement.scrollWidth") <= 690
        whole = tab.locator(".shortened code").first
        assert len(whole.inner_text()) == 64
        assert tab.pdf(format="A4", print_background=True).startswith(b"%PDF")


def test_keyboard_reaches_the_results_and_every_wide_table(browser, pages):
    with opened(browser, pages["binary"], 390, "light") as (tab, _):
        tab.keyboard.press("Tab")
        skip = tab.locator(":focus")
        assert skip.inner_text() == "Skip to the results"
        assert skip.bounding_box()["y"] >= 0
        assert skip.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
        tab.keyboard.press("Enter")
        assert tab.evaluate("location.hash") == "#results"
        wide = tab.locator(".scroll, pre")
        assert wide.count() > 5
        for region in wide.all():
            assert region.get_attribute("tabindex") == "0"
            assert region.get_attribute("role") == "region"
        scrolled = tab.get_by_role("region", name="Scores of every model")
        scrolled.focus()
        tab.keyboard.press("ArrowRight")
        tab.wait_for_timeout(200)
        assert tab.evaluate("document.activeElement.scrollLeft") > 0


def test_a_digest_is_short_to_the_eye_and_whole_to_the_clipboard(browser, pages):
    with opened(browser, pages["binary"]) as (tab, _):
        digest = tab.locator(".shortened code").first
        assert digest.bounding_box()["width"] < 130
        digest.click()
        chosen = tab.evaluate("getSelection().toString()")
        assert re.fullmatch("[0-9a-f]{64}", chosen.strip())


def test_landmarks_and_language(browser, pages):
    with opened(browser, pages["binary"]) as (tab, _):
        assert tab.locator("html").get_attribute("lang") == "en"
        for role in ("banner", "main", "contentinfo", "navigation"):
            assert tab.get_by_role(role).count() == 1
        for link in tab.locator("nav a").all():
            assert tab.locator(link.get_attribute("href")).count() == 1
