"""Which role each file of a corpus has: every file exactly one, by the globs of the spec."""

from __future__ import annotations

import re
from collections.abc import Iterable

from authoring.errors import UserError
from authoring.spec import Scope
from generators.manifest import Role


def glob_pattern(glob: str) -> re.Pattern[str]:
    """A glob over whole paths: `*`, `?`, `[…]` within a folder, `**` over any number of them.

    Raises UserError where it is none.
    """
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[!?\]?[^\]]*\])", glob)
    try:
        return re.compile("".join(_translated(part) for part in parts))
    except re.error as error:
        raise UserError(f"{glob!r} is no glob: {error}", remedy="mend scope") from error


def _translated(part: str) -> str:
    known = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
    if part in known:
        return known[part]
    if part.startswith("[") and part.endswith("]"):
        inner = part[1:-1].replace("\\", r"\\").replace("[", r"\[")
        return f"[^{inner[1:]}/]" if inner.startswith("!") else f"[{inner}]"
    return re.escape(part)


def roles(paths: Iterable[str], scope: Scope) -> dict[str, Role]:
    """The role of each path. Raises UserError naming every file that matches none or both."""
    review = [glob_pattern(glob) for glob in scope.review]
    reference = [glob_pattern(glob) for glob in scope.reference]
    found: dict[str, Role] = {}
    neither, both = [], []
    for path in paths:
        reviewed = any(pattern.fullmatch(path) for pattern in review)
        referred = any(pattern.fullmatch(path) for pattern in reference)
        if reviewed and referred:
            both.append(path)
        elif reviewed or referred:
            found[path] = "review" if reviewed else "reference"
        else:
            neither.append(path)
    if neither or both:
        lines = [f"{path}: matches no glob of scope" for path in neither]
        lines += [f"{path}: matches both scope.review and scope.reference" for path in both]
        raise UserError("\n".join(lines), remedy="every file has exactly one role")
    if "review" not in found.values():
        raise UserError("no file is under review", remedy="mend scope.review")
    return found
