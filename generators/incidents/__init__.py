"""The logs of a fleet over one night, and the runbook they are read against."""
