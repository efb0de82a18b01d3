"""What a real shell prints by the words of a command alone is known to the line: blank and short
lines, lines that were picked, files that are equal.

Expected lines come from the meaning of each command, never from its output.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.reading.calls.naming import Named
from evaluation.reading.context import MAIN, ContextLog, ContextText, FinalResponse, Thread
from evaluation.reading.engine import ThreadReading, measure
from evaluation.reading.lines.paths import PathResolver
from evaluation.reading.printing.predicted import place_whole
from evaluation.transcripts.claude_code import TOOLS
from generators.lines import CorpusIndex, split_lines

BODY = '{\n  "extends": "base",\n\n  "include": [\n    "src"\n  ]\n}\n'
TEXTS = {
    "a.json": BODY,
    "web/a.json": BODY,
    "web/b.py": "\nimport os\n\n\ndef one():\n    return None\n\n\ndef two():\n    return None\n",
    "c.txt": "{\n}\n\n}\nonly here\n}\n",
    "open.txt": "no line end\n}",
}
COUNTS = {path: len(split_lines(text)) for path, text in TEXTS.items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return laid_out(tmp_path_factory.mktemp("corpus"), TEXTS)


def laid_out(root: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    return root


def printed(root: Path, command: str) -> str:
    done = subprocess.run(
        ["bash", "-c", command], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout


def read(command: str, output: str, texts: Mapping[str, str] = TEXTS) -> ThreadReading:
    text = ContextText(MAIN, 1, "t1", "Bash", {"command": command}, output)
    log = ContextLog((Thread(MAIN, "main"),), (text,), FinalResponse("done", 1))
    return measure(log, TOOLS, CorpusIndex.of(texts)).union


def naming(*files: str) -> Named:
    return Named(frozenset(files), seen=PathResolver(TEXTS))


def lines(reading: ThreadReading) -> dict[str, set[int]]:
    return {path: set(file.sure) for path, file in reading.files.items() if file.sure}


def span(path: str, first: int = 1, last: int = 0) -> dict[str, set[int]]:
    return {path: set(range(first, (last or COUNTS[path]) + 1))}


ALL_JSON = {**span("a.json"), **span("web/a.json")}
WEB = {**span("web/a.json"), **span("web/b.py")}

KNOWN = {
    "a loop with headings": (
        'for f in a.json web/b.py; do echo "== $f"; cat "$f"; done',
        {**span("a.json"), **span("web/b.py")},
    ),
    "over a pattern": ('for f in web/*; do echo "== $f ==";\n cat $f; echo; done', WEB),
    "with the name alone": ('for f in web/*; do echo "- $(basename "$f")"; head -3 "$f"; done', {
        **span("web/a.json", 1, 3), **span("web/b.py", 1, 3)}),
    "of parts": ('for f in web/*; do printf "%s\\n" "${f##*/}"; sed -n "2,4p" "$f"; done', {
        **span("web/a.json", 2, 4), **span("web/b.py", 2, 4)}),
    "a loop that is cut": ("for f in a.json web/a.json; do cat $f; done | head -n 9", {
        **span("a.json"), **span("web/a.json", 1, 2)}),
    "a variable": ('F=web/a.json; cat "$F"', span("web/a.json")),
    "a variable for a part": ("F=web/a.json && sed -n 3,5p ${F}", span("web/a.json", 3, 5)),
    "banners of tail": ("tail -n 3 a.json web/a.json", {
        **span("a.json", 5), **span("web/a.json", 5)}),
    "banners over a pattern": ("head -n 5 web/*", {
        **span("web/a.json", 1, 5), **span("web/b.py", 1, 5)}),
    "from a folder": ("cd web && tail -n 2 *", {**span("web/a.json", 6), **span("web/b.py", 9)}),
    "all but the last": ("head -n -2 c.txt", span("c.txt", 1, 4)),
    "from a line on": ("tail -n +4 c.txt", span("c.txt", 4)),
    "picked": ("sed -n '2p;4,5p' c.txt", {"c.txt": {2, 4, 5}}),
    "picked one by one": ("sed -n -e 2p -e 4p c.txt", {"c.txt": {2, 4}}),
    "the last": ("sed -n '$p' c.txt", {"c.txt": {6}}),
    "up to a line": ("sed 4q c.txt", span("c.txt", 1, 4)),
    "by awk": ("awk 'NR==2||NR==4' c.txt", {"c.txt": {2, 4}}),
    "a range of awk": ("awk 'NR>=2 && NR<5 {print}' web/b.py", span("web/b.py", 2, 4)),
    "another": ("awk 'NR==3,NR==6' web/b.py", span("web/b.py", 3, 6)),
    "of each": ("awk 'FNR<=2' a.json web/a.json", {
        **span("a.json", 1, 2), **span("web/a.json", 1, 2)}),
    "picked twice over": ("sed -n '6p' web/b.py; sed -n '4p' c.txt", {
        "web/b.py": {6}, "c.txt": {4}}),
    "through a pipe": ("cat web/b.py | head -n 7 | tail -n 2", span("web/b.py", 6, 7)),
    "with numbers": ("cat -n c.txt; cat -n web/a.json", {**span("c.txt"), **span("web/a.json")}),
    "with numbers of a part": ("nl -ba c.txt | sed -n '2,3p'; cat a.json", {
        **span("c.txt", 2, 3), **span("a.json")}),
    "without a line end": ("cat a.json; cat open.txt", {**span("a.json"), **span("open.txt")}),
    "without what is missing": ("cat a.json web/a.json 2>/dev/null", ALL_JSON),
    "without blank lines": ("grep -v '^$' web/b.py", {"web/b.py": {2, 5, 6, 9, 10}}),
    "around a word": ("grep -A1 'def ' web/b.py", {"web/b.py": {5, 6, 9, 10}}),
    "below a listing": ("ls web; wc -l c.txt; cat c.txt", span("c.txt")),
    "between listings": ("pwd; cat a.json; ls | head -2; head -4 web/a.json; ls -a", {
        **span("a.json"), **span("web/a.json", 1, 4)}),
    "of two words": ("grep -hE 'include|extends' a.json web/a.json", {
        "a.json": {2, 4}, "web/a.json": {2, 4}}),
}  # fmt: skip


@pytest.mark.parametrize(("command", "expected"), KNOWN.values(), ids=KNOWN)
def test_what_a_command_prints_by_its_words_is_known_to_the_line(
    folder: Path, command: str, expected: dict[str, set[int]]
) -> None:
    reading = read(command, printed(folder, command))
    assert lines(reading) == expected
    assert {path: set(file.most) for path, file in reading.files.items() if file.most} == expected


TWINS = {
    "a.py": "# Licence text\na = 1\n# end\n",
    "b.py": "# Licence text\nb = 1\n# end\n",
    "docs/a.py": "# Licence text\ndocs = 1\n# end\n",
}

SHARED = {
    "a program that did not run": ("ls none 2>/dev/null && head -1 a.py; wc -l b.py; cat b.py", {
        "b.py": {1, 2, 3}}),
    "one that the first made needless": ("ls || head -1 a.py; ls; cat b.py", {"b.py": {1, 2, 3}}),
    "a pattern of the top": ("head -1 docs/a.py; cat *.py | tail -n 2", {
        "docs/a.py": {1}, "b.py": {2, 3}}),
    "a pattern of folders": ("tail -n 1 a.py; cat */*.py | head -n 1", {
        "a.py": {3}, "docs/a.py": {1}}),
    "a listing through a filter": ("for f in *.py; do wc -l $f; head -2 $f; done | head -20", {
        "a.py": {1, 2}, "b.py": {1, 2}}),
    "a folder listed through a filter": ("for d in .; do ls $d; cat a.py b.py; done | tail -50", {
        "a.py": {1, 2, 3}, "b.py": {1, 2, 3}}),
}  # fmt: skip


@pytest.mark.parametrize(("command", "true"), SHARED.values(), ids=SHARED)
def test_no_twin_of_a_shown_file_is_read(
    tmp_path: Path, command: str, true: dict[str, set[int]]
) -> None:
    """Files begin and end alike: what was shown lies between the ends."""
    reading = read(command, printed(laid_out(tmp_path, TWINS), command), TWINS)
    for path in TWINS:
        file = reading.of(path)
        assert set(file.sure) <= true.get(path, set()) <= set(file.most)


def test_where_two_orders_of_a_pattern_fit_nothing_is_said() -> None:
    """Of two equal files, one shell prints the upper case first, and another one the lower."""
    texts = {"B.txt": "one\n{\n}\ntwo\n", "a.txt": "one\n{\n}\ntwo\n"}
    reading = read("cat *.txt | head -n 5", "one\n{\n}\ntwo\none\n", texts)
    assert lines(reading) == {}
    assert all(set(reading.of(path).most) == {1, 2, 3, 4} for path in texts)


def test_a_value_that_grows_without_end_is_not_followed() -> None:
    grown = "; ".join(f"A{n + 1}=$A{n}$A{n}" for n in range(60))
    command = f"A0=xxxxxxxx; {grown}; echo $A60; cat a.json"
    assert place_whole(BODY, command, naming("a.json"), CorpusIndex.of(TEXTS)) is None


UNKNOWN = {
    "a value of the shell's": 'for f in $FILES; do cat "$f"; done',
    "a program within": 'cat "$(ls a.json)"',
    "a file of its own": "cat < a.json",
    "another program": "sort a.json",
    "a function": "X() { cat a.json; }; X",
    "a function that is not called": "X() { cat a.json; }",
    "an alias": "alias cat=tac; cat a.json",
    "a script of awk": "awk 1 a.json",
    "an option": "head -c 400 a.json",
    "output thrown away": "cat a.json > b.json",
    "a loop in a loop": "for f in a.json; do for g in 1; do cat $f; done; done",
    "a script of sed": "sed -n 's/x/y/;p' a.json",
    "too many programs": "true; " * 2000 + "cat a.json",
    "lines twice": "sed -n '1,$p;2p' a.json",
    "a pattern of its own": "grep '[^z]*' a.json",
    "a file that it does not read": "cat a.json; rm web/a.json",
}


@pytest.mark.parametrize("command", UNKNOWN.values(), ids=UNKNOWN)
def test_of_what_is_not_known_nothing_is_said(command: str) -> None:
    """However much the output looks like the file."""
    named = {"a.json", "web/a.json"} if "web" in command else {"a.json"}
    assert place_whole(BODY, command, naming(*named), CorpusIndex.of(TEXTS)) is None


@pytest.mark.parametrize(
    ("output", "is_told"),
    [
        pytest.param("c.txt\n}\n}\nc.txt\n", True, id="once"),
        pytest.param("}\n}\nc.txt\n", True, id="nothing listed"),
        pytest.param("}\n}\n}\n", False, id="which of them"),
        pytest.param("c.txt\n}}\n}\nc.txt\n", False, id="within a line"),
    ],
)
def test_what_stands_between_listings_is_told_where_it_stands_once(
    output: str, is_told: bool
) -> None:
    """Lines 2 and 4 are brackets."""
    command = "ls; sed -n '2p;4p' c.txt; ls"
    found = place_whole(output, command, naming("c.txt"), CorpusIndex.of(TEXTS))
    assert (found is not None) is is_told


@pytest.mark.parametrize(
    ("command", "output"),
    [
        pytest.param("sed -n '2p;4p' c.txt", "}\n}\nonly here\n", id="a line more"),
        pytest.param("head c.txt", "{\n}\n}\nonly here\n", id="a line less"),
        pytest.param("for f in c.txt; do echo $f; cat $f; done", "d.txt\n{\n}\n", id="a name"),
    ],
)
def test_another_output_is_not_taken_for_what_the_command_prints(command: str, output: str) -> None:
    assert read(command, output).of("c.txt").sure <= {5}


@pytest.mark.parametrize(
    ("output", "sure", "possible"),
    [
        pytest.param("first of all\nreturn it\n", {1}, {2, 5}, id="a shared line"),
        pytest.param("first of all\n}\n", {1}, {4}, id="a bracket that is no neighbour"),
        pytest.param("third of all\n}\n", {3}, {4}, id="a bracket that may be"),
        pytest.param("first of all\nreturn it\nthird of all\n", {1, 2, 3}, set(), id="between"),
    ],
)
def test_beside_a_picked_line_only_what_nothing_else_can_be_is_sure(
    output: str, sure: set[int], possible: set[int]
) -> None:
    """Lines 2 and 5 are equal, and what was picked is not told by an output of two programs."""
    text = "first of all\nreturn it\nthird of all\n}\nreturn it\nlast of all\n"
    file = read("make; sed -n '1p;5p' x.py", f"made\n{output}", {"x.py": text}).of("x.py")
    assert (set(file.sure), set(file.possible)) == (sure, possible)


class Shown(NamedTuple):
    """One line that a command prints."""

    text: str
    path: str = ""
    number: int = 0


@dataclass
class Script:
    """A random command, and what it prints by its meaning."""

    rng: Random
    texts: dict[str, list[str]]

    def command(self) -> tuple[str, list[Shown]]:
        parts = [self._part() for _ in range(self.rng.randint(1, 4))]
        mark = self.rng.choice(("; ", " && ", "\n"))
        return mark.join(one for one, _ in parts), [line for _, some in parts for line in some]

    def _part(self) -> tuple[str, list[Shown]]:
        kind = self.rng.choice(("cat", "echo", "ends", "pick", "loop", "value", "awk"))
        path = self.rng.choice(sorted(self.texts))
        if kind == "echo":
            word = self.rng.choice(("", "---", "== next =="))
            return f"echo '{word}'", [Shown(word)]
        if kind == "cat":
            other = self.rng.choice(sorted(self.texts))
            return f"cat {path} {other}", [*self._lines(path), *self._lines(other)]
        if kind == "value":
            return f'F={path}; cat "$F"', self._lines(path)
        if kind == "loop":
            paths = self.rng.sample(sorted(self.texts), self.rng.randint(1, len(self.texts)))
            shown = [line for one in paths for line in (Shown(f"## {one}"), *self._lines(one))]
            return f'for f in {" ".join(paths)}; do echo "## $f"; cat "$f"; done', shown
        whole = self._lines(path)
        if kind == "ends":
            count = self.rng.randint(1, 6)
            if self.rng.random() < 0.5:
                return f"head -n {count} {path}", whole[:count]
            return f"cat {path} | tail -n {count}", whole[-count:]
        count = self.rng.randint(1, min(3, len(whole)))
        numbers = sorted(self.rng.sample(range(1, len(whole) + 1), count))
        some = [whole[number - 1] for number in numbers]
        if kind == "pick":
            return f"sed -n '{';'.join(f'{number}p' for number in numbers)}' {path}", some
        return f"awk '{' || '.join(f'NR=={number}' for number in numbers)}' {path}", some

    def _lines(self, path: str) -> list[Shown]:
        return [Shown(line, path, n) for n, line in enumerate(self.texts[path], start=1)]


def corpus(rng: Random) -> dict[str, list[str]]:
    pool = ("{", "}", "", "  ]", "return None", "same clause", "only one", "only two")
    paths = rng.sample(("a.py", "d/a.py", "d/b.py"), rng.randint(1, 3))
    return {path: [rng.choice(pool) for _ in range(rng.randint(1, 8))] for path in paths}


def stripped(shown: list[Shown]) -> Iterator[Shown]:
    full = [place for place, line in enumerate(shown) if line.text]
    yield from shown[full[0] : full[-1] + 1] if full else ()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_such_command_is_known_to_the_line(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = Random(seed)
    own = corpus(rng)
    texts = {path: "".join(f"{line}\n" for line in some) for path, some in own.items()}
    command, shown = Script(rng, own).command()
    output = printed(laid_out(tmp_path_factory.mktemp("c"), texts), command)
    assert output == "".join(f"{line.text}\n" for line in shown)
    if rng.random() < 0.5:
        output, shown = output.strip("\n"), list(stripped(shown))
    expected: dict[str, set[int]] = {}
    for line in shown:
        if line.path:
            expected.setdefault(line.path, set()).add(line.number)
    if output.strip():
        assert lines(read(command, output, texts)) == expected
