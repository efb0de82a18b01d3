from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from authoring.errors import UserError
from evaluation.judging.catalogue import DEFAULT, GROUP, judge_named

ANOTHER = EntryPoint("another", "evaluation.judging.rules.judge:RulesJudge", GROUP)
BROKEN = EntryPoint("broken", "evaluation.judging.rules.judge:NoSuchJudge", GROUP)


def test_the_default_judge_is_the_offline_one() -> None:
    assert judge_named(DEFAULT).name == "rules/3"


def test_a_judge_of_another_package_is_found_by_its_entry_point() -> None:
    assert judge_named("another", offered=[ANOTHER]).name == "rules/3"


def test_another_package_cannot_take_the_name_of_ours() -> None:
    theirs = EntryPoint("rules", BROKEN.value, GROUP)
    assert judge_named("rules", offered=[theirs]).name == "rules/3"


def test_an_unknown_judge_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(UserError, match=r"unknown judge 'rule'\n  did you mean 'rules'"):
        judge_named("rule", offered=[ANOTHER])


def test_a_judge_that_cannot_be_loaded_is_an_error_of_the_user() -> None:
    with pytest.raises(UserError, match=r"the judge 'broken' of .* cannot be loaded"):
        judge_named("broken", offered=[BROKEN])
