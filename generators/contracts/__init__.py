"""Vendor contracts of one company, and the playbook they are reviewed against."""
