"""Drives one version of a CLI through one case, behind the recording gateway."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from evaluation.agents.cli import lay_out
from evaluation.agents.harness import Job
from evaluation.gateway.budget import Caps
from evaluation.gateway.runs import RunPlan, Ticket, Upstream
from evaluation.gateway.server import Gateway
from evaluation.gateway.wire import WireWriter
from evaluation.sandboxes.bubblewrap import Bubblewrap
from evaluation.sandboxes.sandbox import Command, Program
from tests.truth.cases import Case
from tests.truth.corpus import NOTES, corpus
from tests.truth.driver import EXPORT, Driver, Going
from tests.truth.frame import Frame
from tests.truth.scripted_model import Script, ScriptedModel

SECONDS, TURNS = 120, 300


@dataclass(frozen=True)
class Place:
    """Where one session is driven.

    <root>/
    ├── corpus/        the files, read-only for the agent
    ├── home/          the agent's
    ├── wire.jsonl.zst what the gateway recorded
    ├── stdout-N       what the CLI printed, for each start
    └── s              the gateway's socket
    """

    root: Path

    @property
    def corpus(self) -> Path:
        return self.root / "corpus"

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def wire(self) -> Path:
        return self.root / "wire.jsonl.zst"

    def stdout(self, turn: int) -> Path:
        return self.root / f"stdout-{turn}"

    @property
    def export(self) -> Path:
        return self.home / EXPORT

    def stderr(self, turn: int) -> Path:
        return self.root / f"stderr-{turn}"


@dataclass(frozen=True)
class Driven:
    """A session that was driven."""

    driver: Driver
    version: str
    case: Case
    place: Place
    script: Script


class NotDrivenError(Exception):
    """A CLI did not go through a case."""


async def drive(
    driver: Driver, version: str, case: Case, root: Path, tools: Path, frame: Frame
) -> Driven:
    """One session. Raises NotDrivenError where the CLI does not come to its end."""
    place, script = Place(root), Script(case)
    place.home.mkdir(parents=True)
    files = corpus()
    lay_out(place.corpus, {path: files[path] for path in files if case.notes or path != NOTES})
    async with ScriptedModel(script) as model, Gateway() as gateway:
        with WireWriter(place.wire) as writer:
            ticket = await gateway.open_run(
                RunPlan(
                    upstream=Upstream(model.url, "key", driver.cli.profile.protocol),
                    rules=driver.rules(version),
                    writer=writer,
                    socket=root / "s",
                    caps=Caps(turns=TURNS),
                    prompt=case.prompts[0],
                )
            )
            driven = Driven(driver, version, case, place, script)
            for turn in range(len(case.prompts)):
                await _start(driven, ticket, turn, tools, frame)
            await gateway.close_run(ticket)
    if script.left or script.unknown:
        raise NotDrivenError(
            f"threads not ended: {sorted(script.left)}, no tools: {sorted(script.unknown)}"
        )
    return driven


async def _start(driven: Driven, ticket: Ticket, turn: int, tools: Path, frame: Frame) -> None:
    driver, place = driven.driver, driven.place
    sandbox, program = Bubblewrap(), driver.program_of(driven.version)
    job = Job(
        prompt=driven.case.prompts[turn],
        model=driver.cli.profile.neutral_model,
        corpus=place.corpus,
        home=place.home,
        native=place.root,
        token=ticket.token,
        socket=ticket.socket,
        url=ticket.url,
        seconds=SECONDS,
        turns=TURNS,
    )
    first = driver.cli.start(job, sandbox)
    first = replace(first, argv=(f"{driver.cli.folder}/{program.executable}", *first.argv[1:]))
    earlier = place.stdout(0).read_text() if turn else ""
    start = driver.start(first, Going(driven.version, driven.case, turn, earlier))
    if turn == 0:
        lay_out(place.home, start.files)
    programs = [Program(program.folder(tools).absolute(), driver.cli.folder)]
    if driven.case.shows_frames:
        programs += frame.programs
    command = Command(
        argv=start.argv,
        environment={**start.environment, **driven.case.environment},
        home=place.home,
        corpus=place.corpus,
        socket=ticket.socket,
        programs=tuple(programs),
        stdout=place.stdout(turn),
        stderr=place.stderr(turn),
        seconds=SECONDS,
        finished=driver.cli.finished(),
    )
    await _run(sandbox, command)
    printed = place.stdout(0).read_text()
    export = driver.export(start, Going(driven.version, driven.case, turn, printed))
    if export is not None:
        aside = place.root / "exporting"
        await _run(sandbox, replace(command, argv=export.argv, stdout=aside, finished=None))


async def _run(sandbox: Bubblewrap, command: Command) -> None:
    exited = await sandbox.run(command)
    if exited.how == "lingered" or (exited.how == "ended" and not exited.code):
        return
    said = command.stderr.read_text(errors="replace")[-1000:]
    raise NotDrivenError(f"{exited.how}, exit code {exited.code}: {said}")
