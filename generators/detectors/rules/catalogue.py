"""The rules by name, and how a kind of defect that a spec brings gets its detector."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from authoring.catalogue import Kind
from authoring.errors import UserError, nearest
from authoring.spec import KindSpec
from generators.detectors.detector import Detector
from generators.detectors.rules import (
    agreement,
    missing_line,
    missing_section,
    query_rule,
    regex_rule,
    values_rule,
)


@dataclass(frozen=True)
class Rule:
    """A detector that is told by parameters."""

    kind: Kind
    make: Callable[[Any], Detector[Any]]
    """From an instance of the kind's own parameter model."""


RULES: Mapping[str, Rule] = {
    "agreement": Rule(
        Kind("agreement", agreement.SUMMARY, agreement.AgreementParameters, agreement.EXAMPLE),
        agreement.Agreement,
    ),
    "missing-line": Rule(
        Kind(
            "missing-line",
            missing_line.SUMMARY,
            missing_line.MissingLineParameters,
            missing_line.EXAMPLE,
        ),
        missing_line.MissingLine,
    ),
    "missing-section": Rule(
        Kind(
            "missing-section",
            missing_section.SUMMARY,
            missing_section.MissingSectionParameters,
            missing_section.EXAMPLE,
        ),
        missing_section.MissingSection,
    ),
    "query": Rule(
        Kind("query", query_rule.SUMMARY, query_rule.QueryParameters, query_rule.EXAMPLE),
        query_rule.QueryRule,
    ),
    "regex": Rule(
        Kind("regex", regex_rule.SUMMARY, regex_rule.RegexParameters, regex_rule.EXAMPLE),
        regex_rule.RegexRule,
    ),
    "values": Rule(
        Kind("values", values_rule.SUMMARY, values_rule.ValuesParameters, values_rule.EXAMPLE),
        values_rule.ValuesRule,
    ),
}


@dataclass(frozen=True)
class TypedRule:
    """A rule with its parameters."""

    rule: Rule
    parameters: BaseModel

    @classmethod
    def of(cls, kind: KindSpec) -> TypedRule:
        """What a spec says of a kind. Raises UserError where there is no such rule."""
        rule = RULES.get(kind.detector)
        if rule is None:
            raise UserError(
                f"there is no detector {kind.detector!r}", remedy=nearest(kind.detector, RULES)
            )
        try:
            return cls(rule, rule.kind.parameters.model_validate(kind.parameters))
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"])
            about = f"{key}: " if key else ""
            raise UserError(f"kind {kind.name}: {about}{first['msg']}") from error

    def detector(self) -> Detector[Any]:
        """The detector, which is pure."""
        return self.rule.make(self.parameters)
