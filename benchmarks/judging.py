"""How long the `rules` judge takes for long answers, and how that grows.

    .venv/bin/python -m benchmarks.judging [--sizes 100,200,400] [KIND…]

Answers of each kind are made here in three sizes (KB): `claims` are sentences about reading, each
of other files; `table` and `list` name a file in each line; `prose` speaks of other things;
`hostile` are words and signs that begin much and end nothing. Times are of the processor, the least
of three rounds. Printed are seconds for 100 KB at each size, the exponent x of seconds ~ size^x,
and the time of the longest as a multiple of cutting it into its words.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from evaluation.judging.judge import Question
from evaluation.judging.rules.cutting import cut
from evaluation.judging.rules.judge import RulesJudge
from evaluation.judging.rules.words import Namer
from validation.matching.names import names_of

SCOPE = tuple(f"contracts/contract-{n:03}.md" for n in range(1, 61))
SIZES = (100, 200, 400)
KB = 1000
ROUNDS = 3
CLAIMS = (
    "I read contract-{a:03} in full and contract-{b:03} in part. ",
    "I did not open contract-{a:03}. ",
    "All {a} contracts in contracts/ were read line by line, except contract-{b:03}. ",
    "{a} of {b} files were reviewed. ",
)
PROSE = (
    "Clause {a} says that the supplier may end the order within {b} days. ",
    "Unless both parties agree otherwise, the fee of {a} euros is due on day {b}. ",
)
HOSTILE = ("the, ", "1, ", "I read all files, ", "a/", "all the other, ", "(", "read, ")


def filled(lines: Sequence[str], size: int) -> str:
    """These lines again and again, with other numbers, up to so many characters."""
    made: list[str] = []
    length = 0
    for i in itertools.count():
        if length >= size:
            return "".join(made)
        made.append(lines[i % len(lines)].format(a=i * 7 % 60 + 1, b=i * 11 % 60 + 1))
        length += len(made[-1])
    raise AssertionError


def hostile(size: int) -> str:
    share = size // len(HOSTILE)
    return "\n\n".join((unit * (share // len(unit) + 1))[:share] for unit in HOSTILE)


KINDS: Mapping[str, Callable[[int], str]] = {
    "claims": lambda size: filled(CLAIMS, size),
    "table": lambda size: (
        "| File | Reviewed |\n|---|---|\n" + filled(("| contract-{a:03}.md | yes |\n",), size)
    ),
    "list": lambda size: "Reviewed:\n\n" + filled(("- contract-{a:03}.md: read in full\n",), size),
    "prose": lambda size: filled(PROSE, size),
    "hostile": hostile,
}


def seconds(work: Callable[[], object]) -> float:
    """Of the processor, the least of a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="KB, comma-separated")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}")
    asked = parser.parse_args()
    sizes = [int(size) for size in asked.sizes.split(",")]
    judge = RulesJudge()
    namer = Namer(names_of(SCOPE))
    print(
        "kind      s per 100 KB at " + ", ".join(f"{size} KB" for size in sizes) + "     x  x cut"
    )
    for kind in asked.kinds or KINDS:
        questions = [Question("Review.", SCOPE, KINDS[kind](size * KB)) for size in sizes]
        taken = [seconds(partial(judge.judge_scope, question)) for question in questions]
        cutting = seconds(partial(cut, questions[-1].response, namer))
        exponent = np.polyfit(np.log(sizes), np.log(taken), 1)[0]
        each = "  ".join(f"{100 * s / size:6.2f}" for s, size in zip(taken, sizes, strict=True))
        print(f"{kind:<10}{each}  {exponent:5.2f}  {taken[-1] / cutting:5.1f}")


if __name__ == "__main__":
    main()
