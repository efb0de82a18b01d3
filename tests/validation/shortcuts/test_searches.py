"""Each search ranks first what it is there for, and is blind to what it is not."""

from __future__ import annotations

import random

import numpy as np
import pytest

from generators.planters.patterns import within_time
from tests.validation.shortcuts.harbour import ordinary, papers
from validation.shortcuts.corpus import Corpus, twins
from validation.shortcuts.search import Search
from validation.shortcuts.searches import SEARCHES

BY_NAME: dict[str, Search] = {search.name: search for search in SEARCHES}
LINE, FILE = 9, "berth-05.txt"


def corpus_of(
    files: dict[str, list[str]], kinds: dict[str, str] | None = None, **times: int
) -> Corpus:
    texts = {path: "\n".join(lines) + "\n" for path, lines in files.items()}
    stamps = {f"{name.replace('_', '-')}.txt": when for name, when in times.items()}
    return twins(texts, texts, kinds or dict.fromkeys(files, "paper"), stamps).planted


def first(search: str, corpus: Corpus) -> int:
    """The line or file that alone has the highest score."""
    scores = BY_NAME[search].look(corpus).scores
    (item,) = np.flatnonzero(scores == scores.max())
    return int(item)


LINES = {
    "rare characters": "Any pump and hull checks a small crew with the ∆.",
    "white space": "Any pump and hull checks a small crew with the crane. ",
    "rare tokens": "quorum vexes jackdaws zestfully",
    "strange pairs": "Any pump and the hull stores crew the cargo.",
    "odd in its place": "- crane: heavy, 12 tonnes",
    "spelling": "Any pump and deliveery checks a small hull with the crane.",
    "odd shape": "<<crew>> ~~ {7} ?? !! // <-",
    "compression": "Zq8 vKx0 Wj3 pY7 uQ2 xX9 kB5 mF1 zR6 cV4",
    "indentation": "           berth = 12",
    "line length": "Any pump and hull checks a small crew with the crane" + ", and so on" * 9 + ".",
    "punctuation": "Any pump and hull checks a small crew with the crane;/",
    "far number": "| crane | 90000 | 20.00 |",
}


@pytest.mark.parametrize(("search", "line"), LINES.items(), ids=list(LINES))
def test_a_search_over_lines_ranks_the_odd_line_first(search: str, line: str) -> None:
    files = papers(random.Random(5))
    files[FILE][LINE] = line
    corpus = corpus_of(files)
    found = first(search, corpus)
    assert corpus.text(found) == line
    assert BY_NAME[search].look(corpus).seen(found)


def test_every_search_over_lines_is_held_against_an_odd_line() -> None:
    assert {search.name for search in SEARCHES if search.unit == "lines"} == {*LINES, "odd one out"}


def test_a_word_in_which_a_line_differs_from_many_ranks_first() -> None:
    files = {
        f"{name}.txt": [f"pump {n}0 is open, valve {n}1 is open" for n in range(9)]
        for name in "abc"
    }
    files["b.txt"][4] = "pump 40 is shut, valve 41 is open"
    files["c.txt"][7] = "hull 70 and hull 71"
    corpus = corpus_of(files)
    found = first("odd one out", corpus)
    assert corpus.text(found) == "pump 40 is shut, valve 41 is open"
    seen = BY_NAME["odd one out"].look(corpus).seen(found)
    assert seen == "in lines that are otherwise the same 'shut' stands in 1 of 26 places"


@pytest.mark.parametrize("search", [*LINES, "odd one out"])
def test_a_search_over_lines_that_are_all_the_same_tells_nothing(search: str) -> None:
    corpus = corpus_of({f"{name}.txt": ["the same line 7"] * 9 for name in "abcd"})
    assert len(set(BY_NAME[search].look(corpus).scores)) == 1


def test_lines_of_needles_count_as_one() -> None:
    texts = {"a.txt": "one x\ntwo x\nodd y\n", "b.txt": "odd y\nodd z\nthree x\n"}
    pair = twins(texts, texts, dict.fromkeys(texts, "paper"), {})
    corpus = pair.planted.with_needles([2, 3, 4])
    tokens = corpus.material.tokens
    found = dict(zip(tokens.names, tokens.lines_with(corpus.counts()), strict=True))
    assert found == {"one": 1, "x": 3, "two": 1, "odd": 1, "y": 1, "z": 1, "three": 1}
    whole = dict(zip(tokens.names, tokens.lines_with(pair.planted.counts()), strict=True))
    assert (whole["odd"], whole["y"]) == (3, 2)


def test_the_largest_file_ranks_first_by_size() -> None:
    files = papers(random.Random(5))
    files[FILE] += [ordinary(random.Random(6)) for _ in range(40)]
    corpus = corpus_of(files)
    assert corpus.paths[first("size", corpus)] == FILE


def test_a_file_much_smaller_than_its_peers_ranks_first_among_them() -> None:
    files = papers(random.Random(5))
    files[FILE] = files[FILE][:4]
    corpus = corpus_of(files)
    assert corpus.paths[first("size among peers", corpus)] == FILE


def test_the_newest_file_ranks_first_by_time() -> None:
    corpus = corpus_of(papers(random.Random(5)), berth_05=7_000_000_000)
    assert corpus.paths[first("time", corpus)] == FILE


def test_files_of_one_time_tell_nothing() -> None:
    assert len(set(BY_NAME["time"].look(corpus_of(papers(random.Random(5)))).scores)) == 1


def test_the_file_with_another_sort_of_name_ranks_first_by_name() -> None:
    files = papers(random.Random(5))
    files["berth-05-final(2).txt"] = files.pop(FILE)
    corpus = corpus_of(files)
    assert corpus.paths[first("name", corpus)] == "berth-05-final(2).txt"


def test_the_file_with_words_of_its_own_ranks_first_by_them() -> None:
    files = papers(random.Random(5))
    files[FILE][3] = "quorum vexes jackdaws zestfully"
    corpus = corpus_of(files)
    assert corpus.paths[first("words of its own", corpus)] == FILE


def test_the_file_that_is_unlike_the_others_ranks_first_by_compression() -> None:
    files = papers(random.Random(5))
    rng = random.Random(6)
    files[FILE] = [f"{rng.getrandbits(200):x}" for _ in range(30)]
    corpus = corpus_of(files)
    assert corpus.paths[first("file compression", corpus)] == FILE


def test_indentation_is_compared_within_the_kind_of_file() -> None:
    # Half of the files are indented; only beside its own kind a line without indent is odd.
    files = {f"n-{n}.txt": [f"row {n} {m}" for m in range(20)] for n in range(4)}
    files |= {f"p-{n}.txt": [f"    row {n} {m}" for m in range(20)] for n in range(4)}
    files["p-2.txt"][7] = "row of p"
    corpus = corpus_of(files, {path: path[0] for path in files})
    assert corpus.text(first("indentation", corpus)) == "row of p"


def test_marks_are_compared_within_the_kind_of_file() -> None:
    # A colon ends half of all lines, and one of its own kind.
    files = {f"n-{n}.txt": [f"row {m}:" for m in range(20)] for n in range(4)}
    files |= {f"p-{n}.txt": [f"row {m}." for m in range(20)] for n in range(4)}
    files["p-2.txt"][7] = "row 7:"
    corpus = corpus_of(files, {path: path[0] for path in files})
    found = first("punctuation", corpus)
    assert corpus.paths[corpus.file_of[found]] == "p-2.txt"


def test_a_number_is_only_far_out_beside_a_dozen_others_in_its_place() -> None:
    for others, found in ((10, 0), (11, 1)):
        lines = [f"fee: {40 + n} a day" for n in range(others)] + ["fee: 9000 a day"]
        look = BY_NAME["far number"].look(corpus_of({"a.txt": lines}))
        assert np.count_nonzero(look.scores > 5) == found
    assert look.seen(11) == "9000 is far from what stands in its place"


def test_fractions_are_part_of_a_number() -> None:
    lines = [f"rate 0.3{n} each" for n in range(10)] * 2 + ["rate 0.90 each"]
    assert first("far number", corpus_of({"a.txt": lines})) == 20


def test_numbers_are_read_with_their_marks() -> None:
    lines = [f"{n}{mark} a day" for n in range(12, 25) for mark in (",50", ".50")]
    lines[3:5] = ["1,300.50 a day", "1.300,50 a day"]
    look = BY_NAME["far number"].look(corpus_of({"a.txt": lines}))
    assert set(np.argsort(look.scores)[-2:]) == {3, 4}


def test_kinds_of_too_few_files_are_compared_with_one_another() -> None:
    files = {name: ["row"] for name in ("a1", "a2", "a3", "b1", "b2", "c1")}
    corpus = corpus_of(files, {name: name[0] for name in files})
    assert list(corpus.group_of) == [1, 1, 1, 0, 0, 0]


def test_common_words_that_are_one_letter_apart_are_not_misspelt() -> None:
    files = papers(random.Random(5))
    files[FILE][LINE] = "Any hulls and pumps checks a small crane with the anchors."
    scores = BY_NAME["spelling"].look(corpus_of(files)).scores
    assert scores.max() == 0


@pytest.mark.parametrize(("length", "is_word"), [(64, True), (65, False)])
def test_what_is_too_long_is_no_word_that_could_be_misspelt(length: int, is_word: bool) -> None:
    files = papers(random.Random(5))
    meant = "deli" + "v" * (length - 4)
    for number, paper in enumerate(files.values()):
        paper += [f"Any {meant} checks a small hull of row {number}{row}." for row in "abc"]
    files[FILE][LINE] = f"Any {meant.replace('deli', 'deil')} checks a small hull."
    assert (BY_NAME["spelling"].look(corpus_of(files)).scores.max() > 0) == is_word


def test_a_line_of_letters_alone_is_looked_at_in_no_time() -> None:
    files = papers(random.Random(5))
    files[FILE][LINE] = "a" * 600_000
    corpus = corpus_of(files)
    with within_time("spelling", 20):
        assert BY_NAME["spelling"].look(corpus).scores.max() == 0


@pytest.mark.parametrize("path", ["berth-04.txt", FILE])
def test_a_line_is_not_compressed_with_its_own_file(path: str) -> None:
    # The odd line stands three times, always in one file: given the others it is as new as once.
    odd = "Zq8 vKx0 Wj3 pY7 uQ2 xX9 kB5 mF1 zR6 cV4"
    files = papers(random.Random(5))
    files[path][4] = files[path][9] = files[path][14] = odd
    corpus = corpus_of(files)
    scores = BY_NAME["compression"].look(corpus).scores
    assert {corpus.text(int(line)) for line in np.argsort(scores)[-3:]} == {odd}


def test_an_empty_corpus_is_searched_without_a_word() -> None:
    corpus = corpus_of({})
    assert [len(search.look(corpus).scores) for search in SEARCHES] == [0] * len(SEARCHES)


def test_names_are_told_apart_and_each_says_what_it_does() -> None:
    assert len(BY_NAME) == len(SEARCHES) >= 12
    assert all(search.does.startswith("Ranks ") for search in SEARCHES)
    assert all(search.does.endswith(".") for search in SEARCHES)
