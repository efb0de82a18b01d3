"""A verb of reviewing, or a noun of that action, as a sentence uses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Act = Literal["read", "skim", "sample", "search", "program", "skip", "unread"]
Form = Literal["past", "base", "gerund", "noun", "adjective"]


@dataclass(frozen=True)
class Verb:
    """One verb, or noun of action; indices of words, the last one not in."""

    act: Act
    tag: str
    form: Form
    first: int
    last: int
    window: int
    """From here on, words to the left bear on it."""
    negated: bool = False
    factual: bool = True
    passive: bool = False
    own: bool = True
    """Done by the agent, one of its sub-agents, or nobody named."""
    only: bool = False
    pending: bool = False
    weak: bool = False
    """A label such as "Scope:", which is no statement of work."""
