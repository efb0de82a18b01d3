"""The page of an audit in a real browser: what others wrote stays text, all of it is reached."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from evaluation.audit.page.page import render
from tests.evaluation.audit.auditing import audited
from tests.evaluation.audit.sessions import HandMade, age, papers

PROGRAM = "chromium"
ACTS = "</script></style></pre><img src=x onerror=alert(1)><svg onload=alert(2)>"
HOSTILE = f"{ACTS}\x1b[31mred\x1b]0;title\x07\u202edecnever\u2069"
NAME = "a<img src=x onerror=alert(3)>\u202e\x1b[2J.md"
NARROW = 400


@dataclass
class Seen:
    """What a page did while it was looked at."""

    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    """Of the console: errors, refusals by the page's policy, anything."""
    dialogs: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = shutil.which(PROGRAM)
    assert program is not None, "no Chromium is installed"
    with sync_playwright() as playwright:
        # Chromium's own sandbox needs rights that a test has not everywhere.
        running = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def audit_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a session whose prompt, file names, lines and answer would act if they could."""
    folder = tmp_path_factory.mktemp("page")
    docs = papers(folder / "work", count=2, lines=40)
    odd = docs / NAME
    odd.write_text(f"{HOSTILE} first line\nsecond line {ACTS}\nthird line\n")
    age(odd)
    made = HandMade(str(folder / "work")).prompt(f"Review docs/. {HOSTILE}")
    made.reads(docs / "doc-1.md", 11, 25).reads(docs / "doc-2.md").reads(odd, 1, 2)
    made.answers(f"I read all 3 files. {HOSTILE} I read doc-1.md in full {ACTS}.")
    page = folder / "page.html"
    page.write_bytes(render(audited(made, folder / "work")))
    return page


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def page(browser: Browser, audit_page: Path, seen: Seen) -> Iterator[Page]:
    """The page as it opens, everything that it does noted down."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    opened.on("request", lambda request: seen.requests.append(request.url))
    opened.on("console", lambda message: seen.messages.append(message.text))
    opened.on("pageerror", lambda error: seen.messages.append(str(error)))

    def dismiss(dialog: Dialog) -> None:
        seen.dialogs.append(dialog.message)
        dialog.dismiss()

    opened.on("dialog", dismiss)
    opened.goto(audit_page.as_uri())
    yield opened
    context.close()


def lines_of(page: Page, name: str, shade: str) -> list[str]:
    """The numbers of the lines of one file that are shaded so."""
    file = page.locator("details.file", has=page.locator("summary code", has_text=name))
    texts = file.locator(f"pre span.{shade}").all_inner_texts()
    return [line.split()[0] for text in texts for line in text.splitlines() if line.strip()]


def open_all(page: Page) -> None:
    for summary in page.locator("details.file > summary").all():
        summary.click()


def test_nothing_in_it_acts(page: Page, seen: Seen, audit_page: Path) -> None:
    open_all(page)
    assert page.locator("script, img, iframe, a, form").count() == 0
    assert page.locator("svg").count() == page.locator("svg.bar").count()
    assert (seen.dialogs, seen.messages) == ([], [])
    assert seen.requests == [audit_page.as_uri()]
    assert page.title().startswith("What was read")


def test_what_others_wrote_is_there_as_text(page: Page) -> None:
    open_all(page)
    shown = page.locator("body").inner_text()
    assert "<img src=x onerror=alert(1)>" in shown
    assert "a<img src=x onerror=alert(3)>" in shown
    assert not {"\x1b", "\x07", "\u202e", "\u2069"} & set(shown)


def test_a_file_opens_with_the_lines_that_entered_shaded(page: Page) -> None:
    open_all(page)
    within = [str(number) for number in range(11, 26)]
    assert lines_of(page, "doc-1.md", "entered") + lines_of(page, "doc-1.md", "visible") == within
    assert lines_of(page, "doc-1.md", "gap") == [
        str(number) for number in range(1, 41) if str(number) not in within
    ]
    colours = {
        shade: page.locator(f"pre span.{shade}").first.evaluate(
            "element => getComputedStyle(element).backgroundColor"
        )
        for shade in ("gap", "visible")
    }
    assert colours["gap"] == "rgba(0, 0, 0, 0)"
    assert colours["visible"] != colours["gap"]


def test_a_file_is_reached_and_opened_by_keys_alone(page: Page) -> None:
    file = page.locator("details.file").first
    assert file.get_attribute("open") is None
    for _ in range(20):
        page.keyboard.press("Tab")
        if file.locator("summary").evaluate("element => element === document.activeElement"):
            break
    page.keyboard.press("Enter")
    assert file.get_attribute("open") is not None
    assert file.locator("pre").is_visible()


def test_it_can_be_read_on_a_narrow_screen(page: Page) -> None:
    page.set_viewport_size({"width": NARROW, "height": 800})
    open_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
    assert page.locator("h2", has_text="Claims about reading").is_visible()
    for wide in page.locator(".wide").all():
        assert wide.evaluate("element => element.clientWidth") <= NARROW
