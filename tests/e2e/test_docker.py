"""A real CLI in a real container: what is measured is what its model was given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from generators.build import Build
from tests.e2e.conftest import CUSTOM, run_models
from tests.e2e.test_known_truth import by_token, measured, returned
from tests.e2e.test_shallow_reading import VERDICTS, coverage_of, known, tokens
from tests.evaluation.sandboxes.docker.private_engine import engine_for_tests

MODEL = "sim/delegates"
SHALLOW = ("sim/search-claims", CUSTOM)


@pytest.fixture(scope="module", autouse=True)
def engine() -> Iterator[None]:
    with engine_for_tests() as environment, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", environment["DOCKER_HOST"])
        yield


@pytest.mark.parametrize("harness", ["claude-code", "gemini-cli"])
def test_coverage_in_a_container_is_what_the_model_was_given(
    harness: str, truth_build: Build, tmp_path_factory: pytest.TempPathFactory
) -> None:
    parent = tmp_path_factory.mktemp("runs")
    run = run_models(truth_build, harness, parent, models=(MODEL,), sandbox="docker")[MODEL]
    assert (run.record.sandbox, run.score.outcome.kind) == ("docker", "completed")
    coverage = run.score.coverage
    assert coverage is not None
    assert coverage.main is not None
    main, *subagents = run.truth.threads
    assert measured(coverage.main) == returned(main) != set()
    assert sorted(map(sorted, map(measured, coverage.subagents.values()))) == sorted(
        sorted(returned(thread)) for thread in subagents
    )
    places = by_token(truth_build)
    tokens = {places[token] for found in run.tokens().values() for token in found}
    assert measured(coverage.union) == tokens
    assert run.score.channels.agree is True


def test_models_that_read_little_are_measured_in_containers_side_by_side(
    mixed_build: Build, tmp_path_factory: pytest.TempPathFactory
) -> None:
    parent = tmp_path_factory.mktemp("shallow")
    runs = run_models(mixed_build, "claude-code", parent, models=SHALLOW, sandbox="docker")
    for name, run in runs.items():
        # At the first attempt: none is void by chance.
        kind, attempt = run.score.outcome.kind, run.record.attempt
        assert (run.record.sandbox, kind, attempt) == ("docker", "completed", 1)
        found = measured(coverage_of(run).union)
        assert found == known(run) == tokens(run, mixed_build) != set()
        assert run.score.verdict is not None
        verdict = tuple(run.score.verdict[rule].value for rule in ("touched", "opened", "read"))
        assert verdict == VERDICTS[name]
