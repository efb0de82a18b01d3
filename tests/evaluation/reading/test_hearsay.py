"""What a command printed that is no text of a file, or that a model wrote."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from evaluation.reading.calls.commands import asks_a_model, lists_only
from evaluation.reading.context import (
    MAIN,
    ContextLog,
    ContextText,
    FinalResponse,
    Thread,
    ThreadKind,
    ToolOutput,
    ToolTable,
)
from evaluation.reading.engine import ThreadReading, measure
from generators.lines import CorpusIndex

TOOLS: ToolTable = {"Shell": ToolOutput(), "Write": ToolOutput(credit="possible")}
INDEX = CorpusIndex.of(
    {
        "INDEX": "contract-001.md\ncontract-002.md\n",
        "a.md": "The supplier's liability is capped\nTerm is five years\n\n}\n"
        "Fees are due in May\n",
        "m.py": "import json\nimport logging\n\ndef load(text):\n    return json.loads(text)\n",
        "empty.json": "{}\n",
        "list.json": "[]\n",
        "one.json": '{\n  "alpha": "unique one"\n}\n',
    }
)


def call(
    shown: str,
    at: int = 1,
    thread: str = MAIN,
    tool: str = "Shell",
    **arguments: JsonValue,
) -> ContextText:
    return ContextText(thread, at, f"t{at}", tool, arguments, shown)


def read(*texts: ContextText) -> ThreadReading:
    kinds: dict[str, ThreadKind] = {MAIN: "main", "sub": "subagent"}
    threads = tuple(Thread(name, kind) for name, kind in kinds.items())
    log = ContextLog(threads, texts, FinalResponse("done", 99))
    found = measure(log, TOOLS, INDEX)
    assert found == measure(log, TOOLS, INDEX, by_blocks=False)
    return found.union


def text(path: str) -> str:
    return INDEX.text(path)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("ls -a", True, id="ls"),
        pytest.param("cd docs && ls | head -3", True, id="through a filter"),
        pytest.param("find . -name '*.md' | sort", True, id="find"),
        pytest.param("find . -name '*.md' -exec cat {} +", False, id="find that prints"),
        pytest.param("ls | xargs cat", False, id="names handed on"),
        pytest.param("ls; cat a.md", False, id="two commands"),
        pytest.param("pip freeze", True, id="packages"),
        pytest.param("grep -rln fee .", True, id="names of files with a word"),
        pytest.param("rg -tc -n fee", False, id="a type is no letter"),
        pytest.param("git diff --stat", True, id="a summary"),
        pytest.param("git show tag", False, id="a text"),
        pytest.param("git status -v", False, id="a status with the text"),
        pytest.param("cat $(ls)", False, id="within another"),
        pytest.param("cat list | ls", False, id="a text before"),
        pytest.param("wc -l *.md", True, id="counts"),
        pytest.param("FOO=1 /bin/ls 'a; cat b'", True, id="quoted"),
    ],
)
def test_some_commands_print_names_alone(command: str, expected: bool) -> None:
    assert lists_only(command) is expected
    shown = text("INDEX")
    assert bool(read(call(shown, command=command)).of("INDEX").most) is not expected


def test_names_beside_other_output_may_be_lines() -> None:
    shown = text("INDEX") + text("a.md")
    found = read(call(shown, command="ls; cat a.md"))
    assert found.of("INDEX").sure == set()
    assert found.of("INDEX").possible == {1, 2}
    assert found.of("a.md").sure >= {1, 2, 5}


@pytest.mark.parametrize(
    ("command", "form", "expected"),
    [
        pytest.param("cat -n INDEX; ls nofile", "{n:>6}\t{line}", {1, 2}, id="all of one file"),
        pytest.param("ls none; grep -n '' INDEX a.md", "INDEX:{n}:{line}", {1, 2}, id="with paths"),
        pytest.param("ls none; grep -n '' INDEX", "{n}:{line}", {1, 2}, id="with numbers"),
        pytest.param("ls none; grep -H '' INDEX a.md", "INDEX:{line}", set(), id="with no number"),
        pytest.param("cat INDEX; ls none", "{line}", set(), id="bare"),
        pytest.param("du -a; cat -n INDEX", "{n}\t{line}", set(), id="with sizes"),
    ],
)
def test_no_list_of_names_has_the_numbers_of_lines(
    command: str, form: str, expected: set[int]
) -> None:
    """By blocks and line by line, which may place the lines together or one by one."""
    lines = enumerate(text("INDEX").splitlines(), start=1)
    shown = "".join(form.format(n=n, line=line) + "\n" for n, line in lines)
    found = read(call(shown, command=command))
    assert found.of("INDEX").sure == expected
    assert found.of("INDEX").most == {1, 2}


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("cat -n a.md; ls none", id="all of one file"),
        pytest.param("ls none; grep -n '' a.md", id="with numbers"),
    ],
)
def test_single_words_beside_others_of_their_file_are_its_lines(command: str) -> None:
    """However they were placed: one by one, or as one run."""
    form = "{n:>6}\t{line}\n" if "cat" in command else "{n}:{line}\n"
    lines = enumerate(text("a.md").splitlines(), start=1)
    found = read(call("".join(form.format(n=n, line=line) for n, line in lines), command=command))
    assert found.of("a.md").sure == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("claude -p 'quote a.md'", True, id="claude"),
        pytest.param("cd x && timeout 60 npx codex exec 'quote'", True, id="behind others"),
        pytest.param("cat a.md | gemini -p 'quote'", True, id="at the end of a pipe"),
        pytest.param("echo q | xargs opencode run", True, id="handed on"),
        pytest.param("cat docs/claude.md", False, id="a file"),
        pytest.param("grep -rn codex .", False, id="a word"),
    ],
)
def test_another_agent_wrote_what_its_command_printed(command: str, expected: bool) -> None:
    assert asks_a_model(command) is expected
    found = read(call(text("a.md"), command=command)).of("a.md")
    assert bool(found.sure) is not expected
    assert found.most >= {1, 2, 5}


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("echo 'The supplier'\\''s liability is capped'", id="a quote in quotes"),
        pytest.param("echo 'The supplier'\"'\"'s liability is capped'", id="in other quotes"),
        pytest.param('echo "The supplier\'s liability is capped"', id="in double quotes"),
    ],
)
def test_a_shell_s_quotes_hide_no_echo(command: str) -> None:
    found = read(call("The supplier's liability is capped\n", command=command)).of("a.md")
    assert not found.sure
    assert found.possible == {1}


REPORT = "cat > report.md <<'EOF'\nTerm is five years\nFees are due in May\nEOF"


def test_what_was_shown_before_it_was_written_is_no_echo() -> None:
    found = read(call(text("a.md"), command="cat a.md"), call("", 2, command=REPORT))
    assert found.of("a.md").sure == {1, 2, 3, 4, 5}


def test_what_was_shown_after_it_was_written_may_be_one() -> None:
    shown = "Fees are due in May\n"
    found = read(call("", 2, command=REPORT), call(shown, 3, command="cat report.md"))
    assert found.of("a.md").sure == set()
    assert found.of("a.md").possible == {5}


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        pytest.param(3, {5}, id="before the answer that wrote it"),
        pytest.param(6, set(), id="after it"),
    ],
)
def test_other_threads_see_what_was_written(at: int, expected: set[int]) -> None:
    found = read(
        call("ok", 3, command="true"),
        call("", 8, command=REPORT),
        call("Fees are due in May\n", at, "sub", command="tail -n1 report.md"),
    )
    assert found.of("a.md").sure == expected


def test_a_file_among_whose_lines_are_others_is_no_echo_of_a_script() -> None:
    script = "python - <<'PY'\nimport json\nimport logging\nprint(1)\nPY"
    found = read(call("1\n", 1, command=script), call(text("m.py"), 2, command="cat m.py"))
    assert found.of("m.py").sure == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("tool", ["Write", "Shell"])
def test_a_file_that_the_agent_wrote_was_not_read(tool: str) -> None:
    if tool == "Write":
        wrote = call("ok", tool=tool, file_path="/r/m.py", content=text("m.py"))
    else:
        wrote = call("", command=f"cat > m.py <<'EOF'\n{text('m.py')}EOF")
    found = read(wrote, call(text("m.py"), 2, command="cat m.py"))
    assert found.of("m.py").sure == set()
    assert found.of("m.py").possible == {1, 2, 3, 4, 5}


def test_what_an_edit_left_as_it_was_is_the_files() -> None:
    edit = call(
        "ok",
        1,
        tool="Write",
        file_path="m.py",
        old_string="import json\nimport old\n",
        new_string="import json\nimport logging\n",
    )
    found = read(edit, call(text("m.py"), 2, command="cat m.py"))
    assert found.of("m.py").sure == {1, 3, 4, 5}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("cat one.json list.json empty.json", True, id="written out"),
        pytest.param("cd . && cat ./one.json list.json empty.json", True, id="from a folder"),
        pytest.param("cat one.json empty.json list.json", False, id="in another order"),
        pytest.param("cat one.json list.json empty.json; echo '}'", False, id="with more"),
        pytest.param("cat $FILES", False, id="not written out"),
    ],
)
def test_files_that_cat_printed_whole_are_known_by_their_text(command: str, expected: bool) -> None:
    files = {"one.json": {1, 2, 3}, "list.json": {1}, "empty.json": {1}}
    found = read(call("".join(map(text, files)), command=command))
    assert all((found.of(path).sure == lines) is expected for path, lines in files.items())
    assert all(found.of(path).most == lines for path, lines in files.items())
