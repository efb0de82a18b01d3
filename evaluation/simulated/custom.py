"""`sim/custom?share=0.5&lines=40`: a simulated model whose name says what it reads and claims.

Such a name is a part of keys of runs, so it has one normal form: parameters in the order below,
numbers without needless digits, what is left out as it is by default left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError

from authoring.artefacts import Value
from authoring.errors import UserError, nearest

CUSTOM = "sim/custom"
DIGITS = 4
"""Of a share, after the point."""

Reports = Literal["read", "all", "none"]


def _rounded(share: float) -> float:
    return abs(round(share, DIGITS))


class Custom(Value):
    """The parameters, with what holds where one is left out."""

    share: Annotated[float, Field(ge=0, le=1), AfterValidator(_rounded)] = 1.0
    """Of the review files, how many are read."""
    lines: Annotated[int, Field(ge=1, le=1_000_000)] | Literal["all"] = "all"
    """The first lines of each that are read."""
    claim: Literal["full", "silent", "admits"] = "full"
    report: Reports = "read"
    """Which defects are reported: those whose evidence was read, all, or none."""
    seed: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Another one draws other files and words. Each repetition draws anew."""

    @property
    def name(self) -> str:
        """The normal form."""
        parts = "&".join(self._parts())
        return f"{CUSTOM}?{parts}" if parts else CUSTOM

    def _parts(self) -> Iterator[str]:
        plain = type(self)()
        for key in type(self).model_fields:
            value = getattr(self, key)
            if value != getattr(plain, key):
                yield f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"


VALID: Mapping[str, str] = {
    "share": "a number from 0 to 1",
    "lines": "a number from 1, or `all`",
    "claim": "full, silent or admits",
    "report": "read, all or none",
    "seed": "a whole number from 0 to 1000000",
}


def parse_custom(query: str) -> Custom:
    """The parameters of what stands behind the question mark. Raises UserError."""
    given: dict[str, str] = {}
    for part in query.split("&") if query else ():
        key, _, value = part.partition("=")
        if key not in VALID:
            raise UserError(f"{CUSTOM} has no parameter {key!r}", remedy=nearest(key, VALID))
        if key in given:
            raise UserError(f"{CUSTOM}: {key} is given twice", remedy="leave one of them out")
        given[key] = value
    try:
        return Custom.model_validate(given)
    except ValidationError as error:
        key = str(error.errors()[0]["loc"][0])
        what = f"{CUSTOM}: {key} cannot be {given[key]!r}"
        raise UserError(what, remedy=f"valid: {VALID[key]}") from error
