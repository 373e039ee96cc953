"""How is the endpoint of a generator called, once for each task?"""

from urllib.parse import urlsplit

from rageval_kit.answering.settings import Connection
from rageval_kit.answering.task import Task
from rageval_kit.endpoint.calls import Client, Message
from rageval_kit.endpoint.connection import knock, open_client
from rageval_kit.records.faults import TargetError
from rageval_kit.records.target import Response

Headers = tuple[tuple[str, bytes], ...]


class Calling:
    """Calls may come from several threads; `key` names the address in the configuration."""

    def __init__(self, config: Connection, url: str, key: str) -> None:
        self._config, self._url, self._key = config, url, key
        self._client: Client | None = None

    @property
    def shown(self) -> str:
        """The address without what might be secret in it."""
        parts = urlsplit(self._url)
        return f"{parts.scheme}://{parts.netloc}{parts.path}"

    def connect(self) -> None:
        """See that somebody listens; what is answered there does not matter yet."""
        if self._client is None:
            self._client = open_client(self._config, "generator")
        knock(self._client, self._url, f"start the endpoint or correct {self._key}")

    def post(self, task: Task, headers: Headers, content: bytes) -> tuple[Response, bytes]:
        """The call as a response that shows nothing yet, and the body of a usable reply."""
        if self._client is None:
            raise TargetError("the generator is not connected; call connect() first")
        reply = self._client.call(Message(task.request_id, "POST", self._url, headers, content))
        response = Response(
            task.request_id,
            error=reply.error,
            detail=reply.detail,
            latency_s=reply.latency_s,
            attempts=reply.attempts,
        )
        return response, reply.body

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
