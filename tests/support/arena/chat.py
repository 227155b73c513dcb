"""A stand-in of a chat endpoint on a free port, which answers as a test tells it to."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct

from pitboss.arena.agents.models import Model


class Answer(Struct):
    """What the endpoint sends."""

    text: str = "Final answer: 1"
    status: int = 200
    headers: dict[str, str] = {}
    body: bytes | None = None  #: instead of a chat completion
    streams: bool = False
    hangs: bool = False  #: whether it answers only when it is closed
    reasoning: str | None = None
    tokens: tuple[int, int] | None = (100, 10)  #: None: the endpoint sends no usage


class Chat:
    """The endpoint: `script` gives the answer to each request. Requests are kept with their headers."""

    def __init__(self, script: Callable[[dict[str, Any]], Answer]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._script, self._closing = script, threading.Event()
        self._lock = threading.Lock()
        chat = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                chat._answer(self, json.loads(self.rfile.read(length)))

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def model(self, **settings: Any) -> Model:
        """Return the settings of a model at this endpoint."""
        return Model(base_url=self.url, model="stand-in", **settings)

    def prompts(self) -> list[str]:
        """Return the last message of every request."""
        return [request["messages"][-1]["content"] for request in self.requests]

    def _answer(self, handler: BaseHTTPRequestHandler, request: dict[str, Any]) -> None:
        with self._lock:
            self.requests.append(request)
            self.headers.append(dict(handler.headers))
            answer = self._script(request)
        if answer.hangs:
            self._closing.wait()
            return
        body = _completion(answer) if answer.body is None else answer.body
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    @contextmanager
    def running(self) -> Iterator["Chat"]:
        """Serve, in other threads, until the block ends."""
        thread = threading.Thread(target=self._server.serve_forever, name="chat", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._closing.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def _completion(answer: Answer) -> bytes:
    usage = None
    if answer.tokens is not None:
        usage = {"prompt_tokens": answer.tokens[0], "completion_tokens": answer.tokens[1]}
    message = {"role": "assistant", "content": answer.text, "reasoning_content": answer.reasoning}
    if not answer.streams:
        return json.dumps({"choices": [{"message": message}], "usage": usage}).encode()
    parts = [{"choices": [{"delta": {"content": letter}}]} for letter in answer.text]
    lines = [json.dumps(part) for part in [*parts, {"choices": [], "usage": usage}]]
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()


@contextmanager
def chatting(script: Callable[[dict[str, Any]], Answer] | Answer | str) -> Iterator[Chat]:
    """Run an endpoint that answers with a script, or always with the same answer or text."""
    always = Answer(script) if isinstance(script, str) else script
    with Chat((lambda _: always) if isinstance(always, Answer) else always).running() as chat:
        yield chat
