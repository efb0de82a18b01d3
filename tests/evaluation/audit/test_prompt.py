"""What a prompt asks to have reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.audit.places import Places
from evaluation.audit.prompt import Asked, asked_scope

FILES = (
    "README.md",
    "a.md",
    "contracts/x-1.md",
    "contracts/x-2.md",
    "docs/a.md",
    "docs/b.md",
    "docs/sub/c.md",
    "playbook.md",
    "src/a.py",
    "src/b.py",
    "src/notes.txt",
)
PLACES = Places(FILES, Path("/nowhere/tree"), "/home/dev/review")
DOCS = ("docs/a.md", "docs/b.md", "docs/sub/c.md")
SRC = ("src/a.py", "src/b.py", "src/notes.txt")
CODE = ("src/a.py", "src/b.py")
CONTRACTS = ("contracts/x-1.md", "contracts/x-2.md")


def asked(*prompts: str) -> Asked | None:
    return asked_scope(prompts, PLACES)


@pytest.mark.parametrize(
    ("prompt", "files", "quote"),
    [
        ("Review all files under docs/.", DOCS, "Review all files under docs/"),
        ("please check src/*.py", CODE, "check src/*.py"),
        ("Go through a.md and b.md", ("a.md", "docs/b.md"), "Go through a.md and b.md"),
        ("Audit the contracts folder.", CONTRACTS, "Audit the contracts"),
        ("Review @docs/a.md and @src/", ("docs/a.md", *SRC), "Review @docs/a.md and @src/"),
        ("Can you review docs?", DOCS, "review docs"),
        ("Review the papers in docs and src for errors.", (*DOCS, *SRC), None),
        ("Check for bugs in src/*.py", CODE, "Check for bugs in src/*.py"),
        ("Review all *.py files in src", CODE, None),
        ("Review all Python files under src/", CODE, None),
        ("Review `docs/**/*.md`", DOCS, None),
        ("Review these files:\n\n- docs/a.md\n- src/a.py\n\nThen fix src/b.py", None, None),
        ("Review:\n1. docs/a.md\n2. src/a.py", ("docs/a.md", "src/a.py"), None),
        ("Review /home/dev/review/contracts against /home/dev/review/playbook.md.", None, None),
        ("Read playbook.md, then review docs/ except docs/sub/c.md", DOCS[:2], "review docs/"),
        ("Read docs/a.md and write what it says to README.md", ("docs/a.md",), "Read docs/a.md"),
        ("Do not review src/, review docs/a.md", ("docs/a.md",), "review docs/a.md"),
        ("Please do a code review of src/a.py:10-40", ("src/a.py",), None),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_exists_and_is_asked_to_be_reviewed_is_the_scope(
    prompt: str, files: tuple[str, ...] | None, quote: str | None
) -> None:
    found = asked(prompt)
    assert found is not None
    assert found.quote in prompt
    if quote is not None:
        assert found.quote == quote
    if files is not None:
        assert found.files == tuple(sorted(files))
    else:
        assert found.files in (("docs/a.md", "src/a.py"), CONTRACTS)


@pytest.mark.parametrize(
    "prompt",
    [
        "Fix docs/a.md",
        "Write a summary to docs/a.md",
        "Review the whole repository",
        "Review everything.",
        "Review missing.md and nowhere/*.md",
        "Check that docs/a.md names the owner",
        "Check out src/",
        "Don't read src/a.py",
        "Compare docs/a.md with docs/b.md",
        "Update README.md after a review",
        "* fix docs/\n* tidy src/",
        "<system-reminder>Review docs/</system-reminder>",
        "# AGENTS.md instructions for /home/dev\nReview docs/ each time.",
        "",
    ],
)
def test_what_is_not_asked_to_be_reviewed_is_no_scope(prompt: str) -> None:
    assert asked(prompt) is None


def test_the_latest_prompt_that_asks_for_a_review_counts() -> None:
    found = asked("Review docs/", "Now review src/a.py")
    assert found == (("src/a.py",), "review src/a.py", True)


def test_a_prompt_that_only_says_go_on_is_no_other_request() -> None:
    found = asked("Review docs/a.md", "continue", "Go on.")
    assert found == (("docs/a.md",), "Review docs/a.md", True)


def test_a_later_request_for_something_else_is_told() -> None:
    found = asked("Review docs/a.md", "Now fix the third finding")
    assert found == (("docs/a.md",), "Review docs/a.md", False)


@pytest.mark.parametrize(
    ("prompt", "files"),
    [
        ("Could you take a look at src/a.py and tell me if anything is off?", ("src/a.py",)),
        ("I'd like you to review the contracts in contracts/ against playbook.md.", CONTRACTS),
        ("Proofread docs/a.md please", ("docs/a.md",)),
        ("Have a look through docs/ and list the inconsistencies", DOCS),
        ("Do a security audit of src/", SRC),
        ("Give me a code review of src/a.py and src/b.py.", CODE),
        ("Check every file in docs/ for broken links.", DOCS),
        ("Please review the following files: docs/a.md, docs/b.md", DOCS[:2]),
        ("Read through docs/a.md carefully and summarise it.", ("docs/a.md",)),
        ("Inspect src/*.py for unused imports, then fix them.", CODE),
        ("Review everything under docs except docs/sub.", DOCS[:2]),
        ("Go over the contracts one by one and note deviations.", CONTRACTS),
        ("Analyze the code in src.", SRC),
        ("Examine docs/sub/c.md line by line.", ("docs/sub/c.md",)),
        ("Make sure you read docs/b.md in full before answering.", ("docs/b.md",)),
        ("Review the Markdown files in docs", DOCS),
        ("review the two contracts x-1.md and x-2.md", CONTRACTS),
        ("Second pass: re-read src/b.py and check it again.", ("src/b.py",)),
        ("please double-check docs/a.md for typos", ("docs/a.md",)),
        ("Vet contracts/x-1.md before we sign it.", ("contracts/x-1.md",)),
        ("Walk through src/a.py and explain what happens at each step.", ("src/a.py",)),
        ("Review these: `docs/a.md` and `docs/b.md`.", DOCS[:2]),
        ("Your task: evaluate the documents in docs/ and write a report to README.md", DOCS),
        ("Look into src/notes.txt and src/a.py: is anything missing?", ("src/a.py", SRC[2])),
        ("Critique docs/a.md, don't change anything.", ("docs/a.md",)),
        ("I want a thorough review of docs/, in particular docs/b.md", DOCS),
        ("Use three sub-agents to review docs/ in parallel.", DOCS),
        ("Your job is to audit src/ and report back.", SRC),
        ("After reviewing docs/, write the summary to README.md.", DOCS),
        ("You should check src/a.py for races.", ("src/a.py",)),
        ("@docs/a.md please review this one", ("docs/a.md",)),
    ],
)
def test_a_plain_request_for_a_review_names_its_scope(prompt: str, files: tuple[str, ...]) -> None:
    found = asked(prompt)
    assert found is not None
    assert found.files == tuple(sorted(files))
    assert found.quote in prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "Fix the failing test in src/a.py.",
        "Write unit tests for src/a.py and src/b.py.",
        "Run the tests in src/ and tell me what fails.",
        "What does src/a.py do?",
        "Why is docs/a.md so long?",
        "Rename docs/a.md to docs/intro.md and update the links.",
        "Add a section about reviews to docs/a.md.",
        "Refactor src/ so that it is easier to review.",
        "Implement the feature described in docs/a.md",
        "Create a checklist for reviewing contracts and save it to docs/checklist.md.",
        "Delete docs/sub/c.md; nobody reads it.",
        "How do I check out src/ from another branch?",
        "Translate docs/a.md into German.",
        "Commit the changes in src/ with a good message.",
        "Compare contracts/x-1.md and contracts/x-2.md and list the differences.",
        "Is playbook.md up to date?",
        "Find all usages of notes.txt in src/.",
        "Summarise docs/ in five bullet points.",
        "Which files in src/ import b.py?",
        "Undo the last edit to src/b.py, I will review it myself.",
        "Someone reviewed docs/a.md already; just publish it.",
        "Set up a pre-commit hook that checks src/*.py.",
        "The reviewer said src/a.py is slow. Make it faster.",
        "Open a pull request for src/ and ask Anna to review it.",
        "Let's not review contracts/ today, start with the rest instead.",
        "Update the review date in contracts/x-1.md.",
        "Add a check for empty input to src/a.py.",
        "Put the output of the check into docs/b.md.",
        "Make src/a.py read docs/a.md at startup.",
        "The script should read src/notes.txt and print it.",
        "Change the loader to read docs/a.md lazily.",
        "Write a script to check src/*.py for tabs.",
        "Help me understand how src/a.py parses input.",
        "@docs/a.md what does this say about fees?",
        "I already checked src/a.py, now deploy.",
    ],
)
def test_a_plain_request_for_something_else_names_none(prompt: str) -> None:
    assert asked(prompt) is None


WORDS = (
    "app", "bugs", "changes", "code", "docs", "documents", "everything", "files", "lib", "modules",
    "new", "package", "project", "report", "results", "security", "work",
)  # fmt: skip
COMMON = Places(
    [
        *CODE,
        *(f"assets/{word}/{word}.txt" for word in WORDS),
        *(f"{word}/top-{word}.txt" for word in WORDS if word != "docs"),
    ],
    Path("/nowhere/tree"),
    "",
)
"""Each word is a folder at the top, and one below another; but for docs, which lies deep alone."""


@pytest.mark.parametrize(
    "prompt",
    [
        "Review all the files in src/",
        "Review the code in src/",
        "Review the changes in src/",
        "Review my work in src/",
        "Review everything in src/",
        "Read the documents in src/ and report",
        "Go through the app code in src/",
        "Review the results of src/",
        "Review all modules in src/",
        "Check security of src/",
        "Please review the package src/",
        "Review the new code in src/",
        "Audit src/ for security and bugs",
        "Check the results and the project in src/",
        "Check the project lib in src/",
        "Review docs and src/",
    ],
)
def test_a_common_word_is_no_folder_that_is_called_so(prompt: str) -> None:
    found = asked_scope((prompt,), COMMON)
    assert found is not None
    assert found.files == CODE


@pytest.mark.parametrize(
    ("prompt", "files"),
    [
        ("Review the files folder", ("files/top-files.txt",)),
        ("Review the directory code", ("code/top-code.txt",)),
        ("Review everything under app", ("app/top-app.txt",)),
        ("Review `work`", ("work/top-work.txt",)),
        ("Review results/", ("results/top-results.txt",)),
        ("Audit the docs folder", ("assets/docs/docs.txt",)),
    ],
)
def test_a_common_word_is_a_folder_where_it_is_said_to_be_one(
    prompt: str, files: tuple[str, ...]
) -> None:
    found = asked_scope((prompt,), COMMON)
    assert found is not None
    assert found.files == files


DESCRIBING = (
    "api", "client", "database", "git", "login", "long", "open", "public", "server", "structure",
    "test", "user", "web",
)  # fmt: skip
TOPS = Places(
    [*FILES, *(f"{word}/in-{word}.txt" for word in DESCRIBING)], Path("/nowhere/tree"), ""
)


@pytest.mark.parametrize(
    "prompt",
    [
        "Go over the long lists",
        "Review the test results",
        "Check the database connection",
        "Check the login flow",
        "Review the public interface",
        "Review the api design",
        "Review the user feedback",
        "Review the open pull request.",
        "Review the git history",
        "Check the server logs",
        "Check the server reply",
        "Review the web & client code",
        "Check the server  logs",
        "Please check the server\nlogs of today",
        "Check the client and the server code",
        "Check the api or web client code",
        "Check for errors in test mode",
        "Review the docs folder structure",
        "Check the folder structure depth",
        'Review the api "design"',
    ],
)
def test_a_plain_word_that_describes_a_noun_is_no_folder(prompt: str) -> None:
    assert asked_scope((prompt,), TOPS) is None


@pytest.mark.parametrize(
    ("prompt", "folders"),
    [
        ("Review src and docs", "src docs"),
        ("Review src, the api, and docs", "src api docs"),
        ("Review src, web client and docs", "src"),
        ("Review src over the api", "src"),
        ("review the docs", "docs"),
        ("look through the src folder", "src"),
        ("Look through the src folder carefully, please", "src"),
        ("review docs for typos", "docs"),
        ("Review docs, then stop", "docs"),
        ("Review docs \u2013 all of it", "docs"),
        ("Review docs - all of it", "docs"),
        ("Review docs\nBe brief.", "docs"),
        ("Review the api (all of it)", "api"),
        ("Check the server thoroughly", "server"),
        ("Check the server again looking for races", "server"),
        ("Go over the api line by line", "api"),
        ("Review the api package", "api"),
        ("Review api & docs", "api docs"),
        ("Review the api\nand report", "api"),
        ("Check the api one more time", "api"),
        ("Check the api the way you did before", "api"),
        ("Check the login module for leaks", "login"),
        ("Review the client and server", "client server"),
        ("Check the test directory", "test"),
        ("Check the server and tell me what is odd", "server"),
        ("Check for errors in test and docs", "test docs"),
    ],
)
def test_a_plain_word_that_ends_its_phrase_is_a_folder(prompt: str, folders: str) -> None:
    found = asked_scope((prompt,), TOPS)
    assert found is not None
    assert {path.split("/")[0] for path in found.files} == set(folders.split())


@pytest.mark.parametrize(
    "prompt",
    [
        "Read docs/a.md and implement the endpoint in src/a.py",
        "Fix the loader. Read docs/a.md first.",
        "Read playbook.md, then add the missing clause to contracts/x-1.md",
        "Read docs/a.md and write tests for it",
        "Why did the review of docs/ fail?",
        "Did you check src/a.py?",
        "The review of docs/ failed.",
        "Which files did the audit of src/ leave?",
    ],
)
def test_reading_for_other_work_and_speaking_of_a_review_ask_for_none(prompt: str) -> None:
    assert asked(prompt) is None


MANY = Places([*(f"c/x-{n}.md" for n in range(8, 12)), "c/x-9.txt", "d/x-9.md"], Path("/n"), "")


@pytest.mark.parametrize(
    ("prompt", "numbers"),
    [
        ("Review the files x-8.md to x-10.md", (8, 9, 10)),
        ("Review c/x-9.md through c/x-11.md.", (9, 10, 11)),
        ("Review x-10.md to x-8.md", (10,)),
        ("Review the way from x-8.md to x-11.md", (8,)),
        ("Review files from x-10.md to x-11.md", (10, 11)),
        ("Review x-8.md to find bugs", (8,)),
    ],
)
def test_from_one_file_to_another_are_those_between(prompt: str, numbers: tuple[int, ...]) -> None:
    found = asked_scope((prompt,), MANY)
    assert found is not None
    assert set(found.files) == {f"c/x-{number}.md" for number in numbers}


def command(name: str, words: str) -> str:
    """What Claude Code writes for a command that the user typed."""
    return (
        f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n"
        f"<command-args>{words}</command-args>"
    )


@pytest.mark.parametrize(
    ("prompt", "files", "quote"),
    [
        (command("review", "docs/"), DOCS, "/review docs/"),
        (command("review", "docs"), DOCS, "/review docs"),
        (command("code-review", "src/a.py, src/b.py"), CODE, "/code-review src/a.py, src/b.py"),
        (command("team:security-audit", "src/*.py"), CODE, "/team:security-audit src/*.py"),
        (command("review", "docs/ except docs/sub/c.md"), DOCS[:2], "/review docs/"),
        (command("ask", "please review docs/a.md"), ("docs/a.md",), "review docs/a.md"),
        ("/review contracts/", CONTRACTS, "/review contracts/"),
    ],
)
def test_the_words_behind_a_command_are_read_with_its_name(
    prompt: str, files: tuple[str, ...], quote: str
) -> None:
    found = asked(prompt)
    assert found is not None
    assert (found.files, found.quote) == (tuple(sorted(files)), quote)


@pytest.mark.parametrize(
    "prompt",
    [
        command("review", ""),
        command("review", "123"),
        command("fix", "docs/"),
        command("write-tests", "src/a.py"),
        command("ask", "why is docs/a.md so long?"),
    ],
)
def test_a_command_that_reviews_nothing_names_no_scope(prompt: str) -> None:
    assert asked(prompt) is None


@pytest.mark.parametrize("name", ["clear", "compact", "model", "context"])
def test_a_command_to_the_cli_itself_asks_for_nothing(name: str) -> None:
    found = asked("Review docs/a.md", command(name, "focus on docs/"))
    assert found == (("docs/a.md",), "Review docs/a.md", True)
