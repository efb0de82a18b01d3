"""Enough open files for a sweep, or a word that there are too few."""

from __future__ import annotations

import resource

import pytest

from authoring.errors import UserError
from ocb.open_files import ENOUGH, OWN, PER_RUN, raise_open_files


class System:
    """A system's limit on open files."""

    def __init__(self, soft: int, hard: int) -> None:
        self.limits = soft, hard

    def get(self, kind: int) -> tuple[int, int]:
        assert kind == resource.RLIMIT_NOFILE
        return self.limits

    def set(self, kind: int, limits: tuple[int, int]) -> None:
        assert kind == resource.RLIMIT_NOFILE
        self.limits = limits


@pytest.mark.parametrize(
    ("soft", "hard", "raised"),
    [
        (256, 4096, 4096),
        (256, 1 << 20, ENOUGH),
        (256, resource.RLIM_INFINITY, ENOUGH),
        (1 << 19, 1 << 20, 1 << 19),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, resource.RLIM_INFINITY),
    ],
)
def test_the_limit_on_open_files_is_raised_as_far_as_it_may(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int
) -> None:
    system = System(soft, hard)
    monkeypatch.setattr(resource, "getrlimit", system.get)
    monkeypatch.setattr(resource, "setrlimit", system.set)
    raise_open_files(4)
    assert system.limits == (raised, hard)


def test_too_few_open_files_for_so_many_runs_are_the_users_to_mend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = System(64, OWN + 3 * PER_RUN)
    monkeypatch.setattr(resource, "getrlimit", system.get)
    monkeypatch.setattr(resource, "setrlimit", system.set)
    raise_open_files(3)
    with pytest.raises(UserError, match="4 runs at once") as caught:
        raise_open_files(4)
    assert f"ulimit -n {OWN + 4 * PER_RUN}" in str(caught.value.remedy)
