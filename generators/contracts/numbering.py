"""The contract register: numbers by date, file names by vendor, and what stands where in a file."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from generators.contracts.plan import TURNS, UNDER_MASTER, Contract, ContractKind

PREFIXES: Mapping[ContractKind, str] = {
    "msa": "MSA",
    "sow": "SOW",
    "nda": "NDA",
    "dpa": "DPA",
    "order_form": "OF",
    "amendment": "AMD",
}


def enter(source: random.Random, contracts: Sequence[Contract]) -> tuple[Contract, ...]:
    """With numbers of the register: by year and date, with gaps for contracts that are not here.

    File names begin with the vendor, so that sorted paths mix the kinds of contract.
    """
    last: dict[int, int] = {}
    numbers: dict[int, str] = {}
    by_date = sorted(range(len(contracts)), key=lambda index: (contracts[index].effective, index))
    for index in by_date:
        year = contracts[index].effective.year
        last[year] = last.get(year, 0) + source.randrange(1, 5)
        numbers[index] = f"{year}-{last[year]:03}"
    named = [
        replace(
            contract,
            number=f"{PREFIXES[contract.kind]}-{numbers[index]}",
            path=PurePosixPath(
                f"contracts/{contract.vendor.company.slug}-{numbers[index]}"
                f"-{contract.kind.replace('_', '-')}.md"
            ),
        )
        for index, contract in enumerate(contracts)
    ]
    number_of = {one.vendor.company.name: one.number for one in named if one.kind == "msa"}
    turns = _turns(source, named)
    return tuple(
        replace(
            contract,
            master=number_of[contract.vendor.company.name] if contract.kind in UNDER_MASTER else "",
            turn=turns[contract.path],
        )
        for contract in named
    )


def _turns(source: random.Random, contracts: Sequence[Contract]) -> dict[PurePosixPath, int]:
    """Neighbours of a kind by path each have their main clauses in another order.

    An amendment that another one goes on from is counted with its successor.
    """
    turns: dict[PurePosixPath, int] = {}
    following: dict[ContractKind, int] = {}
    latest = {
        one.vendor.company.name: one.order
        for one in sorted(contracts, key=lambda one: one.order)
        if one.kind == "amendment"
    }
    for contract in sorted(contracts, key=lambda one: str(one.path).encode()):
        turn = following.get(contract.kind, source.randrange(TURNS))
        turns[contract.path] = turn
        superseded = (
            contract.kind == "amendment" and contract.order < latest[contract.vendor.company.name]
        )
        following[contract.kind] = turn if superseded else (turn + 1) % TURNS
    return turns
