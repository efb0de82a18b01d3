"""The JSON Schema of a scenario spec, by which editors complete and check it while it is written.

It holds the parameters of every generator, planter and detector of a catalogue.
`authoring.loading` stays the judge: it checks more, and reads numbers and truths only where a field
wants them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import orjson
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core.core_schema import ModelSchema

from authoring.catalogue import Catalogue, Kind
from authoring.parameters import field_texts
from authoring.spec import ScenarioSpec

DIALECT = "https://json-schema.org/draft/2020-12/schema"  # its name; nothing is fetched
NAMING = "# yaml-language-server: $schema="
"""The comment by which an editor finds the schema of a YAML file."""

Schema = dict[str, Any]


class _Documented(GenerateJsonSchema):
    """Adds what stands under each field in the code, and leaves out titles that repeat its name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: ModelSchema) -> Schema:
        model: type[BaseModel] = schema["cls"]
        made: Schema = super().model_schema(schema)
        made.pop("title", None)
        properties = made.get("properties", {})
        for name, text in field_texts(model).items():
            field = model.model_fields.get(name)
            shown = properties.get(field.alias or name) if field else None
            if shown is not None:
                shown.setdefault("description", text)
        return made


def spec_schema(catalogue: Catalogue) -> Schema:
    """The schema of a spec that may name what a catalogue holds."""
    schema: Schema = {"$schema": DIALECT, "title": "A scenario of OverclaimBench"}
    schema |= ScenarioSpec.model_json_schema(schema_generator=_Documented)
    definitions: Schema = schema["$defs"]
    for name, kind in sorted(catalogue.generators.items()):
        _define(definitions, f"generators.{name}", kind, whole=False)
    for name, kind in sorted(catalogue.planters.items()):
        _define(definitions, f"planters.{name}", kind, whole=True)
    for name, kind in sorted(catalogue.detectors.items()):
        _define(definitions, f"detectors.{name}", kind, whole=True)
    corpus, planting = definitions["CorpusSpec"], definitions["Planting"]
    _name(corpus, "generator", catalogue.generators)
    corpus["allOf"] = [
        _where(
            "generator",
            name,
            {
                "parameters": _reference(f"generators.{name}"),
                "sizes": {"additionalProperties": _reference(f"generators.{name}")},
            },
        )
        for name in sorted(catalogue.generators)
    ]
    _type_by_name(planting, "planter", catalogue.planters)
    _type_by_name(definitions["KindSpec"], "detector", catalogue.detectors)
    _name_kinds(schema, catalogue.kinds)
    return schema


def schema_bytes(catalogue: Catalogue) -> bytes:
    """The schema as it is written into a file."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(spec_schema(catalogue), option=options)


def naming_line(schema: PurePath) -> str:
    """The first line of a spec whose schema lies there; relative to the spec, or absolute."""
    return f"{NAMING}{schema.as_posix()}"


def _define(definitions: Schema, key: str, kind: Kind, *, whole: bool) -> None:
    """Put the parameters of a kind among the definitions, and those that they name beside them.

    Where several mappings make up the whole, as with sizes, no key is missing in one of them.
    """
    own: Schema = kind.parameters.model_json_schema(
        schema_generator=_Documented, ref_template=f"#/$defs/{key}.{{model}}"
    )
    for name, inner in own.pop("$defs", {}).items():
        definitions[f"{key}.{name}"] = inner
    if not whole:
        own.pop("required", None)
    definitions[key] = own | {"description": kind.summary}


def _name(schema: Schema, key: str, kinds: Mapping[str, Kind]) -> None:
    """A field that names one of several kinds."""
    choices = [{"const": name, "description": kind.summary} for name, kind in sorted(kinds.items())]
    own = schema["properties"][key]
    schema["properties"][key] = {**{k: v for k, v in own.items() if k != "type"}, "oneOf": choices}


def _type_by_name(schema: Schema, key: str, kinds: Mapping[str, Kind]) -> None:
    """A field that names one of several kinds, and `parameters` beside it, which are its own."""
    _name(schema, key, kinds)
    schema["allOf"] = [
        _where(key, name, {"parameters": _reference(f"{key}s.{name}")}) for name in sorted(kinds)
    ]


def _name_kinds(schema: Schema, kinds: Mapping[str, Kind]) -> None:
    """A needle's kind of defect: an installed one, or, in a spec that brings some, any other."""
    definitions: Schema = schema["$defs"]
    needle = definitions["NeedleSpec"]
    _name(needle, "kind", kinds)
    definitions["InstalledKind"] = {"oneOf": needle["properties"]["kind"].pop("oneOf")}
    installed = _reference("InstalledKind")
    needle["properties"]["kind"]["anyOf"] = [installed, _reference("Identifier")]
    definitions["Identifier"] = {
        key: value for key, value in schema["properties"]["id"].items() if key != "description"
    }
    schema["if"] = {"properties": {"kinds": {"maxItems": 0}}}
    schema["then"] = {
        "properties": {"needles": {"items": {"properties": {"kind": installed}}}},
    }


def _where(key: str, name: str, properties: Schema) -> Schema:
    """What holds where a key has a value."""
    return {
        "if": {"properties": {key: {"const": name}}, "required": [key]},
        "then": {"properties": properties},
    }


def _reference(key: str) -> Schema:
    return {"$ref": f"#/$defs/{key}"}
