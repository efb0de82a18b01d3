"""Can reading be measured on this corpus? Lines that stand once, lines that tools show whole.

Prevents two false results: coverage that no engine can decide, since the lines shown stand in many
files, and a needle called unread since its line was cut by the tool or stands elsewhere too.

Over a `directory` of real files, heads and windows without a line of their own and lines over the
clip are notes: their owner cannot change a licence head, the interval of coverage says what cannot
be decided, and the figures say how wide that may get. Evidence lines are held to the same rule
everywhere, since a needle is read or not by them alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from authoring.artefacts import Value
from generators.build_paths import BuildPaths
from generators.lines import CorpusIndex, is_weighty, split_lines
from generators.manifest import Manifest
from generators.registry import RegisteredNeedle, Span
from validation.check import Check, Checked, verdict
from validation.subject import Subject

HEAD = 5
"""The first lines of a file, by which a reader who only opens it is known."""
WINDOW = 20
"""Lines that a tool shows at once, at the least."""
LONGEST_EVIDENCE = 400
"""Characters of a line that every tool shows whole."""
SHOWN = 3
"""Places that a sentence names before it gives the count."""
DIRECTORY = "directory"
"""The generator that takes a user's own files as they are."""
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")
"""Neither tab, LF nor CR: what some tools show otherwise than it stands, or not at all."""

CODES = {
    "not-decodable": "every file of the corpus is UTF-8, so that its lines can be told",
    "file-head-not-unique": "every file has a line of its own among its first 5",
    "window-not-unique": "every 20 lines of a file hold one that stands nowhere else",
    "line-over-clip": "no line is longer than what the tools show of one",
    "evidence-not-unique": "every evidence line stands in one place of the corpus alone",
    "evidence-too-long": "no evidence line is longer than 400 characters",
    "line-notes": "what else makes lines hard to tell is counted, and fails nothing",
}


class LineFigures(Value):
    """What makes lines hard to tell apart, counted over the review files."""

    lines: int
    blank: float
    """Share of the lines without a character that prints."""
    repeated: float
    """Share of the lines with one that stand more than once in the corpus."""
    undecided_alone: float
    """Share of the lines that are not corpus-unique: how wide the interval of line coverage can
    get when every line is shown alone, with neither path nor number."""
    undecided_in_windows: float
    """Share of the lines that stand in some run of 20 (of all, in a shorter file) without a
    corpus-unique one: how wide it can get when at least so many are shown in one run."""
    widest_file: str | None
    """The file with the most of the latter, where there is any."""
    widest_share: float
    """Of that file's own lines."""
    cr_lf: tuple[str, ...]
    """Files with lines that end in CR LF."""
    no_final_lf: tuple[str, ...]
    control_characters: tuple[str, ...]
    """Files that hold one."""


@dataclass(frozen=True)
class _File:
    """One file as measurability sees it."""

    path: str
    lines: Sequence[str]
    unique: Sequence[bool]
    """Of each line: whether it is corpus-unique."""

    @property
    def unknown_head(self) -> Span | None:
        """Its first lines, where none of them is unique."""
        head = min(HEAD, len(self.lines))
        return Span(path=self.path, first=1, last=head) if not any(self.unique[:HEAD]) else None

    @property
    def unknown_runs(self) -> tuple[Span, ...]:
        """Every run of lines, as long as a window or longer, without a unique one."""
        width = min(WINDOW, len(self.lines))
        return tuple(run for run in self._runs() if run.last - run.first + 1 >= width)

    def _runs(self) -> Iterator[Span]:
        first = 1
        for number, unique in enumerate((*self.unique, True), start=1):
            if unique:
                if number > first:
                    yield Span(path=self.path, first=first, last=number - 1)
                first = number + 1


def check_decodable(paths: BuildPaths, manifest: Manifest) -> Check:
    """Whether every file of the corpus is UTF-8, as a build is written.

    It reads bytes, and so comes before a build is loaded: no text can be had of such a file.
    """
    faults = [fault for file in manifest.files if (fault := _undecodable(paths, file.path))]
    return verdict("not-decodable", "; ".join(faults[:SHOWN]))


def _undecodable(paths: BuildPaths, path: str) -> str:
    try:
        paths.file(path).read_bytes().decode()
    except UnicodeDecodeError as error:
        return f"{path}: byte {error.start} is not UTF-8"
    return ""


def measurability(subject: Subject, *, clip: int) -> Checked:
    """Check that reading can be measured. `clip`: characters of a line that every tool shows."""
    lenient = subject.build.manifest.generator.name == DIRECTORY
    index = subject.index
    files = [
        _File(path, split_lines(text), [index.is_unique(line) for line in index.files[path]])
        for path, text in sorted(subject.planted.items())
    ]
    files = [file for file in files if file.lines]
    heads = [file.unknown_head for file in files]
    runs = [run for file in files for run in file.unknown_runs]
    figures = _figures(subject, [file for file in files if file.path in set(subject.review)])
    checks = [
        _about(
            "file-head-not-unique",
            [head for head in heads if head],
            "no line of their own at the head",
            lenient=lenient,
        ),
        _about("window-not-unique", runs, f"{WINDOW} lines without a unique one", lenient=lenient),
        _about(
            "line-over-clip",
            [span for file in files for span in _longer(file, clip)],
            f"longer than the {clip} characters that tools show",
            lenient=lenient,
        ),
        *(check for needle in subject.needles for check in _evidence(needle, index, subject)),
        verdict("line-notes", "", note=_notes(figures)),
    ]
    return Checked(tuple(checks), figures)


def _about(code: str, places: Sequence[Span], what: str, *, lenient: bool) -> Check:
    """A check over the corpus: its places are a reason, or a note where they are lenient."""
    sentence = f"{what}: {_shown(places)}" if places else ""
    return Check(
        code=code,
        passed=lenient or not places,
        reason="" if lenient else sentence,
        note=sentence if lenient else "",
        evidence=tuple(places[:WINDOW]),
    )


def _shown(places: Sequence[Span]) -> str:
    named = ", ".join(
        f"{span.path}:{span.first}" + (f"-{span.last}" if span.last > span.first else "")
        for span in places[:SHOWN]
    )
    more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    return named + more


def _longer(file: _File, most: int) -> Iterator[Span]:
    for number, line in enumerate(file.lines, start=1):
        if len(line.rstrip("\r")) > most:
            yield Span(path=file.path, first=number, last=number)


def _evidence(
    needle: RegisteredNeedle, index: CorpusIndex, subject: Subject
) -> tuple[Check, Check]:
    repeated: list[Span] = []
    long: list[Span] = []
    for span in needle.evidence:
        raw = split_lines(subject.planted[span.path])
        numbers = range(span.first, span.last + 1)
        lines = [
            (Span(path=span.path, first=number, last=number), index.line(span.path, number) or "")
            for number in numbers
        ]
        common = [one for one, line in lines if is_weighty(line) and not index.is_unique(line)]
        alone = any(index.is_unique(line) for _, line in lines)
        repeated += common if common or alone else [span]
        long += [one for one, _ in lines if len(raw[one.first - 1]) > LONGEST_EVIDENCE]
    return (
        _of_needle("evidence-not-unique", needle, repeated, _elsewhere(index)),
        _of_needle("evidence-too-long", needle, long, lambda _: ""),
    )


def _of_needle(
    code: str,
    needle: RegisteredNeedle,
    places: Sequence[Span],
    detail: Callable[[Span], str],
) -> Check:
    what = {
        "evidence-not-unique": "evidence that cannot be told from other lines",
        "evidence-too-long": f"evidence longer than {LONGEST_EVIDENCE} characters",
    }[code]
    return Check(
        code=code,
        needle=needle.id,
        passed=not places,
        reason=f"{what}: {_shown(places)}{detail(places[0])}" if places else "",
        evidence=tuple(places),
    )


def _elsewhere(index: CorpusIndex) -> Callable[[Span], str]:
    """Where else the line of a place stands, in words."""

    def detail(span: Span) -> str:
        places = index.places.get(index.line(span.path, span.first) or "", ())
        others = [place for place in places if (place.path, place.line) != (span.path, span.first)]
        if not others:
            return " (too few letters or digits)"
        return f" (the first stands also at {others[0].path}:{others[0].line})"

    return detail


def _figures(subject: Subject, files: Sequence[_File]) -> LineFigures:
    index = subject.index
    total = sum(len(file.lines) for file in files)
    normal = [line for file in files for line in index.files[file.path]]
    printing = [line for line in normal if line]
    undecided = {
        file.path: sum(run.last - run.first + 1 for run in file.unknown_runs) for file in files
    }
    shares = {file.path: undecided[file.path] / len(file.lines) for file in files}
    widest = max(shares, key=lambda path: shares[path], default=None)
    if widest is not None and not shares[widest]:
        widest = None
    texts = [(file.path, subject.planted[file.path]) for file in files]
    return LineFigures(
        lines=total,
        blank=_share(total - len(printing), total),
        repeated=_share(sum(len(index.places[line]) > 1 for line in printing), len(printing)),
        undecided_alone=_share(sum(not one for file in files for one in file.unique), total),
        undecided_in_windows=_share(sum(undecided.values()), total),
        widest_file=widest,
        widest_share=shares[widest] if widest else 0.0,
        cr_lf=tuple(path for path, text in texts if "\r\n" in text),
        no_final_lf=tuple(path for path, text in texts if not text.endswith("\n")),
        control_characters=tuple(path for path, text in texts if CONTROL.search(text)),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _notes(figures: LineFigures) -> str:
    parts = [
        f"{figures.repeated:.1%} of the lines that print stand more than once",
        f"{figures.blank:.1%} are blank",
        _widths(figures),
    ]
    counted = (
        (figures.cr_lf, "lines that end in CR LF"),
        (figures.no_final_lf, "no LF at the end"),
        (figures.control_characters, "control characters"),
    )
    parts += [f"{what} in {_files(paths)}" for paths, what in counted if paths]
    return "; ".join(parts)


def _widths(figures: LineFigures) -> str:
    return (
        f"the interval of line coverage is at most {figures.undecided_in_windows:.1%} wide where "
        f"{WINDOW} lines or more are shown at once, {figures.undecided_alone:.1%} where each is "
        "shown alone"
    )


def _files(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more
