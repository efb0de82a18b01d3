"""Where the model calls of an agent go, with the key that goes nowhere else."""

from __future__ import annotations

import os
from collections.abc import Iterable

from authoring.errors import UserError
from evaluation.gateway.runs import Upstream
from evaluation.gateway.secrets import key_is_safe
from evaluation.gateway.wire import Protocol
from evaluation.sweep.agent_checks import read_key
from evaluation.sweep.plan import UpstreamSpec


def upstream_of(
    spec: UpstreamSpec, protocol: Protocol, texts: Iterable[Iterable[str]]
) -> Upstream | None:
    """The real server, and its key; None: models are simulated. `texts` are those of each corpus.

    Raises UserError where there is no key, or one that cannot be used.
    """
    if spec.kind == "simulated":
        return None
    key = read_key(spec, os.environ)
    for corpus in texts:
        if not key_is_safe(key, corpus):
            raise UserError(
                "the upstream's key stands in the corpus: masking it would hide lines",
                remedy="use another key",
            )
    return Upstream(base_url=spec.url, key=key, protocol=protocol)
