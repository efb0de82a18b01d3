"""Running it: ports, secrets, releases and neighbours agree between settings, images and code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

import yaml

EXPOSED = re.compile(r"^EXPOSE (\d+)", re.M)
USER = re.compile(r"^USER (\S+)", re.M)
RELEASE = re.compile(r'(?:release="|RELEASE=)([\d.]+)')
CODE_PORT = re.compile(r"^\w+_PORT = (\d+)", re.M)
CODE_SECRET = re.compile(r'^\w+_SECRET = "(\w+)"', re.M)
ADDRESS = re.compile(r"http://(\w+)\.internal:(\d+)")


def operation_faults(texts: Mapping[PurePosixPath, str]) -> Iterator[str]:
    """What the files of one service say of it, and of others."""
    settings = {
        path.parts[1]: yaml.safe_load(text)
        for path, text in texts.items()
        if path.name == "service.yaml"
    }
    for name, own in settings.items():
        folder = PurePosixPath("services", name)
        yield from (f"{folder}: {fault}" for fault in _settings_faults(name, own, settings))
        if folder / "Dockerfile" in texts:
            deployment = yaml.safe_load(texts[folder / "deploy.yaml"])
            image, code = texts[folder / "Dockerfile"], texts[folder / name / "main.py"]
            for fault in (
                *_image_faults(own, deployment, image, code),
                *_deployment_faults(name, own, deployment, settings),
            ):
                yield f"{folder}: {fault}"


def _settings_faults(name: str, own: Mapping[str, Any], others: Mapping[str, Any]) -> Iterator[str]:
    if own["service"] != name:
        yield f"service.yaml is of {own['service']}"
    for key, upstream in own.get("upstreams", {}).items():
        found = ADDRESS.fullmatch(upstream["base"])
        if found is None:
            continue
        if found[1] != key or int(found[2]) != others[key]["listen"]["port"]:
            yield f"{key} does not listen at {upstream['base']}"
        if upstream["timeout_ms"] < others[key]["inbound"]["retry_budget_ms"]:
            yield f"waits too short for {key}"
    for listing, size in own["paging"].items():
        if size["default"] > size["most"]:
            yield f"the default page of {listing} is larger than the largest"


def _image_faults(
    own: Mapping[str, Any], deployment: Mapping[str, Any], image: str, code: str
) -> Iterator[str]:
    port = own["listen"]["port"]
    if {int(one) for one in EXPOSED.findall(image) + CODE_PORT.findall(code)} != {port}:
        yield f"image and code do not agree on port {port}"
    if not re.fullmatch(r"[1-9]\d*:[1-9]\d*", USER.findall(image)[-1]):
        yield "the image has no user of its own"
    release = deployment["image"].rpartition(":")[2]
    if set(RELEASE.findall(image)) - {release}:
        yield f"the image is not release {release}"
    secrets = set(own["secrets"].values())
    supplied = {one["name"] for one in deployment["environment"] if "from" in one}
    if supplied != secrets or not set(CODE_SECRET.findall(code)) <= secrets:
        yield "secrets are not those of the settings"


def _deployment_faults(
    name: str, own: Mapping[str, Any], deployment: Mapping[str, Any], others: Mapping[str, Any]
) -> Iterator[str]:
    port, admin = own["listen"]["port"], own["listen"]["admin_port"]
    if any(one["target"] != port for one in deployment["ingress"]):
        yield f"an ingress does not lead to {port}"
    inner = [one["port"] for one in deployment["probes"].values()]
    inner += [deployment["metrics"]["port"]] if "metrics" in deployment else []
    if set(inner) != {admin}:
        yield f"probes and metrics are not all at {admin}"
    ports = deployment.get("ports") or deployment["container"]["ports"]
    if set(ports.values() if isinstance(ports, dict) else ports) != {port, admin}:
        yield f"the ports are not {port} and {admin}"
    reached = {key for key in own["upstreams"] if key in others}
    allowed = {one["to"].partition(".")[0]: one["port"] for one in deployment["egress"]}
    for key in reached:
        if allowed.get(key) != others[key]["listen"]["port"]:
            yield f"may not call {key}"
    if f"{name}-db" not in allowed:
        yield "may not call its database"
