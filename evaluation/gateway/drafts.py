"""An exchange while it lasts: what is known of it so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaluation.gateway.budget import Reservation
from evaluation.gateway.headers import Header
from evaluation.gateway.history import Place
from evaluation.gateway.naming import Name
from evaluation.gateway.wire import Ending


@dataclass(frozen=True)
class Arrived:
    """A request that has come: what it says, whose it is, where it stands."""

    name: Name
    place: Place
    text: str
    """Its body, with the secrets replaced."""
    generation: bool
    max_tokens: int | None
    """The bound that it sets to its answer."""


@dataclass(eq=False)
class Draft:
    """What is known so far of an exchange."""

    method: str
    path: str
    request_headers: tuple[Header, ...]
    arrived: Arrived | None = None
    reservation: Reservation | None = None
    sent: float = 0.0
    was_reached: bool = True
    """The upstream may have seen the request, once it was sent."""
    first_byte: float = 0.0
    status: int = 0
    response_headers: tuple[Header, ...] = ()
    response: bytearray = field(default_factory=bytearray)
    end: Ending = "complete"
