from __future__ import annotations

import random

from generators.document import Document
from generators.services.generator import ServicesGenerator
from generators.services.layout import BASELINE, TRANSPORT, Layout
from generators.services.plan import ALL_PARTS, ServicesParameters, plan_platform

PARAMETERS = ServicesParameters(
    services=3, entities=2, parts=(*ALL_PARTS, "sweeps", "listeners", "widenings")
)


def documents() -> list[Document]:
    return list(ServicesGenerator(PARAMETERS, random.Random(4)).documents())


def layout() -> Layout:
    # The generator draws its own seed first.
    platform = plan_platform(random.Random(random.Random(4).getrandbits(64)), PARAMETERS)
    return Layout(platform, PARAMETERS.parts)


def test_every_document_lies_where_the_layout_has_it() -> None:
    laid = layout()
    expected = {("library", path) for path in laid.library.values()}
    for service in laid.platform.services:
        places = [laid.of_service(service)]
        places += [laid.of_record(service, plan) for plan in service.entities]
        expected |= {(kind, place.path) for one in places for kind, place in one.items()}
    expected |= {("baseline", BASELINE), ("library", TRANSPORT)}
    assert {(one.kind, one.path) for one in documents()} == expected


def test_a_turn_is_the_third_of_all_files_but_the_baseline() -> None:
    paths = sorted(str(one.path) for one in documents() if one.path != BASELINE)
    laid = layout()
    for service in laid.platform.services:
        for place in laid.of_service(service).values():
            assert place.turn == next(
                third
                for third in range(3)
                if paths.index(str(place.path)) < (third + 1) * len(paths) // 3
            )
