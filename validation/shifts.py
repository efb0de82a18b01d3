"""Where the same lines stand in the planted corpus, the clean one, and one with a single needle.

Prevents a sound needle from failing, or a stray one from passing, since an edit of another needle
further up has moved its lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generators.detectors.detector import Evidence
from generators.edits import Change, changes_of, moved
from generators.registry import RegisteredNeedle, Span


def without(span: Span, taken_out: Iterable[RegisteredNeedle]) -> Span | None:
    """Where planted lines stand once the edits of some needles are taken out again.

    None where one of these edits changes the lines themselves, or what stands between them.
    """
    shift = 0
    for needle in taken_out:
        for edit in needle.edits:
            # A removal has no planted lines, and stands before the line that is its `first`.
            if edit.path != span.path or edit.first > span.last:
                continue
            if edit.last >= span.first:
                return None
            shift += len(edit.clean) - len(edit.planted)
    return Span(path=span.path, first=span.first + shift, last=span.last + shift)


def clean_changes(
    needles: Sequence[RegisteredNeedle],
) -> dict[str, tuple[Change, ...]]:
    """The edits of all needles of a registry as changes of clean lines; by needle id."""
    owned = [(needle.id, edit) for needle in needles for edit in needle.edits]
    owned.sort(key=lambda pair: (pair[1].path, pair[1].first))
    found: dict[str, list[Change]] = {needle.id: [] for needle in needles}
    changes = changes_of(edit for _, edit in owned)
    for (name, _), change in zip(owned, changes, strict=True):
        found[name].append(change)
    return {name: tuple(own) for name, own in found.items()}


def after(evidence: Evidence, changes: Iterable[Change]) -> Evidence | None:
    """Where clean lines stand once some changes are made; None where its ends are changed."""
    own = [change for change in changes if change.path == str(evidence.path)]
    if any(
        change.first <= line <= change.last
        for change in own
        for line in (evidence.first, evidence.last)
    ):
        return None
    return Evidence(evidence.path, moved(evidence.first, own), moved(evidence.last, own))
