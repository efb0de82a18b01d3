"""The records of a clinical trial: forms, listings, logs, notes, and the protocol."""
