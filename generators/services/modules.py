"""Where the names that the files of a service share are at home."""

from __future__ import annotations

from collections.abc import Iterable

from generators.services.wording import Wording


def module(wording: Wording, layer: str) -> str:
    """`billing.invoices_store`"""
    return f"{wording.service.name}.{wording.plan.entity.many}_{layer}"


def own_names(wording: Wording) -> dict[str, str]:
    """By name, the module of the schema or the store that it comes from."""
    name, names = wording.plan.class_name, wording.names
    schema, store = module(wording, "schema"), module(wording, "store")
    return {
        **dict.fromkeys((name, f"New{name}", f"{name}Change", names["present"]), schema),
        **dict.fromkeys(("csv_line", names["STATES"], names["COLUMNS"]), schema),
        **dict.fromkeys((f"{name}Store", names["PAGE"]), store),
    }


def all_names(wordings: Iterable[Wording]) -> dict[str, str]:
    """The same for several sorts of record, with what their routes offer."""
    own: dict[str, str] = {}
    for wording in wordings:
        own |= own_names(wording)
        entity, home = wording.plan.entity, module(wording, "routes")
        offered = (
            f"{entity.many}_router",
            f"{entity.one}_routes",
            f"{wording.plan.class_name}Routes",
        )
        own |= dict.fromkeys(offered, home)
    return own
