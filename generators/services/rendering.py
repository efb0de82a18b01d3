"""The templates of this generator, and alternatives in them that code can hold: `«this|that»`."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generators.choices import Choices

INNERMOST = re.compile(r"«([^«»]*)»")
BAR = re.compile(r"\|(?![^{]*}})")
"""Between alternatives; a bar inside of `{{ }}` is a filter."""


class CodeChoices(Choices):
    """`{% choose %}` as everywhere; the short form has guillemets: code is full of brackets."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Write the short form out in full."""
        count = 1
        while count:
            source, count = INNERMOST.subn(_written_out, source)
        return source


def _written_out(match: re.Match[str]) -> str:
    # An alternative may begin on a line of its own.
    options = [option.removeprefix("\n") for option in BAR.split(match.group(1))]
    return "{%+ choose +%}" + "{%+ or +%}".join(options) + "{%+ endchoose +%}"


@cache
def make_environment() -> ImmutableSandboxedEnvironment:
    """The templates that ship beside this module. Compiled once a process."""
    environment = ImmutableSandboxedEnvironment(
        loader=PackageLoader("generators.services", "templates"),
        undefined=StrictUndefined,
        extensions=[CodeChoices],
        trim_blocks=True,
        lstrip_blocks=True,
        # Without autoescape: the result is code, not HTML.
        autoescape=False,
    )
    environment.globals |= {
        "an": with_article,
        "words": words,
        "quoted": quoted,
        "sql_quoted": sql_quoted,
    }
    return environment


class Brush:
    """Renders templates with one stream of randomness."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self._drawing: dict[str, Callable[..., object]] = {
            "draw": source.randrange,
            "pick": self.pick,
            "number": source.randint,
            "ttl": self.ttl,
        }

    def pick(self, *options: str) -> str:
        """One of several wordings."""
        return options[self.random.randrange(len(options))]

    def ttl(self) -> int:
        """Seconds for which something is remembered."""
        return self.random.randrange(3, 40) * 15

    def render(self, template: str, values: Mapping[str, object]) -> str:
        """The text of a template, without white space at its end."""
        found = make_environment().get_template(f"{template}.j2")
        return found.render({**self._drawing, **values}).rstrip()


def words(name: str) -> str:
    """`due_on` to `due on`."""
    return name.replace("_", " ")


def with_article(label: str) -> str:
    """`an invoice`"""
    return f"an {label}" if label[0] in "aeio" else f"a {label}"


def quoted(names: Sequence[str]) -> str:
    """`"draft", "issued"`"""
    return ", ".join(f'"{name}"' for name in names)


def sql_quoted(names: Sequence[str]) -> str:
    """`'draft', 'issued'`"""
    return ", ".join(f"'{name}'" for name in names)
