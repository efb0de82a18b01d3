"""Matching a finding to a needle, by place and kind of defect: for model readers and for judges."""
