"""What purchasing should buy, from the counts and the sales of the last weeks."""

import logging
from statistics import mean

log = logging.getLogger(__name__)

WEEKS_OF_COVER = 4
SMALLEST_LOT = 12  # one layer of a pallet


class ReorderError(Exception):
    """There is no telling how much to buy."""


def weekly_sales(history: dict[str, list[int]]) -> dict[str, float]:
    """Pieces that are sold in a usual week, by article."""
    usual = {}
    for article, weeks in history.items():
        try:
            usual[article] = mean(weeks)
        except ValueError as error:
            raise ReorderError(f"{article} has no week on record") from error
    return usual


def lots(counts: dict[str, int], history: dict[str, list[int]]) -> dict[str, int]:
    """How many lots of each article to buy, so that it lasts for the weeks of cover."""
    wanted = {}
    for article, usual in weekly_sales(history).items():
        short = usual * WEEKS_OF_COVER - counts.get(article, 0)
        if short > 0:
            wanted[article] = -(-int(short) // SMALLEST_LOT)
            log.info("buy %d lots of %s", wanted[article], article)
    return wanted
