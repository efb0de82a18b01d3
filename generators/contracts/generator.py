"""The `contracts` generator: the vendor contracts of one company, and its playbook."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath

from generators.contracts.drafts import Outline
from generators.contracts.numbering import enter
from generators.contracts.plan import (
    Contract,
    ContractsParameters,
    draw_terms,
    plan_contracts,
)
from generators.contracts.writing import Writer
from generators.document import Document
from generators.lines import split_lines
from generators.world import World, build_world, business_day

SUMMARY = "vendor contracts of one company: MSA, SOW, NDA, DPA, order forms, amendments; a playbook"
EXAMPLE = """\
generator: contracts
parameters: {vendors: 8}
sizes:
  standard: {msa: 6, sow: 5, nda: 4, dpa: 3, order_form: 3, amendment: 3}
"""
PLAYBOOK = PurePosixPath("playbook.md")
FIRST_REVISION, LAST_REVISION = date(2025, 1, 6), date(2025, 3, 28)


class ContractsGenerator:
    """Contracts under `contracts/`, named after their vendors, and `playbook.md`.

    The same companies, people, rates and sums recur: an order names the master agreement it stands
    under by number, date and section, and is priced at that vendor's rates.
    """

    def __init__(self, parameters: ContractsParameters, source: random.Random) -> None:
        self._parameters = parameters
        self._seed = source.getrandbits(64)

    def documents(self) -> Iterator[Document]:
        """The playbook, the master agreements, and what stands under them."""
        source = random.Random(self._seed)
        world = build_world(source, self._parameters.vendors)
        contracts = enter(source, plan_contracts(source, world, self._parameters))
        # One stream of randomness a document: a change to one leaves the others as they are.
        streams = [random.Random(source.getrandbits(64)) for _ in contracts]
        writer = Writer(world, brief=self._parameters.length == "short")
        playbook = _playbook(writer, world, source)
        yield playbook
        masters: dict[str, Outline] = {}
        used = set(split_lines(playbook.text))
        for contract, stream in zip(contracts, streams, strict=True):
            written = writer.write(contract, stream, used=used, master=masters.get(contract.master))
            used.update(split_lines(written.text))
            if contract.kind == "msa":
                masters[contract.number] = written.outline
            yield Document(contract.path, contract.kind, written.text)


def _playbook(writer: Writer, world: World, source: random.Random) -> Document:
    revised = business_day(source, FIRST_REVISION, LAST_REVISION)
    dated = Contract(
        kind="msa",
        vendor=world.vendors[0],
        effective=revised,
        starts=revised,
        ends=revised,
        signed_client=revised,
        signed_vendor=revised,
        terms=draw_terms(source),
    )
    text = writer.write_playbook(replace(dated, path=PLAYBOOK), source)
    return Document(PLAYBOOK, "playbook", text)
