"""Is a question served again that is being served already? Yes, each for its own caller."""

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from rageval_kit.records.target import Request, Response
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB

_SWITCH_S = 0.002


class AtOnce:
    """Nothing is shared in a clean system; under the fault, what is served at the same time is."""

    def __init__(self, fault: AnyFault | None) -> None:
        self._is_shared = fault is UnseenFaultB.SERVED_ONCE_AT_A_TIME
        self._lock = threading.Lock()
        self._asking = 0
        self._served: dict[Hashable, Response] = {}

    @contextmanager
    def asking(self) -> Iterator[None]:
        """For as long as anybody's questions are being served."""
        with self._lock:
            self._asking += 1
        try:
            yield
            if self._is_shared:
                time.sleep(_SWITCH_S)  # where a real service sends its reply
        finally:
            with self._lock:
                self._asking -= 1
                if not self._asking:
                    self._served.clear()

    def serve(self, request: Request, how: Hashable, make: Callable[[], Response]) -> Response:
        """What `make` gives, or what it gave just now for the same question."""
        if not self._is_shared:
            return make()
        key = (request.query, request.k, request.as_of, request.known_at, how)
        with self._lock:
            found = self._served.get(key)
        if found is None:
            found = make()
            with self._lock:
                found = self._served.setdefault(key, found)
        return replace(found, request_id=request.request_id)
