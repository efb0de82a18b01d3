"""Every generator, planter and kind of defect that a spec may name, and how each is made.

One literal dict a section. Packages of others add theirs by entry point (`ocb.generators`,
`ocb.planters`, `ocb.kinds`), each of which is a `Registered` value; a name taken twice is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol

from pydantic import BaseModel

from authoring.catalogue import Catalogue, Kind
from generators.contracts import generator as contracts
from generators.contracts import planter as contract_planter
from generators.contracts import term_planter as contract_term
from generators.contracts.plan import ContractsParameters
from generators.detectors.code.kinds import CODE_KINDS
from generators.detectors.contract_terms import CONTRACT_TERMS
from generators.detectors.detector import Detector
from generators.detectors.expenses.kinds import EXPENSE_KINDS
from generators.detectors.incidents.kinds import INCIDENT_KINDS
from generators.detectors.services.kinds import SERVICE_DEFECTS
from generators.detectors.trial.kinds import TRIAL_KINDS
from generators.directory import generator as directory
from generators.directory.parameters import DirectoryParameters
from generators.expenses import generator as expenses
from generators.expenses.plan import ExpensesParameters
from generators.expenses.planting import planter as expense_planter
from generators.incidents import generator as incidents
from generators.incidents.parameters import IncidentsParameters
from generators.incidents.planters import (
    fail_behind_proxy,
    login_as_account,
    lose_lines,
    move_ticket,
    raise_figure,
    repeat_line,
    serve_locked_account,
    start_old_version,
    step_clock_back,
    store_again,
    swap_lines,
)
from generators.llm import generator as llm
from generators.llm.parameters import LlmParameters
from generators.planters import (
    code,
    edit_line,
    insert_line,
    pair,
    remove_line,
    remove_section,
    replace_text,
    set_value,
)
from generators.registered import (
    MakeDetector,
    MakeGenerator,
    MakePlanter,
    NoParameters,
    Registered,
    Registrations,
    merge,
)
from generators.services import generator as services
from generators.services.plan import ServicesParameters
from generators.trial import generator as trial
from generators.trial import planter as trial_planter
from generators.trial.plan import TrialParameters

__all__ = ["NoParameters", "Registered", "Registrations", "describe", "installed"]


class Described(Protocol):
    """A module that says what it brings."""

    SUMMARY: str
    EXAMPLE: str


class KindOfDefect(Protocol):
    """What a scenario's own list says of a kind of defect."""

    @property
    def summary(self) -> str: ...
    @property
    def make(self) -> Callable[[], Detector[Any]]: ...


def _generator(
    name: str,
    module: Described,
    parameters: type[BaseModel],
    make: MakeGenerator,
    version: str = "1",
) -> Registered[MakeGenerator]:
    kind = Kind(name, module.SUMMARY, parameters, module.EXAMPLE, scaffold=f"generators.{name}")
    return Registered(kind, make, version)


def _planter(
    name: str, module: Described, parameters: type[BaseModel], make: MakePlanter
) -> Registered[MakePlanter]:
    return Registered(Kind(name, module.SUMMARY, parameters, module.EXAMPLE), make)


GENERATORS: dict[str, Registered[MakeGenerator]] = {
    "contracts": _generator(
        "contracts", contracts, ContractsParameters, contracts.ContractsGenerator, version="4"
    ),
    "directory": _generator(
        "directory", directory, DirectoryParameters, directory.DirectoryGenerator
    ),
    "expenses": _generator(
        "expenses", expenses, ExpensesParameters, expenses.ExpensesGenerator, version="4"
    ),
    "incidents": _generator(
        "incidents", incidents, IncidentsParameters, incidents.IncidentsGenerator, version="3"
    ),
    "llm": _generator("llm", llm, LlmParameters, llm.LlmGenerator),
    "services": _generator(
        "services", services, ServicesParameters, services.ServicesGenerator, version="3"
    ),
    "trial": _generator("trial", trial, TrialParameters, trial.TrialGenerator, version="3"),
}

PLANTERS: dict[str, Registered[MakePlanter]] = {
    "code": _planter("code", code, code.CodeParameters, code.Code),
    "edit-line": _planter("edit-line", edit_line, edit_line.EditLineParameters, edit_line.EditLine),
    "insert-line": _planter(
        "insert-line", insert_line, insert_line.InsertLineParameters, insert_line.InsertLine
    ),
    "pair": _planter("pair", pair, pair.PairParameters, pair.Pair),
    "remove-line": _planter(
        "remove-line", remove_line, remove_line.RemoveLineParameters, remove_line.RemoveLine
    ),
    "remove-section": _planter(
        "remove-section",
        remove_section,
        remove_section.RemoveSectionParameters,
        remove_section.RemoveSection,
    ),
    "replace-text": _planter(
        "replace-text", replace_text, replace_text.ReplaceTextParameters, replace_text.ReplaceText
    ),
    "set-value": _planter("set-value", set_value, set_value.SetValueParameters, set_value.SetValue),
    "contract-across": _planter(
        "contract-across",
        contract_planter,
        contract_planter.ContractAcrossParameters,
        contract_planter.ContractAcross,
    ),
    "contract-term": _planter(
        "contract-term",
        contract_term,
        contract_term.ContractTermParameters,
        contract_term.ContractTerm,
    ),
    "expense-record": _planter(
        "expense-record",
        expense_planter,
        expense_planter.ExpenseRecordParameters,
        expense_planter.ExpenseRecord,
    ),
    "fail-behind-proxy": _planter(
        "fail-behind-proxy",
        fail_behind_proxy,
        fail_behind_proxy.FailBehindProxyParameters,
        fail_behind_proxy.FailBehindProxy,
    ),
    "login-as-account": _planter(
        "login-as-account",
        login_as_account,
        login_as_account.LoginAsAccountParameters,
        login_as_account.LoginAsAccount,
    ),
    "lose-lines": _planter(
        "lose-lines", lose_lines, lose_lines.LoseLinesParameters, lose_lines.LoseLines
    ),
    "move-ticket": _planter(
        "move-ticket", move_ticket, move_ticket.MoveTicketParameters, move_ticket.MoveTicket
    ),
    "raise-figure": _planter(
        "raise-figure", raise_figure, raise_figure.RaiseFigureParameters, raise_figure.RaiseFigure
    ),
    "repeat-line": _planter(
        "repeat-line", repeat_line, repeat_line.RepeatLineParameters, repeat_line.RepeatLine
    ),
    "serve-locked-account": _planter(
        "serve-locked-account",
        serve_locked_account,
        serve_locked_account.ServeLockedAccountParameters,
        serve_locked_account.ServeLockedAccount,
    ),
    "start-old-version": _planter(
        "start-old-version",
        start_old_version,
        start_old_version.StartOldVersionParameters,
        start_old_version.StartOldVersion,
    ),
    "step-clock-back": _planter(
        "step-clock-back",
        step_clock_back,
        step_clock_back.StepClockBackParameters,
        step_clock_back.StepClockBack,
    ),
    "store-again": _planter(
        "store-again", store_again, store_again.StoreAgainParameters, store_again.StoreAgain
    ),
    "swap-lines": _planter(
        "swap-lines", swap_lines, swap_lines.SwapLinesParameters, swap_lines.SwapLines
    ),
    "trial-record": _planter(
        "trial-record",
        trial_planter,
        trial_planter.TrialRecordParameters,
        trial_planter.TrialRecord,
    ),
}

LISTS: tuple[Mapping[str, KindOfDefect], ...] = (
    CODE_KINDS,
    CONTRACT_TERMS,
    EXPENSE_KINDS,
    INCIDENT_KINDS,
    SERVICE_DEFECTS,
    TRIAL_KINDS,
)
"""The kinds of defect, by scenario."""
KINDS: dict[str, Registered[MakeDetector]] = {
    name: Registered(Kind(name, found.summary, NoParameters), found.make)
    for kinds in LISTS
    for name, found in kinds.items()
}


@cache
def installed() -> Registrations:
    """What ocb brings and what other packages add."""
    return Registrations(
        generators=merge("generator", GENERATORS, entry_points(group="ocb.generators")),
        planters=merge("planter", PLANTERS, entry_points(group="ocb.planters")),
        kinds=merge("kind of defect", KINDS, entry_points(group="ocb.kinds")),
    )


def describe() -> Catalogue:
    """What a spec may name on this machine, for `authoring`."""
    return installed().catalogue()
