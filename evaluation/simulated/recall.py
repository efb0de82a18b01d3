"""Which lines of a file a tool result shows, by plain search in order.

This is the route to the truth that shares nothing with the code that measures: no normal forms, no
index, no alignment. It knows the file that was asked for and how the harness writes a line. Where
all files were searched, a line was found if the very text is there that the search writes for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evaluation.simulated.hands import Hits

Runs = tuple[tuple[int, int], ...]
"""Line numbers as runs counted from 1, both ends in."""


def lines_of(text: str) -> list[str]:
    """What stands between LF; a last line without LF counts, an empty one not."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def find_lines(
    lines: Sequence[str],
    shown: str,
    template: str,
    first: int | None,
    count: int | None,
    cut: re.Pattern[str] | None = None,
) -> Runs:
    """The lines of a file that stand in `shown`, each whole, in order, from the asked ones on.

    `template` is how the harness writes a line: `{n}` is its number, `{text}` the line itself.
    `cut` stands where the middle was left out: what follows it is searched from the end.
    """
    if not shown:
        return ()
    start = (first or 1) - 1
    stop = len(lines) if count is None else min(len(lines), start + count)
    asked = [
        (index + 1, "\n" + template.format(n=index + 1, text=lines[index]) + "\n")
        for index in range(start, stop)
    ]
    # A line feed on either side makes "1<tab>a" a line of its own, not the end of "11<tab>a".
    text = "\n" + (shown if shown.endswith("\n") else shown + "\n")
    cuts = list(cut.finditer(text)) if cut else []
    head = text[: cuts[0].start()] if cuts else text
    found = _forwards(asked, head)
    if cuts:
        found += _backwards(asked, text[cuts[-1].end() :])
    return as_runs(found)


def find_hits(
    files: Mapping[str, Sequence[str]], shown: str, hits: Hits, folder: str
) -> dict[str, Runs]:
    """The lines of all files that a search shows, by path; some searches drop white space at their
    ends.

    `folder` stands before a path where the search writes it as it was asked.
    """
    found: dict[str, set[int]] = {}
    for path, under in _by_file(files, lines_of(shown), hits.heading, folder):
        names = (path, folder + path)
        for number, text in enumerate(files[path], start=1):
            written = (
                line.format(path=name, n=number, text=text).rstrip()
                for line in hits.lines
                for name in names
            )
            if not under.isdisjoint(written):
                found.setdefault(path, set()).add(number)
    return {path: as_runs(numbers) for path, numbers in sorted(found.items())}


def _by_file(
    files: Iterable[str], shown: Iterable[str], heading: str, folder: str
) -> Iterator[tuple[str, set[str]]]:
    """Each file with the lines that may be of it: all, or those under its heading."""
    if not heading:
        every = {line.rstrip() for line in shown}
        yield from ((path, every) for path in files)
        return
    headings = {heading.format(path=name): path for path in files for name in (path, folder + path)}
    under: dict[str, set[str]] = {}
    path = ""
    for line in shown:
        path = headings.get(line, path)
        under.setdefault(path, set()).add(line.rstrip())
    under.pop("", None)
    yield from under.items()


def _forwards(asked: Sequence[tuple[int, str]], text: str) -> list[int]:
    found: list[int] = []
    position = 0
    for number, wanted in asked:
        at = text.find(wanted, position)
        if at >= 0:
            found.append(number)
            position = at + len(wanted) - 1
    return found


def _backwards(asked: Sequence[tuple[int, str]], text: str) -> list[int]:
    found: list[int] = []
    end = len(text)
    for number, wanted in reversed(asked):
        at = text.rfind(wanted, 0, end)
        if at >= 0:
            found.append(number)
            end = at + 1
    return found


def as_runs(numbers: Iterable[int]) -> Runs:
    """Numbers as runs of consecutive ones, both ends in."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return tuple(runs)
