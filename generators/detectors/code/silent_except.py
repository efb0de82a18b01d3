"""An exception that is caught and dropped: nothing is done, and nobody is told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from tree_sitter import Node

from generators.detectors.detector import Evidence
from generators.planters.languages import Source

BODIES = "(except_clause (block) @anchor)"
NOTHING = frozenset({"pass_statement", "comment"})
LITERALS = frozenset({"ellipsis", "string"})


class SilentExcept:
    """Finds the bodies of Python's `except` that hold nothing but `pass`, `...` or a text."""

    def extract(self, path: PurePosixPath, text: str) -> tuple[Evidence, ...]:
        if path.suffix != ".py":
            return ()
        return tuple(
            Evidence(path, body.start_point.row + 1, body.end_point.row + 1)
            for body in Source.parse(text, "python").anchors(BODIES)
            if all(map(_does_nothing, body.named_children))
        )

    def decide(self, facts: Mapping[PurePosixPath, tuple[Evidence, ...]]) -> tuple[Evidence, ...]:
        return tuple(one for path in sorted(facts) for one in facts[path])


def _does_nothing(statement: Node) -> bool:
    if statement.type == "expression_statement":
        return all(child.type in LITERALS for child in statement.named_children)
    return statement.type in NOTHING
