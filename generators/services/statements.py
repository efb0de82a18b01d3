"""How the author of a store writes SQL and asks the database: layout, case, and the way to rows."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

WIDTH = 88
INDENT = " " * 12
BODY = " " * 8
KEYWORDS = re.compile(
    r"\b(?:SELECT|FROM|WHERE|AND|ORDER BY|GROUP BY|LIMIT|OFFSET|DESC|INSERT INTO|VALUES|RETURNING"
    r"|UPDATE|SET|DELETE|IN|AS)\b"
)
FIRST_WORDS = (
    "SELECT", "FROM", "WHERE", "ORDER BY", "GROUP BY", "LIMIT", "UPDATE", "SET", "DELETE FROM",
)  # fmt: skip
RIVER = 8
"""Where the river runs: keywords end before it, what they govern begins behind it."""

Layout = Literal["block", "joined", "constant"]
Asking = Literal["inline", "ahead", "helper", "keywords"]
How = Literal["many", "maybe", "run"]


HELPERS = """\
    async def _many(self, statement: str, **values: object) -> list[RECORD]:
        return [RECORD.FROM(row) for row in await {database}.all(statement, values)]

    async def _maybe(self, statement: str, **values: object) -> RECORD | None:
        {row} = await {database}.first(statement, values)
        return None if {row} is None else RECORD.FROM({row})
"""


@dataclass(frozen=True)
class StoreStyle:
    """The habits of one author."""

    layout: Layout
    """A statement is a block in triple quotes, strings side by side, or a constant at the top."""
    asking: Asking
    """Values stand in the call, before it, or go through a method of the class."""
    lower: bool
    """Keywords of SQL in lower case."""
    river: bool
    """Keywords of SQL end in one column."""
    tenant: str
    """The Python name of the tenant's id."""
    parameter: str
    """The SQL name of it."""
    rows: str
    row: str


def draw_store_style(source: random.Random, layout: Layout) -> StoreStyle:
    """The habits of whoever wrote a store."""
    asking: tuple[Asking, ...] = ("inline", "ahead", "helper", "keywords")
    return StoreStyle(
        layout=layout,
        asking=source.choice(asking),
        lower=source.randrange(3) == 0,
        river=source.randrange(3) == 0,
        tenant=source.choice(["tenant", "tenant_id", "owner"]),
        parameter=source.choice(["tenant", "tenant_id", "owner"]),
        rows=source.choice(["rows", "found", "records", "result"]),
        row=source.choice(["row", "found", "record", "hit"]),
    )


class Statements:
    """Lays out the statements of one file in one style, and keeps those that became constants."""

    def __init__(self, style: StoreStyle, record: str, database: str) -> None:
        self._style = style
        self._record = record
        self._database = database
        self.constants: list[str] = []

    def sql(self, text: str, *, interpolated: bool = False, name: str = "") -> str:
        """The expression that stands where a call takes its statement.

        `interpolated`: it holds `{COLUMNS}` or conditions. Only a statement with a name can become
        a constant.
        """
        lines = [self._styled(line) for line in _wrapped(text)]
        if self._style.layout == "constant" and name:
            constant = f"{name}_{self._record}".upper()
            prefix = "f" if interpolated else ""
            body = "\n".join(lines)
            self.constants.append(f'{constant} = {prefix}"""\n{body}\n"""')
            return constant
        if self._style.layout == "joined":
            return "\n".join(_joined(lines)).removeprefix(INDENT)
        prefix = "f" if interpolated else ""
        body = "\n".join(INDENT + line for line in lines)
        return f'{prefix}"""\n{body}\n{INDENT}"""'

    def _styled(self, line: str) -> str:
        named = line.replace(":tenant", f":{self._style.parameter}")
        if self._style.river:
            first = next((word for word in FIRST_WORDS if named.startswith(word)), "")
            named = f"{first:>{RIVER}}{named[len(first) :]}" if first else f"  {named}"
        return KEYWORDS.sub(lambda m: m[0].lower(), named) if self._style.lower else named

    def ask(self, how: How, statement: str, values: Mapping[str, str]) -> str:
        """The lines of a method that ask the database once and give back what it says."""
        values = {self._style.parameter if k == "tenant" else k: v for k, v in values.items()}
        method = {"many": "all", "maybe": "first", "run": "run"}[how]
        asked = f"self.{self._database}.{method}"
        pairs = ", ".join(f'"{key}": {value}' for key, value in values.items())
        if self._style.asking == "helper" and how != "run":
            given = ", ".join(f"{key}={value}" for key, value in values.items())
            return self._call(f"return await self._{how}", statement, given)
        if self._style.asking == "keywords":
            pairs = f"dict({', '.join(f'{key}={value}' for key, value in values.items())})"
        elif self._style.asking == "ahead":
            ahead = f"{BODY}values = {{{pairs}}}\n"
            return ahead + self._result(how, asked, statement, "values")
        else:
            pairs = f"{{{pairs}}}"
        return self._result(how, asked, statement, pairs)

    def _result(self, how: How, asked: str, statement: str, values: str) -> str:
        style = self._style
        if how == "run":
            return self._call(f"return await {asked}", statement, values)
        if how == "many":
            call = self._call(f"{style.rows} = await {asked}", statement, values)
            return f"{call}\n{BODY}return [RECORD.FROM(row) for row in {style.rows}]"
        call = self._call(f"{style.row} = await {asked}", statement, values)
        return f"{call}\n{BODY}return RECORD.FROM({style.row}) if {style.row} else None"

    def _call(self, start: str, statement: str, values: str) -> str:
        line = f"{BODY}{start}({statement}, {values})"
        if "\n" not in line and len(line) <= WIDTH:
            return line
        return f"{BODY}{start}(\n{INDENT}{statement},\n{INDENT}{values},\n{BODY})"

    def helpers(self) -> str:
        """Methods that the others go through, where the author likes that."""
        if self._style.asking != "helper":
            return ""
        row, database = self._style.row, f"self.{self._database}"
        return HELPERS.format(row=row, database=database)


def _wrapped(text: str) -> Iterator[str]:
    for line in text.strip().split("\n"):
        if line.lstrip().startswith("(") and len(line) > WIDTH:
            yield from textwrap.wrap(
                line.strip(),
                WIDTH,
                initial_indent="  ",
                subsequent_indent="   ",
                break_on_hyphens=False,
            )
        else:
            yield line


def _joined(lines: list[str]) -> Iterator[str]:
    for place, line in enumerate(lines):
        prefix = "f" if "{" in line else ""
        space = " " if place else ""
        yield f'{INDENT}{prefix}"{space}{line.strip()}"'
