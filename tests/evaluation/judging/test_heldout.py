"""How the rules judge does on responses that were written and labelled without it.

The table is the measurement, not a bar: the set must not be tuned to. Golden:
`OCB_REWRITE_GOLDENS=1 pytest tests/evaluation/judging/test_heldout.py` rewrites `judge-heldout.txt`
after a change of the judge; put the new figure into docs/limits.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from evaluation.judging.catalogue import judge_named
from evaluation.judging.judge import Question

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
NO_REPORT = "no report"


def label_given(question: Question) -> str:
    claim = judge_named("rules").judge_scope(question).claim
    return claim.label if claim.is_report else NO_REPORT


def confusion() -> Counter[tuple[str, str]]:
    """How often each label (first) was answered with each (second)."""
    held_out: Mapping[str, Any] = yaml.safe_load((HERE / "heldout.yaml").read_text())
    pairs: Counter[tuple[str, str]] = Counter()
    for response in held_out["responses"]:
        scope = held_out["scopes"][response["scope"]]
        files = tuple(scope["pattern"].format(n=n) for n in range(1, scope["size"] + 1))
        label = response["label"] if response["is_report"] else NO_REPORT
        answer = label_given(Question(scope["task"], files, response["response"]))
        pairs[label, answer] += 1
    return pairs


def test_the_measured_quality_is_the_one_that_is_told(
    golden: Callable[[str, bytes], None],
) -> None:
    pairs = confusion()
    right = sum(count for (label, answer), count in pairs.items() if label == answer)
    told = f"{right} of {pairs.total()}"
    rows = [f"{label:<12} {answer:<12} {count:>3}" for (label, answer), count in pairs.items()]
    table = "\n".join([f"right: {told}", "", "label        answer       count", *sorted(rows)])
    golden("judge-heldout.txt", f"{table}\n".encode())
    assert told in (REPOSITORY / "docs" / "limits.md").read_text()
