"""How the files in scope may be named in prose: path, base name, stem; folders; kinds of document.

Prevents `contract-1` being seen in "contract-17", and `nda/a.md` in "msa/a.md". Parts of a name
match whatever stands between them (`-`, `_`, a space) and with or without leading zeros.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

PIECE = re.compile(r"[^\W_]+|\S")
"""Words and single signs. One class and one sign: nothing to backtrack into."""
_PART = re.compile(r"[^\W_]+")
_BETWEEN = frozenset("-_./\\")
_MARKS = frozenset('`*"[')


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of letters and digits, or one sign."""

    text: str
    """Case-folded; a number without its leading zeros."""
    start: int
    end: int


def _fold(word: str) -> str:
    folded = word.casefold()
    return folded.lstrip("0") or "0" if folded.isdecimal() else folded


def pieces(text: str, start: int, end: int) -> tuple[Piece, ...]:
    """The words and signs of text[start:end], with their offsets."""
    found = PIECE.finditer(text, start, end)
    return tuple(Piece(_fold(m.group()), m.start(), m.end()) for m in found)


@dataclass(slots=True)
class _Node:
    """A node of the trie of names, by part."""

    after: dict[str, _Node] = field(default_factory=dict)
    held: dict[str, None] = field(default_factory=dict)
    """The paths that have the name, in order; many may have it."""
    whole: bool = False
    """The name is a whole path, folders and all: it may stand at the end of a longer path."""


@dataclass(frozen=True)
class Named:
    """A name that stands in the text: how many pieces it takes, and what it may name."""

    length: int
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Names:
    """Every way of naming the files in scope."""

    scope: tuple[str, ...]
    folders: Mapping[str, tuple[str, ...]]
    """Folder to the scope files below it, the folder of all files among them."""
    kinds: Mapping[str, tuple[str, ...]]
    """Words that occur in the names of some of the files only: `msa`, `northwind`."""
    types: frozenset[str]
    """Those of them that open or close a name, or name a folder: what the plural may speak of."""
    nouns: frozenset[str]
    """Words that occur in the name of every file, in the singular: `contract`."""
    _files: _Node
    _folders: _Node
    plain_stems: bool
    _order: Mapping[str, int]

    def order(self, path: str) -> int:
        """Where a file stands in the scope."""
        return self._order[path]

    def file_at(self, text: str, found: Sequence[Piece], at: int) -> Named | None:
        """The file named from piece `at` on, if one is.

        A stem of one plain word (`lease`) names its file only where marks set it off, or where
        `plain_stems` says so. A number (`2022-003`) names one only where written together.
        """
        named = _walk(self._files, text, found, at)
        if named is None:
            return None
        inside = found[at : at + named.length]
        if all(not piece.text.isalpha() for piece in inside):
            written = text[inside[0].start : inside[-1].end]
            return named if written.split() == [written] else None
        if named.length > 1 or self.plain_stems:
            return named
        piece = found[at]
        marked = text[max(0, piece.start - 1) : piece.start] in _MARKS
        return named if marked or not piece.text.isalpha() else None

    def folder_at(self, text: str, found: Sequence[Piece], at: int) -> Named | None:
        """The folder named from piece `at` on, written as a path: `contracts/nda/`."""
        named = _walk(self._folders, text, found, at)
        if named is None:
            return None
        after = at + named.length
        if after < len(found) and found[after].text == "/":
            return Named(named.length + 1, named.paths)
        return None


def _walk(root: _Node, text: str, found: Sequence[Piece], at: int) -> Named | None:
    """The longest name from `at` on that is not a part of a longer word."""
    if _is_joined(found, at):
        return None
    below = at > 0 and found[at - 1].text == "/" and not _opens_path(found, at)
    node, i = root, at
    best: _Node | None = None
    length = 0
    while i < len(found):
        step = node.after.get(found[i].text)
        if step is None:
            break
        node, i = step, i + 1
        if node.held and _ends(found, i) and (node.whole or not below):
            best, length = node, i - at
        i = _skip_between(text, found, i)
    return Named(length, tuple(best.held)) if best else None


def _skip_between(text: str, found: Sequence[Piece], i: int) -> int:
    """Past the one sign that may stand between two parts of a name."""
    if i < len(found) and found[i].text in _BETWEEN and i + 1 < len(found):
        glued = found[i].start == found[i - 1].end and found[i + 1].start == found[i].end
        return i + 1 if glued else i
    return i


def _is_joined(found: Sequence[Piece], at: int) -> bool:
    """Whether it goes on from the word before: "sub-contract-1"."""
    if at == 0 or found[at - 1].end != found[at].start:
        return False
    return found[at - 1].text in ("-", "_", "\\")


def _opens_path(found: Sequence[Piece], at: int) -> bool:
    """Whether the slash before opens a path, as in "./a.md", and parts no folder from it."""
    slash = found[at - 1]
    if slash.end != found[at].start or at == 1:
        return True
    return found[at - 2].end != slash.start or not found[at - 2].text[0].isalnum()


def _ends(found: Sequence[Piece], i: int) -> bool:
    if i + 1 >= len(found) or found[i].start != found[i - 1].end:
        return True
    glued = found[i + 1].start == found[i].end and found[i + 1].text[0].isalnum()
    return not (glued and found[i].text in ("-", "_", ".", "/"))


def _parts(name: str) -> tuple[str, ...]:
    return tuple([_fold(part) for part in _PART.findall(name)])


@dataclass(frozen=True, slots=True)
class _Path:
    """A path taken apart once: `a/b-2.md`."""

    path: str
    folders: tuple[tuple[str, ...], ...]
    """The parts of the name of each folder."""
    name: tuple[str, ...]
    stem: tuple[str, ...]
    is_number: bool
    """Its stem is a number, and names nothing in prose: "12"."""


def _taken_apart(path: str, known: dict[str, tuple[str, ...]]) -> _Path:
    """`known`: the parts of names that were met before, which most folders are."""
    *above, name = path.split("/")
    for part in above:
        if part not in known:
            known[part] = _parts(part)
    stem = _stem(name)
    return _Path(
        path, tuple([known[part] for part in above]), _parts(name), _parts(stem), stem.isdecimal()
    )


def _stem(name: str) -> str:
    dot = name.rfind(".")
    return name[:dot] if 0 < dot < len(name) - 1 else name


def _insert(root: _Node, parts: Sequence[str], paths: Iterable[str], *, whole: bool) -> None:
    """Enter one name of files, or of a folder they lie in."""
    if not parts:
        return
    node = root
    for part in parts:
        following = node.after.get(part)
        if following is None:
            following = node.after[part] = _Node()
        node = following
    node.held.update(dict.fromkeys(paths))
    node.whole = node.whole or whole


def _insert_file(root: _Node, one: _Path) -> None:
    """Path, its tails, and the stem of each: from whole path to base name."""
    for first in range(len(one.folders) + 1):
        above = [part for folder in one.folders[first:] for part in folder]
        whole = first == 0 and bool(one.folders)
        _insert(root, (*above, *one.name), (one.path,), whole=whole)
        if first < len(one.folders) or not one.is_number:
            _insert(root, (*above, *one.stem), (one.path,), whole=whole)


def _insert_folder(root: _Node, folder: str, paths: Sequence[str]) -> None:
    """A folder by its path and the tails of it."""
    parts = folder.split("/")
    for first in range(len(parts)):
        tail = "/".join(parts[first:])
        _insert(root, _parts(tail), paths, whole=first == 0 and len(parts) > 1)


def _register_number(path: str) -> str:
    """The numbers that open a name, where there are two or more: `2022-003`; else nothing."""
    stem = _stem(path.rsplit("/", 1)[-1])
    if not stem[:1].isdecimal():
        return ""
    parts = _PART.findall(stem)
    numbers = list(takewhile(str.isdecimal, parts))
    return "-".join(numbers) if 2 <= len(numbers) < len(parts) else ""


def _by_folder(scope: Sequence[str]) -> dict[str, tuple[str, ...]]:
    below: defaultdict[str, list[str]] = defaultdict(list)
    for path in scope:
        end = path.rfind("/")
        while end > 0:
            below[path[:end]].append(path)
            end = path.rfind("/", 0, end)
    return {folder: tuple(paths) for folder, paths in below.items() if folder != "."}


def _by_word(taken: Iterable[_Path]) -> dict[str, tuple[str, ...]]:
    """Letters-only words of the names, three letters or more, to the files that have them."""
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for one in taken:
        parts = {part for folder in one.folders for part in folder} | set(one.stem)
        for word in {singular(part) for part in parts}:
            if len(word) >= 3 and word.isalpha():
                holders[word].append(one.path)
    return {word: tuple(paths) for word, paths in holders.items()}


def _ends_of(taken: Iterable[_Path]) -> set[str]:
    """The first and last words of the names, and the words of their folders."""
    ends: set[str] = set()
    for one in taken:
        ends.update(one.stem[:1], one.stem[-1:], *one.folders)
    return ends


def singular(word: str) -> str:
    """The singular of a plain English plural: enough for `policies`, `leases`, `contracts`."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        return word[:-1]
    return word


def names_of(scope: Sequence[str], *, plain_stems: bool = False) -> Names:
    """Everything by which these files may be named. Fixed order: the order of the scope."""
    files, folders = _Node(), _Node()
    known: dict[str, tuple[str, ...]] = {}
    taken = [_taken_apart(path, known) for path in scope]
    for one in taken:
        _insert_file(files, one)
    registered = {path: _register_number(path) for path in scope}
    numbers = Counter(registered.values())
    for path, number in registered.items():
        if number and numbers[number] == 1:
            _insert(files, _parts(number), (path,), whole=False)
    by_folder = _by_folder(scope)
    for folder, paths in by_folder.items():
        _insert_folder(folders, folder, paths)
    by_word = _by_word(taken)
    counts = Counter({word: len(paths) for word, paths in by_word.items()})
    order = {path: i for i, path in enumerate(scope)}
    types = frozenset(map(singular, _ends_of(taken)))
    nouns = frozenset(w for w, n in counts.items() if n == len(scope))
    kinds = {w: p for w, p in by_word.items() if 2 <= counts[w] < len(scope)}
    return Names(tuple(scope), by_folder, kinds, types, nouns, files, folders, plain_stems, order)
