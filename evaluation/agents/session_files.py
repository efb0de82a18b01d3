"""Copies a CLI's own session out of a home that an agent could write to."""

from __future__ import annotations

from pathlib import Path

from evaluation.sandboxes.trees import Bounds, Copied, Tree, copy_tree

BOUNDS = Bounds(depth=16, files=10_000, size=1 << 30)
"""A session lies flat: a project, its sub-agents, what their tools kept."""


def copy_files(home: Path, inner: Path, target: Path, bounds: Bounds = BOUNDS) -> Copied:
    """Copy the regular files of `home/inner`, no others: no link is followed, no device opened.

    Where there is no such folder nothing is copied: what that means, the reader of sessions says.
    """
    return copy_tree(Tree(home, inner, deepest=bounds.depth), target, bounds)
