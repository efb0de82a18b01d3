"""A Docker Engine of the tests' own: its socket and its data in a folder that goes with it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from authoring.errors import InfrastructureError
from evaluation.sandboxes.docker.engine import SOCKET, address_in, api_version
from evaluation.sandboxes.docker.image import install_image

TOOLS = Path(__file__).resolve().parents[4] / ".tools"
"""Where the image is kept between runs."""
MEMORY = "/dev/shm"  # noqa: S108  # a private folder is made inside
DISK = "/var/tmp"  # noqa: S108  # the same
ROOM = 2 << 30
SECONDS = 30
PAUSE = 0.05


class PrivateEngine:
    """A `dockerd` that is started and ended here."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "log"
        self.environment = {"DOCKER_HOST": f"unix://{folder}/socket"}
        program = shutil.which("dockerd") or "/usr/sbin/dockerd"
        argv = (
            *(program, "-H", self.environment["DOCKER_HOST"], "--pidfile", folder / "pid"),
            *("--data-root", folder / "data", "--exec-root", folder / "exec"),
            *("--bridge", "none", "--iptables=false", "--ip-forward=false"),
        )
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def await_answer(self) -> None:
        """Return once it answers; fail where it does not start."""
        until = time.monotonic() + SECONDS
        while not self._answers():
            said = self._log.read_text(errors="replace")[-2000:]
            assert self.process.poll() is None, said
            assert time.monotonic() < until, said
            time.sleep(PAUSE)

    def _answers(self) -> bool:
        try:
            return api_version(self.environment) != ""
        except InfrastructureError:
            return False

    def stop(self) -> None:
        """End it, with every container and mount that it still has."""
        self.process.terminate()
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._clear()

    def _clear(self) -> None:
        """Take down what one leaves that was killed: the keepers of its containers, their groups,
        and mounts."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                words = path.read_text().split("\0")
                if f"{self._folder}/exec/containerd/containerd.sock" in words:
                    os.kill(int(path.parent.name), signal.SIGKILL)
                    for group in Path("/sys/fs/cgroup").rglob(words[words.index("-id") + 1]):
                        group.rmdir()
        for line in reversed(Path("/proc/mounts").read_text().splitlines()):
            if (point := line.split()[1]).startswith(f"{self._folder}/"):
                subprocess.run(["umount", "--lazy", point], check=False)


def parent_folder() -> str:
    """In memory where there is room: removing an image from a disk may take long.

    A short path, for a socket's sake; and one that tells nothing, since mounts show it inside.
    """
    try:
        roomy = shutil.disk_usage(MEMORY).free > ROOM
    except OSError:
        roomy = False
    return MEMORY if roomy else DISK


@contextlib.contextmanager
def private_engine() -> Iterator[PrivateEngine]:
    """One with the image of the sandbox in it."""
    folder = Path(tempfile.mkdtemp(prefix="e-", dir=parent_folder()))
    engine = PrivateEngine(folder)
    try:
        engine.await_answer()
        install_image(engine.environment, TOOLS, lambda _: None)
        yield engine
    finally:
        engine.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def engine_for_tests() -> Iterator[Mapping[str, str]]:
    """The address of the engine that is there, or of one that lasts as long as this."""
    if "DOCKER_HOST" in os.environ or Path(SOCKET.removeprefix("unix://")).exists():
        environment = {"DOCKER_HOST": address_in(os.environ)}
        install_image(environment, TOOLS, lambda _: None)
        yield environment
        return
    with private_engine() as engine:
        yield engine.environment
