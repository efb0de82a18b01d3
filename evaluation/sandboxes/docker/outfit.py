"""What a container is made of: who is in it, what is shared, what is hidden, what is bounded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docker import APIClient
from docker.types import LogConfig, Mount, Ulimit

from evaluation.sandboxes.docker.engine import Engine
from evaluation.sandboxes.groups import Bounds
from evaluation.sandboxes.layout import (
    FORWARD,
    HOST,
    INSIDE,
    LIMITS,
    MEMORY_BYTES,
    PORT,
    PROCESSES,
    PROCESSORS,
    SHARED_BYTES,
    SOCKET,
    TMP_BYTES,
)
from evaluation.sandboxes.trees import Owner

LABEL = "ocb.run"
"""Names the scratch folder of the run, and by it the process that made the container."""
BOUNDS = Bounds(MEMORY_BYTES, PROCESSES, PROCESSORS)
NANO = 1_000_000_000
MASKED = (
    # What the engine hides by itself; a list of ours takes its place.
    *("/proc/acpi", "/proc/asound", "/proc/interrupts", "/proc/kcore", "/proc/keys"),
    *("/proc/latency_stats", "/proc/sched_debug", "/proc/scsi", "/proc/timer_list"),
    *("/proc/timer_stats",),
    # All of the machine's hardware; the control groups stay, for programs that ask what they have.
    *("/sys/block", "/sys/bus", "/sys/class", "/sys/dev", "/sys/devices", "/sys/firmware"),
    *("/sys/hypervisor", "/sys/kernel", "/sys/module", "/sys/power"),
)


@dataclass(frozen=True)
class Shared:
    """A file or folder of the host that is there inside."""

    host: Path
    inside: str
    writable: bool = False


@dataclass(frozen=True)
class Outfit:
    """What a container is made of."""

    image: str
    owner: Owner
    """As whom everything inside runs."""
    shared: tuple[Shared, ...]
    label: str
    bounds: Bounds


def creation(client: APIClient, engine: Engine, outfit: Outfit) -> dict[str, Any]:
    """What the engine is asked for."""
    forwarder = ["python3", "-I", "-S", "-B", FORWARD, str(PORT), SOCKET, "-"]
    temporary = f"rw,nosuid,nodev,mode=1777,size={TMP_BYTES}"
    options = client.create_host_config(
        network_mode="none",
        ipc_mode="private",
        cgroupns="private",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges:true"],
        mounts=[
            Mount(one.inside, str(one.host), type="bind", read_only=not one.writable)
            for one in outfit.shared
        ],
        tmpfs={"/tmp": temporary, "/var/tmp": temporary},  # noqa: S108  # inside, fresh ones
        shm_size=SHARED_BYTES,
        ulimits=[Ulimit(name=name, soft=most, hard=most) for name, most in LIMITS.items()],
        log_config=LogConfig(type="none"),
    )
    options.update(bounded(outfit.bounds, engine), MaskedPaths=list(MASKED))
    return {
        "image": outfit.image,
        "entrypoint": forwarder,
        "command": [],
        "user": f"{outfit.owner.uid}:{outfit.owner.gid}",
        "stdin_open": True,  # it ends with whoever is attached to it: also where ocb is killed
        "hostname": HOST,
        "working_dir": INSIDE.corpus,
        "labels": {LABEL: outfit.label},
        "host_config": options,
    }


def bounded(bounds: Bounds, engine: Engine) -> dict[str, int]:
    """As far as this engine can bound anything: it refuses what it cannot."""
    options = {}
    if engine.bounds_memory:
        options["Memory"] = bounds.memory
    if engine.bounds_memory and engine.bounds_swap:
        options["MemorySwap"] = bounds.memory
    if engine.bounds_processes:
        options["PidsLimit"] = bounds.processes
    if engine.bounds_processors:
        options["NanoCpus"] = int(min(bounds.processors, engine.processors) * NANO)
    return options
