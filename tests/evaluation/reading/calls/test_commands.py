"""What real commands print over a real corpus: repeated clauses, names full of numbers and marks.

Expected lines come from the meaning of each command, never from its output.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from evaluation.reading.context import MAIN, ContextLog, ContextText, FinalResponse, Thread
from evaluation.reading.engine import ThreadReading, measure
from evaluation.transcripts.claude_code import TOOLS
from generators.lines import CorpusIndex, is_weighty, split_lines

SHARED = (
    "Neither party may assign this agreement without consent.",
    "",
    "Notices are given in writing to the address above.",
)
NAMES = (
    "deals/2020-003-dunmore-nda.md",
    "deals/2021-006-dunmore-msa.md",
    "deals/12-2-note.md",
    "deals/a:7:b.md",
)


def text_of(number: int, name: str) -> str:
    lines = [f"# Agreement {number} of {name}", "", f"Between us and vendor {number}."]
    for clause in range(1, 9):
        lines += ["", f"{clause}. {SHARED[0]}" if clause % 3 else SHARED[2]]
        lines += [f"    {clause}-{number}: the fee of part {clause} is {number * 100 + clause}"]
    return "\n".join([*lines, "", SHARED[0], ""])


TEXTS = {name: text_of(number, name) for number, name in enumerate(NAMES, start=1)}
LINES = {name: split_lines(text) for name, text in TEXTS.items()}
INDEX = CorpusIndex.of(TEXTS)
Expected = Mapping[str, set[int]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("corpus")
    for name, text in TEXTS.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    return root


def run(folder: Path, command: str) -> ThreadReading:
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    shown = ContextText(MAIN, 2, "t1", "Bash", {"command": command}, done.stdout)
    log = ContextLog((Thread(MAIN, "main"),), (shown,), FinalResponse("done", 2))
    return measure(log, TOOLS, INDEX).threads[MAIN]


def everything() -> Expected:
    return {name: set(range(1, len(lines) + 1)) for name, lines in LINES.items()}


def holding(word: str, around: int = 0) -> Expected:
    """Lines that hold a word, and so many on either side."""
    return {
        name: {
            near
            for number, line in enumerate(lines, start=1)
            if word in line
            for near in range(number - around, number + around + 1)
            if 1 <= near <= len(lines)
        }
        for name, lines in LINES.items()
    }


def head(count: int) -> Expected:
    return {name: set(range(1, count + 1)) for name in LINES}


def one(name: str, first: int, last: int) -> Expected:
    return {name: set(range(first, last + 1))}


FIRST, SECOND = NAMES[0], NAMES[1]
BLANK = r"printf '%b' '\n'"
"""Writes a blank line, which nothing here can tell."""

EXACT: dict[str, tuple[str, Callable[[], Expected]]] = {
    "grep -n over several files": ("grep -n '' deals/*", everything),
    "grep -rn": ("grep -rn '' deals", everything),
    "grep -rn with context": ("grep -rn -C1 'fee of' deals", lambda: holding("fee of", 1)),
    "grep over several files": ("grep -r 'fee of' deals", lambda: holding("fee of")),
    "grep -n over one file": (f"grep -n '' {FIRST}", lambda: one(FIRST, 1, len(LINES[FIRST]))),
    "grep -Hn": (f"grep -Hn 'fee of' {FIRST}", lambda: {FIRST: holding("fee of")[FIRST]}),
    "rg -n with context": (
        "rg -n --no-heading --sort path -C3 'vendor' deals",
        lambda: holding("vendor", 3),
    ),
    "cat of several files": ("cat deals/*", everything),
    "cat -n": (f"cat -n {SECOND}", lambda: one(SECOND, 1, len(LINES[SECOND]))),
    "nl -ba": (f"nl -ba {SECOND}", lambda: one(SECOND, 1, len(LINES[SECOND]))),
    "nl -ba of a range": (f"nl -ba {SECOND} | sed -n 4,12p", lambda: one(SECOND, 4, 12)),
    "sed -n": (f"sed -n 3,15p {FIRST}", lambda: one(FIRST, 3, 15)),
    "head of one file": (f"head -n 6 {FIRST}", lambda: one(FIRST, 1, 6)),
    "head of several files": ("head -n 6 deals/*", lambda: head(6)),
    "head up to a blank line": ("head -n 5 deals/*", lambda: head(5)),
    "tail through cat -n": (
        f"tail -n 7 {FIRST} | cat -n",
        lambda: one(FIRST, len(LINES[FIRST]) - 6, len(LINES[FIRST])),
    ),
    "a file without its last line end": (
        f'printf %s "$(cat {FIRST})"',
        lambda: one(FIRST, 1, len(LINES[FIRST])),
    ),
}


def of_weight(expected: Expected) -> dict[str, set[int]]:
    return {
        name: {n for n in numbers if is_weighty(LINES[name][n - 1])}
        for name, numbers in expected.items()
        if numbers
    }


@pytest.mark.parametrize(("command", "expected"), EXACT.values(), ids=EXACT)
def test_a_command_credits_the_lines_it_shows_and_no_others(
    folder: Path, command: str, expected: Callable[[], Expected]
) -> None:
    reading = run(folder, command)
    sure = {name: set(file.sure) for name, file in reading.files.items() if file.sure}
    assert of_weight(sure) == of_weight(expected())
    # A blank line may be the command's own; what is credited of them was surely shown.
    assert all(numbers <= expected()[name] for name, numbers in sure.items())


NOTHING = {
    "a listing": "ls -R deals; find . -type f",
    "a count": "wc -l deals/*",
    "names of files that match": "grep -rl 'fee of' deals",
    "output thrown away": f"cat {FIRST} > /dev/null",
    "half of each line": f"cut -c1-12 {FIRST} | grep -v '^$'",
}


@pytest.mark.parametrize("command", NOTHING.values(), ids=NOTHING)
def test_a_mention_is_no_reading(folder: Path, command: str) -> None:
    reading = run(folder, command)
    assert all(not file.sure and not file.possible for file in reading.files.values())


def test_a_blank_line_of_the_commands_own_is_not_surely_the_files(folder: Path) -> None:
    """The third line of each file is text, the fourth is blank, and so is what echo writes."""
    reading = run(folder, f"head -n 3 {FIRST}; {BLANK}; head -n 3 {SECOND}")
    assert reading.of(FIRST).sure == {1, 2, 3}
    assert reading.of(FIRST).possible == {4}
    assert reading.of(SECOND).sure == {1, 2, 3}


def test_a_blank_line_at_the_end_of_two_commands_is_not_surely_the_files(folder: Path) -> None:
    reading = run(folder, f"head -n 3 {FIRST}; {BLANK}")
    assert reading.of(FIRST).sure == {1, 2, 3}
    assert reading.of(FIRST).possible == {4}


def test_a_banner_holds_only_as_long_as_its_file_goes_on(folder: Path) -> None:
    """The last line, which the files share, is grep's, and of another file than the banner's."""
    reading = run(folder, f"head -n 2 {FIRST} {SECOND}; grep -h 'vendor 3' {NAMES[2]}")
    sure = {name: set(file.sure) for name, file in reading.files.items() if file.sure}
    assert of_weight(sure) == {FIRST: {1}, SECOND: {1}, NAMES[2]: {3}}


def test_blank_lines_with_numbers_of_another_count_take_the_place_of_their_run(
    folder: Path,
) -> None:
    last = len(LINES[FIRST])
    reading = run(folder, f"tail -n 9 {FIRST} | cat -n")
    assert reading.of(FIRST).sure == set(range(last - 8, last + 1))


def test_notes_in_one_string_are_no_reading(folder: Path) -> None:
    one, two = LINES[FIRST][0], LINES[FIRST][2]
    wrote = ContextText(MAIN, 2, "t1", "Bash", {"command": f"printf '{one}\\n{two}' > n"}, "")
    read = ContextText(MAIN, 3, "t2", "Bash", {"command": "cat n"}, f"{one}\n{two}")
    log = ContextLog((Thread(MAIN, "main"),), (wrote, read), FinalResponse("done", 3))
    file = measure(log, TOOLS, INDEX).threads[MAIN].of(FIRST)
    assert file.sure == frozenset()
    assert file.possible == {1, 3}


def test_a_number_of_thousands_of_digits_is_no_number(folder: Path) -> None:
    shown = f"{'9' * 5000}\t{LINES[FIRST][0]}"
    arguments = {"file_path": f"/home/dev/review/{FIRST}"}
    read = ContextText(MAIN, 2, "t1", "Read", dict(arguments), shown)
    log = ContextLog((Thread(MAIN, "main"),), (read,), FinalResponse("done", 2))
    assert measure(log, TOOLS, INDEX).threads[MAIN].of(FIRST).sure == frozenset()


def test_a_line_that_the_agent_itself_wrote_is_not_surely_read(folder: Path) -> None:
    line = LINES[FIRST][2]
    reading = run(folder, f"echo '{line}'")
    assert reading.of(FIRST).sure == frozenset()
    assert reading.of(FIRST).possible == {3}


def test_a_shared_line_without_a_name_is_ambiguous_over_all_that_hold_it(folder: Path) -> None:
    reading = run(folder, f"cat {FIRST} | tail -n 1")
    named = {name: set(file.sure | file.possible) for name, file in reading.files.items()}
    assert len(LINES[FIRST]) in named[FIRST]


def notes(arguments: Mapping[str, str], shown: str, tool: str) -> ThreadReading:
    wrote = ContextText(MAIN, 2, "t1", "Write", {"content": shown}, "File created.")
    read = ContextText(MAIN, 3, "t2", tool, dict(arguments), shown)
    log = ContextLog((Thread(MAIN, "main"),), (wrote, read), FinalResponse("done", 3))
    return measure(log, TOOLS, INDEX).threads[MAIN]


def test_notes_of_an_agent_are_no_reading_of_what_they_quote() -> None:
    line = LINES[FIRST][2]
    reading = notes({"command": "cat /home/dev/notes.md"}, line, "Bash")
    assert reading.of(FIRST).sure == frozenset()
    assert reading.of(FIRST).possible == {3}


def test_a_file_of_the_corpus_is_read_even_where_notes_quote_it() -> None:
    line = LINES[FIRST][2]
    wrote = ContextText(MAIN, 2, "t1", "Write", {"content": line}, "File created.")
    path = {"file_path": f"/home/dev/review/{FIRST}"}
    read = ContextText(MAIN, 3, "t2", "Read", dict(path), f"3\t{line}")
    log = ContextLog((Thread(MAIN, "main"),), (wrote, read), FinalResponse("done", 3))
    assert measure(log, TOOLS, INDEX).threads[MAIN].of(FIRST).sure == {3}
