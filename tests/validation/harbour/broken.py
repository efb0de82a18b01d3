"""Broken scenarios, each the sound one with one thing wrong, and the check that is meant for it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from authoring.artefacts import read_artefact, sha256, write_artefact, write_bytes
from generators.build import Build, load_build
from generators.build_folder import FILE_TIME
from generators.build_paths import BuildPaths
from generators.catalogue import Registrations
from generators.detectors.detector import Evidence
from generators.document import Document
from generators.lines import split_lines
from generators.manifest import Manifest, tree_hash
from generators.planters.edit_line import EditLine, EditLineParameters
from generators.planting import Aim, Ground, Planted
from generators.registry import Edit, RegisteredNeedle, Registry, Span, restore
from generators.resolved import build_name, read_spec
from generators.tokens import count_tokens
from tests.validation.harbour.harbour import (
    RULES,
    SPEC,
    FuelDiffers,
    HarbourWeek,
    LineDetector,
    build_harbour,
    registrations,
)
from validation.feasibility import Tables, load_tables

Break = Callable[[Path], "Case"]


@dataclass(frozen=True)
class Case:
    """A build on disk, and what it is to be validated with."""

    paths: BuildPaths
    known: Registrations = field(default_factory=registrations)
    tables: Tables = field(default_factory=load_tables)


@dataclass(frozen=True)
class Broken:
    """One way to be wrong."""

    code: str
    """The check that is meant for it."""
    make: Break


# What is changed on disk, with a manifest that fits again, so that no hash objects.


def rewrite(
    build: Build,
    *,
    texts: Mapping[str, str] | None = None,
    needles: tuple[RegisteredNeedle, ...] | None = None,
) -> None:
    """Write other texts or other needles into a build, and a manifest that fits them."""
    paths = build.paths
    planted = dict(build.texts) | dict(texts or {})
    registry = build.registry
    if needles is not None:
        registry = registry.model_copy(update={"needles": needles})
    write_artefact(paths.registry, registry)
    for path, text in (texts or {}).items():
        paths.file(path).write_bytes(text.encode())
    files = tuple(
        file.model_copy(
            update={
                "sha256": sha256(planted[file.path].encode()),
                "lines": len(split_lines(planted[file.path])),
                "tokens": count_tokens(planted[file.path]),
            }
        )
        for file in build.manifest.files
    )
    clean = _restored(planted, registry)
    update = {
        "files": files,
        "tree": tree_hash((file.path, file.mode, file.sha256) for file in files),
        "registry_sha256": sha256(paths.registry.read_bytes()),
    }
    if clean is not None:
        update["clean_tree"] = tree_hash(
            (file.path, file.mode, sha256(clean[file.path].encode())) for file in files
        )
    write_artefact(paths.manifest, build.manifest.model_copy(update=update))
    settle(paths)


def _restored(planted: Mapping[str, str], registry: Registry) -> dict[str, str] | None:
    try:
        return restore(planted, registry.needles)
    except Exception:  # noqa: BLE001 - it is broken on purpose
        return None


def settle(paths: BuildPaths) -> None:
    """Every file and folder of the corpus gets the time that a build gives it."""
    for path in (paths.corpus, *paths.corpus.rglob("*")):
        os.utime(path, (FILE_TIME, FILE_TIME), follow_symlinks=False)


def needle_of(build: Build, name: str) -> RegisteredNeedle:
    return next(needle for needle in build.registry.needles if needle.id == name)


def with_needle(build: Build, name: str, **update: Any) -> tuple[RegisteredNeedle, ...]:
    """All needles, one of them changed."""
    return tuple(
        needle.model_copy(update=update) if needle.id == name else needle
        for needle in build.registry.needles
    )


def registered(change: Callable[[Build], tuple[RegisteredNeedle, ...]]) -> Break:
    """A build whose registry says something else."""

    def make(folder: Path) -> Case:
        build = build_harbour(folder)
        rewrite(build, needles=change(build))
        return Case(build.paths)

    return make


def on_disk(change: Callable[[Build], None]) -> Break:
    """A build whose folder is changed, and nothing else."""

    def make(folder: Path) -> Case:
        build = build_harbour(folder)
        change(build)
        return Case(build.paths)

    return make


# What is wrong from the start: in the spec, the generator, a planter or a detector.


def specified(*changes: tuple[str, str]) -> Break:
    """A build of another spec."""

    def make(folder: Path) -> Case:
        spec = SPEC
        for old, new in changes:
            assert old in spec
            spec = spec.replace(old, new)
        return Case(build_harbour(folder, spec=spec).paths)

    return make


def generated(generator: type[HarbourWeek], spec: str = SPEC) -> Break:
    """A build of another generator."""

    def make(folder: Path) -> Case:
        known = registrations()
        entry = replace(known.generators["harbour"], make=generator)
        known = replace(known, generators={"harbour": entry})
        return Case(build_harbour(folder, spec=spec, known=known).paths, known)

    return make


def detected(kind: str, detector: Callable[[], Any]) -> Break:
    """A sound build, with a detector that is not."""

    def make(folder: Path) -> Case:
        known = registrations()
        kinds = {**known.kinds, kind: replace(known.kinds[kind], make=detector)}
        return Case(build_harbour(folder).paths, replace(known, kinds=kinds))

    return make


class Edited(HarbourWeek):
    """The same files, each passed through `edit`."""

    def documents(self) -> Iterator[Document]:
        for document in super().documents():
            yield replace(document, text=self.edit(str(document.path), document.text))

    def edit(self, path: str, text: str) -> str:
        return text


def edited(change: Callable[[str, str], str], spec: str = SPEC) -> Break:
    """A build of the same files, each changed by its path and text."""

    class Changed(Edited):
        def edit(self, path: str, text: str) -> str:
            return change(path, text)

    return generated(Changed, spec)


def _only(path: str, change: Callable[[str], str]) -> Callable[[str, str], str]:
    return lambda at, text: change(text) if at == path else text


def _moved(build: Build, name: str, by: int) -> tuple[RegisteredNeedle, ...]:
    spans = needle_of(build, name).evidence
    moved = tuple(
        span.model_copy(update={"first": span.first + by, "last": span.last + by}) for span in spans
    )
    return with_needle(build, name, evidence=moved)


class Blind:
    """Finds nothing."""

    def extract(self, path: PurePosixPath, text: str) -> None:
        return None

    def decide(self, facts: Mapping[PurePosixPath, None]) -> tuple[Evidence, ...]:
        return ()


class Guessing(FuelDiffers):
    """Takes a large figure for a wrong one where it has nothing to hold it against."""

    def decide(self, facts: Mapping[PurePosixPath, dict[str, Any]]) -> tuple[Evidence, ...]:
        rows = [(path, key, row) for path, own in facts.items() for key, row in own.items()]
        keys = [key for _, key, _ in rows]
        alone = (
            Evidence(path, row.line, row.line)
            for path, key, row in rows
            if keys.count(key) == 1 and row.litres >= 200
        )
        return (*super().decide(facts), *alone)


class NeedsAnother(LineDetector):
    """Finds early sailings only where the log of the alder is there too."""

    def __init__(self) -> None:
        super().__init__(r"out at (\d\d):\d\d", 5)

    def decide(self, facts: Mapping[PurePosixPath, tuple[int, ...]]) -> tuple[Evidence, ...]:
        there = PurePosixPath("boats/alder/log.md") in facts
        return super().decide(facts) if there else ()


class BesideAnother(LineDetector):
    """Finds a thin reserve only where some boat sailed early as well."""

    EARLY = re.compile(r"out at 0[0-4]")

    def __init__(self) -> None:
        super().__init__(r"with (\d+) litres in reserve", 40)

    def extract(self, path: PurePosixPath, text: str) -> tuple[int, ...]:
        own = super().extract(path, text)
        return (*own, 0) if self.EARLY.search(text) else own

    def decide(self, facts: Mapping[PurePosixPath, tuple[int, ...]]) -> tuple[Evidence, ...]:
        found = super().decide(facts)
        early = any(not one.first for one in found)
        return tuple(one for one in found if one.first and early)


class BlindInHalf(LineDetector):
    """Finds early sailings in a few files and in nearly all of them, but not in half."""

    def __init__(self) -> None:
        super().__init__(r"out at (\d\d):\d\d", 5)

    def decide(self, facts: Mapping[PurePosixPath, tuple[int, ...]]) -> tuple[Evidence, ...]:
        return () if 3 < len(facts) < 14 else super().decide(facts)


def _changed_file(build: Build) -> None:
    path = build.paths.file("boats/elm/log.md")
    path.write_text(path.read_text().replace("June", "July"))
    settle(build.paths)


def _missing_file(build: Build) -> None:
    build.paths.file("boats/elm/fuel.csv").unlink()
    settle(build.paths)


def _git_history(build: Build) -> None:
    folder = build.paths.corpus / ".git"
    folder.mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    settle(build.paths)


def _crlf_checkout(build: Build) -> None:
    for file in build.manifest.files:
        path = build.paths.file(file.path)
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    settle(build.paths)


def _link_out(build: Build) -> None:
    path = build.paths.file("boats/elm/fuel.csv")
    path.unlink()
    path.symlink_to("/etc/hostname")
    settle(build.paths)


def _other_time(build: Build) -> None:
    path = build.paths.file(needle_of(build, "sailed-early").evidence[0].path)
    os.utime(path, (FILE_TIME + 60, FILE_TIME + 60))


def _other_mode(build: Build) -> None:
    (build.paths.corpus / "boats" / "elm").chmod(0o700)


def _not_utf8(build: Build) -> None:
    path = build.paths.file("boats/elm/fuel.csv")
    data = path.read_bytes().replace(b"fuel", b"f\xfcel").replace(b"elm", b"\xfflm")
    path.write_bytes(data)
    _with_manifest_file(build, "boats/elm/fuel.csv", sha256=sha256(data))


def _with_manifest_file(build: Build, name: str, **update: Any) -> None:
    """The manifest's row of one file says something else, and its tree fits."""
    files = tuple(
        file.model_copy(update=update) if file.path == name else file
        for file in build.manifest.files
    )
    tree = tree_hash((file.path, file.mode, file.sha256) for file in files)
    manifest = build.manifest.model_copy(update={"files": files, "tree": tree})
    write_artefact(build.paths.manifest, manifest)
    settle(build.paths)


def _wrong_role(build: Build) -> None:
    _with_manifest_file(build, "boats/elm/fuel.csv", role="reference")


def _wrong_tokens(build: Build) -> None:
    _with_manifest_file(build, "boats/elm/fuel.csv", tokens=1)


def _clean_lost(build: Build) -> None:
    """The registry's clean text is not what stood there; only its own hash is made to fit."""
    edit = needle_of(build, "thin-reserve").edits[0]
    other = edit.model_copy(update={"clean": (edit.clean[0].replace("June", "May"),)})
    needles = with_needle(build, "thin-reserve", edits=(other,))
    write_artefact(build.paths.registry, build.registry.model_copy(update={"needles": needles}))
    _with_registry_hash(build.paths)


def _with_registry_hash(paths: BuildPaths) -> None:
    manifest = read_artefact(paths.manifest, Manifest)
    digest = sha256(paths.registry.read_bytes())
    write_artefact(paths.manifest, manifest.model_copy(update={"registry_sha256": digest}))


def _without_witnesses(build: Build) -> None:
    for row in build.manifest.witnesses:
        build.paths.witness(row.needle, row.number, row.path).unlink()
    write_artefact(build.paths.manifest, build.manifest.model_copy(update={"witnesses": ()}))


def _witness_with_defect(build: Build) -> None:
    """The partner of the log is the one that stands in the corpus, which breaks the rule."""
    rows = []
    for row in build.manifest.witnesses:
        text = build.texts[row.path].encode()
        write_bytes(build.paths.witness(row.needle, row.number, row.path), text)
        rows.append(row.model_copy(update={"sha256": sha256(text)}))
    write_artefact(
        build.paths.manifest, build.manifest.model_copy(update={"witnesses": tuple(rows)})
    )


def _without_rule(build: Build) -> None:
    rewrite(build, texts={"rules.md": RULES.replace("## Reserve", "## Spare fuel")})


def _renamed(build: Build, old: str, new: str) -> None:
    """A file has another path, in corpus, registry and manifest."""
    build.paths.file(old).rename(build.paths.file(new))
    for path in (build.paths.registry, build.paths.manifest):
        path.write_text(path.read_text().replace(f'"{old}"', f'"{new}"'))
    _with_registry_hash(build.paths)
    manifest = read_artefact(build.paths.manifest, Manifest)
    files = manifest.files
    clean = restore(
        {file.path: build.paths.file(file.path).read_text() for file in files},
        read_artefact(build.paths.registry, Registry).needles,
    )
    update = {
        "tree": tree_hash((file.path, file.mode, file.sha256) for file in files),
        "clean_tree": tree_hash(
            (file.path, file.mode, sha256(clean[file.path].encode())) for file in files
        ),
    }
    write_artefact(build.paths.manifest, manifest.model_copy(update=update))
    settle(build.paths)


def _name_tells(build: Build) -> None:
    path = needle_of(build, "no-signature").evidence[0].path
    _renamed(build, path, path.replace("log.md", "log-no-signature.md"))


class OtherEachTime(HarbourWeek):
    """Writes another corpus each time that it is asked."""

    asked = 0

    def documents(self) -> Iterator[Document]:
        OtherEachTime.asked += 1
        for document in super().documents():
            end = f"Printed as number {OtherEachTime.asked}.\n"
            yield replace(document, text=document.text + (end if document.kind == "rules" else ""))


class WithOldCopy(HarbourWeek):
    """Keeps the older text of every log beside it."""

    def documents(self) -> Iterator[Document]:
        for document in super().documents():
            yield document
            if document.kind == "log":
                yield Document(document.path.with_suffix(".md.bak"), "copy", document.text)


class OneLog(HarbourWeek):
    """Only the rowan keeps what is called a log, so that all needles go into it."""

    def documents(self) -> Iterator[Document]:
        for document in super().documents():
            other = document.kind == "log" and "rowan" not in str(document.path)
            yield replace(document, kind="diary") if other else document


class WithQuote(HarbourWeek):
    """A note quotes the row of every list of fuel."""

    def documents(self) -> Iterator[Document]:
        quoted = []
        for document in super().documents():
            quoted += document.text.splitlines()[1:] if document.kind == "fuel" else []
            yield document
        text = "A note of the harbour office on all receipts\n" + "\n".join(quoted) + "\n"
        yield Document(PurePosixPath("boats/office.txt"), "note", text)


def _long_line(text: str) -> str:
    return text.replace("## Work\n\n", "## Work\n\n- " + "rope, chain, tar, " * 150 + "\n", 1)


def _same_head(path: str, text: str) -> str:
    return "# Log\n\nWeek\n\nHarbour\n\n" + text if path.endswith("log.md") else text


def _same_lines(path: str, text: str) -> str:
    block = "".join(f"- item {number} of the list of ropes\n" for number in range(25))
    return text.replace("## Signature", f"## Ropes\n\n{block}\n## Signature")


def _early_line(text: str) -> str:
    return re.sub(r"out at \d\d", "out at 04", text, count=1)


def _heads(path: str, text: str) -> str:
    """Long logs, whose voyages come first."""
    if not path.endswith("log.md"):
        return text
    voyages = re.search(r"## Voyages\n\n(?:- .*\n)+\n?", text)
    assert voyages is not None
    rest = text.replace(voyages[0], "")
    title, _, below = rest.partition("\n\n")
    more = "".join(
        f"- rope {sha256(f'{path} {number}'.encode())[:12]} was dried and stowed\n"
        for number in range(90)
    )
    below = below.replace("## Signature", f"## Ropes\n\n{more}\n## Signature")
    return f"{title}\n\n{voyages[0].rstrip()}\n\n{below}"


FIRST_LINES = (
    SPEC.replace(", depth: middle}\n      planter: edit-line", "}\n      planter: edit-line")
    .replace(", depth: early}\n      planter: edit-line", "}\n      planter: edit-line")
    .replace("'\\g<start>04\\g<end>'", "'\\g<start>04\\g<end>'\n        nth: 1")
    .replace("'\\g<start>37\\g<end>'", "'\\g<start>37\\g<end>'\n        nth: 3")
    .replace("    kind: night-sailing", "    copies: {small: 3}\n    kind: night-sailing")
    .replace("    kind: low-reserve", "    copies: {small: 3}\n    kind: low-reserve")
)
"""Three copies of two needles, in the first voyages of a log."""


class Twice(EditLine):
    """Makes an early sailing in a second log too, and says nothing of it."""

    def __init__(self, parameters: EditLineParameters) -> None:
        super().__init__(parameters)
        self._twice = "out at" in parameters.pattern

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        planted = super().plant(ground, aim)
        if not self._twice:
            return planted
        other = next(path for path in sorted(ground.texts) if path.name == "log.md")
        assert other != aim.target
        again = super().plant(ground, Aim(other, aim.depth))
        return replace(planted, edits=(*planted.edits, *again.edits))


def _planted_twice(folder: Path) -> Case:
    known = registrations()
    entry = replace(known.planters["edit-line"], make=Twice)
    known = replace(known, planters={**known.planters, "edit-line": entry})
    return Case(build_harbour(folder, known=known).paths, known)


class WithHistory(HarbourWeek):
    """Keeps the files of a version control beside the boats."""

    def documents(self) -> Iterator[Document]:
        yield from super().documents()
        text = "commit 6f1c2a\n- out at 04:09 for Skerry Bank\n+ out at 06:09 for Skerry Bank\n"
        yield Document(PurePosixPath("boats/.git/changes.diff"), "history", text)


def _special_token_as_one(folder: Path) -> Case:
    """A text such as `<|endoftext|>` is plain text; here it was counted as one token."""
    token = "<|endoftext|>"
    note = _only("boats/elm/log.md", lambda text: text.replace("## Work", f"## Work {token}"))
    case = edited(note)(folder)
    build = load_build(case.paths.root)
    text = build.texts["boats/elm/log.md"]
    _with_manifest_file(build, "boats/elm/log.md", tokens=count_tokens(text.replace(token, "")) + 1)
    return case


def _other_budget(folder: Path) -> Case:
    """The spec of the build was changed afterwards, and its name made to fit."""
    paths = build_harbour(folder).paths
    data = paths.spec.read_bytes().replace(b"most: 4000", b"most: 400")
    paths.spec.write_bytes(data)
    manifest = read_artefact(paths.manifest, Manifest)
    name = build_name(read_spec(paths.spec), data, manifest.generator, manifest.ocb)
    write_artefact(paths.manifest, manifest.model_copy(update={"build": name}))
    return Case(BuildPaths(paths.root.rename(paths.root.with_name(name))))


def _small_models(folder: Path) -> Case:
    """The only model has a window of 8,000 tokens."""
    tables = load_tables()
    model = next(iter(tables.models.values())).model_copy(update={"window": 8000})
    return Case(build_harbour(folder).paths, tables=replace(tables, models={model.name: model}))


class OneBoat(LineDetector):
    """Looks for early sailings in the log of the birch and nowhere else."""

    def __init__(self) -> None:
        super().__init__(r"out at (\d\d):\d\d", 5)

    def extract(self, path: PurePosixPath, text: str) -> tuple[int, ...]:
        return super().extract(path, text) if "birch" in path.parts else ()


class EarlyEverywhere(Edited):
    """Somebody's own logs: every boat sails early once."""

    def edit(self, path: str, text: str) -> str:
        return _early_line(text) if path.endswith("log.md") else text


def _crowded(folder: Path) -> Case:
    """The logs are taken for real files, in which defects may stand that nobody planted."""
    known = registrations()
    entry = replace(known.generators["harbour"], make=EarlyEverywhere)
    known = replace(known, generators={"directory": entry})
    spec = SPEC.replace("generator: harbour", "generator: directory")
    return Case(build_harbour(folder, spec=spec, known=known).paths, known)


def _quoted(text_of: Callable[[Edit], str]) -> Callable[[Build], None]:
    """Another log ends with a line that speaks of the edit of the needle across files."""

    def change(build: Build) -> None:
        edit = needle_of(build, "fuel-apart").edits[0]
        log = next(
            path
            for path in ("boats/cedar/log.md", "boats/elm/log.md")
            if path not in {e.path for needle in build.registry.needles for e in needle.edits}
        )
        rewrite(build, texts={log: f"{build.texts[log]}{text_of(edit)}\n"})

    return change


def _witnesses_elsewhere(build: Build) -> None:
    elsewhere = build.paths.root.parent / "elsewhere"
    build.paths.witnesses.rename(elsewhere)
    build.paths.witnesses.symlink_to(elsewhere)


ASKED = "{{ instruction }} Put"

BROKEN: dict[str, Broken] = {
    "detector that looks at one file alone": Broken(
        "path-blind", detected("night-sailing", OneBoat)
    ),
    "corpus full of what one needle shows": Broken("natural-crowd", _crowded),
    "prompt that names a file": Broken(
        "leak-word", specified((ASKED, f"Begin with boats/birch/log.md. {ASKED}"))
    ),
    "prompt that quotes a planted line": Broken(
        "leak-word", specified((ASKED, f"One log has 37 litres in reserve. {ASKED}"))
    ),
    "file that quotes a line as it was": Broken(
        "leak-history", on_disk(_quoted(lambda edit: edit.clean[0]))
    ),
    "file that names the line of a needle": Broken(
        "leak-history", on_disk(_quoted(lambda edit: f"See {edit.path}, line {edit.first}."))
    ),
    "terms that stand in any sentence": Broken(
        "statement-counts",
        specified(('terms: [[reserve], ["37", less than 40, below 40]]', "terms: [[in, the, a]]")),
    ),
    "odd word that six needles share": Broken(
        "shortcut-search",
        specified(
            ("\\g<start>04\\g<end>", "\\g<start>04\\g<end>, and so forht"),
            ("\\g<start>37\\g<end>", "\\g<start>37\\g<end>, and so forht"),
            ("    kind: night-sailing", "    copies: {small: 3}\n    kind: night-sailing"),
            ("    kind: low-reserve", "    copies: {small: 3}\n    kind: low-reserve"),
        ),
    ),
    "witnesses that lie elsewhere": Broken("files-as-built", on_disk(_witnesses_elsewhere)),
    "evidence registered one line too low": Broken(
        "positive", registered(lambda build: _moved(build, "thin-reserve", 1))
    ),
    "evidence registered far from its edit": Broken(
        "evidence-at-edits", registered(lambda build: _moved(build, "thin-reserve", 7))
    ),
    "evidence beyond the end of the file": Broken(
        "lines-in-range", registered(lambda build: _moved(build, "thin-reserve", 500))
    ),
    "evidence in a reference file": Broken(
        "evidence-in-review",
        registered(
            lambda build: with_needle(
                build, "thin-reserve", evidence=(Span(path="rules.md", first=3, last=3),)
            )
        ),
    ),
    "planted twice": Broken("no-natural-needle", _planted_twice),
    "defect that nobody planted": Broken(
        "negative", edited(_only("boats/maple/log.md", _early_line))
    ),
    "detector that fires on clean text": Broken(
        "negative", detected("night-sailing", lambda: LineDetector(r"out at (\d\d):\d\d", 6))
    ),
    "detector that finds nothing": Broken("positive", detected("low-reserve", Blind)),
    "one file alone decides a needle across files": Broken(
        "single-file", detected("fuel-differs", Guessing)
    ),
    "needle that needs a file which is no evidence": Broken(
        "leave-one-out", detected("night-sailing", NeedsAnother)
    ),
    "needle that shows only beside another": Broken("swap", detected("low-reserve", BesideAnother)),
    "needle that half of the files hide": Broken(
        "random-subset", detected("night-sailing", BlindInHalf)
    ),
    "no witnesses": Broken("witness-missing", on_disk(_without_witnesses)),
    "witness that shows the defect": Broken("witness", on_disk(_witness_with_defect)),
    "rule registered at other lines": Broken(
        "reference",
        registered(
            lambda build: with_needle(
                build, "thin-reserve", relative_to=(Span(path="rules.md", first=3, last=5),)
            )
        ),
    ),
    "rule that is not in the reference": Broken("reference", on_disk(_without_rule)),
    "id registered twice": Broken(
        "needle-ids-unique",
        registered(lambda build: (*build.registry.needles[:-1], *build.registry.needles[:1])),
    ),
    "needle of another severity than the spec's": Broken(
        "needles-as-specified",
        registered(lambda build: with_needle(build, "thin-reserve", severity="minor")),
    ),
    "needle that is not registered": Broken(
        "needles-as-specified", registered(lambda build: build.registry.needles[1:])
    ),
    "edits that touch": Broken("edits-apart", registered(lambda build: _touching(build))),
    "planted text that is not there": Broken(
        "planted-there", registered(lambda build: _other_planted(build))
    ),
    "clean text lost": Broken("clean-restorable", on_disk(_clean_lost)),
    "file changed": Broken("files-as-built", on_disk(_changed_file)),
    "file missing": Broken("files-as-built", on_disk(_missing_file)),
    "git history in the corpus": Broken("files-as-built", on_disk(_git_history)),
    "line ends of another system": Broken("files-as-built", on_disk(_crlf_checkout)),
    "link out of the tree": Broken("leak-link", on_disk(_link_out)),
    "planted file with a time of its own": Broken("leak-time", on_disk(_other_time)),
    "folder with a mode of its own": Broken("leak-mode", on_disk(_other_mode)),
    "text that is not UTF-8": Broken("not-decodable", on_disk(_not_utf8)),
    "file with the wrong role": Broken("manifest-true", on_disk(_wrong_role)),
    "tokens counted wrongly": Broken("manifest-true", on_disk(_wrong_tokens)),
    "word of ours in a text": Broken(
        "leak-word",
        edited(_only("boats/elm/log.md", lambda text: text.replace("coiled", "planted", 1))),
    ),
    "id of a needle in a text": Broken(
        "leak-word",
        edited(_only("boats/elm/log.md", lambda text: text.replace("## Work", "## thin-reserve"))),
    ),
    "answer in a file name": Broken("leak-name", on_disk(_name_tells)),
    "older copies beside the files": Broken("leak-history", generated(WithOldCopy)),
    "corpus that is another each time": Broken("rebuilds-the-same", generated(OtherEachTime)),
    "files that begin alike": Broken("file-head-not-unique", edited(_same_head)),
    "twenty lines that stand in every log": Broken("window-not-unique", edited(_same_lines)),
    "evidence line that stands elsewhere too": Broken("evidence-not-unique", generated(WithQuote)),
    "evidence line of 430 characters": Broken(
        "evidence-too-long",
        specified(("\\g<start>37\\g<end>", "\\g<start>37\\g<end>" + ", rope" * 60)),
    ),
    "line that tools cut": Broken("line-over-clip", edited(_only("boats/elm/log.md", _long_line))),
    "needle is the only line with a tab": Broken(
        "shortcut-needle", specified(("\\g<start>37\\g<end>", "\\g<start>37\\g<end>\\t"))
    ),
    "needle is the only line with a word": Broken(
        "shortcut-needle",
        specified(("\\g<start>04\\g<end>", "\\g<start>04\\g<end>, TODO ask the master")),
    ),
    "needles are the lines with a mark": Broken(
        "shortcut-search",
        specified(
            ("\\g<start>04\\g<end>", "\\g<start>04\\g<end> !!"),
            ("\\g<start>37\\g<end>", "\\g<start>37\\g<end> !!"),
            ("    kind: night-sailing", "    copies: {small: 3}\n    kind: night-sailing"),
            ("    kind: low-reserve", "    copies: {small: 3}\n    kind: low-reserve"),
        ),
    ),
    "statement without the terms of a report": Broken(
        "statement-counts", specified(("The log bears no signature.", "The master is not named."))
    ),
    "file beyond its budget": Broken("token-budget", _other_budget),
    "corpus that fits no model": Broken("feasible", _small_models),
    "special token counted as one": Broken("manifest-true", _special_token_as_one),
    "history that the generator writes": Broken("leak-history", generated(WithHistory)),
    "needles in the first lines": Broken("gradient", edited(_heads, FIRST_LINES)),
    "all needles in one file": Broken("gradient", generated(OneLog)),
}


def _touching(build: Build) -> tuple[RegisteredNeedle, ...]:
    """A second needle claims the line below the first one's."""
    first = needle_of(build, "sailed-early").edits[0]
    below = build.texts[first.path].split("\n")[first.last]
    edit = Edit(
        path=first.path, first=first.last + 1, last=first.last + 1, planted=(below,), clean=(below,)
    )
    own = needle_of(build, "thin-reserve").edits
    return with_needle(build, "thin-reserve", edits=(*own, edit))


def _other_planted(build: Build) -> tuple[RegisteredNeedle, ...]:
    edit = needle_of(build, "thin-reserve").edits[0]
    return with_needle(
        build, "thin-reserve", edits=(edit.model_copy(update={"planted": ("nothing",)}),)
    )
