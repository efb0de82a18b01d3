"""Alternatives inside Jinja2 templates: `[shall|will]` within a line, `{% choose %}` around blocks.

Which alternative is taken is asked of `draw(n)`, a function the caller hands in with the values, so
that a template holds no randomness of its own. Square brackets without a bar are plain text.
"""

from __future__ import annotations

import re

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

INNERMOST = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")


class Choices(Extension):
    """`{% choose %}…{% or %}…{% endchoose %}` and its short form `[…|…]`, which nest."""

    tags = {"choose"}

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Write the short form out in full."""
        count = 1
        while count:
            source, count = INNERMOST.subn(_written_out, source)
        return source

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """An assignment of the draw, and an If for each alternative."""
        line = next(parser.stream).lineno
        bodies: list[list[nodes.Node]] = []
        while True:
            bodies.append(parser.parse_statements(("name:or", "name:endchoose")))
            if next(parser.stream).value == "endchoose":
                break
        drawn = parser.free_identifier(line)
        draw = nodes.Call(
            nodes.Name("draw", "load"), [nodes.Const(len(bodies))], [], None, None, lineno=line
        )
        chosen: list[nodes.Node] = [
            nodes.If(
                nodes.Compare(drawn, [nodes.Operand("eq", nodes.Const(index))]),
                body,
                [],
                [],
                lineno=line,
            )
            for index, body in enumerate(bodies)
        ]
        return [nodes.Assign(drawn, draw, lineno=line), *chosen]


def _written_out(match: re.Match[str]) -> str:
    # With `+`: inside a line no white space is trimmed, as it is around tags on lines of their own.
    inner = match.group(1).replace("|", "{%+ or +%}")
    return "{%+ choose +%}" + inner + "{%+ endchoose +%}"
