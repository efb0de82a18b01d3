"""From a run's record to its score: coverage, verdict, contradicted claims, outcome."""
