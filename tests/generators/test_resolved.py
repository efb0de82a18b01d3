from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from authoring.errors import UserError
from authoring.inert import controls
from authoring.spec import KindSpec, Parameters, ScenarioSpec
from generators.catalogue import Registrations
from generators.resolved import BuildParameters, ResolvedSpec, dump_spec, read_spec, resolve

BUILD = BuildParameters(size="small", seed=11, placement=2)

LOOKS_LIKE = (
    *("no", "1", "1.10", "~", "null", "true", "---", "...", "a:", "'", '"', "|", ">"),
    *("&a", "*a", "!a", "%a", "@a", "`a", "{a", "[a"),
)
TEXTS = st.one_of(
    st.sampled_from(LOOKS_LIKE),
    st.sampled_from(("", "a: b", "- a", "# a", " a", "a ", "a\n", "\n\na\n\n", "a\t", " a\nb")),
    st.sampled_from(("é" * 200, "a\u00a0b", "\u00ad", "\u3000")),
    st.text(st.characters(exclude_categories=["Cs"])),
).filter(lambda text: not any(controls(text)))
"""All that a spec may hold: characters that do not show are refused."""
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def test_a_resolved_spec_leaves_no_default_open(
    spec: ScenarioSpec, registrations: Registrations
) -> None:
    resolved = resolve(spec, BUILD, registrations)
    assert resolved.build == BUILD
    assert resolved.corpus.parameters == {"letters": 6, "notes": 1, "country": "no"}
    assert resolved.corpus.sizes == {"small": {}}
    assert list(resolved.budget.corpus) == ["small"]
    assert resolved.needles[1].plant.parameters == {"heading": "Contact", "renumber": True}
    assert resolved.needles[0].plant.parameters["heading"] == "Deadline"
    assert resolved.task == spec.task


def test_what_a_size_says_stands_above_the_parameters_of_all(
    spec: ScenarioSpec, registrations: Registrations
) -> None:
    corpus = spec.corpus.model_copy(
        update={"parameters": {"letters": 1, "country": "no"}, "sizes": {"small": {"letters": 5}}}
    )
    resolved = resolve(spec.model_copy(update={"corpus": corpus}), BUILD, registrations)
    assert resolved.corpus.parameters == {"letters": 5, "notes": 1, "country": "no"}


def test_a_kind_that_the_spec_brings_travels_with_every_default(
    spec: ScenarioSpec, registrations: Registrations, tmp_path: Path
) -> None:
    given: Parameters = {"pattern": "due \\d+\\n", "more_than": 60, "group": 0}
    kind = KindSpec(name="late", summary="is late", detector="regex", parameters=given)
    resolved = resolve(spec.model_copy(update={"kinds": (kind,)}), BUILD, registrations)
    assert resolved.kinds[0].parameters == {
        "files": ["**"],
        "more_than": "60",
        "less_than": None,
        "equals": None,
        "not_in": [],
        "matches": None,
        "over": "line",
        "heading": None,
        "pattern": "due \\d+\\n",
        "unless": None,
        "group": 0,
    }
    path = tmp_path / "spec.yaml"
    path.write_bytes(dump_spec(resolved))
    again = read_spec(path)
    assert again == resolved
    assert registrations.with_kinds(again.kinds).detector("late")


def test_a_size_that_is_not_named_cannot_be_built(
    spec: ScenarioSpec, registrations: Registrations
) -> None:
    with pytest.raises(UserError, match="letters has no size 'large'"):
        resolve(spec, BuildParameters(size="large", seed=1, placement=0), registrations)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=TEXTS.filter(bool), parameters=st.dictionaries(TEXTS, JSON, max_size=4))
def test_what_is_written_is_read_back(
    spec: ScenarioSpec,
    registrations: Registrations,
    tmp_path: Path,
    text: str,
    parameters: Parameters,
) -> None:
    resolved = resolve(spec, BUILD, registrations)
    needle = resolved.needles[0]
    plant = needle.plant.model_copy(update={"parameters": parameters})
    terms = ((f"{text}1", "no"), ("1",))
    report = needle.report.model_copy(update={"statement": text, "terms": terms})
    odd = resolved.model_copy(
        update={
            "title": text,
            "needles": (needle.model_copy(update={"plant": plant, "report": report}),),
        }
    )
    path = tmp_path / "spec.yaml"
    path.write_bytes(dump_spec(odd))
    read = read_spec(path)
    assert isinstance(read, ResolvedSpec)
    assert read == odd
    assert dump_spec(read) == dump_spec(odd)
