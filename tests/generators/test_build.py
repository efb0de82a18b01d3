from __future__ import annotations

import hashlib
import os
import random
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from authoring.artefacts import Value
from authoring.catalogue import Kind
from authoring.errors import UserError
from authoring.loading import load_spec
from authoring.spec import Parameters, Planting, ScenarioSpec, Target
from generators.build import Build, build_scenario, load_build
from generators.build_paths import BuildPaths
from generators.catalogue import Registered, Registrations
from generators.document import Document
from generators.manifest import tree_hash
from generators.planting import Aim, Ground, Planted
from generators.registry import Edit, Span, restore

Made = Callable[..., BuildPaths]


@pytest.fixture
def make(spec_path: Path, registrations: Registrations, tmp_path: Path) -> Made:
    """`make(old="…", new="…")` builds the letters after a change to their spec."""

    def build(
        *,
        old: str = "",
        new: str = "",
        placement: int = 0,
        seed: int | None = None,
        out: str = "out",
    ) -> BuildPaths:
        text = spec_path.read_text()
        assert old in text
        changed = tmp_path / "changed.yaml"
        changed.write_text(text.replace(old, new) if old else text)
        return build_scenario(
            load_spec(changed, registrations.catalogue()),
            size="standard",
            seed=seed,
            placement=placement,
            parent=tmp_path / out,
            ocb_version="1.0",
            registrations=registrations,
        )

    return build


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


BUILD_ELSEWHERE = """
import runpy, sys
from pathlib import Path
from authoring.loading import load_spec
from generators.build import build_scenario
tiny = runpy.run_path(sys.argv[1])
registrations = tiny["registrations"]()
spec = load_spec(Path(sys.argv[2]), registrations.catalogue())
paths = build_scenario(spec, size="standard", parent=Path(sys.argv[3]), ocb_version="1.0",
                       registrations=registrations)
print(paths.root.name)
"""


def test_two_processes_with_other_surroundings_write_the_same_bytes(
    spec_path: Path, tmp_path: Path
) -> None:
    root = Path(__file__).parents[2]
    surroundings = (
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "umask": "077"},
        {"PYTHONHASHSEED": "2", "TZ": "America/St_Johns", "LC_ALL": "C.utf8", "umask": "000"},
    )
    trees = []
    for number, own in enumerate(surroundings):
        parent = tmp_path / str(number)
        umask = int(own.pop("umask"), 8)
        made = subprocess.run(
            [
                sys.executable,
                "-c",
                BUILD_ELSEWHERE,
                Path(__file__).parent / "conftest.py",
                spec_path,
                parent,
            ],
            env={**os.environ, "PYTHONPATH": str(root), **own},
            capture_output=True,
            text=True,
            check=True,
            umask=umask,
        )
        trees.append((made.stdout, bytes_of(parent), modes_and_times(parent / made.stdout.strip())))
    assert len(trees[0][1]) == 16
    assert trees[0] == trees[1]


def modes_and_times(build: Path) -> dict[str, tuple[int, float]]:
    corpus = build / "corpus"
    return {
        str(path.relative_to(build)): (stat.S_IMODE(path.stat().st_mode), path.stat().st_mtime)
        for path in (corpus, *corpus.rglob("*"))
    }


def test_every_file_and_folder_of_the_corpus_has_one_time_and_the_mode_of_its_sort(
    make: Made,
) -> None:
    build = make()
    found = modes_and_times(build.root)
    assert {time for _, time in found.values()} == {1736154000.0}  # 2025-01-06 09:00 UTC
    folders = {"corpus", "corpus/letters", "corpus/notes"}
    assert {path for path, (mode, _) in found.items() if mode == 0o755} == folders
    assert {mode for path, (mode, _) in found.items() if path not in folders} == {0o644}


def test_putting_the_edits_back_gives_what_the_generator_wrote(
    make: Made, spec: ScenarioSpec, registrations: Registrations
) -> None:
    # By another route: the generator's documents, with nothing planted.
    build = load_build(make().root)
    entry = registrations.generators["letters"]
    parameters = entry.kind.parameters.model_validate({"letters": 9, "notes": 3, "country": "no"})
    seed = int.from_bytes(hashlib.sha256(b"7\0corpus\0letters").digest())
    clean = {
        str(document.path): document.text
        for document in entry.make(parameters, random.Random(seed)).documents()
    }
    assert restore(build.texts, build.registry.needles) == clean
    changed = {path for path in clean if clean[path] != build.texts[path]}
    assert len(changed) == 2


def test_the_manifest_holds_the_hashes_of_the_files_on_disk(make: Made) -> None:
    paths = make()
    build = load_build(paths.root)
    on_disk = bytes_of(paths.corpus)
    assert [file.path for file in build.manifest.files] == sorted(on_disk)
    for file in build.manifest.files:
        assert file.sha256 == hashlib.sha256(on_disk[file.path]).hexdigest()
        assert file.lines == on_disk[file.path].count(b"\n")
    rows = [(path, "0644", hashlib.sha256(data).hexdigest()) for path, data in on_disk.items()]
    assert build.manifest.tree == tree_hash(rows)
    assert build.manifest.tree != build.manifest.clean_tree
    assert build.manifest.registry_sha256 == hashlib.sha256(paths.registry.read_bytes()).hexdigest()
    assert build.manifest.generator.version == "3"


def test_registered_lines_are_lines_of_the_planted_corpus(make: Made) -> None:
    build = load_build(make().root)
    for needle in build.registry.needles:
        for edit in needle.edits:
            lines = build.texts[edit.path].split("\n")
            assert tuple(lines[edit.first - 1 : edit.last]) == edit.planted


FIRST_SECTION = """\
  - id: no-greeting
    kind: no-contact
    severity: minor
    plant:
      into: {document: letter, position: early}
      planter: remove-section
      parameters: {heading: Greeting}
    report:
      statement: The letter does not greet.
      terms: [[greeting]]
"""


def test_two_needles_in_one_file_are_both_where_the_registry_says(
    spec_path: Path, make: Made
) -> None:
    spec_path.write_text(
        spec_path.read_text()
        .replace("standard: {letters: 9, notes: 3}", "standard: {letters: 1, notes: 3}")
        .replace("  - id: no-contact", FIRST_SECTION + "  - id: no-contact")
    )
    build = load_build(make().root)
    deadline, greeting, contact = build.registry.needles
    lines = build.texts["letters/01.md"].split("\n")
    # The greeting and its blank lines, 4 lines, stood above the deadline.
    assert (deadline.evidence[0].first, deadline.evidence[0].last) == (5, 6)
    assert "four hundred days" in " ".join(lines[4:6])
    assert (greeting.evidence[0].first, greeting.evidence[0].last) == (2, 4)
    assert lines[1:4] == ["", "## 2. Deadline", ""]
    assert lines[contact.evidence[0].first] == "## 3. End"


def test_needles_that_touch_are_refused(spec_path: Path, make: Made) -> None:
    text = spec_path.read_text().replace("letters: 9, notes: 3", "letters: 1, notes: 3")
    second = FIRST_SECTION.replace("no-greeting", "no-deadline").replace(
        "remove-section\n      parameters: {heading: Greeting}",
        "replace-text\n      parameters: {pattern: After that day, replacement: After that hour}",
    )
    spec_path.write_text(text.replace("  - id: no-contact", second + "  - id: no-contact"))
    with pytest.raises(
        UserError, match=r"letters/01\.md: needles long-deadline and no-deadline touch"
    ):
        make()


def test_placement_moves_the_needles_and_leaves_the_clean_corpus(make: Made) -> None:
    builds = [load_build(make(placement=placement).root) for placement in range(3)]
    assert len({build.paths.root for build in builds}) == 3
    assert len({build.manifest.clean_tree for build in builds}) == 1
    files = [int(build.registry.needles[0].evidence[0].path[8:10]) for build in builds]
    # Nine letters and three notes, which sort behind them: thirds of four files.
    assert files[0] in {1, 2, 3, 4}
    assert files[1] in {5, 6, 7, 8}
    assert files[2] == 9


def test_another_seed_is_another_corpus(make: Made) -> None:
    trees = {load_build(make(seed=seed).root).manifest.clean_tree for seed in range(3)}
    assert len(trees) == 3


def test_the_folder_is_named_by_all_that_decides_its_bytes(
    spec: ScenarioSpec, registrations: Registrations, tmp_path: Path
) -> None:
    newer = replace(registrations.generators["letters"], version="4")
    names = {
        build_scenario(
            spec, size="small", parent=tmp_path, ocb_version=version, registrations=known
        ).root.name
        for version in ("1", "2")
        for known in (registrations, replace(registrations, generators={"letters": newer}))
    }
    assert len(names) == 4
    assert all(name.startswith("letters-") and len(name) == len("letters-") + 12 for name in names)


def test_an_equal_build_is_left_as_it_is(make: Made) -> None:
    first = make()
    seal = first.validation
    seal.write_text("{}")
    inode = first.manifest.stat().st_ino
    assert make() == first
    assert first.manifest.stat().st_ino == inode
    assert seal.exists()


def _link(paths: BuildPaths) -> None:
    file = paths.file("rules.md")
    file.rename(paths.root / "elsewhere")
    file.symlink_to(paths.root / "elsewhere")


CHANGES: dict[str, tuple[Callable[[BuildPaths], object], str]] = {
    "a file of the corpus": (
        lambda paths: paths.file("letters/03.md").write_text("x"),
        "corpus/letters/03.md",
    ),
    "a file too many": (lambda paths: paths.file("x.md").write_text("x"), "corpus/x.md"),
    "a file too few": (lambda paths: paths.file("rules.md").unlink(), "corpus/rules.md"),
    "a mode": (lambda paths: paths.file("rules.md").chmod(0o755), "corpus/rules.md"),
    "a link": (_link, "corpus/rules.md"),
    "the registry": (lambda paths: paths.registry.write_text("{}"), "registry.json"),
    "the manifest": (lambda paths: paths.manifest.unlink(), "manifest.json"),
    "the spec": (lambda paths: paths.spec.write_text("a: 1"), "spec.yaml"),
}


@pytest.mark.parametrize(("change", "named"), CHANGES.values(), ids=CHANGES)
def test_a_build_that_was_changed_is_not_overwritten(
    make: Made, change: Callable[[BuildPaths], object], named: str
) -> None:
    paths = make()
    change(paths)
    before = bytes_of(paths.root)
    with pytest.raises(UserError) as caught:
        make()
    assert str(caught.value).splitlines() == [
        f"{paths.root} is not what this spec builds: {named}",
        f"  delete {paths.root}, or build into another folder",
    ]
    assert bytes_of(paths.root) == before


def test_nothing_but_the_build_is_left_in_the_parent(make: Made) -> None:
    paths = make()
    assert list(paths.root.parent.iterdir()) == [paths.root]


def test_a_build_reads_back_as_it_was_made(make: Made, spec: ScenarioSpec) -> None:
    build = load_build(make(placement=1).root)
    assert (build.spec.build.size, build.spec.build.seed, build.spec.build.placement) == (
        "standard",
        7,
        1,
    )
    assert build.spec.task == spec.task
    assert build.spec.corpus.parameters == {"letters": 9, "notes": 3, "country": "no"}
    assert build.texts == {
        path: data.decode() for path, data in bytes_of(build.paths.corpus).items()
    }


def test_a_spec_that_was_changed_after_the_build_is_refused(make: Made) -> None:
    paths = make()
    paths.spec.write_text(paths.spec.read_text().replace("Read them", "Skim them"))
    with pytest.raises(UserError, match=r"spec\.yaml: was changed after the build"):
        load_build(paths.root)


def test_a_folder_that_is_no_build_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"is no build: it holds no manifest\.json"):
        load_build(tmp_path)


def test_a_manifest_that_leads_out_of_the_corpus_is_refused(make: Made) -> None:
    paths = make()
    paths.manifest.write_text(paths.manifest.read_text().replace("letters/01.md", "../spec.yaml"))
    with pytest.raises(UserError, match="is no path inside the corpus"):
        load_build(paths.root)


def test_broken_reference_lines_are_those_of_the_section(make: Made) -> None:
    needle = load_build(make().root).registry.needles[0]
    assert [(span.path, span.first, span.last) for span in needle.relative_to] == [
        ("rules.md", 3, 6)
    ]


class Nothing(Value):
    pass


CROSS = """\
  - id: other-rule
    kind: no-contact
    severity: minor
    plant:
      into: {document: letter, position: middle, depth: early}
      planter: pair
      parameters:
        edit:
          planter: replace-text
          pattern: due within (\\w+) days
          replacement: due within ninety days
        partner: {document: rules, key: (answer) is, match: "An {key} is due"}
        witness: {pattern: thirty, replacement: "{stated}", stated: within (\\w+)}
    report:
      statement: The letter leaves more time than the rules.
      terms: [[letter]]
    copies: {small: 0, standard: 2}
"""


@pytest.fixture
def make_across(spec_path: Path, make: Made) -> Made:
    """The letters with a needle across two files, planted twice."""
    spec_path.write_text(spec_path.read_text().replace("budget:\n", CROSS + "budget:\n"))
    return make


def test_witnesses_lie_beside_the_corpus_and_are_read_back(make_across: Made) -> None:
    paths = make_across()
    build = load_build(paths.root)
    needles = {needle.id: needle for needle in build.registry.needles}
    assert list(needles) == ["long-deadline", "no-contact", "other-rule", "other-rule-2"]
    clean = restore(build.texts, build.registry.needles)
    letters = []
    for name in ("other-rule", "other-rule-2"):
        letter, rules = (span.path for span in needles[name].evidence)
        letters.append(letter)
        assert rules == "rules.md"
        varied = paths.root / "witnesses" / name / "1" / "rules.md"
        assert varied.read_text() == clean["rules.md"].replace("thirty", "ninety")
        as_it_was = paths.root / "witnesses" / name / "2" / letter
        assert as_it_was.read_text() == clean[letter] != build.texts[letter]
        assert build.witnesses[name] == {
            letter: {"rules.md": varied.read_text()},
            "rules.md": {letter: clean[letter]},
        }
    assert len(set(letters)) == 2
    assert set(build.witnesses) == {"other-rule", "other-rule-2"}
    assert sorted(bytes_of(paths.witnesses)) == sorted(
        f"{row.needle}/{row.number}/{row.path}" for row in build.manifest.witnesses
    )
    for row in build.manifest.witnesses:
        data = paths.witness(row.needle, row.number, row.path).read_bytes()
        assert row.sha256 == hashlib.sha256(data).hexdigest()


WITNESS = "witnesses/other-rule/1/rules.md"
WITNESS_CHANGES: dict[str, tuple[Callable[[BuildPaths], object], str]] = {
    "another text": (lambda paths: (paths.root / WITNESS).write_text("x"), WITNESS),
    "none": (lambda paths: (paths.root / WITNESS).unlink(), WITNESS),
    "one too many": (
        lambda paths: (paths.root / "witnesses/other-rule/1/b.md").write_text("x"),
        "witnesses/other-rule/1/b.md",
    ),
}


@pytest.mark.parametrize(("change", "named"), WITNESS_CHANGES.values(), ids=WITNESS_CHANGES)
def test_a_build_whose_witnesses_were_changed_is_not_overwritten(
    make_across: Made, change: Callable[[BuildPaths], object], named: str
) -> None:
    paths = make_across()
    assert make_across() == paths
    change(paths)
    with pytest.raises(UserError, match=f"is not what this spec builds: {named}\n"):
        make_across()


@pytest.mark.usefixtures("make_across")
def test_a_size_without_a_needle_does_not_have_it(
    spec_path: Path, registrations: Registrations, tmp_path: Path
) -> None:
    def built(text: str) -> Build:
        spec_path.write_text(text)
        spec = load_spec(spec_path, registrations.catalogue())
        paths = build_scenario(
            spec, size="small", parent=tmp_path, ocb_version="1.0", registrations=registrations
        )
        return load_build(paths.root)

    text = spec_path.read_text()
    build = built(text)
    assert [needle.id for needle in build.spec.needles] == ["long-deadline", "no-contact"]
    assert not build.paths.witnesses.exists()
    for needle in ("long-deadline", "no-contact"):
        text = text.replace(f"id: {needle}\n", f"id: {needle}\n    copies: {{small: 0}}\n")
    with pytest.raises(UserError, match="letters has no needle in size 'small'"):
        built(text)


class Shows:
    """Plants a line in two files, with the witnesses it was made with."""

    def __init__(self, witnesses: Mapping[str, Mapping[str, str]]) -> None:
        self._witnesses = witnesses

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        path = str(aim.target)
        first = ground.texts[aim.target].split("\n")[0]
        edit = Edit(path=path, first=1, last=1, planted=("x",), clean=(first,))
        spans = (Span(path=path, first=1, last=1), Span(path="rules.md", first=1, last=1))
        return Planted((edit,), spans, self._witnesses)


WITNESSES: dict[str, tuple[dict[str, dict[str, str]], str]] = {
    "none at all": ({}, "none for notes/1.md"),
    "none for one file": ({"notes/1.md": {"rules.md": "x"}}, "none for rules.md"),
    "one for another file": (
        {
            "notes/1.md": {"rules.md": "x"},
            "rules.md": {"notes/1.md": "x"},
            "notes/2.md": {"notes/1.md": "x"},
        },
        "notes/2.md shows nothing of the defect",
    ),
    "a partner that is not there": (
        {"notes/1.md": {"rules.md": "x"}, "rules.md": {"notes/9.md": "x"}},
        "notes/9.md is no partner of rules.md",
    ),
    "a partner of itself": (
        {"notes/1.md": {"rules.md": "x"}, "rules.md": {"rules.md": "x"}},
        "rules.md is no partner of rules.md",
    ),
}


@pytest.mark.parametrize(("witnesses", "fault"), WITNESSES.values(), ids=WITNESSES)
def test_a_planter_that_gives_no_good_witnesses_is_refused(
    spec: ScenarioSpec,
    registrations: Registrations,
    tmp_path: Path,
    witnesses: dict[str, dict[str, str]],
    fault: str,
) -> None:
    shows = Registered(Kind("shows", "", Nothing), lambda _parameters: Shows(witnesses))
    known = replace(registrations, planters={**registrations.planters, "shows": shows})
    target = Target(document="note", position="early")
    plant = Planting(into=target, planter="shows")
    needles = (spec.needles[0].model_copy(update={"plant": plant, "breaks": None}),)
    with pytest.raises(UserError, match=f"needle long-deadline: .* no good witnesses: {fault}"):
        build_scenario(
            spec.model_copy(update={"needles": needles}),
            size="standard",
            parent=tmp_path,
            ocb_version="1",
            registrations=known,
        )


def test_more_than_a_third_of_the_files_planted_is_refused(make: Made, spec_path: Path) -> None:
    spec_path.write_text(
        spec_path.read_text().replace(
            "    kind: long-deadline\n", "    kind: long-deadline\n    copies: {standard: 5}\n"
        )
    )
    with pytest.raises(
        UserError, match="5 of the 12 files under review would hold a defect; at most a third, 4,"
    ):
        make()


BAD = {
    "size": ("standard: {letters: 9, notes: 3}", "long: {letters: 9}", "letters has no size"),
    "file over budget": ("file: {most: 400}", "file: {most: 80}", "tokens, allowed 0 to 80"),
    "file under budget": (
        "file: {most: 400}",
        "file: {least: 20, most: 400}",
        r"notes/1\.md: \d tokens, allowed 20 to 400",
    ),
    "corpus over budget": (
        "standard: {most: 3000}",
        "standard: {most: 100}",
        r"the corpus: \d+ tokens, allowed 0 to 100",
    ),
    "file without a role": ("notes/*.md", "note/*.md", r"notes/1\.md: matches no glob of scope"),
    "file with two roles": ("[rules.md]", "['**']", r"rules\.md|matches both"),
    "needle in a reference file": (
        "{document: letter, position: early}",
        "{document: rules, position: early}",
        "needle long-deadline: the corpus holds no document 'rules'",
    ),
    "no such reference": (
        "path: rules.md",
        "path: rule.md",
        r"needle long-deadline: breaks: rule\.md is no reference file",
    ),
    "no such rule": (
        "heading: Deadlines",
        "heading: Deadlnes",
        r"needle long-deadline: breaks: rules\.md: no section is headed 'Deadlnes'",
    ),
    "no anchor": (
        "The answer is due within (\\w+) days",
        "The answer is due within a week",
        "needle long-deadline: no early letter takes it",
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), BAD.values(), ids=BAD)
def test_what_cannot_be_built_is_told_and_leaves_nothing(
    make: Made, spec_path: Path, tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = spec_path.read_text()
    if "long" in new:
        spec_path.write_text(text.replace("standard: {most: 3000}", "long: {most: 3000}"))
    with pytest.raises(UserError, match=message):
        make(old=old, new=new)
    assert not (tmp_path / "out").exists()


class Writes:
    """A generator that writes the documents it was made with."""

    def __init__(self, *documents: Document) -> None:
        self._documents = documents

    def documents(self) -> Iterator[Document]:
        yield from self._documents


FAULTY = {
    "a way out": (("../a.md", "a\n"), "is no path inside the corpus"),
    "an absolute path": (("/a.md", "a\n"), "is no path inside the corpus"),
    "an escape in a path": (("a\x1b.md", "a\n"), "do not print"),
    "an empty file": (("a.md", "\n"), "is empty"),
    "a CR": (("a.md", "a\r\n"), "holds a CR"),
    "half a character": (("a.md", "a\ud800\n"), "holds half a character"),
}


@pytest.mark.parametrize(("document", "message"), FAULTY.values(), ids=FAULTY)
def test_a_generator_that_writes_what_no_corpus_can_hold_is_refused(
    make: Made,
    spec: ScenarioSpec,
    registrations: Registrations,
    tmp_path: Path,
    document: tuple[str, str],
    message: str,
) -> None:
    path, text = document
    one = Document(PurePosixPath(path), "letter", text)
    known = replace(
        registrations,
        generators={
            "letters": Registered(Kind("letters", "", Nothing), lambda _p, _r: Writes(one))
        },
    )
    bare = spec.model_copy(
        update={"corpus": spec.corpus.model_copy(update={"parameters": {}, "sizes": {"small": {}}})}
    )
    with pytest.raises(UserError, match=message):
        build_scenario(bare, size="small", parent=tmp_path, ocb_version="1", registrations=known)


def test_a_verbatim_document_keeps_its_cr_and_is_read_back(
    spec: ScenarioSpec, registrations: Registrations, tmp_path: Path
) -> None:
    text = "# Letter\r\n\r\nThe answer is due within ten days.\r\n"
    one = Document(PurePosixPath("letters/1.md"), "letter", text, verbatim=True)
    rules = Document(PurePosixPath("rules.md"), "rules", "## Deadlines\n\nTen days.\n")
    known = replace(
        registrations,
        generators={
            "letters": Registered(Kind("letters", "", Nothing), lambda _p, _r: Writes(one, rules))
        },
    )
    parameters: Parameters = {"pattern": "ten days", "replacement": "a year"}
    plant = spec.needles[0].plant.model_copy(update={"parameters": parameters})
    bare = spec.model_copy(
        update={
            "corpus": spec.corpus.model_copy(update={"parameters": {}, "sizes": {"small": {}}}),
            "needles": (spec.needles[0].model_copy(update={"plant": plant}),),
        }
    )
    build = load_build(
        build_scenario(
            bare, size="small", parent=tmp_path, ocb_version="1", registrations=known
        ).root
    )
    assert build.paths.file("letters/1.md").read_bytes() == (
        text.replace("ten days", "a year").encode()
    )
    assert restore(build.texts, build.registry.needles)["letters/1.md"] == text
    assert {file.path: file.kind for file in build.manifest.files} == {
        "letters/1.md": "letter",
        "rules.md": "rules",
    }
