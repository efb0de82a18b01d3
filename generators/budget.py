"""Whether a corpus has the size that its spec promises, in tokens."""

from __future__ import annotations

from collections.abc import Mapping

from authoring.errors import UserError
from authoring.spec import TokenRange
from generators.resolved import ResolvedSpec

SHOWN = 10


def check_budget(spec: ResolvedSpec, tokens: Mapping[str, int]) -> None:
    """Raises UserError naming each file, and the corpus, that is outside of the budget."""
    allowed = spec.budget.file
    outside = [
        f"{path}: {count} tokens, allowed {_said(allowed)}"
        for path, count in sorted(tokens.items())
        if not allowed.least <= count <= allowed.most
    ]
    if len(outside) > SHOWN:
        outside[SHOWN:] = [f"and {len(outside) - SHOWN} more files"]
    total = sum(tokens.values())
    whole = spec.budget.corpus[spec.build.size]
    if not whole.least <= total <= whole.most:
        outside.append(f"the corpus: {total} tokens, allowed {_said(whole)}")
    if outside:
        raise UserError(
            f"{spec.id}, size {spec.build.size}, is outside of its budget:\n  "
            + "\n  ".join(outside),
            remedy="change the generator's parameters or the budget",
        )


def _said(allowed: TokenRange) -> str:
    return f"{allowed.least} to {allowed.most}"
