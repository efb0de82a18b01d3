"""The Claude Code that is run: its version, and the package that holds it on each platform."""

from __future__ import annotations

from evaluation.agents.npm import NpmPackage, NpmProgram

VERSION = "2.1.332"

PROGRAM = NpmProgram(
    name="claude-code",
    version=VERSION,
    packages={
        "linux-x64": NpmPackage(
            name="@anthropic-ai/claude-code-linux-x64",
            version=VERSION,
            integrity="sha512-f4JWhzwYutJIHScC7/dYOPX6s28tt7ZADhsOi8zwOHq5fFPEuUeChh2NMfinSg0GrUckYx"
            "aeebC4h0DqiKzLcw==",
        ),
        "linux-arm64": NpmPackage(
            name="@anthropic-ai/claude-code-linux-arm64",
            version=VERSION,
            integrity="sha512-BlHNEtK38KBPWU31F4lUSS9sHclCyfWbThT1CErvxxH8+XcljYLZlQwdyXBkTD62rw1Tgf"
            "E1u1a+quMWS0NSJg==",
        ),
    },
    executable="claude",
)
