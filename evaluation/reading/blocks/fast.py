"""Chooses how an output is placed block by block; what cannot be is placed line by line."""

from __future__ import annotations

import re

from evaluation.reading.blocks.greps import MANY
from evaluation.reading.blocks.marked import MarkedOutput, OneFileOutput
from evaluation.reading.blocks.noise import LaterNoise
from evaluation.reading.blocks.numbered import NumberedOutput, place_counted, place_numbered_block
from evaluation.reading.blocks.plain import PlainOutput, place_block, quick_form
from evaluation.reading.context import ToolOutput
from evaluation.reading.lines.forms import COUNTED, OVER_ONE, by_common_forms
from evaluation.reading.lines.outputs import Frame
from evaluation.reading.lines.paths import paths_of
from evaluation.reading.lines.placement import Placement
from evaluation.reading.lines.printed import light
from evaluation.reading.lines.shown import BANNER_BEGINS, holds
from evaluation.reading.placing.line_by_line import only_file
from generators.lines import CorpusIndex, normal_form


def place_fast(
    text: str, tool: ToolOutput, named: frozenset[str], index: CorpusIndex, frame: Frame
) -> Placement | None:
    """Place a tool result as line_by_line.py would; None where only that can."""
    if "\x1b" in text or "\ufeff" in text or tool.path is not None:
        return None
    if tool.escaped is not None and tool.escaped.search(text):
        return None
    if tool.heading is not None and _whole_line(tool.heading).search(text):
        return None
    only = only_file(named)
    if tool.number is not None:
        if only is None:
            return None
        at_once = place_numbered_block(text, tool.number, only, index)
        return at_once or NumberedOutput(light(text), tool, tool.number, only, index, frame).place()
    shown = light(text)
    if tool.path_argument is not None:
        return PlainOutput(shown, only, index, frame, has_forms=False).place()
    if holds(shown, BANNER_BEGINS) and f"\n{BANNER_BEGINS}" in f"\n{shown}":
        return None
    return _of_a_command(shown, only, index, frame)


def _whole_line(pattern: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(f"^(?:{pattern.pattern})$", pattern.flags | re.MULTILINE)


def _of_a_command(
    shown: str, only: str | None, index: CorpusIndex, frame: Frame
) -> Placement | None:
    """Place what a command printed; its first line tells in which form, most of the time."""
    first = shown[: shown.find("\n")]
    plain = normal_form(first)
    if plain in index.places:
        at_once = place_block(shown, plain, only, index, frame)
        return at_once or PlainOutput(shown, only, index, frame, has_forms=True).place()
    paths = index.kept(paths_of)
    marked = MANY.match(first)
    if marked is not None and paths.head(marked[1]) is not None:
        return MarkedOutput(index).place(shown)
    one = by_common_forms(first, index, paths)
    if one.text != plain:
        if one.vouched:
            return MarkedOutput(index).place(shown)
        if only is not None and COUNTED.match(first):
            return place_counted(shown, only, index, frame)
        if only is not None and OVER_ONE.match(first):
            return OneFileOutput(only, index, frame).place(shown)
        return None
    normals = list(map(quick_form(shown), shown.split("\n")[:-1]))
    if index.kept(LaterNoise).is_noise(shown, normals):
        return Placement(leftover=list(filter(None, normals)), is_noise=True)
    return PlainOutput(shown, only, index, frame, has_forms=True).place()
