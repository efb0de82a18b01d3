"""One session of Claude Code, put together from its files: the main agent and its sub-agents.

Whether the session tells what was still visible at the final response: exactly, where all that the
main thread's calls held is known from `api-request` rows (claude_requests.py); at the most
elsewhere, since the CLI and the server clear old results without a row that says so; not at all
where a session without attachments was compacted, since files that the CLI put back into the
context are not in it.
"""

from __future__ import annotations

import re
from pathlib import Path

from evaluation.reading.context import MAIN
from evaluation.transcripts.claude_forks import FORK, with_history
from evaluation.transcripts.claude_kinds import CONTEXT, OTHER, Head, head_of
from evaluation.transcripts.claude_rows import (
    Row,
    RowCount,
    kind_of,
    object_of,
    rows_of,
    text_of,
)
from evaluation.transcripts.claude_subagents import (
    FOLDER,
    JOURNAL,
    Family,
    file_beside,
    files_elsewhere,
    journal_agents,
    meta_of,
)
from evaluation.transcripts.claude_thread import Finished, Thread
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Step,
    Trajectory,
    TrajectoryExtra,
    located,
)

MENTION = re.compile(r'(?:^|\s)@(?:"[^"]+"|[^\s@]*(?:/[^\s@]|\.[A-Za-z0-9]{1,5}\b))')
"""A file that a prompt names for the CLI to attach."""
UNTOLD = "what was cleared from the context before the final response, but for what compactions say"


class Session:
    """One session, put together from its files."""

    def __init__(self) -> None:
        self.count = RowCount()
        self.main = Thread(self.count)
        self.family = Family({MAIN: self.main})
        self.asked: set[str] = set()
        """Sub-agents whose file was looked for."""
        self._inline: dict[str, Thread] = {}
        self._of: dict[str, str] = {}
        """The thread of a row, where rows of sub-agents stand in the session itself without a
        name."""
        self._nameless = 0
        self._elsewhere: dict[str, Path] | None = None
        self._place = 0

    def read(self, file: Path, head: Head) -> None:
        """One file of the session's own rows."""
        if head.requests and not head.agent:
            self.main.expect_requests()
        for row in rows_of(file, self.count):
            self._place += 1
            kind = kind_of(row)
            if kind == "progress":
                self._take_progress(row)
            elif kind not in CONTEXT:
                if kind == FORK and head.agent:
                    self.family.forks[head.agent] = text_of(row, "parentLastUuid")
                if kind not in OTHER:
                    self.count.unknown[kind[:80]] += 1
            elif head.agent:
                self._agent(head.agent, head).take(row, self._place)
            elif row.get("isSidechain") is True:
                self._take_sidechain(row)
            else:
                self.main.take(row, self._place)

    def read_beside(self, file: Path) -> None:
        """A file under the session's folder: a sub-agent's, or a workflow's journal."""
        if file.name == JOURNAL:
            self.family.workflow_agents |= journal_agents(file)
            self.family.workflows.add(file.parent.name)
            return
        head = head_of(file)
        if head.kind != "subagent":
            return
        if file.parent.parent.name == "workflows":
            self.family.workflow_agents.add(head.agent)
            self.family.workflows.add(file.parent.name)
        elif file.parent.name == FOLDER:
            self.family.metas[head.agent] = meta_of(file)
        self.read(file, head)

    def _agent(self, agent: str, head: Head) -> Thread:
        found = self.family.threads.get(agent)
        if found is None:
            found = self.family.threads[agent] = Thread(self.count)
            if head.requests:
                found.expect_requests()
        return found

    def _take_progress(self, row: Row) -> None:
        """A row of a sub-agent, in versions that keep them in the session itself."""
        data = object_of(row, "data")
        agent, held = text_of(data, "agentId"), object_of(data, "message")
        if kind_of(data) != "agent_progress" or not agent:
            return
        self.family.callers[agent] = text_of(row, "parentToolUseID")
        thread = self._inline.setdefault(agent, Thread(self.count))
        thread.take({"timestamp": row.get("timestamp"), **held}, self._place)

    def _take_sidechain(self, row: Row) -> None:
        agent = text_of(row, "agentId") or self._of.get(text_of(row, "parentUuid"), "")
        if not agent:
            self._nameless += 1
            agent = f"sidechain-{self._nameless}"
        self._of[text_of(row, "uuid")] = agent
        self._inline.setdefault(agent, Thread(self.count)).take(row, self._place)

    def is_in(self, other: Session) -> bool:
        """Whether another session begins with all of this one."""
        if other is self:
            return False
        own, others = self.main.messages(), other.main.messages()
        return own < others or (own == others and id(other) < id(self))

    def unread(self) -> set[str]:
        """Sub-agents that are named and not read."""
        named = {agent for one in self.family.threads.values() for agent in one.agents().values()}
        return named - set(self.family.threads)

    def lost(self, main: Path) -> dict[str, Path | None]:
        """Those of them that were not looked for yet, with their files in the old layout, or under
        a session that this one is a fork of."""
        lost = {agent: file_beside(main, agent) for agent in self.unread() - self.asked}
        if None in lost.values():
            if self._elsewhere is None:
                self._elsewhere = files_elsewhere(main)
            found = {agent: self._elsewhere.get(agent) for agent, file in lost.items() if not file}
            named = {
                agent for agent, file in found.items() if file and head_of(file).agent == agent
            }
            lost |= {agent: found[agent] for agent in named}
        return lost

    def trajectory(self) -> Trajectory:
        """All of it, once every file was read."""
        family = self.family
        for agent, thread in self._inline.items():
            # A file of its own has all that stands in the session, and more.
            family.threads.setdefault(agent, thread)
        family.settle()
        finished = {name: thread.finish() for name, thread in family.threads.items()}
        main = finished[MAIN]
        return Trajectory(
            session_id=min(self.main.sessions, default=None),
            trajectory_id=MAIN,
            agent=_agent(self.main),
            steps=main.steps,
            extra=self._extra(main),
            subagent_trajectories=tuple(
                Trajectory(
                    trajectory_id=name,
                    agent=_agent(family.threads[name]),
                    steps=self._steps(name, finished[name]),
                    extra=TrajectoryExtra(parent=family.parents[name]),
                )
                for name in sorted(family.parents)
            )
            or None,
        )

    def _steps(self, agent: str, finished: Finished) -> tuple[Step, ...]:
        """A sub-agent's steps, with what it began with."""
        last = self.family.forks.get(agent)
        if last is None:
            return finished.steps
        return with_history(finished.steps, self.family.threads[self.family.parents[agent]], last)

    def _extra(self, main: Finished) -> TrajectoryExtra:
        missing = list(self.family.missing())
        if self.main.is_continued():
            missing.append("what came before the summary that the session begins with")
        if not self.main.attachments and any(map(MENTION.search, self.main.prompts())):
            missing.append("files that the prompt mentions: this version keeps no attachments")
        inferred = list(self.family.inferred)
        if main.held is None:
            inferred.append(UNTOLD)
        return TrajectoryExtra(
            evidence=Evidence(
                rows=self.count.rows,
                unreadable=self.count.unreadable,
                missing=tuple(missing),
                unknown=dict(self.count.unknown),
                inferred=tuple(inferred),
            ),
            tells_visibility=main.held is not None
            or self.main.attachments
            or not self.main.compacted,
            may_have_cleared=main.held.clears if main.held else True,
        )


def _agent(thread: Thread) -> Agent:
    return Agent(
        name="claude-code",
        version=thread.version or "unknown",
        model_name=thread.model,
        extra=located(thread.folder),
    )
