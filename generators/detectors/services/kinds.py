"""The kinds of defect of services, by name: for the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from generators.detectors.detector import Detector
from generators.detectors.services import operation, routes, statements, values
from generators.detectors.services.across import (
    BroadGrant,
    OversizedPage,
    RoutedAdminPort,
    ShortTimeout,
)
from generators.detectors.services.found_lines import FindLines, FoundLines
from generators.detectors.services.widths import NarrowColumn


@dataclass(frozen=True)
class ServiceDefect:
    """One kind of defect: what it is and what finds it."""

    summary: str
    make: Callable[[], Detector[Any]]


def _in_one_file(summary: str, find: FindLines) -> ServiceDefect:
    return ServiceDefect(summary, lambda: FoundLines(find))


SERVICE_DEFECTS: Mapping[str, ServiceDefect] = {
    "unscoped-lookup": _in_one_file(
        "a route fetches a record by id without the caller's tenant", routes.unscoped_lookups
    ),
    "tenantless-cache-key": _in_one_file(
        "a tenant's data is cached under a key that does not name the tenant",
        routes.tenantless_keys,
    ),
    "weak-permission": _in_one_file(
        "a route that changes something is guarded by a permission to read",
        routes.weak_permissions,
    ),
    "page-off-by-one": _in_one_file(
        "the offset of a page skips the first page", routes.off_by_one_pages
    ),
    "formatted-sql": _in_one_file(
        "a value is set into the text of a statement", statements.formatted_values
    ),
    "unversioned-update": _in_one_file(
        "a change is written whatever version the row has", statements.unversioned_updates
    ),
    "leaky-comparison": _in_one_file(
        "a signature is compared in a time that depends on it", values.leaky_comparisons
    ),
    "unkeyed-retry": _in_one_file(
        "a POST may be repeated without an idempotency key", values.unkeyed_retries
    ),
    "money-as-float": _in_one_file("an amount goes through a float", values.money_as_float),
    "sensitive-log": ServiceDefect("a log line holds personal data", values.SensitiveLog),
    "overlong-token": ServiceDefect(
        "a token lives longer than the baseline allows", operation.OverlongToken
    ),
    "unverified-database": _in_one_file(
        "a connection to a database does not verify the server", operation.unverified_connections
    ),
    "root-image": _in_one_file("the finished image runs as root", operation.root_images),
    "unencoded-path": _in_one_file(
        "a client sets an id into a path without encoding it", operation.unencoded_paths
    ),
    "narrow-column": ServiceDefect(
        "a schema lets a text through that does not fit into its column", NarrowColumn
    ),
    "broad-grant": ServiceDefect(
        "a permission that guards a DELETE is granted to too many roles", BroadGrant
    ),
    "short-timeout": ServiceDefect(
        "a caller gives up before the service it calls does", ShortTimeout
    ),
    "oversized-page": ServiceDefect(
        "a client asks for larger pages than the service gives", OversizedPage
    ),
    "routed-admin-port": ServiceDefect(
        "an ingress leads to the admin port of a service", RoutedAdminPort
    ),
}
