"""Whether lines that look like a file's were printed from it, by what the call named.

Prevents a file that was never opened being touched because another one, printed in another shape
(`jq .`, `cut`, other indentation), has a line in common with it then.
"""

from __future__ import annotations

import re
from functools import cached_property

from evaluation.reading.calls.commands import prints_named
from evaluation.reading.calls.naming import Named
from evaluation.reading.lines.outputs import Claim, Run
from generators.lines import CorpusIndex, is_weighty

SPACE = re.compile(r"\s+")
AT_ENDS = ",;\"'"
"""What stands around a value, and is there or not by the shape that it was printed in."""
ENOUGH = 2
"""Weighty lines that no named file can give, by which another file is known."""
FEW = 8
"""Files of one call, up to which each is asked for lines that several of the corpus have."""
MOST = 1 << 26
"""Characters of named files that are looked through for one output."""


def squeezed(text: str) -> str:
    """A text without white space."""
    return SPACE.sub("", text)


class Squeezed:
    """The files without white space. Each is made when it is first asked for."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._texts: dict[str, str] = {}

    def text(self, path: str) -> str:
        """All of a file."""
        if path not in self._texts:
            self._texts[path] = squeezed(self._index.text(path))
        return self._texts[path]


class Origin:
    """What one call may have shown. Made for one output."""

    def __init__(self, named: Named, index: CorpusIndex, command: str | None = None) -> None:
        self._named = named
        self._command = command
        self._index = index
        self._left = MOST

    @property
    def is_one(self) -> bool:
        """Only the named file can have been shown."""
        return self._named.is_one

    @cached_property
    def alone(self) -> tuple[str, ...]:
        """The files that alone can have been shown, where those are few.

        A script of the corpus that was run may print others, and shares its first lines with them.
        """
        named = self._named
        if named.folders or named.elsewhere or named.is_open or len(named.files) > FEW:
            return ()
        if self._command is None or not prints_named(self._command):
            return ()
        return tuple(sorted(named.files))

    def may_show(self, path: str) -> bool:
        """Whether the call itself says, or does not rule out, that a file was shown."""
        named = self._named
        if path in named.files:
            return True
        if self._is_elsewhere(path):
            return False
        if named.is_open or not named.files:
            return True
        return any(not folder or path.startswith(f"{folder}/") for folder in named.folders)

    def tells(self, path: str) -> bool:
        """The same, and the call named no other file of that name, which nobody can look into."""
        return self.may_show(path) and not self._is_elsewhere(path)

    def doubts(self, claim: Claim, run: Run) -> bool:
        """Whether lines that look like a file's may be another's, in another shape."""
        path = claim.path
        if self.tells(path):
            return False
        if self.is_one or self._is_elsewhere(path):
            return True
        whole = claim.stop - claim.start == len(self._index.files[path])
        missing = 1 if whole else ENOUGH
        for position in range(claim.start, claim.stop):
            if self._is_new(run.text(position)):
                missing -= 1
                if not missing:
                    return False
        return True

    def _is_elsewhere(self, path: str) -> bool:
        """Whether the call named a file of the same name that is not this one."""
        return path.rsplit("/", 1)[-1] in self._named.elsewhere

    def _is_new(self, text: str) -> bool:
        """Whether no named file holds a line in any shape."""
        if not is_weighty(text):
            return False
        value = squeezed(text).strip(AT_ENDS)
        known = self._index.kept(Squeezed)
        for path in self._named.files:
            whole = known.text(path)
            self._left -= len(whole)
            if self._left < 0 or value in whole:
                return False
        return True
