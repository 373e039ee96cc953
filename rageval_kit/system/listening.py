"""How does a small HTTP server of the kit's own listen, say where, and end?"""

import threading
from http.server import ThreadingHTTPServer
from typing import Any


class Listening(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    @property
    def url(self) -> str:
        host, port = self.server_address[:2]
        shown = host.decode() if isinstance(host, bytes) else host
        return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"

    def start(self) -> None:
        """Serve in a thread of its own until `stop`."""
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no event; a fault of the service was answered with 500."""
