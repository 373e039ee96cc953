"""A small server on 127.0.0.1 whose replies a test writes by hand."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 20

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        self.server.calls.append((self.path, dict(self.headers.items()), body))
        self.server.script(self, body)

    do_GET = do_HEAD = do_POST  # noqa: N815 - the names that http.server calls

    def log_message(self, *words): ...

    def send(self, status=200, body=b"", **headers):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class Stub(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, script):
        self.script, self.calls = script, []
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address): ...


@contextmanager
def stub(script):
    server = Stub(script)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
