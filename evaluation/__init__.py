"""The fourth stage: from a sealed build to runs, scores and reports."""
