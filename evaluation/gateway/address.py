"""The address of an upstream, as a user gives it."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from authoring.errors import UserError

REMEDY = "give it as http://127.0.0.1:4010 or https://host/folder; paths such as /v1 are appended"


def check_url(url: str) -> None:
    """Raises UserError where calls could not be sent there as they should."""
    fault = _fault(url)
    if fault:
        raise UserError(f"the upstream's address {fault}", remedy=REMEDY)


def _fault(url: str) -> str:
    """Never says the address itself: it may hold a password."""
    if not url.isprintable() or " " in url:
        return "holds a space or a control character"
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError as error:
        return f"is not valid: {error}"
    if parts.scheme not in ("http", "https"):
        return "does not begin with http:// or https://"
    if parts.username is not None or parts.password is not None:
        return "holds a user name or a password; a key goes into an environment variable"
    if not host:
        return "names no host"
    return _appended_fault(url, parts)


def _appended_fault(url: str, parts: SplitResult) -> str:
    """What stands behind the path would end up in the middle of every address."""
    if parts.query or "?" in url:
        return "holds a query"
    if parts.fragment or "#" in url:
        return "holds a fragment"
    return ""
