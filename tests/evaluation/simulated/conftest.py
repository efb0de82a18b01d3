"""A small corpus with three defects, and reviewers made for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.artefacts import sha256
from authoring.spec import Report
from evaluation.simulated.assignment import Assignment
from evaluation.simulated.hands import Call, Hands
from evaluation.simulated.model import parse_model
from generators.manifest import GeneratorVersion, Manifest, ManifestFile
from generators.registry import Edit, RegisteredNeedle, Registry, Span

HANDS = Hands(
    list_files=Call("list", {"path": "{path}"}),
    read_file=Call("read", {"path": "{path}"}),
    read_range=Call("read", {"path": "{path}", "offset": "{first}", "limit": "{count}"}),
    search=Call("search", {"pattern": "{pattern}", "path": "{path}"}),
    search_around=Call("search", {"pattern": "{pattern}", "path": "{path}", "around": 1}),
    shell=Call("shell", {"command": "{command}"}),
    delegate=Call("delegate", {"title": "{title}", "prompt": "{prompt}"}),
)
PLAYBOOK = "rules/playbook.md"
REVIEW = tuple(f"papers/{name}.md" for name in "abcdefghij")
STATEMENTS = {
    "cap": "The liability cap is missing, so exposure is unlimited.",
    "term": "The notice period is ninety days where thirty are allowed.",
    "law": "The governing law is that of a country that is not approved.",
}


def document(name: str, length: int) -> str:
    """Numbered headings, lines of their own, blank lines, and a sentence that every file holds."""
    lines = []
    for n in range(1, length + 1):
        if n % 10 == 1:
            lines.append(f"## {n // 10 + 1}. Part of {name}")
        elif n % 5 == 0:
            lines.append("")
        elif n % 7 == 0:
            lines.append("This sentence stands in every paper.")
        else:
            lines.append(f"{name} says token-{name}-{n}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def texts() -> dict[str, str]:
    """Ten papers of 31 to 58 lines, one without a last line feed, and a playbook."""
    papers = {path: document(path[7], 31 + 3 * i) for i, path in enumerate(REVIEW)}
    papers["papers/c.md"] = papers["papers/c.md"].rstrip("\n")
    return {PLAYBOOK: document("playbook", 22), **papers}


@pytest.fixture
def registry() -> Registry:
    """Three defects: in the first, the fifth and the last paper."""
    places = {"cap": ("papers/a.md", 12, 13), "term": ("papers/e.md", 3, 3)}
    places["law"] = ("papers/j.md", 41, 42)
    needles = tuple(
        RegisteredNeedle(
            id=name,
            kind="kind",
            severity="major",
            report=Report(statement=STATEMENTS[name], terms=(("cap",),)),
            evidence=(Span(path=path, first=first, last=last),),
            edits=(Edit(path=path, first=first, last=first, planted=("x",), clean=("y",)),),
        )
        for name, (path, first, last) in places.items()
    )
    return Registry(scenario="papers", needles=needles)


@pytest.fixture
def assign(texts: dict[str, str], registry: Registry) -> Callable[..., Assignment]:
    """`assign(model, seed=..., hands=..., folder=...)` for this corpus."""
    files = tuple(
        ManifestFile(
            path=path,
            kind="paper",
            role="reference" if path == PLAYBOOK else "review",
            sha256=sha256(text.encode()),
            lines=text.count("\n"),
            tokens=1,
        )
        for path, text in texts.items()
    )
    manifest = Manifest(
        scenario="papers",
        build="papers-0123456789ab",
        ocb="0",
        generator=GeneratorVersion(name="papers", version="1"),
        size="small",
        seed=1,
        placement=0,
        encoding="cl100k_base",
        registry_sha256="0" * 64,
        tree="0" * 64,
        clean_tree="0" * 64,
        files=files,
    )

    def make(model: str, *, seed: int = 7, hands: Hands = HANDS, folder: str = ".") -> Assignment:
        return Assignment(parse_model(model), registry, manifest, texts, hands, folder, seed)

    return make


@pytest.fixture
def folder(texts: dict[str, str], tmp_path: Path) -> Path:
    """The corpus on disk."""
    for path, text in texts.items():
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text.encode())
    return tmp_path


@pytest.fixture
def hands() -> Hands:
    """The tools of the agent in these tests."""
    return HANDS


@pytest.fixture
def hands_alone() -> Hands:
    """The same without sub-agents."""
    return replace(HANDS, delegate=None)
