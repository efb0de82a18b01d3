"""`query`: code at a node that a tree-sitter query captures."""

from __future__ import annotations

from pathlib import PurePosixPath

from pydantic import ValidationInfo, field_validator
from tree_sitter import Node, Query, QueryCursor

from generators.detectors.detector import Evidence
from generators.detectors.rules.looking import Comparing, Found, PerFile, with_lf
from generators.detectors.rules.regex_rule import holds
from generators.planters.languages import LanguageName, Source, captures_of
from generators.planters.patterns import Pattern, within_time
from generators.planters.queries import in_time

DEFECT, VALUE = "defect", "value"
SUMMARY = "code at a node that a tree-sitter query captures"
EXAMPLE = """\
name: long-timeout
summary: a call may take longer than 30 seconds
detector: query
parameters:
  files: ["**/*.py"]
  language: python
  query: |
    (keyword_argument
      name: (identifier) @name (#eq? @name "timeout")
      value: (_) @value) @defect
  more_than: 30
"""


class QueryParameters(Comparing):
    """What is looked for in the syntax. What is compared is the text of the node."""

    language: LanguageName
    query: str
    """A tree-sitter query. The lines of what it captures as `@defect` are the evidence. What it
    captures as `@value` inside of that is compared; without it, the defect itself."""
    unless: Pattern | None = None
    """A regular expression; where it matches in the code of the defect, it is none."""

    @field_validator("query")
    @classmethod
    def _captures_the_defect(cls, query: str, info: ValidationInfo) -> str:
        language = info.data.get("language")
        if language is not None and DEFECT not in captures_of(query, language):
            raise ValueError(f"captures no @{DEFECT}")
        return query


class QueryRule(PerFile):
    """Finds the nodes of a query."""

    def __init__(self, parameters: QueryParameters) -> None:
        self._parameters = parameters

    def extract(self, path: PurePosixPath, text: str) -> Found:
        given = self._parameters
        if not given.looks_at(path):
            return ()
        source = Source.parse(with_lf(text), given.language)
        cursor, root = QueryCursor(Query(source.language, given.query)), source.tree.root_node
        matches = in_time(given.query, lambda: cursor.matches(root))
        with within_time(given.query):
            found = {
                _evidence(path, node)
                for _, captured in matches
                for node in captured.get(DEFECT, ())
                if self._is_defect(_text(source, node), captured.get(VALUE, ()), source)
            }
        return tuple(sorted(found))

    def _is_defect(self, code: str, values: list[Node] | tuple[()], source: Source) -> bool:
        given = self._parameters
        if given.unless is not None and holds(given.unless, code):
            return False
        compared = [_text(source, value) for value in values] or [code]
        return any(map(given.is_defect, compared))


def _text(source: Source, node: Node) -> str:
    return source.data[node.start_byte : node.end_byte].decode()


def _evidence(path: PurePosixPath, node: Node) -> Evidence:
    """The lines of a node; one that ends with a line end does not hold the next line."""
    first, end = node.start_point.row + 1, node.end_point
    last = end.row if end.column == 0 and end.row >= first else end.row + 1
    return Evidence(path, first, last)
