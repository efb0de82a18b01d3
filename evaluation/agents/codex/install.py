"""The Codex that is run: its version, and the package that holds it on each platform."""

from __future__ import annotations

import platform

from evaluation.agents.npm import NpmPackage, NpmProgram

VERSION = "0.171.0"

PROGRAM = NpmProgram(
    name="codex",
    version=VERSION,
    packages={
        "linux-x64": NpmPackage(
            name="@openai/codex",
            version=f"{VERSION}-linux-x64",
            integrity="sha512-l66NZkQgdk2C3pbcfULDz42yEUB581MVA6I+Y43Wp4OIqEy73HCdmZ0GTjeAHY2ycuH4N0"
            "0d9VsLrwT1jxshTw==",
        ),
        "linux-arm64": NpmPackage(
            name="@openai/codex",
            version=f"{VERSION}-linux-arm64",
            integrity="sha512-9z17t4bbUJ9UCIb49O4PoA+ki+45q3rd8nZ8PeH6sYnlKkBld/Xpo/OS3h3Ti954+foshX"
            "4o7k5TCU8N7zzqQA==",
        ),
    },
    # The native program itself: the package with a wrapper in Node is another one.
    executable=f"vendor/{platform.machine()}-unknown-linux-musl/bin/codex",
)
