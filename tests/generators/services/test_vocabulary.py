from __future__ import annotations

from collections import Counter

import pytest
from pydantic import ValidationError

from generators.services.columns import Column
from generators.services.vocabulary import DOMAINS, EntityWords, Field, Move, read_domain

ENTITIES = [words.entity() for name in DOMAINS for words in read_domain(name).entities]


def words(**changes: str) -> EntityWords:
    given = {
        "one": "invoice",
        "about": "what is owed",
        "fields": "total:money note:text200? role:pick(cover/manual)",
        "moves": "issue:draft>issued void:issued>voided",
    }
    return EntityWords.model_validate(given | changes)


def test_the_short_form_is_read() -> None:
    entity = words().entity()
    assert entity.many == "invoices"
    assert entity.fields == (
        Field("total", "money"),
        Field("note", "text", limit=200, optional=True),
        Field("role", "pick", picks=("cover", "manual")),
    )
    assert entity.moves == (Move("issue", "draft", "issued"), Move("void", "issued", "voided"))
    assert entity.states == ("draft", "issued", "voided")


def test_plurals() -> None:
    assert words(one="ledger_entry").entity().many == "ledger_entries"
    assert words(one="survey").entity().many == "surveys"
    assert words(one="bin", many="bins_of_a_shelf").entity().many == "bins_of_a_shelf"


@pytest.mark.parametrize(
    "changes", [{"fields": "total:cash"}, {"moves": "issue:draft"}, {"fields": "total money"}]
)
def test_what_cannot_be_read_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="cannot be read"):
        words(**changes)


def test_names_that_lines_are_told_by_are_unique() -> None:
    records = Counter(entity.many for entity in ENTITIES)
    fields = Counter(f.name for e in ENTITIES for f in e.fields if f.type in ("text", "money"))
    assert [name for name, count in (records | fields).items() if count > 1] == []


def test_every_record_has_a_text_that_is_no_code_and_something_to_look_for() -> None:
    for entity in ENTITIES:
        assert max(field.limit for field in entity.fields) >= 40, entity.one
        assert any(f.type in ("ref", "pick", "flag", "count", "date") for f in entity.fields)


@pytest.mark.parametrize(
    ("field", "sql", "read", "made"),
    [
        (
            Field("total", "money"),
            "NUMERIC(12, 2) NOT NULL",
            'body.amount("total")',
            'Decimal(str(row["total"]))',
        ),
        (
            Field("note", "text", limit=200, optional=True),
            "VARCHAR(200)",
            'body.text("note", most=NOTE_MOST)',
            'None if row["note"] is None else str(row["note"])',
        ),
        (
            Field("role", "pick", picks=("cover", "manual")),
            "VARCHAR(24) NOT NULL CHECK (role IN ('cover', 'manual'))",
            'body.one_of("role", "cover", "manual")',
            'str(row["role"])',
        ),
    ],
)
def test_a_field_in_each_language(field: Field, sql: str, read: str, made: str) -> None:
    column = Column(field, "invoice", "")
    assert (column.sql, column.reads, column.from_row) == (sql, read, made)


def test_a_limit_may_stand_in_a_dict() -> None:
    column = Column(Field("note", "text", limit=200), "invoice", "LONGEST")
    assert column.reads == 'body.text("note", most=LONGEST["note"])'


def test_a_column_that_is_widened_has_room_for_a_quarter_more_than_clients_may_send() -> None:
    assert Column(Field("code", "text", limit=32), "invoice", "").roomier == 40
