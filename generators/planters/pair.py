"""`pair`: two files that agreed no longer do. Neither alone shows anything.

One file, the target, is edited; its partner is found by a key that both hold, and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from authoring.artefacts import Value
from authoring.errors import Place, UserError, nearest
from generators.edits import changes_of
from generators.lines import split_lines
from generators.planters.candidates import SHOWN, listed, similar
from generators.planters.edit_line import EditLine, EditLineParameters
from generators.planters.lines import Nth
from generators.planters.patterns import Pattern, compiles, expanded, fills, within_time
from generators.planters.replace_text import ReplaceText, ReplaceTextParameters
from generators.planting import Aim, Ground, Planted
from generators.registry import Span

KEY, STATED = "{key}", "{stated}"
SUMMARY = "two files that agreed no longer do"
EXAMPLE = """\
planter: pair
parameters:
  edit:
    pattern: (?P<start>\\| Total due \\| EUR )[0-9.]+(?P<end> \\|)
    replacement: \\g<start>914.20\\g<end>
  partner:
    document: expense-report
    key: "Invoice no\\\\. ([A-Z]+-[0-9]+)"
    match: "\\\\b{key}\\\\b"
  partner_evidence: .*{key}.*
  witness:
    pattern: ({key}.*EUR )[0-9.]+
    replacement: \\g<1>914.20
"""


def _compiles_with_key(pattern: str) -> str:
    compiles(pattern.replace(KEY, "key"))
    return pattern


def _has_a_group(pattern: str) -> str:
    if not re.compile(pattern).groups:
        raise ValueError("has no group ( )")
    return pattern


KeyedPattern = Annotated[str, Field(min_length=1), AfterValidator(_compiles_with_key)]
"""A regular expression in which `{key}` stands for the key, as it is."""
GroupPattern = Annotated[Pattern, AfterValidator(_has_a_group)]
"""A regular expression with a group."""


class PairEdit(Value):
    """The edit of the target."""

    planter: Literal["edit-line", "replace-text"] = "edit-line"
    """How it is made; the other keys are those of that planter."""
    heading: str | tuple[str, ...] | None = None
    pattern: Pattern
    replacement: Annotated[str, Field(min_length=1)]
    nth: Nth = None

    @field_validator("replacement")
    @classmethod
    def _fills_the_pattern(cls, value: str, info: ValidationInfo) -> str:
        pattern = info.data.get("pattern")
        return value if pattern is None else fills(value, pattern)


class Partner(Value):
    """Which file speaks of the same thing."""

    document: str
    """The generator's name for its kind of document."""
    key: GroupPattern
    """A regular expression whose first group is the key, looked for in the line that is edited and,
    where it is not there, in the whole target."""
    match: KeyedPattern
    """A regular expression that only the partner holds, of all files of its kind."""


class Witness(Value):
    """How the partner would read if the target, as it is planted, were in order."""

    pattern: KeyedPattern
    """A regular expression; each of its matches in the partner is replaced."""
    replacement: str
    r"""`\1` and `\g<name>` stand for groups of the pattern, `{key}` for the key, `{stated}` for
    what the planted line states."""
    stated: GroupPattern | None = None
    """A regular expression whose first group, in the planted line, is `{stated}`."""

    @field_validator("replacement")
    @classmethod
    def _fills_the_pattern(cls, value: str, info: ValidationInfo) -> str:
        pattern = info.data.get("pattern")
        return value if pattern is None else fills(value, _keyed(pattern, "key"))


class PairParameters(Value):
    """The edit, the partner, and how the two would agree again."""

    edit: PairEdit
    partner: Partner
    partner_evidence: KeyedPattern | None = None
    """A regular expression that matches the whole of the one line in the partner that shows the
    defect; without it, the line that holds `match`."""
    witness: Witness


class _Found(NamedTuple):
    path: PurePosixPath
    lines: tuple[int, ...]


class Pair:
    """Edits the target; evidence is what was edited and one line of the partner."""

    def __init__(self, parameters: PairParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        edited = self._edit(ground, aim)
        key = self._key(ground, aim, edited)
        partner = self._partner(ground, aim.target, key)
        evidence = self._evidence(ground, partner, key)
        target, path = str(aim.target), str(partner.path)
        witness = self._witness(ground.texts[partner.path], path, key, edited)
        return Planted(
            edits=edited.edits,
            evidence=(*edited.evidence, evidence),
            witnesses={target: {path: witness}, path: {target: ground.texts[aim.target]}},
        )

    def _edit(self, ground: Ground, aim: Aim) -> Planted:
        edit = self._parameters.edit
        values = edit.model_dump(exclude={"planter"}, exclude_none=True)
        if edit.planter == "edit-line":
            return EditLine(EditLineParameters(**values)).plant(ground, aim)
        return ReplaceText(ReplaceTextParameters(**values)).plant(ground, aim)

    def _key(self, ground: Ground, aim: Aim, edited: Planted) -> str:
        pattern, text = self._parameters.partner.key, ground.texts[aim.target]
        own = "\n".join(line for change in changes_of(edited.edits) for line in change.clean)
        for part in (own, text):
            with within_time(pattern):
                keys = sorted({match[1] for match in re.finditer(pattern, part) if match[1]})
            if len(keys) == 1:
                return keys[0]
            if keys:
                shown = ", ".join(keys[:SHOWN])
                raise UserError(f"{len(keys)} keys: {shown}", place=Place(str(aim.target)))
        lines = split_lines(text)
        raise UserError(
            "the pattern of the key matches nothing; nearest:"
            + listed(lines, similar(pattern, lines, 1, len(lines))),
            place=Place(str(aim.target)),
        )

    def _partner(self, ground: Ground, target: PurePosixPath, key: str) -> _Found:
        wanted = self._parameters.partner.document
        paths = sorted(path for path, kind in ground.kinds.items() if kind == wanted)
        if not paths:
            raise UserError(
                f"the corpus holds no document {wanted!r}",
                remedy=nearest(wanted, set(ground.kinds.values())),
            )
        pattern = re.compile(_keyed(self._parameters.partner.match, key))
        with within_time(pattern.pattern):
            found = [
                _Found(path, lines)
                for path in paths
                if path != target and (lines := _lines_with(pattern, ground.texts[path]))
            ]
        if len(found) == 1:
            return found[0]
        shown = "".join(f"\n    {one.path}, line {one.lines[0]}" for one in found[:SHOWN])
        raise UserError(
            f"{len(found)} files {wanted} hold the key {key!r}{':' if found else ''}{shown}",
            place=Place(str(target)),
        )

    def _evidence(self, ground: Ground, partner: _Found, key: str) -> Span:
        path, lines = str(partner.path), split_lines(ground.texts[partner.path])
        numbers: Sequence[int] = partner.lines
        if self._parameters.partner_evidence is not None:
            pattern = re.compile(_keyed(self._parameters.partner_evidence, key))
            with within_time(pattern.pattern):
                numbers = [n for n, line in enumerate(lines, start=1) if pattern.fullmatch(line)]
        if len(numbers) != 1:
            shown = numbers or partner.lines
            raise UserError(
                f"{len(numbers)} lines show the defect beside {key!r}:" + listed(lines, shown),
                place=Place(path),
                remedy="mend partner_evidence: it matches the whole of one line",
            )
        return Span(path=path, first=numbers[0], last=numbers[0])

    def _witness(self, text: str, path: str, key: str, edited: Planted) -> str:
        given = self._parameters.witness
        words = {KEY: key}
        if given.stated is not None:
            planted = "\n".join(line for edit in edited.edits for line in edit.planted)
            with within_time(given.stated):
                stated = re.search(given.stated, planted)
            if stated is None:
                raise UserError(f"what is planted states nothing like {given.stated!r}")
            words[STATED] = stated[1]

        def written(match: re.Match[str]) -> str:
            new = expanded(match, given.replacement)
            return re.sub("|".join(map(re.escape, words)), lambda name: words[name[0]], new)

        with within_time(given.pattern):
            varied = re.sub(_keyed(given.pattern, key), written, text)
        if varied == text:
            lines = split_lines(text)
            raise UserError(
                "the witness changes nothing; nearest:"
                + listed(lines, similar(given.pattern, lines, 1, len(lines))),
                place=Place(path),
            )
        return varied


def _keyed(pattern: str, key: str) -> str:
    return pattern.replace(KEY, re.escape(key))


def _lines_with(pattern: re.Pattern[str], text: str) -> tuple[int, ...]:
    """The lines on which a pattern begins to match."""
    starts = (text.count("\n", 0, match.start()) + 1 for match in pattern.finditer(text))
    return tuple(dict.fromkeys(starts))
