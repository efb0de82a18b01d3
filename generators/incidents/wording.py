"""Phrases of one log: Jinja2 templates whose wording, and whose choice, is the log's own.

`[a|b]` is settled once for each log, as programs word a thing always alike; figures are drawn line
by line.
"""

from __future__ import annotations

import importlib.resources
import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import yaml
from jinja2 import PackageLoader, StrictUndefined, Template
from jinja2.sandbox import ImmutableSandboxedEnvironment

INNERMOST = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
LETTERS, DIGITS = "abcdef", "0123456789"

Words = Mapping[str, Callable[..., object] | str]
"""What a template may call or name."""


@cache
def make_environment() -> ImmutableSandboxedEnvironment:
    """No name that is not given; no escaping, since the result is a log and not HTML."""
    return ImmutableSandboxedEnvironment(
        loader=PackageLoader("generators.incidents", "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        keep_trailing_newline=True,
    )


@cache
def read_phrases(name: str) -> Any:
    """The phrases of a kind of log, from the YAML of that name beside this module."""
    source = importlib.resources.files("generators.incidents") / "templates" / f"{name}.yaml"
    return yaml.safe_load(source.read_text(encoding="utf-8"))


def settled(text: str, source: random.Random) -> str:
    """A phrase with one of each of its alternatives."""
    count = 1
    while count:
        text, count = INNERMOST.subn(lambda m: source.choice(m[1].split("|")), text)
    return text


class Wording:
    """The phrases of one log."""

    def __init__(self, source: random.Random, frame: str, words: Words | None = None) -> None:
        """`frame` is a whole line, with `<>` where the phrase goes."""
        self._source = source
        self._frame = frame
        self._words: dict[str, Callable[..., object] | str] = {
            "n": self._whole,
            "d": self._decimal,
            "x": self.hexadecimal,
            "pick": self._pick,
            **(words or {}),
        }

    def phrase(self, text: str) -> Template:
        """A phrase in its frame, ready to be filled in."""
        whole = self._frame.replace("<>", settled(text, self._source))
        return make_environment().from_string(whole, globals=self._words)

    def some(self, texts: Sequence[str], count: int) -> list[Template]:
        """Some of many phrases."""
        chosen = self._source.sample(texts, min(count, len(texts)))
        return [self.phrase(text) for text in chosen]

    def hexadecimal(self, digits: int) -> str:
        """Hexadecimal digits, of both sorts: no number and no word."""
        value = f"{self._source.getrandbits(4 * digits):0{digits}x}"
        if value.isdecimal():
            value = value[:-1] + self._source.choice(LETTERS)
        if value.isalpha():
            value = self._source.choice(DIGITS) + value[1:]
        return value

    def _whole(self, least: int, most: int) -> int:
        return self._source.randint(least, most)

    def _decimal(self, least: int, most: int) -> str:
        return f"{self._source.randint(10 * least, 10 * most) / 10:.1f}"

    def _pick(self, *options: object) -> object:
        return self._source.choice(options)
