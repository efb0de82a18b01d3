"""Words that tell: ours, ids of spec and registry, and the words of a defect in a file's name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from authoring.own_words import OURS
from authoring.spec import ScenarioSpec
from generators.lines import split_lines
from generators.registry import RegisteredNeedle

ID_TOKEN = re.compile(r"[A-Za-z0-9_-]+")
"""What an id stands in as a whole: `late-payment` is none of `late-payments`."""
COMPOUND = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")
"""Ids that can be told from ordinary words. One of a single word (`liability`) cannot, and is held
against file names alone."""
NAME_WORD = re.compile(r"[^\W_]+")
SPACE = re.compile(r"\s+")
QUALITIES = frozenset(
    {
        *("answer", "bad", "broken", "bug", "buggy", "defect", "defective", "error", "fault"),
        *("faulty", "flaw", "flawed", "incorrect", "invalid", "issue", "problem", "violation"),
        "wrong",
    }
)
"""What somebody may call a file that they know to be defective."""


@dataclass(frozen=True)
class Telling:
    """The words that may stand nowhere, for one build."""

    ids: frozenset[str]
    """Of spec, needles and kinds: those of several words."""
    statements: tuple[tuple[str, str], ...]
    """Id and statement of each needle, the latter in small letters and single spaces."""

    @classmethod
    def of(cls, spec: ScenarioSpec, needles: Iterable[RegisteredNeedle]) -> Telling:
        """From a spec and what is registered."""
        needles = tuple(needles)
        names = {spec.id}
        names |= {name for needle in spec.needles for name in (needle.id, needle.kind)}
        names |= {name for needle in needles for name in (needle.id, needle.kind)}
        return cls(
            frozenset(name for name in names if COMPOUND.fullmatch(name)),
            tuple((needle.id, _plain(needle.report.statement)) for needle in needles),
        )

    def words(self, text: str) -> tuple[str, ...]:
        """Every word of ours and every id in a text."""
        small = text.casefold()
        found = [word for word, pattern in OURS.items() if word in small and pattern.search(text)]
        tokens = {token.strip("-_") for token in ID_TOKEN.findall(text)}
        return (*found, *sorted(tokens & self.ids))

    def lines(self, text: str) -> Iterator[tuple[int, str]]:
        """Where in a text they stand: line number and word."""
        if self.words(text):
            for number, line in enumerate(split_lines(text), start=1):
                for word in self.words(line):
                    yield number, word

    def told(self, text: str) -> tuple[str, ...]:
        """The needles whose statement stands in a text as it is."""
        plain = _plain(text)
        return tuple(name for name, statement in self.statements if statement in plain)


def _plain(text: str) -> str:
    return SPACE.sub(" ", text.casefold()).strip().rstrip(".")


def name_words(text: str) -> frozenset[str]:
    """The words of a path or an id, in small letters."""
    return frozenset(NAME_WORD.findall(text.casefold()))


@dataclass(frozen=True)
class NameLeak:
    """A path that tells of a needle, and by what."""

    needle: str
    path: str
    by: str


def name_leaks(needles: Sequence[RegisteredNeedle], review: Sequence[str]) -> Iterator[NameLeak]:
    """Paths that name the defect they hold.

    A path does so by all words of the needle's id or kind, by a term of every group that a report
    must hold, or by a word for something defective. It tells nothing where more paths do the same
    that hold no needle of the kind: then the word is that of the corpus.
    """
    words = {path: name_words(path) for path in review}
    holding: dict[str, set[str]] = {}
    for needle in needles:
        holding.setdefault(needle.kind, set()).update(span.path for span in needle.evidence)
    everywhere = set[str]().union(*holding.values())
    for needle in needles:
        for path in dict.fromkeys(span.path for span in needle.evidence):
            for rule in _rules(needle):
                holders = everywhere if rule.by_quality else holding[needle.kind]
                if path in words and rule.holds(words[path]) and _tells(rule, holders, words):
                    yield NameLeak(needle.id, path, rule.by)
                    break


@dataclass(frozen=True)
class _Rule:
    """What a path must hold to tell of a defect: one set of words of every group."""

    by: str
    groups: tuple[Collection[frozenset[str]], ...]
    by_quality: bool = False

    def holds(self, words: frozenset[str]) -> bool:
        return all(any(term <= words for term in group) for group in self.groups)


def _rules(needle: RegisteredNeedle) -> Iterator[_Rule]:
    original = re.sub(r"-\d+$", "", needle.id)  # copies are `id-2`, `id-3`
    yield _Rule(f"the id {original}", ([name_words(original)],))
    yield _Rule(f"the kind {needle.kind}", ([name_words(needle.kind)],))
    terms = tuple([name_words(term) for term in group] for group in needle.report.terms)
    # A term without a word ("±") would stand in every path.
    groups = tuple([term for term in group if term] for group in terms)
    if all(groups):
        yield _Rule("the terms of a report", groups)
    for quality in sorted(QUALITIES):
        yield _Rule(f"the word {quality!r}", ([frozenset({quality})],), by_quality=True)


def _tells(rule: _Rule, holders: set[str], words: dict[str, frozenset[str]]) -> bool:
    alike = [path for path in words if rule.holds(words[path])]
    return 2 * sum(path in holders for path in alike) >= len(alike)
