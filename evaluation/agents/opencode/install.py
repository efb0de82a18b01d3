"""The OpenCode that is run: its version, and the package that holds it on each platform.

The program brings the client of OpenAI-compatible servers with it. It looks for files with
ripgrep, which it would download where the machine has none: here that is installed beside it.
"""

from __future__ import annotations

from evaluation.agents.npm import NpmPackage, NpmProgram

VERSION = "1.18.33"

PROGRAM = NpmProgram(
    name="opencode",
    version=VERSION,
    packages={
        "linux-x64": NpmPackage(
            name="opencode-linux-x64",
            version=VERSION,
            integrity="sha512-q/t/3p2CTxOT9y2kvjesb/LZab2+1eqlhhWA02Be6mjTtmYtNBcBsrI5yDo4Fw7ZSPBW2o"
            "yMIGMNRqiKQjiAWw==",
        ),
        "linux-x64-baseline": NpmPackage(
            name="opencode-linux-x64-baseline",
            version=VERSION,
            integrity="sha512-1KQGBiiDDeL/VHHbHkOvvFo8Jr97WT5+C1tear+p7IcDTnXgVHXqIjU4O4jM4mHQzykTP2"
            "i884FCnW5LDa+zCA==",
        ),
    },
    executable="bin/opencode",
    beside={
        "ripgrep": {
            "linux-x64": NpmPackage(
                name="@vscode/ripgrep-linux-x64",
                version="1.18.0",
                integrity="sha512-mQ3bVrUpnD2vs7QT0vX90Lt0cnUq467uFtEktIdsJJmW296RoSULRGqWgzG1AKxyBp"
                "NDD6l4ZO4qKf6SgyC23Q==",
            ),
        },
    },
)
