"""One thing that was checked, with its evidence; what every family of checks gives back."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import BeforeValidator

from authoring.artefacts import Value
from authoring.spec import Identifier
from generators.registry import Span


def _writable(text: str) -> str:
    """A name on disk may hold bytes that are no UTF-8; an artefact may not."""
    return text.encode("utf-8", "backslashreplace").decode()


Told = Annotated[str, BeforeValidator(_writable)]


class Check(Value):
    """One thing that was checked."""

    code: str
    """kebab-case, stable: `positive`."""
    needle: Identifier | None = None
    """None: it speaks of the build as a whole."""
    passed: bool
    reason: Told = ""
    """Why it failed, in one sentence; empty where it passed."""
    note: Told = ""
    """What a reader should know although it passed: a natural needle, repeated lines."""
    evidence: tuple[Span, ...] = ()
    """Lines that the check found, or missed."""


class Checked(NamedTuple):
    """What a family of checks gives back."""

    checks: tuple[Check, ...]
    figures: Value | None = None
    """What it measured on the way, for the page and for machines; the family's own type."""


def verdict(code: str, reason: str, *, needle: str | None = None, note: str = "") -> Check:
    """A check without evidence, which passed where there is no reason against it."""
    return Check(code=code, needle=needle, passed=not reason, reason=reason, note=note)
