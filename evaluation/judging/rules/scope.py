"""What depends on the files in scope alone: their names, and how they are called as a kind.

Built once and kept by the judge: a scope may have thousands of files, and many responses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evaluation.judging.rules.calling import Calling, calling_of
from evaluation.judging.rules.effects import ScopeSize
from evaluation.judging.rules.lexicon import Lexicon
from evaluation.judging.rules.words import Namer
from validation.matching.names import Names, names_of

_KEPT = 8
"""Scopes: an audit asks about a scope, what the answer names beside it, and those of sub-agents."""


@dataclass(frozen=True)
class Scope:
    """The files in scope, as the grammar needs them."""

    names: Names
    namer: Namer
    calling: Calling
    size: ScopeSize


@dataclass(frozen=True)
class Scopes:
    """The scopes that were asked about last."""

    lexicon: Lexicon
    """Of claims."""
    _kept: dict[tuple[str, ...], Scope] = field(default_factory=dict, compare=False, repr=False)

    def of(self, paths: Sequence[str]) -> Scope:
        """The scope of these files."""
        key = tuple(paths)
        found = self._kept.get(key)
        if found is None:
            names = names_of(key)
            calling = calling_of(key, names, self.lexicon)
            found = Scope(names, Namer(names), calling, ScopeSize(frozenset(key)))
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)), None)
            self._kept[key] = found
        return found
