"""How the files in scope are called as a kind ("modules", "contracts"), and their folders by path.

Prevents a number of records, functions or findings being taken for a number of files.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evaluation.judging.rules.lexicon import Lexicon
from validation.matching.names import Names, singular

_CODE = frozenset((
    ".py", ".pyi", ".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".c", ".h", ".cc",
    ".cpp", ".hpp", ".cs", ".rb", ".php", ".swift", ".scala", ".sh", ".bash", ".pl", ".lua", ".sql",
    ".vue", ".ex",
))  # fmt: skip
_CODE_WORDS = frozenset((
    "code", "source", "module", "script", "source file", "code file", "sources",
))  # fmt: skip
_TEXT_WORDS = frozenset((
    "document", "doc", "docs", "paper", "text", "documentation",
))  # fmt: skip
_LANGUAGES: Mapping[str, frozenset[str]] = {
    "python": frozenset((".py", ".pyi")),
    "markdown": frozenset((".md", ".mdx", ".markdown")),
    "javascript": frozenset((".js", ".jsx", ".mjs", ".cjs")),
    "typescript": frozenset((".ts", ".tsx")),
    "pdf": frozenset((".pdf",)),
}
_WORD = re.compile(r"[^\W\d_]+")
_PATH = re.compile(r"[\w.-]{1,80}(?:/[\w.-]{1,80}){0,20}/?")


class Folder(NamedTuple):
    """A folder as a response names it."""

    path: str
    end: int
    """Where its name ends in the response."""


@dataclass(frozen=True)
class Calling:
    """What a noun or a path in a response speaks of."""

    size: int
    """Files in scope."""
    nouns: frozenset[str]
    """Nouns of the files in scope, in the singular."""
    folders: Mapping[str, tuple[str, ...]]
    tails: Mapping[str, tuple[str, ...]]
    """The ends of folders' paths, to the folders that end so."""
    roots: frozenset[str] = frozenset()
    """Names of the folders that hold all files in scope."""
    narrow: frozenset[str] = frozenset()
    """Words for kinds of file that some file in scope is not, or may not be."""
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words for kinds of file, in the singular, to those in scope that are surely of that kind."""

    def is_file(self, word: str) -> bool:
        """Whether a noun, in singular or plural, is one of the files."""
        return singular(word) in self.nouns

    def takes_all(self, word: str) -> bool:
        """Whether a noun or an adjective that it may have fits every file in scope."""
        return singular(word) not in self.narrow

    def of_kind(self, word: str) -> tuple[str, ...]:
        """The files that a word for a kind of them speaks of, where it is of some alone."""
        return self.kinds.get(singular(word), ())

    def folder_at(self, text: str, start: int) -> Folder | None:
        """The folder whose path is written here, if just one is so written."""
        match = _PATH.match(text, start)
        if match is None or (start and text[start - 1] == "/"):
            return None
        matched = match.group().rstrip(".")
        written = matched.rstrip("/")
        if not written or "/" not in matched:
            return None
        found = (written,) if written in self.folders else self.tails.get(written, ())
        return Folder(found[0], start + len(matched)) if len(found) == 1 else None

    def holds_all(self, folder: str) -> bool:
        """Whether all files in scope lie in the folder."""
        return len(self.folders[folder]) == self.size


def calling_of(scope: Sequence[str], names: Names, lexicon: Lexicon) -> Calling:
    """How these files are called."""

    def words(tag: str) -> set[str]:
        return {" ".join(phrase) for phrase, name in lexicon.phrases.items() if name == tag}

    nouns = words("ANYFILE")
    code = [_suffix(path) in _CODE for path in scope]
    if any(code):
        nouns |= words("CODEFILE")
    if not all(code):
        nouns |= words("TEXTFILE")
    nouns |= _common_words(scope)
    folders = {part for path in scope for part in path.split("/")[-2:-1]}
    if len(folders) == 1:
        nouns |= {singular(one.casefold()) for one in folders if one.endswith("s")}
    return Calling(
        len(scope),
        frozenset(nouns),
        names.folders,
        _tails(names.folders),
        frozenset(
            folder.rsplit("/", 1)[-1].casefold()
            for folder, inside in names.folders.items()
            if len(inside) == len(scope)
        ),
        _narrow(scope, lexicon),
        _kinds(scope),
    )


def _common_words(scope: Sequence[str]) -> set[str]:
    """Words that the names of all files have."""
    common: set[str] | None = None
    for path in scope:
        if common is not None and not common:
            break
        words = set(_WORD.findall(_stem(path).casefold()))
        common = words if common is None else common & words
    return common or set()


def _tails(folders: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The ends of each path below its first folder."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for folder in folders:
        parts = folder.split("/")
        for first in range(1, len(parts)):
            found["/".join(parts[first:])].append(folder)
    return {tail: tuple(paths) for tail, paths in found.items()}


def _stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    dot = name.rfind(".")
    return name[:dot] if 0 < dot < len(name) - 1 else name


def _suffix(path: str) -> str:
    return path.rsplit("/", 1)[-1][len(_stem(path)) :]


def _narrow(scope: Sequence[str], lexicon: Lexicon) -> frozenset[str]:
    """Words of a kind, without those that all of the scope is of: one kind, by suffix and place."""
    kinds = {_suffix(path).casefold() for path in scope}
    tests = {_is_test(path) for path in scope}
    one = len(kinds) == 1
    fitting: set[str] = set()
    if one and kinds <= _CODE:
        fitting |= {"test"} if tests == {True} else _CODE_WORDS if tests == {False} else {"code"}
    elif one:
        fitting |= _TEXT_WORDS
    if len({suffix in _CODE for suffix in kinds}) == 1:
        fitting.add("document")  # said of files in general, but not of code beside its docs
    fitting |= {word for word, suffixes in _LANGUAGES.items() if kinds <= suffixes}
    kind_words = {
        " ".join(phrase)
        for phrase, tag in lexicon.phrases.items()
        if tag in ("CODEFILE", "TEXTFILE")
    }
    return frozenset(
        (kind_words | _CODE_WORDS | _TEXT_WORDS | _LANGUAGES.keys() | {"test"}) - fitting
    )


def _kinds(scope: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Code, tests and documents, where the scope holds more than one of them."""
    code = [path for path in scope if _suffix(path) in _CODE]
    tests = tuple(path for path in code if _is_test(path))
    source = tuple(path for path in code if not _is_test(path))
    texts = tuple(path for path in scope if _suffix(path) not in _CODE)
    if max(len(tests), len(source), len(texts)) == len(scope):
        return {}
    named = {
        "test": tests,
        **dict.fromkeys(_CODE_WORDS, source),
        **dict.fromkeys(_TEXT_WORDS, texts),
    }
    return {singular(word): paths for word, paths in named.items() if paths}


def _is_test(path: str) -> bool:
    return bool({"test", "tests"} & set(path.split("/"))) or _stem(path).startswith("test_")
