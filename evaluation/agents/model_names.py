"""Which names an answer may bear, so that it is one by the model that was asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

DATED = re.compile(r"-20\d{6}")
"""What the full name of a model has at its end."""


@dataclass(frozen=True)
class ModelNames:
    """What one CLI makes of the names it is asked for, as data."""

    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names that it sends as another: a short name, a model that was renamed."""
    tail: re.Pattern[str] = DATED
    """What may stand behind a name in an answer."""

    def accepts(self, asked: str, answered: str) -> bool:
        """Whether an answer that bears this name is one by the model asked for."""
        sent = self.aliases.get(asked, asked)
        return any(self._is(name, answered) for name in (asked, sent))

    def _is(self, name: str, answered: str) -> bool:
        rest = answered.removeprefix(name)
        return answered == name or (rest != answered and self.tail.fullmatch(rest) is not None)
