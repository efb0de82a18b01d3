"""The languages that the `code` planter parses, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import tree_sitter_containerfile
import tree_sitter_python
import tree_sitter_sql
import tree_sitter_typescript
import tree_sitter_yaml
from tree_sitter import Language, Node, Parser, Query, QueryCursor, QueryError, Tree

from authoring.errors import UserError

LanguageName = Literal["python", "typescript", "tsx", "sql", "yaml", "dockerfile"]
ANCHOR = "anchor"


@dataclass(frozen=True)
class Grammar:
    """How a language is parsed, and what has a name in it."""

    load: Callable[[], object]
    named: Mapping[str, str]
    """Nodes that a needle may be said to be in; for each the field, or the kind of child, that
    holds its name."""


TYPESCRIPT = {
    "class_declaration": "name",
    "function_declaration": "name",
    "generator_function_declaration": "name",
    "method_definition": "name",
    "variable_declarator": "name",
}
GRAMMARS: Mapping[LanguageName, Grammar] = {
    "python": Grammar(
        tree_sitter_python.language,
        {"function_definition": "name", "class_definition": "name"},
    ),
    "typescript": Grammar(tree_sitter_typescript.language_typescript, TYPESCRIPT),
    "tsx": Grammar(tree_sitter_typescript.language_tsx, TYPESCRIPT),
    "sql": Grammar(
        tree_sitter_sql.language,
        {
            "create_function": "object_reference",
            "create_index": "identifier",
            "create_table": "object_reference",
            "create_view": "object_reference",
        },
    ),
    "yaml": Grammar(tree_sitter_yaml.language, {"block_mapping_pair": "key"}),
    "dockerfile": Grammar(tree_sitter_containerfile.language, {}),
}


def captures_of(query: str, name: LanguageName) -> frozenset[str]:
    """The names that a query captures. Raises ValueError where it is none for the language."""
    try:
        compiled = Query(Language(GRAMMARS[name].load()), query)
    except QueryError as error:
        raise ValueError(f"is no query for {name}: {error}") from error
    return frozenset(compiled.capture_name(index) for index in range(compiled.capture_count))


@dataclass(frozen=True)
class Source:
    """A parsed text. Offsets of a tree count bytes; those given out count characters."""

    text: str
    data: bytes
    tree: Tree
    grammar: Grammar
    language: Language

    @classmethod
    def parse(cls, text: str, name: LanguageName) -> Source:
        """Parse a text, however wrong it is."""
        grammar = GRAMMARS[name]
        language = Language(grammar.load())
        data = text.encode()
        return cls(text, data, Parser(language).parse(data), grammar, language)

    def faults(self) -> int:
        """How many places are not understood."""
        return sum(node.is_error or node.is_missing for node in _nodes(self.tree.root_node))

    def anchors(self, query: str) -> list[Node]:
        """The nodes that a query captures as @anchor, in order.

        Raises UserError where the query is none for this language.
        """
        try:
            captures = QueryCursor(Query(self.language, query)).captures(self.tree.root_node)
        except QueryError as error:
            raise UserError(f"the query is not valid: {error}") from error
        return sorted(captures.get(ANCHOR, ()), key=lambda node: (node.start_byte, node.end_byte))

    def offset(self, byte: int) -> int:
        """The character at a byte."""
        return len(self.data[:byte].decode())

    def names(self, node: Node) -> Iterator[str]:
        """The names of what a node is, or is in: the innermost first."""
        current: Node | None = node
        while current is not None:
            field = self.grammar.named.get(current.type)
            if field is not None:
                named = current.child_by_field_name(field) or next(
                    (child for child in current.children if child.type == field), None
                )
                if named is not None:
                    yield self.data[named.start_byte : named.end_byte].decode()
            current = current.parent


def _nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if node.has_error:
            waiting += node.children
