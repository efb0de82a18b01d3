"""Detectors of contract terms that go beyond a playbook's limits: one file a kind."""
