"""Defects of settings and images: tokens, connections, users; and of addresses in clients."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.services.baseline import section
from generators.detectors.services.python_code import Lines
from generators.detectors.services.settings import settings
from generators.lines import split_lines

SPAN = re.compile(r"(\d+)(s|m|h|d)")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
ALLOWED = {
    "access": re.compile(r"`access`.*?(\d+) (minute|hour)s"),
    "refresh": re.compile(r"`refresh`.*?(\d+) (minute|hour)s"),
}
MODE = re.compile(r"\Apostgres(?:ql)?://.*?(?:[?&]sslmode=([a-z-]+))?\Z")
VERIFIED = "verify-full"
INSTRUCTION = re.compile(r"\s*(FROM|USER)\s+(\S+)", re.IGNORECASE)
TEMPLATE = re.compile(r"`(/[^`]*)`")
PLAIN_ID = re.compile(r"\$\{[\w.]*(?:Id|_id)\}")


@dataclass(frozen=True)
class Token:
    """A sort of token and how long it is good for."""

    kind: str
    seconds: int
    lines: Lines


@dataclass(frozen=True)
class TokenFacts:
    """The tokens of one file, or what the baseline allows."""

    allowed: Mapping[str, int]
    """Seconds by kind."""
    tokens: tuple[Token, ...]


class OverlongToken:
    """Finds tokens that live longer than the baseline allows."""

    def extract(self, path: PurePosixPath, text: str) -> TokenFacts:
        """Lifetimes of tokens, or the limits of the baseline."""
        rule = section(path, text, "Sessions")
        allowed = {
            kind: int(match[1]) * SECONDS[match[2][0]]
            for kind, pattern in ALLOWED.items()
            if (match := pattern.search(rule))
        }
        root = settings(path, text, "sessions:")
        listed = root.at("sessions") if root else None
        tokens = [
            Token(entry.text_at("kind"), int(span[1]) * SECONDS[span[2]], entry.lines)
            for entry in (listed.entries() if listed else ())
            if (span := SPAN.fullmatch(entry.text_at("lifetime")))
        ]
        return TokenFacts(allowed, tuple(tokens))

    def decide(self, facts: Mapping[PurePosixPath, TokenFacts]) -> tuple[Evidence, ...]:
        """The tokens beyond the limits."""
        allowed = {kind: most for one in facts.values() for kind, most in one.allowed.items()}
        return tuple(
            token.lines.evidence(path)
            for path in sorted(facts)
            for token in facts[path].tokens
            if token.seconds > allowed.get(token.kind, token.seconds)
        )


def unverified_connections(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Connections to databases, outside of local profiles, that do not verify the server."""
    root = settings(path, text, "postgres")
    databases = root.at("database") if root else None
    return tuple(
        entry.lines
        for entry in (databases.entries() if databases else ())
        if (mode := MODE.match(entry.text)) and mode[1] != VERIFIED
    )


def root_images(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Images whose last stage ends as root."""
    if path.name != "Dockerfile" and path.suffix != ".dockerfile":
        return ()
    stage, user, place = 0, "", 0
    for number, line in enumerate(split_lines(text), start=1):
        found = INSTRUCTION.match(line)
        if found and found[1].upper() == "FROM":
            stage, user, place = number, "", number
        elif found and stage:
            user, place = found[2], number
    is_root = user.partition(":")[0] in ("", "0", "root")
    return (Lines(place, place),) if stage and is_root else ()


def unencoded_paths(path: PurePosixPath, text: str) -> tuple[Lines, ...]:
    """Ids that a client sets into a path as they are."""
    if path.suffix not in (".ts", ".tsx"):
        return ()
    return tuple(
        Lines(number, number)
        for number, line in enumerate(split_lines(text), start=1)
        if any(PLAIN_ID.search(found[1]) for found in TEMPLATE.finditer(line))
    )
