"""Whether containers are of use on this machine: an engine that answers may still be of none."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping

from evaluation.sandboxes.docker.container import as_line
from evaluation.sandboxes.docker.engine import connected, describe
from evaluation.sandboxes.docker.image import INSTALL, OWN, has_image, image_in
from evaluation.sandboxes.sandbox import Command, Sandbox
from evaluation.sandboxes.scratch import make_scratch
from evaluation.sandboxes.trees import remove_tree

SECONDS = 30
SCRIPT = 'test "$(cat page)" = one && echo two > ~/page && test ! -w page'
"""Reads the corpus, writes to the home, cannot write to the corpus."""


def fault_before(environment: Mapping[str, str]) -> str | None:
    """What can be told to be wrong before any container is made; None: nothing.

    Raises InfrastructureError where the engine is not there.
    """
    image = image_in(environment)
    with connected(environment) as client:
        if describe(client).maps_users:
            return "the Docker Engine gives users inside other numbers than they have outside"
        if not has_image(client, image):
            remedy = f"run: ocb doctor --install {INSTALL}"
            if environment.get(OWN):
                remedy = f"build it, or unset {OWN}"
            return f"the Docker Engine has no image {image}; {remedy}"
    return None


def rehearse(sandbox: Sandbox) -> str | None:
    """What goes wrong with a corpus and a home in a container; None: nothing.

    An engine on another machine, or one that sees other folders, answers all the same.
    """
    scratch = make_scratch()
    try:
        given, home, corpus = (scratch / name for name in ("given", "home", "corpus"))
        for folder in (given, home, corpus):
            folder.mkdir()
        (corpus / "page").write_text("one\n")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(given / "socket"))
            command = Command(
                argv=("/bin/sh", "-c", SCRIPT),
                environment={"PATH": "/usr/bin:/bin", "HOME": sandbox.inside.home},
                home=home,
                corpus=corpus,
                socket=given / "socket",
                programs=(),
                stdout=given / "stdout",
                stderr=given / "stderr",
                seconds=SECONDS,
            )
            ended = asyncio.run(sandbox.run(command))
        page = home / "page"
        if ended.code == 0 and page.is_file() and page.read_text() == "two\n":
            return None
        said = as_line(command.stderr.read_bytes()) or f"exit code {ended.code}"
        return f"a container does not see this machine's folders as they are: {said}"
    finally:
        remove_tree(scratch)
