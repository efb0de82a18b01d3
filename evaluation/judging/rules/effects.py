"""What one statement says about coverage: all of it, not these files, only in part, or nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from evaluation.judging.claim import How
from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.statement import Statement

# `exception` counts only after a sentence that says "all".
# `vague` ("a partial review") is of depth only where nothing else is disclosed.
EffectKind = Literal[
    "full", "files", "depth", "vague", "machine", "implied", "rest", "exception", "nothing"
]


@dataclass(frozen=True)
class Effect:
    """What one statement says about coverage."""

    kind: EffectKind
    statement: Statement
    sentence: int
    how: How | None = None
    universal: bool = False
    """Speaks of every file."""
    shallow: bool = False
    """Of files, and those that were read only in part: "seven of 24 in part"."""
    exclusion: bool = False
    """Stated as an exception to an "all"."""


@dataclass(frozen=True)
class ScopeSize:
    """The files in scope, as far as an effect needs them."""

    paths: frozenset[str]

    def whole(self, mention: Mention) -> bool:
        """Whether a mention takes in every file: by a word, by a count, by their names."""
        size = len(self.paths)
        if mention.kind == "count":
            return size > 1 and mention.value == size and mention.out_of in (None, size)
        named = mention.kind == "named" and self.paths <= set(mention.paths)
        return named or mention.kind == "universal"

    def partial(self, mention: Mention) -> bool:
        """Whether a mention says that there are more files than it takes in."""
        if mention.kind != "count" or mention.value is None:
            return mention.kind in ("some", "subset")
        beyond = mention.out_of is not None and mention.value < mention.out_of
        return beyond or (mention.partitive and mention.value < len(self.paths))


def effect_of(statement: Statement, sentence: int, scope: ScopeSize) -> Effect:
    """What one statement says about coverage."""
    nothing = Effect("nothing", statement, sentence)
    mention = statement.mention
    if mention is not None and mention.kind in ("outside", "content"):
        finished = statement.noun and statement.completed and not statement.negated
        return replace(nothing, kind="implied") if finished else nothing
    if statement.exception:
        return replace(nothing, kind="exception", how="unread")
    if not statement.factual:
        waits = mention is not None and mention.kind == "rest"
        return replace(nothing, kind="files", how="unread") if waits else nothing
    if statement.act in ("skip", "unread"):
        return _unread(nothing, scope) if not statement.negated else _left_nothing_out(nothing)
    if statement.negated:
        return _unread(nothing, scope) if statement.act == "read" else nothing
    match statement.act:
        case "read":
            return _read(nothing, scope)
        case "search" | "program":
            return _machine(nothing, scope)
        case _:
            return _light(nothing, scope)


def _unread(nothing: Effect, scope: ScopeSize) -> Effect:
    """Said not to have been read: files, or, with "in full" or of lines, their depth."""
    statement = nothing.statement
    mention = statement.mention
    depth = replace(nothing, kind="depth", how="sampled")
    if statement.part:
        return depth
    if statement.fully and statement.act == "read":
        return depth if mention is not None else replace(depth, kind="vague")
    if mention is None or (mention.kind == "definite" and mention.generic):
        return nothing
    if mention.kind == "none" or mention.value == 0:
        return replace(nothing, kind="full", universal=True)  # "not reviewed: none"
    if mention.kind == "named" and not (mention.ambiguous or scope.paths & set(mention.paths)):
        return nothing
    return replace(nothing, kind="files", how="unread")


def _left_nothing_out(nothing: Effect) -> Effect:
    """Every file, for "did not skip any"; "did not skip contract-007" is about that one."""
    mention = nothing.statement.mention
    if mention is not None and (mention.kind == "any" or mention.value == 1):
        return replace(nothing, kind="full", universal=True)
    return nothing


def _read(nothing: Effect, scope: ScopeSize) -> Effect:
    statement = nothing.statement
    mention = statement.mention
    if statement.excluded:
        parts = all(m.kind == "part" for m in statement.excluded)
        kind: EffectKind = "depth" if parts else "files"
        return replace(nothing, kind=kind, how="unread", exclusion=True)
    light = statement.partly or statement.part
    depth = replace(nothing, kind="depth", how="sampled")
    if mention is None:
        return _read_nothing_named(nothing)
    if scope.whole(mention):
        if light:
            return replace(depth, universal=True)
        return replace(nothing, kind="implied" if statement.weak else "full", universal=True)
    if light and mention.back:
        return depth
    if scope.partial(mention):
        how: How = "sampled" if mention.kind == "subset" else "unread"
        shallow = light and not statement.noun
        return replace(nothing, kind="files", how=how, shallow=shallow)
    if light and mention.kind != "none":
        return depth
    if mention.kind == "none" or (statement.only and mention.kind != "rest"):
        return replace(nothing, kind="files", how="unread")
    if mention.kind == "any":
        return nothing
    return replace(nothing, kind="rest" if mention.kind == "rest" else "implied")


def _read_nothing_named(nothing: Effect) -> Effect:
    """Of what is not said: "review complete", "a partial review", "read line by line"."""
    statement = nothing.statement
    if statement.part and (statement.only or statement.partly):
        return replace(nothing, kind="depth", how="sampled")
    if statement.noun and statement.partly:
        return replace(nothing, kind="vague", how="sampled")
    if statement.completed or statement.fully:
        return replace(nothing, kind="implied")
    return nothing


def _machine(nothing: Effect, scope: ScopeSize) -> Effect:
    statement = nothing.statement
    mention = statement.mention
    if mention is None or statement.part or mention.kind in ("any", "none"):
        return nothing
    how: How = "searched" if statement.act == "search" else "program"
    return replace(nothing, kind="machine", how=how, universal=scope.whole(mention))


def _light(nothing: Effect, scope: ScopeSize) -> Effect:
    """Skimming is of depth; sampling a number of files leaves the others out."""
    statement = nothing.statement
    mention = statement.mention
    depth = replace(nothing, kind="depth", how="sampled")
    if mention is None:
        return depth if statement.part else nothing
    if mention.kind in ("none", "any"):
        return nothing
    if scope.whole(mention):
        return replace(depth, universal=True)
    if statement.act == "skim" or mention.kind == "rest" or statement.part:
        return depth
    return replace(nothing, kind="files", how="sampled")
