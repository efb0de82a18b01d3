"""Keeps the files that an agent wrote to its home, beside what its own CLI keeps there."""

from __future__ import annotations

from pathlib import Path

from evaluation.sandboxes.trees import Bounds, Tree, copy_tree

KEPT = Bounds(depth=20, files=1000, size=10_000_000)
"""More, deeper or larger than a report."""


def keep_deliverables(home: Path, target: Path) -> int:
    """Copy plain files of the home to `target`; hidden ones are the CLI's own. Says how many.

    The home is hostile: links are never followed, nothing outside of it is copied, and what cannot
    be copied is left.
    """
    tree = Tree(home, deepest=KEPT.depth, wanted=lambda name: not name.startswith("."))
    return copy_tree(tree, target, KEPT).files
