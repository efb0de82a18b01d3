"""What an agent finds inside: files and folders, the same on every machine, as data."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.sandboxes.sandbox import Inside

USER = "dev"
ID = 1000
"""Of the user and of the group."""
HOST = "workstation"
PORT = 8080

INSIDE = Inside(
    home=f"/home/{USER}",
    corpus=f"/home/{USER}/review",
    gateway=f"http://127.0.0.1:{PORT}",
)

SOCKET = "/run/proxy.sock"
FORWARD = "/opt/proxy/forward.py"
PYTHON = "/opt/python"
"""Where the interpreter of the forwarder lies when the system has none."""

FILES: Mapping[str, str] = {
    "/etc/passwd": f"{USER}:x:{ID}:{ID}:{USER}:{INSIDE.home}:/bin/bash\n",
    "/etc/group": f"{USER}:x:{ID}:\n",
    "/etc/hosts": f"127.0.0.1 localhost {HOST}\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    "/etc/hostname": f"{HOST}\n",
}

SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Folders of the root that are links into /usr on some systems and folders on others."""

ETC = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/certs", "/etc/ssl/openssl.cnf")
"""What programs in /usr need of the host's /etc. No file with a secret, and none that says whose
machine this is."""

LOCAL = "/usr/local"
"""Hidden: what an operator installed there differs from machine to machine, ocb included."""

TMP_BYTES = 1 << 30
"""Of each folder for temporary files. They are in memory."""
SHARED_BYTES = 1 << 28
"""Of shared memory."""

LIMITS: Mapping[str, int] = {
    "core": 1,  # not 0: then a core would still go to a program of the host that collects them
    "fsize": 1 << 30,
    "nofile": 4096,
}
"""Bounds of every process inside, in bytes and in files; see getrlimit(2)."""
PROCESSES = 1024
"""Processes and threads of all inside together."""

MEMORY_BYTES = 4 << 30
"""Of all inside together, files in memory included."""
PROCESSORS = 2.0
"""Share of the machine's processors, of all inside together."""
