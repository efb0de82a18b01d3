"""Plantings made one by one on the clean corpus, put together in one planted corpus.

Prevents evidence that is off by some lines: an edit further up moves all that stands below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from authoring.errors import Place, UserError
from generators.edits import Change, apply_changes, changes_of, edits_of, moved
from generators.planting import Planted
from generators.registry import Edit, Span


@dataclass(frozen=True)
class Merged:
    """The planted corpus, and what each needle's edits and evidence are in it."""

    clean: Mapping[str, str]
    texts: Mapping[str, str]
    needles: Mapping[str, Planted]


def merge_plantings(clean: Mapping[str, str], planted: Mapping[str, Planted]) -> Merged:
    """Put plantings, by needle id, together. Raises UserError where two of them touch."""
    changes = {name: changes_of(one.edits) for name, one in planted.items()}
    for one, other in combinations(changes, 2):
        _refuse_touching(one, changes[one], other, changes[other])
    owners = {change: name for name, own in changes.items() for change in own}
    texts = dict(clean)
    for path in sorted({change.path for change in owners}):
        texts[path] = apply_changes(clean[path], [c for c in owners if c.path == path])
    edits: dict[str, list[Edit]] = {name: [] for name in planted}
    ordered = sorted(owners, key=lambda change: (change.path, change.first))
    for change, edit in zip(ordered, edits_of(owners), strict=True):
        edits[owners[change]].append(edit)
    needles = {
        name: Planted(
            edits=tuple(edits[name]),
            evidence=tuple(_settled(span, name, changes) for span in one.evidence),
            witnesses=one.witnesses,
        )
        for name, one in planted.items()
    }
    return Merged(clean, texts, needles)


def refuse_contact(name: str, planting: Planted, others: Mapping[str, Planted]) -> None:
    """Raises UserError where a planting cannot stand beside one of those that are there."""
    own = changes_of(planting.edits)
    for other, theirs in others.items():
        changes = {other: changes_of(theirs.edits), name: own}
        _refuse_touching(other, changes[other], name, own)
        for span in planting.evidence:
            _settled(span, name, changes)
        for span in theirs.evidence:
            _settled(span, other, changes)


def _refuse_touching(one: str, its: Sequence[Change], other: str, others: Sequence[Change]) -> None:
    for change in its:
        for near in others:
            if change.touches(near):
                raise UserError(
                    f"needles {one} and {other} touch, at line {max(change.first, near.first)}",
                    place=Place(change.path),
                    remedy="plant one of them elsewhere",
                )


def _settled(span: Span, name: str, changes: Mapping[str, Sequence[Change]]) -> Span:
    """A span of one planting, in the lines of the corpus that holds all of them."""
    shift = 0
    for other, theirs in changes.items():
        if other == name:
            continue
        for change in theirs:
            if change.path != span.path:
                continue
            # In the lines of this needle's own planting, where the span counts.
            first = moved(change.first, changes_in(changes[name], span.path))
            last = first + len(change.clean) - 1
            if first <= span.last and span.first <= last:
                raise UserError(
                    f"needle {other} changes lines that show needle {name}",
                    place=Place(span.path, first, 1),
                    remedy="plant one of them elsewhere",
                )
            if first <= span.first:
                shift += change.shift
    return Span(path=span.path, first=span.first + shift, last=span.last + shift)


def changes_in(changes: Sequence[Change], path: str) -> list[Change]:
    """Those of one file."""
    return [change for change in changes if change.path == path]
