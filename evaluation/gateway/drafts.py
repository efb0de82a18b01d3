"""An exchange while it lasts: what is known of it so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaluation.gateway.budget import Reservation
from evaluation.gateway.headers import Header
from evaluation.gateway.history import Asked, Place
from evaluation.gateway.naming import Name
from evaluation.gateway.wire import Ending


@dataclass(frozen=True)
class Arrived:
    """A request that has come: what it says, and whose it is."""

    call: int
    """Its number, in the order in which requests came."""
    name: Name
    size: int
    """Characters of its body."""
    generation: bool
    max_tokens: int | None
    """The bound that it sets to its answer."""
    model: str = ""
    """That it asks for; empty where it names none."""
    is_too_large: bool = False
    """Its body has more bytes, decoded, than are looked into."""


@dataclass(frozen=True)
class Came:
    """The body of a request, until it is booked."""

    text: str
    asked: Asked


@dataclass(frozen=True)
class Booked:
    """What is recorded of a request."""

    place: Place
    text: str
    """With the secrets replaced."""


@dataclass(eq=False)
class Draft:
    """What is known so far of an exchange."""

    method: str
    path: str
    request_headers: tuple[Header, ...]
    arrived: Arrived | None = None
    came: Came | None = None
    booked: Booked | None = None
    reservation: Reservation | None = None
    sent: float = 0.0
    was_reached: bool = True
    """The upstream may have seen the request, once it was sent."""
    first_byte: float = 0.0
    status: int = 0
    response_headers: tuple[Header, ...] = ()
    response: bytearray = field(default_factory=bytearray)
    end: Ending = "complete"
    is_too_long: bool = False
    """The answer was cut here, since it did not end."""
    held: int = 0
    """Bytes of its bodies that are kept."""
