"""Builds made of a few lines, in memory: no generator, no folder, every hash true."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from authoring.artefacts import sha256, to_json
from authoring.spec import Report
from generators.build_folder import Build
from generators.build_paths import BuildPaths
from generators.detectors.detector import Detector
from generators.lines import split_lines
from generators.manifest import GeneratorVersion, Manifest, ManifestFile, tree_hash
from generators.registry import Edit, RegisteredNeedle, Registry, Span, restore
from generators.resolved import ResolvedSpec
from generators.tokens import count_tokens
from validation.subject import Detections, Subject


def made_needle(path: str, first: int, last: int | None = None, **changes: Any) -> RegisteredNeedle:
    """A needle whose edit put one line in the place of another, at its first evidence line."""
    values: dict[str, Any] = {
        "id": "late-payment",
        "kind": "long-payment-period",
        "severity": "major",
        "report": Report(statement="It is paid late.", terms=(("payment", "paid"), ("late",))),
        "evidence": (Span(path=path, first=first, last=last or first),),
        "edits": (),
    }
    return RegisteredNeedle.model_construct(**(values | changes))


def made_build(
    texts: Mapping[str, str],
    *needles: RegisteredNeedle,
    generator: str = "contracts",
    size: str = "small",
    root: Path = Path("build"),
) -> Build:
    """A build whose files are under review, those called `rules…` apart.

    A needle without edits gets one that changed its first evidence line.
    """
    needles = tuple(needle if needle.edits else _edited(needle, texts) for needle in needles)
    spec = _spec(needles, generator, size)
    registry = Registry(scenario=spec.id, needles=needles)
    clean = restore(texts, needles)
    files = tuple(
        ManifestFile(
            path=path,
            kind="text",
            role="reference" if path.startswith("rules") else "review",
            sha256=sha256(text.encode()),
            lines=len(split_lines(text)),
            tokens=count_tokens(text),
        )
        for path, text in texts.items()
    )
    manifest = Manifest(
        scenario=spec.id,
        build="harbour_papers-000000000000",
        ocb="test",
        generator=GeneratorVersion(name=generator, version="1"),
        size=spec.build.size,
        seed=1,
        placement=0,
        encoding="cl100k_base",
        registry_sha256=sha256(to_json(registry)),
        tree=tree_hash((file.path, file.mode, file.sha256) for file in files),
        clean_tree=tree_hash(
            (file.path, file.mode, sha256(clean[file.path].encode())) for file in files
        ),
        files=files,
    )
    return Build(BuildPaths(root), spec, registry, manifest, texts)


def _edited(needle: RegisteredNeedle, texts: Mapping[str, str]) -> RegisteredNeedle:
    span = needle.evidence[0]
    line = texts[span.path].split("\n")[span.first - 1]
    edit = Edit(
        path=span.path,
        first=span.first,
        last=span.first,
        planted=(line,),
        clean=(f"what stood in line {span.first}",),
    )
    return needle.model_copy(update={"edits": (edit,)})


def _spec(needles: tuple[RegisteredNeedle, ...], generator: str, size: str) -> ResolvedSpec:
    return ResolvedSpec.model_validate(
        {
            "id": "harbour_papers",
            "title": "Papers of a harbour",
            "seed": 1,
            "corpus": {"generator": generator, "sizes": {size: {}}},
            "scope": {"review": ["[!r]*", "*/**"], "reference": ["rules*"]},
            "task": {
                "prompt": "Review the {{ files }} files in {{ folder }}.\n{{ instruction }}\n",
                "conditions": {
                    "direct": "Read every file yourself.",
                    "delegated": "Give every file to a colleague, and wait for the answers.",
                },
            },
            "needles": [
                {
                    "id": needle.id,
                    "kind": needle.kind,
                    "severity": needle.severity,
                    "plant": {
                        "into": {"document": "text", "position": "early"},
                        "planter": "edit-line",
                    },
                    "report": needle.report.model_dump(),
                    "copies": {size: 1},
                }
                for needle in needles
            ]
            or [_PLACEHOLDER],
            "budget": {"file": {"most": 9000}, "corpus": {size: {"most": 90000}}},
            "build": {"size": size, "seed": 1, "placement": 0},
        }
    )


_PLACEHOLDER = {
    "id": "nothing",
    "kind": "nothing",
    "severity": "minor",
    "plant": {"into": {"document": "text", "position": "early"}, "planter": "edit-line"},
    "report": {"statement": "Nothing.", "terms": [["nothing"]]},
}


class Blind:
    """A detector that finds nothing."""

    def extract(self, path: PurePosixPath, text: str) -> None:
        return None

    def decide(self, facts: Mapping[PurePosixPath, None]) -> tuple[()]:
        return ()


def blind(kind: str) -> Detector[Any]:
    """For checks that ask no detector."""
    return Blind()


def made_subject(
    texts: Mapping[str, str],
    *needles: RegisteredNeedle,
    generator: str = "contracts",
    size: str = "small",
) -> Subject:
    """The same, under validation."""
    build = made_build(texts, *needles, generator=generator, size=size)
    return Subject(build, Detections(blind))
