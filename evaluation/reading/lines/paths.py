"""From a path as an agent, a tool or a command wrote it to the file of the corpus that it names.

Prevents a file that lies elsewhere being taken for the one of the corpus whose path ends alike.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection
from functools import cached_property

from evaluation.reading.lines.forms import LONGEST_PATH, name_in
from evaluation.reading.lines.names import BRACES, Names
from generators.lines import CorpusIndex

MOST_KEPT = 10_000
"""Ways to write a path that are kept in mind."""
MOST_PLACES = 256
UNTOLD = "/\0"
"""Stands for the root of the corpus where nobody knows how the agent saw it."""
LOST = "?"
"""A place that only the agent's shell could tell."""
GLOB = re.compile(r"[*?{\[]")
REVISION = re.compile(r"(?!\d{1,9}(?:-|$))[\w.@^~{}/+-]{1,256}")
"""Of git; not the number that `grep -n` prints."""


class PathResolver:
    """The files of a corpus as they are called by somebody in a folder."""

    def __init__(
        self,
        paths: Collection[str],
        root: str = "",
        place: str = "",
        *,
        names: Names | None = None,
    ) -> None:
        """`root` is the corpus's folder as it was seen, absolute; empty: not known.

        `place` is the folder from which relative paths go, absolute; empty for the root.
        """
        self._names = names or Names(paths)
        self._paths = paths
        self._known_root = root
        self._root = root or UNTOLD
        self._place = place or self._root
        self._heads: dict[str, str | None] = {}
        self._resolved: dict[str, str | None] = {}
        self._others: dict[str, PathResolver] = {}

    @property
    def root(self) -> str:
        """The corpus's folder as it was seen; empty where that is not known."""
        return self._known_root

    @property
    def place(self) -> str:
        """The folder from which relative paths go; empty for the root of the corpus."""
        return "" if self._place == self._root else self._place

    @cached_property
    def marks(self) -> re.Pattern[str]:
        """Finds marks after the ends of the files' names."""
        return self._names.marks

    @cached_property
    def _ends(self) -> tuple[str, ...]:
        return self._names.ends

    @cached_property
    def has_numbers(self) -> bool:
        """Whether the name of a file begins with a digit, as a numbered line does."""
        return self._names.has_numbers

    @property
    def may_hold_spaces(self) -> bool:
        """Whether the path of a file may hold a space, from here or from the top."""
        return self._names.have_spaces or " " in self._place or " " in self._root

    def stand_in(self, root: str) -> None:
        """From now on the corpus is seen in this folder, from its root: another agent's files."""
        root = posixpath.normpath(root) if root.startswith("/") else ""
        if root != self._known_root:
            self._known_root = root
            self._root = self._place = root or UNTOLD
            self._heads.clear()
            self._resolved.clear()
            self._others.clear()

    def at(self, folder: str) -> PathResolver:
        """The same files from a folder, as it was written."""
        return self.from_place(self._below(folder))

    def from_place(self, place: str) -> PathResolver:
        """The same files from one of the folders that another resolver told."""
        place = "" if place == self._root else place
        if place == self.place:
            return self
        if place not in self._others:
            if len(self._others) >= MOST_PLACES:
                self._others.clear()
            self._others[place] = PathResolver(
                self._paths, self._known_root, place, names=self._names
            )
        return self._others[place]

    def _below(self, folder: str) -> str:
        """A folder as it was written, as an absolute one."""
        if folder.startswith(("/", "~")):
            written = _plain(folder.lstrip("~"))
            if not self._known_root or f"{written}/".startswith(f"{self._root}/"):
                return written
        else:
            written = _plain(self._place, folder)
            if self._known_root or self._inner(written) in self._names.folders:
                return written
            written = _plain(folder)
        # By another name of the root; or the longest folder that it ends with.
        parts = written.strip("/").split("/")
        for first in range(len(parts) + 1):
            inner, head = "/".join(parts[first:]), "/" + "/".join(parts[:first])
            if inner in self._names.folders and (not self._known_root or self._is_root(head)):
                return posixpath.normpath(f"{self._root}/{inner}") if inner else self._root
        return written

    def _is_root(self, head: str) -> bool:
        """Whether a folder is the root by a longer or shorter name: /tmp, /private/tmp."""
        return head != "/" and (self._root.endswith(head) or head.endswith(self._root))

    def _inner(self, path: str) -> str | None:
        """What is left of an absolute path below the root; None where it does not lie there."""
        if path == self._root:
            return ""
        return path[len(self._root) + 1 :] if path.startswith(f"{self._root}/") else None

    def has_path(self, path: str) -> bool:
        """Whether a path below the root is that of a file."""
        return path in self._paths

    def has_name(self, name: str) -> bool:
        """Whether a file of the corpus has this name, in whatever folder."""
        return name in self._names.by_name

    def may_be_in(self, text: str) -> bool:
        """Whether a path with a mark after it may stand in a text: quicker than `marks`."""
        if not self._ends:
            return self.marks.search(text) is not None
        for end in self._ends:  # each character is looked for first, which costs next to nothing
            if all(map(text.__contains__, end)) and (f"{end}:" in text or f"{end}-" in text):
                return True
        return False

    def resolve(self, written: str) -> str | None:
        """The file that a path names.

        A relative one goes from the place, an absolute one has to lie below the root. Where no root
        is known, the end of a path tells: the longest corpus path that an absolute one ends with.
        From a place that nobody knows, the only file whose path ends so.
        """
        try:
            return self._resolved[written]
        except KeyError:
            if len(self._resolved) >= MOST_KEPT:
                self._resolved.clear()
            path = self._resolved[written] = self._resolve(written)
            return path

    def _resolve(self, written: str) -> str | None:
        name = written.rsplit("/", 1)[-1]
        candidates = self._names.by_name.get(name)
        if candidates is None:
            return None
        if written.startswith(("/", "~/")):
            return self._absolute(_plain(written.removeprefix("~")), candidates)
        if self._place == LOST:
            return written if written in self._paths else self.shortened(written)
        path = _plain(self._place, written)
        if self._known_root or not self._place.startswith(UNTOLD):
            return self._absolute(path, candidates)
        inner = self._inner(path)
        return inner if inner in self._paths else None

    def shortened(self, written: str) -> str | None:
        """The only file whose path ends so, where nobody knows from where it goes."""
        if self._place != LOST and (self._known_root or self.place):
            return None
        candidates = self._names.by_name.get(written.rsplit("/", 1)[-1], ())
        begun = [path for path in candidates if path.endswith(f"/{written}")]
        return begun[0] if len(begun) == 1 else None

    def _absolute(self, written: str, candidates: Collection[str]) -> str | None:
        path = self._inner(written)
        if path is not None:
            return path if path in self._paths else None
        ending = [
            path
            for path in candidates
            if written.endswith(f"/{path}")
            and (not self._known_root or self._is_root(written[: -len(path) - 1]))
        ]
        return max(ending, key=len, default=None)

    def is_guess(self, written: str) -> bool:
        """Whether what a path names was told by its end alone."""
        return not self._known_root and written not in self._paths

    def folder(self, written: str) -> str | None:
        """The folder that a path names, below the root; None where it holds no file of it."""
        if written.startswith(("/", "~")):
            below = self._below(written)
        else:
            below = _plain(self._place, written)
        inner = self._inner(below)
        if inner is None and not self._known_root:
            # Nobody knows what any other folder is called, if not the root.
            return self._ending(below) or None
        return inner if inner in self._names.folders else None

    def _ending(self, folder: str) -> str:
        """The longest folder of the corpus that an absolute path ends with."""
        parts = folder.strip("/").split("/")
        inner = ("/".join(parts[first:]) for first in range(len(parts)))
        return next((one for one in inner if one in self._names.folders), "")

    def at_revision(self, written: str) -> str | None:
        """The file of `REV:path`, which goes from the root whatever the place."""
        revision, mark, path = written.partition(":")
        if not (revision and mark and path) or "/." in revision:
            return None
        if path.startswith("./"):
            return self.resolve(path)
        return self.from_place("").resolve(path)

    def called(self, name: str) -> tuple[str, ...]:
        """All files whose name, or whose path's end, a pattern fits."""
        key = f"**/{name.removeprefix('./').removeprefix('**/')}"
        return tuple(path for path in self._names.fitting(key) if path in self._paths)

    def matching(self, glob: str) -> tuple[str, ...]:
        """The files and the folders that a shell puts in the place of a pattern."""
        literal = GLOB.split(glob, maxsplit=1)[0].rpartition("/")[0]
        absolute = glob.startswith(("/", "~"))
        rest = glob[len(literal) :].lstrip("/")
        below = self._below(literal or "/") if absolute else _plain(self._place, literal)
        inner = self._inner(below)
        if inner is None and not self._known_root:
            inner = self._ending(below)
        return () if inner is None else self._names.fitting(posixpath.join(inner, rest))

    def spread(self, glob: str) -> tuple[str, ...]:
        """The same as the shell writes them, which is the pattern itself where nothing fits it;
        none where that cannot be told."""
        literal = GLOB.split(glob, maxsplit=1)[0].rpartition("/")[0]
        rest = glob[len(literal) :].strip("/")
        if "**" in rest or any("/" in choices for choices in BRACES.findall(rest)):
            return ()
        found = self.matching(glob.rstrip("/"))
        parts, end = rest.count("/") + 1, ""
        if glob.endswith("/"):
            found, end = tuple([one for one in found if not self.has_path(one)]), "/"
        heads = [posixpath.join(literal, *path.split("/")[-parts:]) for path in found]
        return tuple([f"{head}{end}" for head in heads]) or (glob,)

    def before(self, line: str, end: int) -> str | None:
        """The file that the first `end` characters of a line name."""
        start = line.rfind("/", 0, end) + 1
        if line[start:end] in self._names.by_name:
            return self.resolve(line[:end]) or self._behind_revision(line[:end])
        if not start and line[line.rfind(":", 0, end) + 1 : end] in self._names.by_name:
            return self._behind_revision(line[:end])
        return None

    def leads_elsewhere(self, line: str) -> bool:
        """Whether a line begins with a path, up to a mark, that ends as a file of the corpus is
        called and leads to none. A name alone may be short for any, but where none can be."""
        if not self._known_root or self._place == LOST:
            return False
        for match in self.marks.finditer(line, 0, LONGEST_PATH):
            end = match.start()
            start = line.rfind("/", 0, end) + 1
            if line[start:end] in self._names.by_name and (
                start or self._inner(self._place) is None
            ):
                return self.before(line, end) is None
        return False

    def _behind_revision(self, written: str) -> str | None:
        """The file of `REV:path`, as `git grep` prints it: it may go from the place too."""
        revision, _, path = written.partition(":")
        if REVISION.fullmatch(revision) is None or self.resolve(revision) is not None:
            return None
        return self.resolve(path) or self.from_place("").resolve(path)

    def head(self, written: str) -> str | None:
        """The file that stands before a mark and a number, if no earlier mark can be the one."""
        if written not in self._heads:
            if len(self._heads) >= MOST_KEPT:
                self._heads.clear()
            is_name = name_in(f"{written}:1:", self) == written
            self._heads[written] = self.resolve(written) if is_name else None
        return self._heads[written]


def _plain(*parts: str) -> str:
    """An absolute path without dots and doubled slashes."""
    return posixpath.normpath("/" + "/".join(parts).lstrip("/"))


def paths_of(index: CorpusIndex) -> PathResolver:
    """The resolver of a corpus, to be kept with it."""
    return PathResolver(index.files)
