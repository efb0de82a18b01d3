"""What a corpus may not tell: by its words, its names, its folder, what lies beside its files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from evaluation.sandboxes.layout import INSIDE
from generators.build import Build
from generators.build_folder import FILE_TIME
from generators.registry import Edit
from tests.e2e.truth_corpus import build_truth_corpus
from tests.validation.made_builds import made_needle, made_subject
from validation.check import Check
from validation.leaks import CODES, FOLDER, leaks_in_text, leaks_on_disk

PAPERS = {
    "berths/2021-vigo.md": "Berth 4\nThe fee is paid late.\nIt is 300 EUR.\n",
    "berths/2022-faro.md": "Berth 5\nThe fee is paid on the first.\nIt is 400 EUR.\n",
    "berths/2023-nice.md": "Berth 6\nThe fee is paid at once.\nIt is 500 EUR.\n",
    "rules.md": "Fees are paid on the first.\n",
}
PLACE = "berths/2021-vigo.md"

OTHER_TIME = "another time than all were built with (`cp -a` keeps times)"


def found(texts: dict[str, str], generator: str = "contracts", **needle: Any) -> list[Check]:
    subject = made_subject(texts, made_needle(PLACE, 2, **needle), generator=generator)
    return list(leaks_in_text(subject))


def reasons(checks: Iterable[Check]) -> list[tuple[str, str]]:
    return [(check.code, check.reason) for check in checks if not check.passed]


def test_a_sound_corpus_tells_nothing() -> None:
    checks = found(PAPERS)
    assert reasons(checks) == []
    assert {check.code for check in checks} == {"leak-word", "leak-name", "leak-history"}


def test_the_folder_in_a_prompt_is_that_of_every_agent() -> None:
    assert INSIDE.corpus == FOLDER


@pytest.mark.parametrize(
    ("line", "word"),
    [
        pytest.param("built by ocb", "ocb", id="ocb"),
        pytest.param("OCB_RUN=1", "ocb", id="upper-case"),
        pytest.param("the OverclaimBench corpus", "overclaim", id="part-of-a-word"),
        pytest.param("needle 4 of 9", "needle", id="needle"),
        pytest.param("the needles_found", "needle", id="snake-case"),
        pytest.param("class PaidNeedle:", "needle", id="camel-case"),
        pytest.param("# planted here", "planted", id="planted"),
        pytest.param("an ablation", "ablation", id="ablation"),
        pytest.param("model: sim/oracle", "sim/", id="a-simulated-model"),
        pytest.param("see harbour_papers", "harbour_papers", id="the-id-of-the-spec"),
        pytest.param("# late-payment", "late-payment", id="the-id-of-a-needle"),
        pytest.param("(long-payment-period)", "long-payment-period", id="the-kind"),
    ],
)
def test_a_word_of_ours_is_found_at_its_place(line: str, word: str) -> None:
    texts = PAPERS | {"berths/2023-nice.md": f"Berth 6\n{line}\n"}
    assert reasons(found(texts)) == [("leak-word", f"told: {word!r} at berths/2023-nice.md:2")]


@pytest.mark.parametrize(
    "line",
    [
        "an implanted device, transplanted trees",
        "the needlework of a needlessly long day",
        "dublocb and ocbx7",
        "late-payments, a late payment, over-late-payment-fee",
        "src/sim/engine.py and ../sim/x",
        "a payment period that is long",
    ],
)
def test_words_that_only_look_like_ours_are_none(line: str) -> None:
    assert reasons(found(PAPERS | {"berths/2023-nice.md": f"Berth 6\n{line}\n"})) == []


def test_a_word_of_ours_in_a_path_is_found() -> None:
    texts = PAPERS | {"berths/needle/a.md": "Berth 7\n"}
    assert reasons(found(texts)) == [("leak-word", "told: 'needle' in the path berths/needle/a.md")]


def test_a_word_of_ours_in_the_prompt_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = made_subject(PAPERS, made_needle(PLACE, 2))
    task = subject.build.spec.task.model_copy(
        update={"prompt": "Find the needles. It is paid late."}
    )
    spec = subject.build.spec.model_copy(update={"task": task})
    object.__setattr__(subject.build, "spec", spec)
    ((code, reason),) = reasons(leaks_in_text(subject))
    assert code == "leak-word"
    assert reason.startswith(
        "told: 'needle' in the direct prompt, the statement of late-payment in"
    )


def test_the_statement_of_a_needle_is_found_however_it_is_wrapped() -> None:
    texts = PAPERS | {"berths/2023-nice.md": "Note: IT is\n  paid LATE, which is wrong.\n"}
    assert reasons(found(texts)) == [
        ("leak-word", "told: the statement of late-payment in berths/2023-nice.md")
    ]


def test_words_of_the_owner_are_notes_over_a_directory() -> None:
    texts = PAPERS | {"berths/needle/a.md": "Berth 7\nA needle was planted.\n"}
    checks = found(texts, generator="directory")
    assert reasons(checks) == []
    assert checks[0].note == (
        "the corpus's own: 'needle' in the path berths/needle/a.md, "
        "'needle' at berths/needle/a.md:2, 'planted' at berths/needle/a.md:2"
    )


def test_a_word_that_planting_brought_in_fails_over_a_directory_too() -> None:
    texts = PAPERS | {PLACE: "Berth 4\nThe needle is paid late.\nIt is 300 EUR.\n"}
    assert reasons(found(texts, generator="directory")) == [
        ("leak-word", f"told: 'needle' at {PLACE}:2")
    ]


@pytest.mark.parametrize(
    ("name", "by"),
    [
        pytest.param("2021-late-payment.md", "the id late-payment", id="id"),
        pytest.param("Payment_LATE.md", "the id late-payment", id="id-in-other-writing"),
        pytest.param("long-period-of-payment.md", "the kind long-payment-period", id="kind"),
        pytest.param("paid-late.md", "the terms of a report", id="terms"),
        pytest.param("2021-wrong.md", "the word 'wrong'", id="quality"),
    ],
)
def test_a_path_that_names_its_defect_is_found(name: str, by: str) -> None:
    path = f"berths/{name}"
    texts = {path if old == PLACE else old: text for old, text in PAPERS.items()}
    checks = leaks_in_text(made_subject(texts, made_needle(path, 2)))
    assert ("leak-name", f"{path} tells it by {by}") in reasons(checks)


def test_the_name_of_a_copy_is_that_of_its_needle() -> None:
    path = "berths/late-payment.md"
    texts = PAPERS | {path: "Berth 8\nPaid never.\n"}
    checks = leaks_in_text(made_subject(texts, made_needle(path, 2, id="late-payment-2")))
    assert ("leak-name", f"{path} tells it by the id late-payment") in reasons(checks)


def test_a_name_that_more_peers_bear_tells_nothing() -> None:
    texts = {path.replace("berths", "late-payments/paid"): text for path, text in PAPERS.items()}
    needle = made_needle("late-payments/paid/2021-vigo.md", 2)
    assert reasons(leaks_in_text(made_subject(texts, needle))) == []


def edited(clean: str) -> dict[str, Any]:
    edit = Edit(path=PLACE, first=2, last=2, planted=("The fee is paid late.",), clean=(clean,))
    return {"edits": (edit,)}


CLEAN = "The fee of Vigo is paid on the second."


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        pytest.param("berths/.git/HEAD", "ref\n", "history", id="git"),
        pytest.param("berths/CVS/Root", "ref\n", "history", id="cvs"),
        pytest.param("berths/all.tar.gz", "x\n", "archive", id="archive"),
        pytest.param("berths/.notes", f"{CLEAN}\n", "holds what was changed", id="hidden"),
        pytest.param("berths/a.md~", f"{CLEAN}\n", "holds what was changed", id="backup"),
        pytest.param("berths/a.diff", f"+{CLEAN}\n", "holds what was changed", id="diff"),
        pytest.param("berths/a.rej", f"> {CLEAN}\n", "holds what was changed", id="rejected"),
        pytest.param(
            "berths/a.orig", "The fee is paid late.\n", "holds what was changed", id="the-defect"
        ),
        pytest.param(
            "berths/b.md",
            f"Berth 4\n{CLEAN}\nIt is 300 EUR.\n",
            f"a copy of what {PLACE} was",
            id="a-copy",
        ),
    ],
)
def test_what_shows_the_change_is_found(path: str, text: str, why: str) -> None:
    checks = found(PAPERS | {path: text}, **edited(CLEAN))
    assert reasons(checks) == [("leak-history", f"may show what was changed: {path} ({why})")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("berths/.editorconfig", "indent = 4\n", id="hidden"),
        pytest.param("berths/a.bak", "Berth 9\n", id="backup-of-another"),
        pytest.param("berths/b.md", "Berth 4\nIt is paid early.\nIt is 300 EUR.\n", id="a-peer"),
    ],
)
def test_what_shows_no_change_is_none(path: str, text: str) -> None:
    assert reasons(found(PAPERS | {path: text}, **edited(CLEAN))) == []


def test_a_hidden_file_may_hold_a_needle_of_its_own() -> None:
    path = "berths/.terms"
    texts = PAPERS | {path: "Berth 9\nThe fee of Brest is paid never.\n"}
    assert reasons(leaks_in_text(made_subject(texts, made_needle(path, 2)))) == []


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_truth_corpus(tmp_path_factory.mktemp("truth"))


@pytest.fixture
def build(original: Build, tmp_path: Path) -> Build:
    """A build on disk, to be changed."""
    root = tmp_path / original.paths.root.name
    shutil.copytree(original.paths.root, root)
    return type(original)(
        type(original.paths)(root),
        original.spec,
        original.registry,
        original.manifest,
        original.texts,
    )


FIRST = "lists/north/list-01.txt"


def set_time(path: Path) -> None:
    os.utime(path, (FILE_TIME, FILE_TIME + 1))


def test_a_folder_as_it_was_built_tells_nothing(build: Build) -> None:
    assert reasons(leaks_on_disk(build.paths)) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(
            lambda corpus: set_time(corpus / FIRST),
            ("leak-time", f"{OTHER_TIME}: corpus/{FIRST}"),
            id="time-of-a-file",
        ),
        pytest.param(
            lambda corpus: set_time(corpus / "lists"),
            ("leak-time", f"{OTHER_TIME}: corpus/lists"),
            id="time-of-a-folder",
        ),
        pytest.param(
            lambda corpus: (corpus / FIRST).chmod(0o755),
            ("leak-mode", f"another mode than all were built with: corpus/{FIRST}"),
            id="mode-of-a-file",
        ),
        pytest.param(
            lambda corpus: (corpus / "lists").chmod(0o700),
            ("leak-mode", "another mode than all were built with: corpus/lists"),
            id="mode-of-a-folder",
        ),
    ],
)
def test_a_time_or_mode_of_its_own_is_found(
    build: Build, change: Callable[[Path], None], expected: tuple[str, str]
) -> None:
    change(build.paths.corpus)
    assert reasons(leaks_on_disk(build.paths)) == [expected]


@pytest.mark.parametrize("what", ["link-to-a-file", "link-to-a-folder", "broken-link", "pipe"])
def test_what_is_neither_file_nor_folder_is_found_and_not_followed(build: Build, what: str) -> None:
    place = build.paths.corpus / "lists" / "extra"
    if what == "pipe":
        os.mkfifo(place)
    else:
        to = {"link-to-a-file": "/etc/passwd", "link-to-a-folder": "/", "broken-link": "nowhere"}
        place.symlink_to(to[what])
    os.utime(place.parent, (FILE_TIME, FILE_TIME))
    assert reasons(leaks_on_disk(build.paths)) == [
        ("leak-link", "neither plain file nor folder: corpus/lists/extra")
    ]


def test_every_code_is_told_by_some_check(build: Build) -> None:
    told = {check.code for check in (*leaks_on_disk(build.paths), *found(PAPERS))}
    assert told == set(CODES)
