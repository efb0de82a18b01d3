"""Which file a needle goes into: its third of the files of a kind, moved on by the placement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from authoring.errors import UserError, nearest
from authoring.spec import POSITIONS, NeedleSpec, Position
from generators.document import Document
from generators.planting import Planted, Planter
from generators.seeding import draw

SHOWN = 5


def rotated(position: Position, placement: int) -> Position:
    """Early becomes middle, middle late, late early; as many times as `placement` says."""
    return POSITIONS[(POSITIONS.index(position) + placement) % len(POSITIONS)]


def third(paths: Sequence[PurePosixPath], position: Position) -> Sequence[PurePosixPath]:
    """The early, middle or late third of sorted paths; of fewer than three, the nearest one."""
    index = POSITIONS.index(position)
    count = len(paths)
    part = paths[index * count // 3 : (index + 1) * count // 3]
    if part or not paths:
        return part
    return [paths[(2 * index + 1) * count // 6]]


def plant_needle(
    needle: NeedleSpec,
    planter: Planter,
    documents: Sequence[Document],
    *,
    placement: int,
    seed: int,
    used: Mapping[PurePosixPath, int],
) -> Planted:
    """Plant in the first file of the right third that has the anchor.

    Files that hold fewer needles (`used`) come first; among those the seed decides, for each
    needle in another order. Raises UserError where no file of the third has the anchor.
    """
    kind = needle.plant.into.document
    files = {document.path: document.text for document in documents}
    paths = [document.path for document in documents if document.kind == kind]
    if not paths:
        raise UserError(
            f"needle {needle.id}: the corpus holds no document {kind!r}",
            remedy=nearest(kind, {document.kind for document in documents}),
        )
    paths.sort(key=lambda path: str(path).encode())
    position = rotated(needle.plant.into.position, placement)
    reasons = []
    for path in _by_preference(needle.id, third(paths, position), seed=seed, used=used):
        try:
            return planter.plant(files, path)
        except UserError as error:
            reasons.append(f"  {error}")
    more = [f"  and {len(reasons) - SHOWN} more files"] if len(reasons) > SHOWN else []
    raise UserError(
        f"needle {needle.id}: no {position} {kind} takes it:\n" + "\n".join(reasons[:SHOWN] + more)
    )


def _by_preference(
    needle: str,
    paths: Sequence[PurePosixPath],
    *,
    seed: int,
    used: Mapping[PurePosixPath, int],
) -> Iterator[PurePosixPath]:
    yield from sorted(
        paths, key=lambda path: (used.get(path, 0), draw(seed, "target", needle, str(path)))
    )
