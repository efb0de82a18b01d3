"""Where the counts are kept: one JSON file a warehouse, read whole and written whole."""

import json
import logging
from pathlib import Path

log = logging.getLogger(__name__)


class StorageError(Exception):
    """A warehouse file cannot be used as it is."""


def read_counts(path: Path) -> dict[str, int]:
    """The count of every article number in one warehouse."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        log.warning("no counts at %s yet, starting from none", path)
        return {}
    except json.JSONDecodeError as error:
        raise StorageError(f"{path} is not JSON: {error}") from error
    counts = {str(number): int(count) for number, count in raw.items()}
    negative = [number for number, count in counts.items() if count < 0]
    if negative:
        raise StorageError(f"{path} holds fewer than none of {', '.join(sorted(negative))}")
    return counts


def write_counts(path: Path, counts: dict[str, int]) -> None:
    """Replace the counts of a warehouse, whole or not at all."""
    draft = path.with_suffix(".draft")
    try:
        draft.write_text(json.dumps(counts, indent=2, sort_keys=True), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise StorageError(f"counts of {path.stem} could not be written") from error
