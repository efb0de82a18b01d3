"""The real key and the run token, taken out of everything that is recorded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from authoring.errors import UserError

LEAST = 12
"""Characters of a key that is searched for in bodies. Local servers take any word as their key
(`EMPTY`, `none`), and taking such a word out of a corpus would change what was read."""

CREDENTIAL = "[credential]"
"""Stands for a credential that is not ours."""

_CREDENTIAL_HEADER = re.compile(r"authorization|api-?key|cookie|secret|(?:^|-)token$")


@dataclass(frozen=True)
class Secrets:
    """What a run must not record, and what stands in its place."""

    key: str = field(repr=False)
    token: str = field(repr=False)
    _written: re.Pattern[str] | None = field(init=False, repr=False)
    """Matches a secret in every way of writing it; the group's name says which one."""
    _marks: tuple[str, ...] = field(init=False, repr=False)
    """Of each secret what stands in every way of writing it. A text without is not searched: that
    would take longer than all else that is done with a request."""

    def __post_init__(self) -> None:
        secrets = {
            name: secret
            for name, secret in (("key", self.key), ("token", self.token))
            if len(secret) >= LEAST
        }
        forms = [f"(?P<{name}>{any_writing(secret)})" for name, secret in secrets.items()]
        object.__setattr__(self, "_written", re.compile("|".join(forms)) if forms else None)
        object.__setattr__(self, "_marks", tuple(map(plain_part, secrets.values())))

    def mask(self, text: str) -> str:
        """The text without the secrets."""
        if self._written is not None:
            for mark in self._marks:
                if mark in text:
                    return self._written.sub(lambda match: f"[{match.lastgroup}]", text)
        return text

    def mask_header(self, name: str, value: str) -> str:
        """A header's value without the secrets; a credential that is not ours goes as a whole."""
        masked = self.mask(value)
        if not _CREDENTIAL_HEADER.search(name.lower()):
            return masked
        scheme, _, rest = masked.rpartition(" ")
        known = rest in ("[key]", "[token]") and scheme.lower() in ("", "bearer")
        return masked if known else CREDENTIAL


def key_is_safe(key: str, texts: Iterable[str]) -> bool:
    """Whether none of the texts holds the key. One that does would be recorded without it, and the
    lines that it stands in would count as never read."""
    secrets = Secrets(key, "")
    return all(secrets.mask(text) == text for text in texts)


def check_key(key: str) -> None:
    """Raises UserError for a key that no header can carry, without saying it."""
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UserError(
            "the upstream's key holds a character that no key has",
            remedy="a space, a line break or quotes may have come along when it was set",
        )


def plain_part(secret: str) -> str:
    """The longest part of a secret that every way of writing it leaves as it is."""
    parts: list[str] = re.findall(r"[^\W_]*", secret)
    return max(parts, key=len)


def any_writing(secret: str) -> str:
    """The secret as it may stand in a body, a query, or a JSON string, however often escaped."""
    return "".join(map(_any_character, secret))


def _any_character(character: str) -> str:
    if character.isalnum():
        return re.escape(character)
    code = f"{ord(character):02x}"
    plain = r"\\+" if character == "\\" else r"\\*" + re.escape(character)
    return rf"(?:{plain}|(?i:%(?:25)*{code}|\\+u00{code}))"
