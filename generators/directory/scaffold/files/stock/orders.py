"""Orders of customers: what can be sent today, and what has to wait."""

import logging
from dataclasses import dataclass, field

log = logging.getLogger(__name__)


class OrderError(Exception):
    """An order cannot be taken as it stands."""


@dataclass
class Order:
    """What one customer wants, by article number."""

    number: str
    customer: str
    wanted: dict[str, int] = field(default_factory=dict)

    def total(self, prices: dict[str, int]) -> int:
        """What the order costs, in cents."""
        try:
            return sum(prices[article] * pieces for article, pieces in self.wanted.items())
        except KeyError as error:
            raise OrderError(f"order {self.number}: no price for {error.args[0]}") from error


def can_be_sent(order: Order, counts: dict[str, int]) -> bool:
    """Whether every article of an order is there in full."""
    missing = {
        article: pieces - counts.get(article, 0)
        for article, pieces in order.wanted.items()
        if counts.get(article, 0) < pieces
    }
    for article, pieces in sorted(missing.items()):
        log.info("order %s waits for %d of %s", order.number, pieces, article)
    return not missing


def reserve(order: Order, counts: dict[str, int]) -> dict[str, int]:
    """The counts without what an order takes."""
    if not can_be_sent(order, counts):
        raise OrderError(f"order {order.number} of {order.customer} cannot be sent yet")
    return {article: count - order.wanted.get(article, 0) for article, count in counts.items()}
