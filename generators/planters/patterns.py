"""Regular expressions as a spec gives them, and the texts that their groups go into."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from authoring.errors import UserError


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is not a regular expression: {error}") from error
    return pattern


Pattern = Annotated[str, Field(min_length=1), AfterValidator(_compiles)]
"""A regular expression, refused where the spec is read if it is none."""


def expanded(match: re.Match[str], replacement: str) -> str:
    r"""A replacement with `\1` and `\g<name>` filled in. Raises UserError where it is not valid."""
    try:
        return match.expand(replacement)
    except (re.error, IndexError) as error:
        raise UserError(f"the replacement is not valid: {error}") from error
