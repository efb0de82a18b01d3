"""What of a message's headers is passed on, and the run token that stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

RawHeaders = Iterable[tuple[bytes, bytes]]

_CREDENTIALS = ("x-api-key", "authorization", "x-goog-api-key")

_HOP_BY_HOP = frozenset(
    (
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        # Answered by whoever reads the body, which is not the far end here.
        "expect",
    )
)


@dataclass(frozen=True)
class Header:
    """One header as it was written."""

    name: str
    value: str

    @cached_property
    def key(self) -> str:
        """The name to compare by."""
        return self.name.lower()


def end_to_end(raw: RawHeaders) -> tuple[Header, ...]:
    """The headers that are passed on: neither hop-by-hop nor `Host`."""
    headers = [Header(_text(name), _text(value)) for name, value in raw]
    named = {
        key.strip().lower()
        for header in headers
        if header.key == "connection"
        for key in header.value.split(",")
    }
    dropped = _HOP_BY_HOP | named | {"host"}
    return tuple(header for header in headers if header.key not in dropped)


def _text(raw: bytes) -> str:
    """Bytes that are no UTF-8 cannot be passed on as they are; none are known to occur."""
    return raw.decode("utf-8", "replace")


def credentials(headers: Iterable[Header]) -> tuple[str, ...]:
    """What a request shows to be let in, the scheme `Bearer` left out."""
    return tuple(
        re.sub(r"(?i)^bearer +", "", header.value.strip())
        for header in headers
        if header.key in _CREDENTIALS
    )


def with_key(headers: Iterable[Header], token: str, key: str) -> tuple[Header, ...]:
    """The headers with the real key where the token stood; without a key, without the header."""
    changed = []
    for header in headers:
        if header.key in _CREDENTIALS and token in header.value:
            if not key:
                continue
            changed.append(Header(header.name, header.value.replace(token, key)))
        else:
            changed.append(header)
    return tuple(changed)


def joined(headers: Iterable[Header]) -> dict[str, str]:
    """By lower-case name; a header that is given twice is joined with a comma."""
    found: dict[str, str] = {}
    for header in headers:
        earlier = found.get(header.key)
        found[header.key] = header.value if earlier is None else f"{earlier}, {header.value}"
    return found


def pairs(headers: Iterable[Header]) -> list[tuple[str, str]]:
    """As HTTP libraries take them."""
    return [(header.name, header.value) for header in headers]
