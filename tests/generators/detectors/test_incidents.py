from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import pytest

from authoring.loading import load_spec
from authoring.spec import NeedleSpec, ScenarioSpec, Size
from generators.build import build_scenario, load_build
from generators.catalogue import describe, installed
from generators.detectors.detector import Evidence
from generators.detectors.incidents.kinds import INCIDENT_KINDS
from generators.detectors.incidents.reading import time_of
from generators.document import Document
from generators.edits import apply_changes, changes_of
from generators.incidents.consistency import faults
from generators.incidents.generator import IncidentsGenerator
from generators.incidents.log import wall
from generators.incidents.parameters import IncidentsParameters
from generators.incidents.planters.anchors import retimed
from generators.incidents.wording import Wording, read_phrases
from generators.placement import Copy, Site, plant_all
from generators.planting import Planted, Planter
from generators.registry import restore

SPEC = Path(__file__).parents[3] / "scenario_specs" / "incident_logs.yaml"
RUNBOOK = PurePosixPath("runbook.md")
BOOK = """\
# Runbook: a night

A service may repeat a call, at most 3 times for one
request id. A check that comes more than 25 minutes after the one
before it is late. Partitions are held by a lease of 30 minutes. Volumes
grow by at most 8 GiB. Services refuse it (403) after 5 minutes.

| account | window | what for |
| `svc-sync` | 01:00-02:30 | mirrors |
"""
ACCESS = """\
10.0.0.9 - - [08/Mar/2025:00:10:00 +0000] "GET /-/deep HTTP/1.1" 200 2 "w" aaaa0001 0.010
10.0.0.7 - - [08/Mar/2025:00:20:00 +0000] "GET /v1/x/1 HTTP/1.1" 200 9 "c" aaaa0002 0.010
10.0.0.9 - - [08/Mar/2025:00:35:00 +0000] "GET /-/deep HTTP/1.1" 200 2 "w" aaaa0003 0.010
10.0.0.9 - - [08/Mar/2025:01:00:01 +0000] "GET /-/deep HTTP/1.1" 200 2 "w" aaaa0004 0.010
10.0.0.7 - - [08/Mar/2025:01:20:00 +0000] "GET /v1/x/2 HTTP/1.1" 503 9 "c" aaaa0005 0.010
"""
SERVICE = """\
{"t":"00:00:00.001","lvl":"info","ev":"up","svc":"x","ver":"1.1","node":"a-app1"}
{"t":"00:10:00.001","lvl":"warn","ev":"retry","rid":"aaaa0006","callee":"y","err":"eof"}
{"t":"00:10:00.002","lvl":"warn","ev":"retry","rid":"aaaa0006","callee":"y","err":"eof"}
{"t":"00:10:00.003","lvl":"warn","ev":"retry","rid":"aaaa0007","callee":"y","err":"eof"}
{"t":"00:10:00.004","lvl":"warn","ev":"retry","rid":"aaaa0006","callee":"y","err":"eof"}
{"t":"00:10:00.005","lvl":"warn","ev":"retry","rid":"aaaa0006","callee":"y","err":"eof"}
{"t":"00:20:00.000","lvl":"error","ev":"end","rid":"aaaa0002","st":500,"user":"ada"}
{"t":"01:20:00.000","lvl":"error","ev":"end","rid":"aaaa0005","st":503,"user":"ada"}
{"t":"01:30:00.000","lvl":"info","ev":"up","svc":"x","ver":"1.1","node":"a-app1"}
{"t":"01:34:00.000","lvl":"info","ev":"end","rid":"aaaa0008","st":200,"user":"bob"}
{"t":"01:36:00.000","lvl":"info","ev":"end","rid":"aaaa0009","st":200,"user":"bob"}
{"t":"01:37:00.000","lvl":"warn","ev":"end","rid":"aaaa000a","st":403,"user":"bob"}
"""
AUTH = """\
Mar  8 00:59:00.000 a-db1 sshd[11]: Accepted publickey for svc-sync from 10.9.0.1 port 4 ssh2
Mar  8 01:10:00.000 a-db1 sshd[12]: Accepted publickey for svc-sync from 10.9.0.1 port 5 ssh2
Mar  8 01:11:00.000 a-db1 sshd[13]: Accepted publickey for ada from 10.8.0.1 port 6 ssh2
Mar  8 01:20:00.000 a-db1 sudo[14]: ada : TTY=pts/0 ; PWD=/home/ada ; USER=root ; COMMAND=/bin/id
Mar  8 01:29:00.000 a-jump usermod[15]: lock user 'bob' password
Mar  8 02:20:00.000 a-db1 sudo[16]: ada : TTY=pts/0 ; PWD=/home/ada ; USER=root ; COMMAND=/bin/ls
"""
CHANGES = """\
2025-03-08 00:30:00.000 DEP-301 announced | a-app1 | ada | x 1.0
2025-03-08 01:10:00.000 DEP-302 announced | a-app1 | ada | x 1.2
2025-03-08 01:11:00.000 CHG-4001 approved | a-db1 | ada | 01:15-01:40 | look
2025-03-08 01:12:00.000 CHG-4002 approved | a-db2 | ada | 02:15-02:40 | look
"""
WORKER = """\
00:00:01.000 w 1.0, log of 2025-03-08
00:00:02.000 lease p1 taken
00:10:00.000 p1 committed 40
00:11:00.000 p2 committed 7
00:12:00.000 p1 committed 42
00:25:00.000 lease p1 renewed
00:24:59.999 p2 committed 8
00:30:00.000 lease p2 taken
00:56:00.000 lease p1 renewed
01:00:00.000 lease p2 released
01:40:00.000 lease p2 taken
02:00:00.000 lease p2 renewed
02:10:00.000 p2 committed 9
02:11:00.000 p2 committed 11
02:12:00.000 p2 committed 10
02:13:00.000 p2 committed 8
"""
JOBS = """\
00:00:01.000 backup a-1 started, full
00:10:00.000 backup a-1 verified, 9 segments match
00:11:00.000 backup b-1 started, full
00:12:00.000 backup a-1 finished, success
00:13:00.000 backup b-1 finished, success
00:20:00.000 disk /srv/pg used 100.0G
00:30:00.000 disk /srv/x used 300.0G
00:40:00.000 disk /srv/pg used 108.0G
00:50:00.000 disk /srv/pg used 116.1G
00:55:00.000 disk /srv/pg used 100.0G
"""
LOGS = {
    RUNBOOK: BOOK,
    PurePosixPath("access.log"): ACCESS,
    PurePosixPath("auth.log"): AUTH,
    PurePosixPath("changes.log"): CHANGES,
    PurePosixPath("jobs.log"): JOBS,
    PurePosixPath("service.jsonl"): SERVICE,
    PurePosixPath("worker.log"): WORKER,
}
EXPECTED: Mapping[str, list[str]] = {
    "late-health-check": ["access.log:4"],
    "proxied-failure": ["access.log:2", "service.jsonl:7"],
    "retry-storm": [f"service.jsonl:{line}" for line in (2, 3, 5, 6)],
    "version-drift": ["changes.log:2", "service.jsonl:9"],
    "disabled-user-served": ["auth.log:5", "service.jsonl:11"],
    "sequence-gap": ["worker.log:3", "worker.log:5"],
    "repeated-message": ["worker.log:16", "worker.log:7"],
    "overtaken-message": ["worker.log:14", "worker.log:15"],
    "clock-step": ["worker.log:6-7"],
    "late-lease": ["worker.log:9"],
    "unverified-backup": ["jobs.log:5"],
    "disk-jump": ["jobs.log:9"],
    "out-of-window-login": ["auth.log:1"],
    "unticketed-sudo": ["auth.log:6", "changes.log:3"],
}
ACROSS = ("proxied-failure", "version-drift", "disabled-user-served", "unticketed-sudo")


def found(kind: str, texts: Mapping[PurePosixPath, str]) -> tuple[Evidence, ...]:
    detector: Any = INCIDENT_KINDS[kind].make()
    return tuple(
        detector.decide({path: detector.extract(path, text) for path, text in texts.items()})
    )


def places(evidence: tuple[Evidence, ...]) -> list[str]:
    return sorted(
        f"{e.path}:{e.first}" + (f"-{e.last}" if e.last > e.first else "") for e in evidence
    )


@pytest.mark.parametrize("kind", INCIDENT_KINDS)
def test_a_kind_is_found_at_its_lines_and_nowhere_else(kind: str) -> None:
    assert places(found(kind, LOGS)) == EXPECTED[kind]


@pytest.mark.parametrize("kind", ACROSS)
def test_of_a_kind_across_files_no_log_alone_decides(kind: str) -> None:
    for path, text in LOGS.items():
        assert found(kind, {path: text, RUNBOOK: BOOK}) == ()


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("late-health-check", "more than 25", "more than 26"),
        ("retry-storm", "most 3", "most 4"),
        ("late-lease", "of 30", "of 31"),
        ("disk-jump", "most 8", "most 9"),
        ("out-of-window-login", "01:00-", "00:55-"),
        ("disabled-user-served", "after 5", "after 7"),
    ],
)
def test_the_bound_is_read_from_the_runbook(kind: str, old: str, new: str) -> None:
    assert old in BOOK
    assert found(kind, LOGS) != ()
    assert found(kind, LOGS | {RUNBOOK: BOOK.replace(old, new)}) == ()
    without = {path: text for path, text in LOGS.items() if path != RUNBOOK}
    assert found(kind, without) == ()


def test_a_command_of_somebody_without_any_ticket_decides_nothing() -> None:
    """Their change log may be one that is not at hand."""
    others = CHANGES.replace("| ada | 0", "| bob | 0")
    assert found("unticketed-sudo", LOGS | {PurePosixPath("changes.log"): others}) == ()


def test_a_gap_of_a_partition_is_seen_in_every_wording_of_a_worker() -> None:
    for text in read_phrases("worker")["stored"]:
        say = Wording(random.Random(1), "00:00:0{{ n(1, 9) }}.000 <>").phrase(text)
        lines = [say.render(p=p, s=s) for p, s in ((1, 7), (2, 9), (1, 8), (1, 10))]
        log = {PurePosixPath("worker.log"): "\n".join(lines)}
        assert places(found("sequence-gap", log)) == ["worker.log:3", "worker.log:4"], text


def stored(*offsets: int) -> dict[PurePosixPath, str]:
    """A worker's log of one partition, a line for each offset."""
    lines = [f"00{n:02}00.000 p3 committed {offset}" for n, offset in enumerate(offsets)]
    return {PurePosixPath("worker.log"): "\n".join(lines)}


@pytest.mark.parametrize(
    ("offsets", "gap", "repeated", "overtaken"),
    [
        pytest.param((7, 8, 9), [], [], [], id="in order"),
        pytest.param((7, 9, 8, 10), [], [], [2, 3], id="late but there"),
        pytest.param((7, 8, 9, 7, 10), [], [1, 4], [], id="twice"),
        pytest.param((7, 8, 10, 8), [2, 3], [2, 4], [], id="lost, and another twice"),
        pytest.param((7, 10, 8, 11), [2, 3], [], [2, 3], id="one lost, one late"),
    ],
)
def test_a_message_is_lost_or_late_or_comes_twice(
    offsets: tuple[int, ...], gap: list[int], repeated: list[int], overtaken: list[int]
) -> None:
    log = stored(*offsets)
    kinds = {"sequence-gap": gap, "repeated-message": repeated, "overtaken-message": overtaken}
    for kind, lines in kinds.items():
        assert sorted(one.first for one in found(kind, log)) == lines, kind


@pytest.mark.parametrize(
    ("line", "clock"),
    [
        ("00:14:03.218 p1 committed 7", "00:14:03.218"),
        ("001403.218 p1 committed 7", "00:14:03.218"),
        ("Mar  8 23:14:03.218 a-db1 kernel: [12345.6] up", "23:14:03.218"),
        ("2025-03-08 00:14:03,218 disk /srv/pg used 100.0G", "00:14:03.218"),
        ('10.0.0.9 [08/Mar/2025:00:14:03 +0000] "GET / HTTP/1.1"', "00:14:03.000"),
        ('{"t":1741392843218,"lvl":"I"}', "00:14:03.218"),
        ("1741392843.218 10.0.0.1 aaaa0001", "00:14:03.218"),
        ("run 001403 of 246001.218 is no time, nor is 001403.2", ""),
    ],
)
def test_a_time_is_read_in_each_way_that_a_log_writes_it(line: str, clock: str) -> None:
    at = time_of(line)
    assert ("" if at is None else wall(at)) == clock
    if at is not None:
        assert time_of(retimed(line, at + 61_000)) == at + 61_000


@pytest.mark.parametrize("gone", ["", "renewed", "released"])
def test_a_lease_is_followed_in_every_wording_of_a_worker(gone: str) -> None:
    steps = ("00:00 taken", "00:20 renewed", "00:40 renewed", "00:50 released", "01:30 taken")
    for known in read_phrases("worker")["leases"]:
        wording = Wording(random.Random(1), "{{ t }}:00.000 <>")
        lines = [
            wording.phrase(known[what]).render(t=t, p=3)
            for t, what in (step.split() for step in steps)
            if not (what == gone == "released" or (what == gone and t == "00:20"))
        ]
        log = {PurePosixPath("worker.log"): "\n".join(lines), RUNBOOK: BOOK}
        expected = ["worker.log:2"] if gone == "renewed" else []
        assert places(found("late-lease", log)) == expected, known


@pytest.mark.parametrize(("gone", "expected"), [("", []), ("verified", ["jobs.log:4"])])
def test_a_backup_is_followed_in_every_wording_of_a_jobs_log(
    gone: str, expected: list[str]
) -> None:
    """Two runs at once: what the second one compares is no comparison of the first."""
    steps = ("started", "copied", "verified", "finished")
    for known in read_phrases("jobs")["backups"]:
        wording = Wording(random.Random(1), "00:00:01.000 <>")
        say = {step: wording.phrase(text) for step, text in known.items()}
        first = [("a", 41, step) for step in steps if step != gone]
        second = [("b", 42, step) for step in steps]
        lines = [
            say[step].render(set=name, run=run, of=9, done=9)
            for name, run, step in (first[0], second[0], *first[1:], *second[1:])
        ]
        log = {PurePosixPath("jobs.log"): "\n".join(lines)}
        assert places(found("unverified-backup", log)) == expected, known


def test_a_run_that_starts_again_is_compared_again() -> None:
    once = ["started, full", "verified, 9 segments match", "finished, success"]
    lines = [
        f"00:00:0{n}.000 backup a-1 {said}" for n, said in enumerate([*once, once[0], once[2]])
    ]
    log = {PurePosixPath("jobs.log"): "\n".join(lines)}
    assert places(found("unverified-backup", log)) == ["jobs.log:5"]


def test_the_use_of_a_volume_is_read_in_every_wording_of_a_jobs_log() -> None:
    for text in read_phrases("jobs")["used"]:
        say = Wording(random.Random(1), "[00:00:01.000] jobs: <>").phrase(text)
        figures = (("/srv/pg", "99.9"), ("/srv/pg/x", "300.0"), ("/srv/pg", "108.0"))
        lines = [say.render(volume=volume, used=used) for volume, used in figures]
        texts = {PurePosixPath("jobs.log"): "\n".join(lines), RUNBOOK: BOOK}
        assert places(found("disk-jump", texts)) == ["jobs.log:3"], text


def test_a_lock_is_read_in_every_wording_of_a_host() -> None:
    for text in read_phrases("hosts")["locks"]:
        wording = Wording(
            random.Random(1), "Mar  8 01:29:00.000 a-jump <>", {"pid": lambda _host: 9}
        )
        lock = wording.phrase(text).render(user="bob", host="a-jump")
        texts = LOGS | {PurePosixPath("auth.log"): lock}
        expected = ["auth.log:1", "service.jsonl:11"]
        assert places(found("disabled-user-served", texts)) == expected, text


# On the corpus that the detectors are for


@cache
def spec() -> ScenarioSpec:
    return load_spec(SPEC, describe())


@cache
def corpus(size: Size, seed: int) -> tuple[Document, ...]:
    parameters = IncidentsParameters.model_validate(spec().corpus.sizes[size])
    return tuple(IncidentsGenerator(parameters, random.Random(seed)).documents())


def planter_of(needle: NeedleSpec) -> Planter:
    return installed().planter(needle.plant.planter, needle.plant.parameters)


class Sown(NamedTuple):
    """One needle in a corpus without any other."""

    needle: NeedleSpec
    planted: Planted
    texts: Mapping[PurePosixPath, str]


def sown(size: Size, seed: int, placement: int) -> list[Sown]:
    documents = corpus(size, seed)
    clean = {document.path: document.text for document in documents}
    reviewed = [str(path) for path in clean if path != RUNBOOK]
    site = Site.of(documents, reviewed, size=size, seed=seed, placement=placement)
    result = []
    for needle in spec().needles:
        if not needle.copies.get(size, 1):
            continue
        planted = plant_all([Copy(needle, 0, needle.id)], planter_of, site)[needle.id]
        changes = changes_of(planted.edits)
        texts = dict(clean)
        for path in {PurePosixPath(change.path) for change in changes}:
            own = [change for change in changes if change.path == str(path)]
            texts[path] = apply_changes(clean[path], own)
        result.append(Sown(needle, planted, texts))
    return result


@pytest.mark.parametrize("placement", range(3))
@pytest.mark.parametrize(
    ("size", "seed"), [*(("small", s) for s in range(8)), *(("standard", s) for s in range(5))]
)
def test_each_planted_needle_is_found_at_its_registered_lines_alone(
    size: Size, seed: int, placement: int
) -> None:
    for needle, planted, texts in sown(size, seed, placement):
        registered = {(s.path, s.first, s.last) for s in planted.evidence}
        for kind in INCIDENT_KINDS:
            seen = {(str(e.path), e.first, e.last) for e in found(kind, texts)}
            assert seen == (registered if kind == needle.kind else set()), (needle.id, kind)


@pytest.mark.parametrize("placement", range(3))
@pytest.mark.parametrize("seed", range(4))
def test_each_file_of_a_needle_stands_in_a_night_without_fault(seed: int, placement: int) -> None:
    clean = {document.path: document.text for document in corpus("standard", seed)}
    across = [one for one in sown("standard", seed, placement) if one.needle.kind in ACROSS]
    assert len(across) == 4
    for needle, planted, texts in across:
        files = {span.path for span in planted.evidence}
        assert len(files) == 2 == len(planted.witnesses)
        for file, partners in planted.witnesses.items():
            path = PurePosixPath(file)
            night = clean | {path: texts[path]} | {PurePosixPath(p): t for p, t in partners.items()}
            assert faults({str(p): t for p, t in night.items()}) == (), (needle.id, file)


@pytest.mark.parametrize("placement", range(3))
@pytest.mark.parametrize("size", ["small", "standard", "long"])
def test_a_whole_build_shows_every_needle_and_its_clean_twin_none(
    size: Size, placement: int, tmp_path: Path
) -> None:
    paths = build_scenario(spec(), size=size, placement=placement, parent=tmp_path, ocb_version="0")
    build = load_build(paths.root)
    planted = {PurePosixPath(path): text for path, text in build.texts.items()}
    clean = restore(build.texts, build.registry.needles)
    needles = build.registry.needles
    assert len(needles) == (4 if size == "small" else 14)
    assert faults(clean) == ()
    for needle in needles:
        registered = {(s.path, s.first, s.last) for s in needle.evidence}
        assert {(str(e.path), e.first, e.last) for e in found(needle.kind, planted)} == registered
        assert needle.relative_to


def test_a_large_build_holds_thirty_needles_or_more_of_every_kind(tmp_path: Path) -> None:
    paths = build_scenario(spec(), size="large", parent=tmp_path, ocb_version="0")
    build = load_build(paths.root)
    planted = {PurePosixPath(path): text for path, text in build.texts.items()}
    assert len(build.registry.needles) == 42
    for kind in INCIDENT_KINDS:
        registered = {
            (s.path, s.first, s.last)
            for needle in build.registry.needles
            if needle.kind == kind
            for s in needle.evidence
        }
        assert {(str(e.path), e.first, e.last) for e in found(kind, planted)} == registered


def test_the_needles_are_of_many_kinds_and_three_severities() -> None:
    needles = spec().needles
    assert len({needle.kind for needle in needles}) == len(INCIDENT_KINDS) == 14
    assert {needle.severity for needle in needles} == {"minor", "major", "critical"}
    assert sum(needle.kind in ACROSS for needle in needles) == 4
