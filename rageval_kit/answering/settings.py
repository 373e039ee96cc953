"""What does every generator behind an address say of its connections?"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rageval_kit.endpoint.config import url_faults
from rageval_kit.records.faults import Fault

STORE = "./reports/cache/replies"


@dataclass(frozen=True, kw_only=True)
class Connection:
    """A call ends after `deadline_s` at the latest, its retries and waits included.

    `store`: the folder where usable replies are kept as they came, for generator=recorded; None:
    nowhere. `context_tokens`: how much an embedded retriever may hand over.
    """

    context_tokens: int = field(default=800, metadata={"min": 1})
    store: str | None = STORE
    concurrency: int = field(default=4, metadata={"min": 1, "max": 256})
    connect_timeout_s: float = field(default=5.0, metadata={"min": 0.01})
    idle_timeout_s: float = field(default=60.0, metadata={"min": 0.01})
    deadline_s: float = field(default=120.0, metadata={"min": 0.01})
    retries: int = field(default=3, metadata={"min": 0, "max": 10})
    backoff_s: float = field(default=0.5, metadata={"min": 0})
    max_reply_mb: float = field(default=16.0, metadata={"min": 0.001})
    proxy: str | None = None
    ca_file: str | None = None

    def addresses(self) -> list[str]:
        """Every address that may be called, in lower case for its scheme."""
        return [] if self.proxy is None else [self.proxy.lower()]

    def address_faults(self, where: str, url: str) -> Iterator[Fault]:
        yield from url_faults(where, url)
        if self.proxy is not None:
            yield from url_faults("proxy", self.proxy)
