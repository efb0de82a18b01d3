"""The page of a validated build: everything is in it, and nothing in it acts."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from generators.build import Build
from tests.validating import validated
from tests.validation.harbour.harbour import build_harbour, registrations
from validation.page.page import render
from validation.report import ValidationReport

HOSTILE = "</pre></script><img src=x onerror=alert(1)>\x1b[31m\u202e"
VOID = {"meta"}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_harbour(tmp_path_factory.mktemp("harbour"))


@pytest.fixture(scope="module")
def report(build: Build) -> ValidationReport:
    return validated(build.paths, registrations())


class Page(HTMLParser):
    """Tags as they nest, their attributes, and the text that is seen."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def page_of(report: ValidationReport, build: Build | None) -> Page:
    return Page(render(report, build).decode())


def test_every_tag_is_closed_and_none_can_act(report: ValidationReport, build: Build) -> None:
    page = page_of(report, build)
    assert page.open == []
    assert not {"script", "img", "iframe", "object", "link", "form", "base"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name == "style"]
    links = [value or "" for name, value in page.attributes if name in {"href", "src"}]
    assert all(link.startswith("#") for link in links)


def test_only_its_own_style_is_allowed(report: ValidationReport, build: Build) -> None:
    page = render(report, build).decode()
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"content=\"default-src 'none'; style-src 'sha256-{digest}'\"" in page


def test_each_needle_is_shown_planted_and_clean(report: ValidationReport, build: Build) -> None:
    text = page_of(report, build).text
    for needle in build.registry.needles:
        assert needle.id in text
        for edit in needle.edits:
            for line in (*edit.planted, *edit.clean):
                assert line in text


def test_each_needle_has_its_rank_in_every_search(report: ValidationReport, build: Build) -> None:
    figures = report.figures.shortcuts
    assert figures is not None
    text = page_of(report, build).text
    assert f"Its rank in {len(figures.searches)} cheap searches" in text
    for search in figures.searches:
        assert text.count(search.name) >= len(build.registry.needles)


def test_every_file_has_its_tokens(report: ValidationReport, build: Build) -> None:
    text = page_of(report, build).text
    for file in build.manifest.files:
        assert re.search(
            rf"{re.escape(file.path)}\s*{file.role}\s*{file.lines}\s*{file.tokens}", text
        )


def test_text_of_the_corpus_stays_text(report: ValidationReport, build: Build) -> None:
    needle = build.registry.needles[0]
    edit = needle.edits[0].model_copy(update={"planted": (HOSTILE,), "clean": (HOSTILE,)})
    worse = needle.model_copy(update={"edits": (edit,)})
    registry = build.registry.model_copy(update={"needles": (worse, *build.registry.needles[1:])})
    title = build.spec.model_copy(update={"title": HOSTILE})
    check = report.checks[0].model_copy(
        update={"passed": False, "reason": HOSTILE, "needle": needle.id}
    )
    page = page_of(
        report.model_copy(update={"checks": (*report.checks, check)}),
        replace(build, registry=registry, spec=title),
    )
    assert "img" not in page.tags
    assert page.open == []
    assert "\x1b" not in page.text
    assert "\u202e" not in page.text
    assert page.text.count("<img src=x onerror=alert(1)>") >= 3


def test_a_build_that_is_not_whole_has_a_page_that_says_why(tmp_path: Path) -> None:
    paths = build_harbour(tmp_path).paths
    paths.file("boats/elm/log.md").unlink()
    text = page_of(validated(paths, registrations()), None).text
    assert "corpus/boats/elm/log.md (missing)" in text
