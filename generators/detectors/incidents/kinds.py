"""The kinds of defect of logs, by name: for the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from generators.detectors.detector import Detector
from generators.detectors.incidents.accounts import (
    DisabledUserServed,
    OutOfWindowLogin,
    UnticketedSudo,
)
from generators.detectors.incidents.across import ProxiedFailure, VersionDrift
from generators.detectors.incidents.bounds import (
    disk_jump,
    late_health_check,
    late_lease,
    retry_storm,
)
from generators.detectors.incidents.order import (
    ClockStep,
    OvertakenMessage,
    RepeatedMessage,
    SequenceGap,
    UnverifiedBackup,
)


@dataclass(frozen=True)
class IncidentKind:
    """One kind of defect: what it is and what finds it."""

    summary: str
    make: Callable[[], Detector[Any]]


INCIDENT_KINDS: Mapping[str, IncidentKind] = {
    "late-health-check": IncidentKind(
        "a health check comes later than the runbook allows", late_health_check
    ),
    "proxied-failure": IncidentKind(
        "the proxy logs success for a request that failed in the service", ProxiedFailure
    ),
    "retry-storm": IncidentKind(
        "a call is repeated more often for one request than the runbook allows", retry_storm
    ),
    "version-drift": IncidentKind(
        "a host comes up with another version than was announced for it", VersionDrift
    ),
    "disabled-user-served": IncidentKind(
        "a service answers requests of an account that was locked before", DisabledUserServed
    ),
    "sequence-gap": IncidentKind(
        "offsets of a partition do not follow each other: lines are gone", SequenceGap
    ),
    "repeated-message": IncidentKind(
        "a message of a partition is stored a second time", RepeatedMessage
    ),
    "overtaken-message": IncidentKind(
        "a message of a partition is stored after the one that follows it", OvertakenMessage
    ),
    "clock-step": IncidentKind("a log goes back in time", ClockStep),
    "late-lease": IncidentKind("a lease is renewed after it had run out", late_lease),
    "unverified-backup": IncidentKind(
        "a backup reports success without having compared its copy", UnverifiedBackup
    ),
    "disk-jump": IncidentKind(
        "used space grows more between two samples than the runbook allows", disk_jump
    ),
    "out-of-window-login": IncidentKind(
        "a service account logs in outside of its window", OutOfWindowLogin
    ),
    "unticketed-sudo": IncidentKind(
        "a command is run with sudo that no change ticket covers", UnticketedSudo
    ),
}
