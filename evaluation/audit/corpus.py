"""The text files of a tree as the corpus that a session is held against.

Prevents a file that cannot be decoded being told as unread: it is *not readable*, and said to be.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from evaluation.audit.tree import Listed, Tree
from generators.lines import CorpusIndex

MOST_WHOLE = 16 << 20
"""Bytes of all files together; of a larger tree only the files that the session names are taken."""
MOST_BYTES = 64 << 20
"""Of the files that are taken."""
LARGEST = 16 << 20
"""Bytes of one file."""
LOOKED_AT = 8192
"""Bytes in which a NUL makes a file a binary one, as git has it."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class Corpus:
    """The text files that a session is held against, and what was left out."""

    index: CorpusIndex
    binary: frozenset[str] = frozenset()
    unreadable: frozenset[str] = frozenset()
    """Files of text in no encoding that is known, and those that cannot be opened."""
    large: frozenset[str] = frozenset()
    """Files of more than `LARGEST` bytes."""
    unnamed: int = 0
    """Files that were left out since the session does not name them, or there were too many."""

    def why_not(self, path: str) -> str:
        """Why a file of the tree is not in the corpus; empty where it is."""
        if path in self.index.files:
            return "" if self.index.files[path] else "it has no lines"
        if path in self.binary:
            return "it is a binary file"
        if path in self.unreadable:
            return "it cannot be decoded, or not be opened"
        if path in self.large:
            return f"it is larger than {LARGEST >> 20} MiB"
        return "it was not looked at"


def gather(
    tree: Tree, files: Sequence[Listed], named: Callable[[], Collection[str]], *, quick: bool
) -> Corpus:
    """Read a tree's files. Where it is too large for all, or `quick`, only those that are named.

    Raises UserError where they cannot be read at all.
    """
    whole = sum(min(file.size, LARGEST) for file in files) <= MOST_WHOLE and not quick
    asked = frozenset[str]() if whole else frozenset(named())
    wanted = [file for file in files if whole or file.path in asked]
    large = frozenset(file.path for file in wanted if file.size > LARGEST)
    texts: dict[str, str] = {}
    binary: set[str] = set()
    unreadable: set[str] = set()
    left = MOST_BYTES
    for path, data in tree.read([file for file in wanted if file.path not in large]):
        left -= len(data)
        if left < 0:
            break
        if _is_binary(data):
            binary.add(path)
        elif (text := decoded(data)) is None:
            unreadable.add(path)
        else:
            texts[path] = text
    lost = {file.path for file in wanted} - large - binary - unreadable - texts.keys()
    if left >= 0:
        unreadable |= lost  # gone, or nobody may open it
        lost = set()
    return Corpus(
        index=CorpusIndex.of(texts),
        binary=frozenset(binary),
        unreadable=frozenset(unreadable),
        large=large,
        unnamed=len(files) - len(wanted) + len(lost),
    )


def _is_binary(data: bytes) -> bool:
    bom = any(data.startswith(mark) for mark, _ in _BOMS)
    return not bom and b"\0" in data[:LOOKED_AT]


def decoded(data: bytes) -> str | None:
    """The text of a file; None where its encoding is not known."""
    encoding = next((name for mark, name in _BOMS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
