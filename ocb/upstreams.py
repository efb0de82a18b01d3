"""Where the model calls of an agent go, with the key that goes nowhere else."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.gateway.runs import Upstream
from evaluation.gateway.secrets import check_key, key_is_safe
from evaluation.gateway.wire import Protocol
from evaluation.sweep.plan import UpstreamSpec


def upstream_of(
    spec: UpstreamSpec, protocol: Protocol, texts: Iterable[Iterable[str]]
) -> Upstream | None:
    """The real server, and its key; None: models are simulated. `texts` are those of each corpus.

    Raises UserError where there is no key, or one that cannot be used.
    """
    if spec.kind == "simulated":
        return None
    key = _key(spec)
    check_key(key)
    for corpus in texts:
        if not key_is_safe(key, corpus):
            raise UserError(
                "the upstream's key stands in the corpus: masking it would hide lines",
                remedy="use another key",
            )
    return Upstream(base_url=spec.url, key=key, protocol=protocol)


def _key(spec: UpstreamSpec) -> str:
    """From the environment, or a file; empty where the server wants none."""
    if spec.key_variable:
        key = os.environ.get(spec.key_variable, "")
        if not key:
            raise UserError(
                f"the environment variable {spec.key_variable} is not set",
                remedy=f"set it to the key of {spec.url}",
            )
        return key
    if spec.key_file:
        try:
            return Path(spec.key_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UserError("the key cannot be read", place=Place(spec.key_file)) from error
    return ""
