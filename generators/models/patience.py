"""Stops asking a server that serves nobody: a wrong key is not tried a hundred times."""

from __future__ import annotations

from collections import Counter
from threading import Lock

from generators.models.asking import ModelAnswer, ModelClient, ModelError, ModelRequest

NOT_ASKED = "not asked, since"
MOST_ALIKE = 3
"""Calls that fail alike before one is served."""


class PatientClient:
    """Asks until so many calls failed alike and none was served. Several threads may ask at once.

    An answer of whatever kind is service, and so is a fault of the answer alone.
    """

    def __init__(self, client: ModelClient, most_alike: int = MOST_ALIKE) -> None:
        self._client = client
        self._most = most_alike
        self._alike: Counter[str] = Counter()
        self._served = False
        self._over = ""
        """Why nothing is asked any more."""
        self._lock = Lock()

    def ask(self, request: ModelRequest) -> ModelAnswer:
        if self._over:
            raise ModelError(self._over)
        try:
            answer = self._client.ask(request)
        except ModelError as error:
            self._failed(error)
            raise
        self._served = True
        return answer

    def _failed(self, error: ModelError) -> None:
        with self._lock:
            if not error.unserved:
                self._served = True
                return
            self._alike[error.unserved] += 1
            if not self._served and self._alike[error.unserved] >= self._most:
                self._over = f"{NOT_ASKED} the first {self._most} calls failed alike: {error}"
