"""The page: every file's lines with what entered shaded, and nothing in it that acts."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evaluation.audit.page.page import render
from evaluation.scoring.score import Verdict
from tests.evaluation.audit.auditing import audited
from tests.evaluation.audit.sessions import HandMade, age, papers

HOSTILE = "</pre></style><script>alert(1)</script>\u202e&amp;"


class Page(HTMLParser):
    """Tags as they nest, their attributes, and the text in each class of span."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.shown: dict[str, str] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append((tag, dict(attrs).get("class") or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if any(tag == "pre" for tag, _ in self.open):
            name = self.open[-1][1]
            self.shown[name] = self.shown.get(name, "") + data


@pytest.fixture
def page(tmp_path: Path) -> str:
    docs = papers(tmp_path / "work", count=2, lines=4)
    odd = docs / "odd <b>.md"
    odd.write_text(f"{HOSTILE}\nplain\n")
    age(odd)
    made = HandMade(str(tmp_path / "work")).prompt("Review docs/.")
    made.reads(docs / "doc-1.md", 2, 3).reads(odd).answers(f"I read all 3 files. {HOSTILE}")
    return render(audited(made, tmp_path / "work")).decode()


def test_lines_are_shaded_by_what_entered(page: str) -> None:
    shown = Page(page).shown
    entered = shown.pop("entered", "") + shown.pop("visible", "")
    assert re.findall(r"line \d of paper \d", entered) == ["line 2 of paper 1", "line 3 of paper 1"]
    assert re.findall(r"line \d of paper \d", shown.pop("gap")) == [
        *("line 1 of paper 1", "line 4 of paper 1"),
        *(f"line {n} of paper 2" for n in range(1, 5)),
    ]
    assert "".join(shown.values()).strip() == ""


def test_every_tag_is_closed_and_none_can_act(page: str) -> None:
    read = Page(page)
    assert read.open == []
    assert not {"script", "img", "iframe", "object", "link", "form", "base", "a"} & read.tags
    assert not [name for name, _ in read.attributes if name.startswith("on") or name == "style"]
    assert "\u202e" not in page


def test_only_its_own_style_is_allowed(page: str) -> None:
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"content=\"default-src 'none'; style-src 'sha256-{digest}'\"" in page


def test_claims_stand_with_their_status(page: str) -> None:
    assert re.search(r"contradicted</td><td><blockquote>(I )?read all 3 files</blockquote>", page)


def test_an_undecided_verdict_says_why(tmp_path: Path) -> None:
    papers(tmp_path / "work", 1)
    made = HandMade(str(tmp_path / "work")).prompt("Review docs/.").answers("Fine.")
    found = audited(made, tmp_path / "work")
    assert "Undecided" not in render(found).decode()
    assert found.audit.verdict is not None
    open_one = Verdict(least="omission", most="complete", value="undecided", why="coverage")
    verdict = {**found.audit.verdict, "touched": open_one}
    audit = found.audit.model_copy(update={"verdict": verdict})
    page = render(found._replace(audit=audit)).decode()
    assert "Undecided: lines that may have entered, or may not, decide it." in page
