"""The first stage: a scenario spec as a typed value; errors and artefacts that all stages share."""
