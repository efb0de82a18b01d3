from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import pytest
import yaml

from authoring.artefacts import Value
from authoring.loading import load_spec
from authoring.spec import Size
from generators.build import build_scenario
from generators.build_folder import Build, load_build
from generators.catalogue import describe
from generators.detectors.detector import Evidence
from generators.detectors.services.kinds import SERVICE_DEFECTS
from generators.lines import CorpusIndex
from generators.planters.languages import LanguageName, Source
from generators.registry import restore

SPEC = Path(__file__).parents[3] / "scenario_specs" / "service_audit.yaml"
BASELINE = PurePosixPath("docs/baseline.md")
RULES = """\
# Baseline of hardening

## Permissions

A permission that guards a DELETE is granted to owner and admin only.

## Sessions

An `access` token lives for no more than 20 minutes and a `refresh` token
for no more than 12 hours.

## Logging

Never logged are: `email`, `token`.
"""
SMALL_KINDS = {"unscoped-lookup", "formatted-sql", "overlong-token", "narrow-column"}


class Case(Value):
    """A file written by hand, and the single lines that have the defect."""

    path: str
    text: str
    lines: tuple[int, ...]


def cases() -> list[tuple[str, Case]]:
    source = Path(__file__).with_name("service_defects.yaml").read_text(encoding="utf-8")
    return [
        (kind, Case.model_validate(case))
        for kind, listed in yaml.safe_load(source).items()
        for case in listed
    ]


def detect(kind: str, texts: Mapping[PurePosixPath, str]) -> set[Evidence]:
    detector = SERVICE_DEFECTS[kind].make()
    return set(detector.decide({path: detector.extract(path, texts[path]) for path in texts}))


@pytest.mark.parametrize(("kind", "case"), cases(), ids=lambda value: getattr(value, "path", value))
def test_every_such_line_is_found_and_no_other(kind: str, case: Case) -> None:
    path = PurePosixPath(case.path)
    found = detect(kind, {path: case.text, BASELINE: RULES})
    assert found == {Evidence(path, line, line) for line in case.lines}


@pytest.mark.parametrize(("kind", "case"), cases(), ids=lambda value: getattr(value, "path", value))
def test_files_that_cannot_be_read_show_nothing(kind: str, case: Case) -> None:
    path = PurePosixPath(case.path)
    broken = {path: "\0" + case.text.replace(":", ": [ {", 1), BASELINE: RULES}
    if path.suffix in (".py", ".yaml"):
        assert detect(kind, broken) == set()


ROUTES = PurePosixPath("services/orders/routes.py")
ACCESS = PurePosixPath("services/orders/access.yaml")
ORDERS = PurePosixPath("services/orders/service.yaml")
BILLING = PurePosixPath("services/billing/service.yaml")
CLIENT = PurePosixPath("web/orders.ts")
DEPLOY = PurePosixPath("services/orders/deploy.yaml")
TABLE = PurePosixPath("services/orders/migrations/0001_orders.sql")
WIDER = PurePosixPath("services/orders/migrations/0002_wider.sql")
SCHEMA = PurePosixPath("services/orders/schema.py")

ACROSS: dict[str, tuple[str, dict[PurePosixPath, str], set[Evidence]]] = {
    "too many may delete": (
        "broad-grant",
        {
            BASELINE: RULES,
            ROUTES: '@r.delete("/orders/{id}", permission="orders.close")\ndef f(id): ...\n',
            ACCESS: "service: orders\npermissions:\n  orders.close: [owner, member]\n",
        },
        {Evidence(ROUTES, 1, 1), Evidence(ACCESS, 3, 3)},
    ),
    "members may change": (
        "broad-grant",
        {
            BASELINE: RULES,
            ROUTES: '@r.put("/orders/{id}", permission="orders.close")\ndef f(id): ...\n',
            ACCESS: "service: orders\npermissions:\n  orders.close: [owner, member]\n",
        },
        set(),
    ),
    "a caller gives up first": (
        "short-timeout",
        {
            ORDERS: "service: orders\nupstreams:\n  billing: {timeout_ms: 2000}\n",
            BILLING: "service: billing\ninbound: {retry_budget_ms: 2001}\n",
        },
        {Evidence(ORDERS, 3, 3), Evidence(BILLING, 2, 2)},
    ),
    "a caller waits just as long": (
        "short-timeout",
        {
            ORDERS: "service: orders\nupstreams:\n  billing: {timeout_ms: 2000}\n",
            BILLING: "service: billing\ninbound: {retry_budget_ms: 2000}\n",
        },
        set(),
    ),
    "a page too large": (
        "oversized-page",
        {
            CLIENT: '\nconst listing = { path: "/orders/orders", pageSize: 101 };\n',
            ORDERS: "service: orders\npaging:\n  orders: {default: 20, most: 100}\n",
        },
        {Evidence(CLIENT, 2, 2), Evidence(ORDERS, 3, 3)},
    ),
    "a page of another service": (
        "oversized-page",
        {
            CLIENT: '\nconst listing = { path: "/sales/orders", pageSize: 101 };\n',
            ORDERS: "service: orders\npaging:\n  orders: {default: 20, most: 100}\n",
        },
        set(),
    ),
    "the admin port from outside": (
        "routed-admin-port",
        {
            DEPLOY: "service: orders\ningress:\n  - {host: a, target: 80}\n  - {target: 90}\n",
            ORDERS: "service: orders\nlisten: {port: 80, admin_port: 90}\n",
        },
        {Evidence(DEPLOY, 4, 4), Evidence(ORDERS, 2, 2)},
    ),
    "the admin port of another": (
        "routed-admin-port",
        {
            DEPLOY: "service: orders\ningress:\n  - {host: a, target: 90}\n",
            BILLING: "service: billing\nlisten: {port: 80, admin_port: 90}\n",
        },
        set(),
    ),
    "a column too narrow": (
        "narrow-column",
        {
            TABLE: "CREATE TABLE orders (\n    order_id UUID,\n    note VARCHAR(40)\n);\n",
            SCHEMA: (
                "NOTE_MOST = 41\nclass Order:\n    order_id: str\n    tenant_id: str\n"
                'note = body.text("note", most=NOTE_MOST)\n'
            ),
        },
        {Evidence(TABLE, 3, 3), Evidence(SCHEMA, 1, 1)},
    ),
    "a column that was made wider": (
        "narrow-column",
        {
            TABLE: "CREATE TABLE orders (\n    order_id UUID,\n    note VARCHAR(40)\n);\n",
            WIDER: "ALTER TABLE orders\n    ALTER COLUMN note TYPE VARCHAR(41);\n",
            SCHEMA: (
                'LIMITS = {"note": 41}\nclass Order:\n    order_id: str\n    tenant_id: str\n'
                'note = body.text("note", most=LIMITS["note"])\n'
            ),
        },
        set(),
    ),
    "a column of the same name elsewhere": (
        "narrow-column",
        {
            TABLE: "CREATE TABLE bills (\n    bill_id UUID,\n    note VARCHAR(40)\n);\n",
            SCHEMA: (
                "class Order:\n    order_id: str\n    tenant_id: str\n"
                'note = body.text("note", most=41)\n'
            ),
        },
        set(),
    ),
}


@pytest.mark.parametrize(("kind", "texts", "expected"), ACROSS.values(), ids=ACROSS)
def test_two_files_that_disagree_are_both_evidence(
    kind: str, texts: dict[PurePosixPath, str], expected: set[Evidence]
) -> None:
    assert detect(kind, texts) == expected
    for evidence in expected:
        alone = {path: text for path, text in texts.items() if path in (evidence.path, BASELINE)}
        assert detect(kind, alone) == set()


@cache
def build(size: Size, seed: int, placement: int) -> Build:
    spec = load_spec(SPEC, describe())
    with TemporaryDirectory() as folder:
        paths = build_scenario(
            spec,
            size=size,
            seed=seed,
            placement=placement,
            parent=Path(folder),
            ocb_version="0",
        )
        return load_build(paths.root)


def by_path(texts: Mapping[str, str]) -> dict[PurePosixPath, str]:
    return {PurePosixPath(path): text for path, text in texts.items()}


SEEDS: dict[Size, int] = {"small": 3, "standard": 2}
BUILDS: list[tuple[Size, int, int]] = [
    (size, seed, placement)
    for size, seeds in SEEDS.items()
    for seed in range(seeds)
    for placement in range(3)
]


@pytest.mark.parametrize(("size", "seed", "placement"), BUILDS)
def test_planted_defects_are_found_where_they_are_registered_and_nothing_else(
    size: Size, seed: int, placement: int
) -> None:
    built = build(size, seed, placement)
    registered = {
        kind: {
            Evidence(PurePosixPath(span.path), span.first, span.last)
            for needle in built.registry.needles
            if needle.kind == kind
            for span in needle.evidence
        }
        for kind in SERVICE_DEFECTS
    }
    assert {kind for kind, found in registered.items() if found} == (
        SMALL_KINDS if size == "small" else set(SERVICE_DEFECTS)
    )
    clean = by_path(restore(built.texts, built.registry.needles))
    for kind in SERVICE_DEFECTS:
        assert detect(kind, by_path(built.texts)) == registered[kind], kind
        assert detect(kind, clean) == set(), kind


@pytest.mark.parametrize(("size", "seed", "placement"), BUILDS)
def test_of_a_defect_across_files_no_file_alone_decides(
    size: Size, seed: int, placement: int
) -> None:
    built = build(size, seed, placement)
    clean = restore(built.texts, built.registry.needles)
    across = [n for n in built.registry.needles if len({span.path for span in n.evidence}) > 1]
    assert len(across) == (1 if size == "small" else 5)
    for needle in across:
        witnesses = built.witnesses[needle.id]
        assert witnesses.keys() == {span.path for span in needle.evidence}
        for path, partners in witnesses.items():
            world = {**clean, path: built.texts[path], **partners}
            assert detect(needle.kind, by_path(world)) == set(), (needle.id, path)


@pytest.mark.parametrize(("size", "seed", "placement"), BUILDS)
def test_evidence_can_be_measured(size: Size, seed: int, placement: int) -> None:
    built = build(size, seed, placement)
    index = CorpusIndex.of(built.texts)
    for needle in built.registry.needles:
        for span in needle.evidence:
            for number in range(span.first, span.last + 1):
                line = index.line(span.path, number) or ""
                assert index.is_unique(line), (needle.id, line)
                assert len(line) <= 400


def test_what_a_later_migration_adds_is_needed_for_nothing() -> None:
    built = build("long", 0, 0)
    clean = by_path(restore(built.texts, built.registry.needles))
    kinds = {PurePosixPath(file.path): file.kind for file in built.manifest.files}
    widenings = {path for path, kind in kinds.items() if kind == "widening"}
    assert widenings
    without = {path: text for path, text in clean.items() if path not in widenings}
    assert detect("narrow-column", without) == set()


LANGUAGES: dict[str, LanguageName] = {
    ".py": "python",
    ".ts": "typescript",
    ".sql": "sql",
    ".yaml": "yaml",
    "": "dockerfile",
}


@pytest.mark.parametrize(("size", "seed", "placement"), BUILDS)
def test_what_is_planted_is_valid_code(size: Size, seed: int, placement: int) -> None:
    built = build(size, seed, placement)
    for path in {edit.path for needle in built.registry.needles for edit in needle.edits}:
        language = LANGUAGES[PurePosixPath(path).suffix]
        assert Source.parse(built.texts[path], language).faults() == 0, path


def test_a_standard_build_has_three_severities() -> None:
    built = build("standard", 0, 0)
    assert {needle.severity for needle in built.registry.needles} == {"minor", "major", "critical"}
