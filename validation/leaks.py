"""Does anything an agent can look at tell what this is, or where a defect lies?

Prevents a false result: a needle counted as found by review that a word, a name, a file's time or
an older copy gave away.

Over a `directory` of real files, words and ids that the clean file has too are notes: the owner of
a sewing shop writes of needles, and planting changed nothing there. What the task prompt says and
what planting brought in is held to the same rule everywhere.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from authoring.prompt import render_prompt
from generators.build_folder import FILE_MODE, FILE_TIME, FOLDER_MODE
from generators.build_paths import BuildPaths
from generators.directory.walking import VCS_FOLDERS
from generators.lines import CorpusIndex, is_weighty, normal_form, split_lines
from validation.check import Check, verdict
from validation.quotes import Quotes
from validation.subject import Subject
from validation.telling import Telling, name_leaks

FOLDER = "/home/dev/review"
"""Where every agent finds the corpus."""
DIRECTORY = "directory"
"""The generator that takes a user's own files as they are."""
SHOWN = 3
"""Places that a sentence names before it gives the count."""
ARCHIVES = frozenset(
    {
        *(".7z", ".bundle", ".bz2", ".cpio", ".gz", ".jar", ".lz4", ".lzma", ".pack", ".rar"),
        *(".tar", ".tbz", ".tgz", ".txz", ".whl", ".xz", ".zip", ".zst"),
    }
)
LEFTOVERS = frozenset({".bak", ".diff", ".old", ".orig", ".patch", ".prev", ".rej", ".swp", ".tmp"})
"""What editors and patches leave beside a file."""
DIFF_MARKS = ("+", "-", "> ", "< ")
RARE = 10
"""A line in more places than this is boilerplate, and no trace of one file."""
COPY = 0.9
"""Share of a clean file's telling lines that makes another file a copy of it."""

CODES = {
    "leak-word": "no path, text or prompt holds a word or id of ours, or a needle's statement; no"
    " prompt gives planted words, or one file of many that holds a needle",
    "leak-name": "no path names the defect that the file holds, where those of its peers do not",
    "leak-time": "all files and folders bear the same time",
    "leak-mode": "all files have one mode, and all folders",
    "leak-link": "the corpus holds plain files and folders alone: no link, device or pipe",
    "leak-history": "no history, archive, older copy or quotation shows what was changed, and no"
    " file names where",
}


def leaks_on_disk(paths: BuildPaths) -> tuple[Check, ...]:
    """What the folder itself tells. Reads no file, so that a pipe or a link harms nothing."""
    times: list[str] = []
    modes: list[str] = []
    links: list[str] = []
    for path in (paths.corpus, *sorted(_below(paths.corpus))):
        name = path.relative_to(paths.root).as_posix()
        status = path.lstat()
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            links.append(name)
            continue
        if status.st_mtime_ns != int(FILE_TIME) * 10**9:
            times.append(name)
        wanted = FOLDER_MODE if stat.S_ISDIR(status.st_mode) else FILE_MODE
        if stat.S_IMODE(status.st_mode) != wanted:
            modes.append(name)
    other_time = "another time than all were built with (`cp -a` keeps times)"
    return (
        verdict("leak-time", _listed(other_time, times)),
        verdict("leak-mode", _listed("another mode than all were built with", modes)),
        verdict("leak-link", _listed("neither plain file nor folder", links)),
    )


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        yield from (Path(root) / name for name in (*folders, *files))


def leaks_in_text(subject: Subject) -> tuple[Check, ...]:
    """What names and texts tell."""
    return (
        _words(subject),
        *_names(subject),
        verdict("leak-history", _listed("may show what was changed", [*_history(subject)])),
    )


def _listed(what: str, places: Sequence[str]) -> str:
    if not places:
        return ""
    more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    return f"{what}: {', '.join(places[:SHOWN])}{more}"


def _words(subject: Subject) -> Check:
    telling = Telling.of(subject.build.spec, subject.needles)
    natural = subject.build.manifest.generator.name == DIRECTORY
    faults = [*_in_prompts(subject, telling)]
    notes: list[str] = []
    for path, text in sorted(subject.planted.items()):
        own = notes if natural else faults
        own += [f"{word!r} in the path {path}" for word in telling.words(path)]
        brought = _planted_lines(subject, path)
        for number, word in telling.lines(text):
            (faults if number in brought else own).append(f"{word!r} at {path}:{number}")
        faults += [f"the statement of {name} in {path}" for name in telling.told(text)]
    return verdict("leak-word", _listed("told", faults), note=_listed("the corpus's own", notes))


def _in_prompts(subject: Subject, telling: Telling) -> Iterator[str]:
    spec, quotes = subject.build.spec, Quotes(subject)
    for condition in spec.task.conditions:
        prompt = render_prompt(spec, condition, files=len(subject.review), folder=FOLDER)
        yield from (f"{word!r} in the {condition} prompt" for word in telling.words(prompt))
        yield from (f"the statement of {n} in the {condition} prompt" for n in telling.told(prompt))
        yield from (f"{what} in the {condition} prompt" for what in quotes.in_prompt(prompt))


def _planted_lines(subject: Subject, path: str) -> frozenset[int]:
    return frozenset(
        number
        for needle in subject.needles
        for edit in needle.edits
        if edit.path == path
        for number in range(edit.first, edit.last + 1)
    )


def _names(subject: Subject) -> Iterator[Check]:
    found = {leak.needle: leak for leak in name_leaks(subject.needles, subject.review)}
    for needle in subject.needles:
        leak = found.get(needle.id)
        reason = f"{leak.path} tells it by {leak.by}" if leak else ""
        yield verdict("leak-name", reason, needle=needle.id)


def _history(subject: Subject) -> Iterator[str]:
    for path in sorted(subject.planted):
        pure = PurePosixPath(path)
        if not VCS_FOLDERS.isdisjoint(pure.parts):
            yield f"{path} (history)"
        elif not ARCHIVES.isdisjoint(suffix.lower() for suffix in pure.suffixes):
            yield f"{path} (archive)"
        elif _is_set_aside(pure) and _holds_an_answer(subject, path):
            yield f"{path} (holds what was changed)"
    yield from (f"{path} (a copy of what {of} was)" for path, of in _copies(subject))
    yield from dict.fromkeys(Quotes(subject).in_files())


def _is_set_aside(path: PurePosixPath) -> bool:
    """Whether a file is hidden, or bears the name of what editors and patches leave."""
    hidden = any(part.startswith(".") for part in path.parts)
    return hidden or path.name.endswith("~") or path.suffix.lower() in LEFTOVERS


def _holds_an_answer(subject: Subject, path: str) -> bool:
    """Whether a file holds a line of another file's edit, as it is or as a diff gives it."""
    changed = {
        form
        for needle in subject.needles
        for edit in needle.edits
        if edit.path != path
        for line in (*edit.planted, *edit.clean)
        if is_weighty(form := normal_form(line).strip())
    }
    return any(
        form in changed or any(form.removeprefix(mark).strip() in changed for mark in DIFF_MARKS)
        for form in (normal_form(line).strip() for line in split_lines(subject.planted[path]))
    )


def _copies(subject: Subject) -> Iterator[tuple[str, str]]:
    """Files that hold nearly all of what an edited file was, the changed lines included."""
    clean = CorpusIndex.of(subject.clean)
    edited = {edit.path for needle in subject.needles for edit in needle.edits}
    for path in sorted(edited):
        telling = {
            line
            for line in clean.files[path]
            if is_weighty(line) and len(clean.places[line]) <= RARE
        }
        holders = Counter(
            place
            for line in telling
            for place in {one.path for one in subject.index.places.get(line, ())} - {path}
        )
        for other, count in sorted(holders.items()):
            if count >= COPY * len(telling) and _gone(subject, path) <= set(
                subject.index.files[other]
            ):
                yield other, path


def _gone(subject: Subject, path: str) -> set[str]:
    """The lines that planting took out of a file."""
    return set(CorpusIndex.of({path: subject.clean[path]}).files[path]) - set(
        subject.index.files[path]
    )
