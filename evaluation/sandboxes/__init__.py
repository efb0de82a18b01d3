"""Where a production CLI runs: sealed off from all but its corpus, its home and the gateway."""
