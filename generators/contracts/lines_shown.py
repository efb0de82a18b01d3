"""Whether the lines that show a defect stand in one place of the corpus only.

Prevents a reader from being credited with evidence that stands, word for word, in another file.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from generators.edits import apply_changes, changes_of
from generators.lines import is_weighty, normal_form, split_lines
from generators.planting import Ground, Planted


def stands(ground: Ground, line: str) -> int:
    """How often a line stands in a corpus."""
    return sum(split_lines(text).count(line) for text in ground.texts.values() if line in text)


def repeated(ground: Ground, planted: Planted) -> list[str]:
    """Lines of the evidence that stand elsewhere too, once this is planted."""
    changes = changes_of(planted.edits)
    texts = dict(ground.texts)
    for path in {change.path for change in changes}:
        own = [change for change in changes if change.path == path]
        texts[PurePosixPath(path)] = apply_changes(ground.texts[PurePosixPath(path)], own)
    after = Ground(texts, ground.kinds)
    shown = [
        line
        for span in planted.evidence
        for line in split_lines(texts[PurePosixPath(span.path)])[span.first - 1 : span.last]
    ]
    return [line for line in shown if is_weighty(normal_form(line)) and stands(after, line) > 1]
