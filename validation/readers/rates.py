"""A share of samples with Wilson's interval (Wilson 1927)."""

from __future__ import annotations

from statsmodels.stats.proportion import proportion_confint

from validation.readers.figures import Share

CONFIDENCE = 0.95


def share(hits: int, samples: int) -> Share:
    """So many of one sample or more; the interval has a width at none and at all of them too."""
    least, most = proportion_confint(hits, samples, alpha=1 - CONFIDENCE, method="wilson")
    rate = hits / samples
    # Rounding can put an end a hair past a share of 0 or 1.
    return Share(
        hits=hits,
        samples=samples,
        rate=rate,
        least=max(0.0, min(float(least), rate)),
        most=min(1.0, max(float(most), rate)),
    )
