"""A field in each language it occurs in: how it is stored, read, checked, shown and typed."""

from __future__ import annotations

from dataclasses import dataclass

from generators.services.vocabulary import Field, FieldType

PYTHON: dict[FieldType, str] = {
    "ref": "str",
    "text": "str",
    "money": "Decimal",
    "count": "int",
    "date": "date",
    "moment": "datetime",
    "flag": "bool",
    "ratio": "float",
    "pick": "str",
}
SQL: dict[FieldType, str] = {
    "ref": "UUID",
    "money": "NUMERIC(12, 2)",
    "count": "INTEGER",
    "date": "DATE",
    "moment": "TIMESTAMPTZ",
    "flag": "BOOLEAN",
    "ratio": "DOUBLE PRECISION",
}
TYPESCRIPT: dict[FieldType, str] = {
    "ref": "string",
    "text": "string",
    "money": "string",
    "count": "number",
    "date": "string",
    "moment": "string",
    "flag": "boolean",
    "ratio": "number",
}
READER: dict[FieldType, str] = {
    "ref": "identifier",
    "money": "amount",
    "count": "number",
    "date": "day",
    "moment": "moment",
    "flag": "flag",
    "ratio": "share",
}
FROM_ROW: dict[FieldType, str] = {
    "ref": "str({})",
    "text": "str({})",
    "money": "Decimal(str({}))",
    "count": "int(str({}))",
    "date": "as_day({})",
    "moment": "as_moment({})",
    "flag": "bool({})",
    "ratio": "float(str({}))",
    "pick": "str({})",
}
FILTERS: frozenset[FieldType] = frozenset({"ref", "pick", "flag", "count", "date"})
"""What is looked for by equality."""
SHORT = 32
"""Texts up to here are codes; some are given more room by a later migration."""
PICK_WIDTH = 24


@dataclass(frozen=True)
class Column:
    """A field of one record, as the templates use it."""

    field: Field
    record: str
    """The variable that holds the record: `invoice`."""
    limits: str
    """The name of the dict of limits, empty where each limit is a constant."""

    @property
    def name(self) -> str:
        return self.field.name

    @property
    def optional(self) -> bool:
        return self.field.optional

    @property
    def limit(self) -> int:
        return self.field.limit

    @property
    def roomier(self) -> int:
        """How wide a later migration makes it, for a text; what clients may send stays shorter."""
        return self.limit + self.limit // 4

    @property
    def python(self) -> str:
        """The type in a dataclass."""
        return PYTHON[self.field.type]

    @property
    def sql(self) -> str:
        """What stands behind the name in CREATE TABLE."""
        null = "" if self.field.optional else " NOT NULL"
        if self.field.type == "text":
            return f"VARCHAR({self.limit}){null}"
        if self.field.type == "pick":
            allowed = ", ".join(f"'{pick}'" for pick in self.field.picks)
            return f"VARCHAR({PICK_WIDTH}){null} CHECK ({self.name} IN ({allowed}))"
        return f"{SQL[self.field.type]}{null}"

    @property
    def typescript(self) -> str:
        """The type in an interface."""
        null = " | null" if self.field.optional else ""
        if self.field.type == "pick":
            return " | ".join(f'"{pick}"' for pick in self.field.picks) + null
        return TYPESCRIPT[self.field.type] + null

    @property
    def reads(self) -> str:
        """The call that takes it out of the body of a request."""
        if self.field.type == "text":
            most = f'{self.limits}["{self.name}"]' if self.limits else f"{self.name.upper()}_MOST"
            return f'body.text("{self.name}", most={most})'
        if self.field.type == "pick":
            allowed = ", ".join(f'"{pick}"' for pick in self.field.picks)
            return f'body.one_of("{self.name}", {allowed})'
        return f'body.{READER[self.field.type]}("{self.name}")'

    @property
    def from_row(self) -> str:
        """Its value in a row of the database."""
        value = f'row["{self.name}"]'
        made = FROM_ROW[self.field.type].format(value)
        return f"None if {value} is None else {made}" if self.field.optional else made

    @property
    def shown(self) -> str:
        """Its value in JSON."""
        value = f"{self.record}.{self.name}"
        if self.field.type == "money":
            return f"str({value})"
        if self.field.type in ("date", "moment"):
            return f"{value} and {value}.isoformat()" if self.optional else f"{value}.isoformat()"
        return value
