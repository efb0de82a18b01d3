"""Results less what they show of files that are not looked at, where only some files are.

A search over a large tree shows a million lines of them, each behind its path: that they are no
lines of the others is known, and need not be found out line by line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from evaluation.reading.context import UNKNOWN_TOOL, ContextLog, ContextText, ToolTable
from generators.lines import CorpusIndex

LONG = 4096
"""Characters of a result up to which it is left as it is."""
CUT = "--"
"""What grep prints between lines that are no neighbours."""


def without_others(
    log: ContextLog, tools: ToolTable, index: CorpusIndex, listed: Collection[str]
) -> ContextLog:
    """The same, without text of files that are `listed` and not in the corpus."""
    others = _Others(index, listed, log.root)
    texts = (others.left_out(text, tools) if len(text.text) > LONG else text for text in log.texts)
    return replace(log, texts=tuple(texts))


class _Others:
    def __init__(self, index: CorpusIndex, listed: Collection[str], root: str) -> None:
        self._listed = listed
        self._root = f"{root}/" if root else ""
        self._ends = frozenset(end for path in index.files for end in _ends(path))
        self._known: dict[str, bool] = {}

    def left_out(self, text: ContextText, tools: ToolTable) -> ContextText:
        tool = tools.get(text.tool, UNKNOWN_TOOL)
        if tool.path_argument is not None:
            written = text.arguments.get(tool.path_argument)
            is_other = isinstance(written, str) and self._is_other(written)
            return replace(text, text="") if is_other else text
        kept = "\n".join(self._kept(text.text.split("\n")))
        return replace(text, text=kept) if len(kept) < len(text.text) else text

    def _kept(self, lines: list[str]) -> Iterator[str]:
        is_cut = False
        for line in lines:
            path, mark, rest = line.partition(":")
            if not (mark and rest[:1].isdecimal() and self._is_other(path)):
                is_cut = False
                yield line
            elif not is_cut:
                is_cut = True
                yield CUT

    def _is_other(self, written: str) -> bool:
        """Whether it is the path of a file that is not in the corpus, from wherever it goes."""
        known = self._known.get(written)
        if known is None:
            path = written.removeprefix(self._root).removeprefix("./")
            known = self._known[written] = path in self._listed and path not in self._ends
        return known


def _ends(path: str) -> Iterator[str]:
    """The path, and what it may be from a folder below the root."""
    parts = path.split("/")
    for count in range(len(parts)):
        yield "/".join(parts[count:])
