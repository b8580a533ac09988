"""A small OpenAI-compatible server on this machine, which answers from the prompt alone and fails as it is told to."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from index.history.o200k import count_tokens

Body = dict[str, Any]
Written = Callable[[Body], str]
_BLOCK = re.compile(r"^\[(?P<name>[^\]\n]+#[^\]\n]*)\]\n(?P<text>.*?)\n\n(?=\[|</policy-)", re.S | re.M)


def text_of(body: Body) -> str:
    """All that a request says."""
    contents = [message["content"] for message in body["messages"]]
    parts = [one if isinstance(one, str) else "".join(part["text"] for part in one) for one in contents]
    return "\n".join(parts)


def decision(clauses: list[dict[str, str]], confidence: float = 0.9, missing: str | None = None) -> str:
    return json.dumps({"decision": "So be it.", "clauses": clauses, "confidence": confidence, "missing": missing})


def faithful(body: Body) -> str:
    """Quotes the last paragraph of every section that it is given; says what is missing where there is none."""
    blocks = [(one["name"], one["text"].strip()) for one in _BLOCK.finditer(text_of(body))]
    clauses = [{"section": name, "quote": text.rpartition("\n\n")[2]} for name, text in blocks if "\n\n" in text]
    return decision(clauses) if clauses else decision([], 0.1, "the policy")


class Server:
    """Answers with `write(body)`, unless the next of `faults` says otherwise; None among them: no fault."""

    def __init__(self) -> None:
        self.write: Written = faithful
        self.faults: list[str | None] = []
        self.bodies: list[Body] = []
        """Every request that came."""
        self.answered = 0
        self.usage = True
        self.unknown: tuple[str, ...] = ()
        """Keys that it does not know."""
        self.streams = True
        self.lock = threading.Lock()
        self.url = ""
        self.slow = 0.0
        """Seconds before each answer."""
        self.at_once = self.most_at_once = 0

    def next_fault(self, body: Body) -> str | None:
        with self.lock:
            self.bodies.append(body)
            unknown = next((key for key in self.unknown if key in body), None)
            if unknown:
                return f"unknown {unknown}"
            return self.faults.pop(0) if self.faults else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        owner = self.owner
        with owner.lock:
            owner.at_once += 1
            owner.most_at_once = max(owner.most_at_once, owner.at_once)
        try:
            fault = owner.next_fault(body)
            time.sleep(owner.slow)
            self._fail(fault, body) if fault else self._answer(body, owner.write(body))
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            with owner.lock:
                owner.at_once -= 1

    def _answer(self, body: Body, text: str, *, finish: str | None = "stop") -> None:
        with self.owner.lock:
            self.owner.answered += 1
        if body.get("stream") and self.owner.streams:
            self._stream(body, text, finish)
        else:
            choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
            self._send(200, json.dumps(_head(body) | {"choices": [choice], "usage": self._usage(body, text)}))

    def _stream(self, body: Body, text: str, finish: str | None) -> None:
        head = _head(body) | {"object": "chat.completion.chunk"}
        middle = len(text) // 2
        said = [{"content": part} for part in ("", text[:middle], text[middle:])]
        events = [head | {"choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in said]
        if finish:
            events.append(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
            if self.owner.usage and body.get("stream_options"):
                events.append(head | {"choices": [], "usage": self._usage(body, text)})
        lines = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        self._send(200, lines + ("data: [DONE]\n\n" if finish else ""), "text/event-stream")

    def _usage(self, body: Body, text: str) -> Body | None:
        if not self.owner.usage:
            return None
        count = count_tokens(text_of(body))
        details = {"cached_tokens": count // 2}
        return {"prompt_tokens": count, "completion_tokens": count_tokens(text), "prompt_tokens_details": details}

    def _fail(self, fault: str, body: Body) -> None:
        kind, _, rest = fault.partition(" ")
        if kind == "status":
            status, _, wait = rest.partition(" ")
            self._send(int(status), json.dumps({"error": {"message": f"told to say {status}"}}), wait=wait)
        elif kind == "unknown":
            self._send(400, json.dumps({"error": {"message": f"Unsupported parameter: {rest}"}}))
        elif kind == "late":
            time.sleep(float(rest))
            self._answer(body, self.owner.write(body))
        elif kind == "cut-json":
            self._answer(body, '{"decision": "So be it.", "clau', finish=rest or "stop")
        elif kind == "cut-stream":
            self._answer(body, "half", finish=None)
        elif kind == "bad-event":
            self._send(200, 'data: {"choices": [{"del\n\n', "text/event-stream")
        elif kind == "html":
            self._send(200, "<html>a proxy's greeting</html>", "text/html")
        elif kind == "hang-up":
            self.close_connection = True

    def _send(self, status: int, text: str, kind: str = "application/json", wait: str = "") -> None:
        held = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(held)))
        if wait:
            self.send_header("Retry-After", wait)
        self.end_headers()
        self.wfile.write(held)

    def log_message(self, *_: object) -> None:
        """Nothing."""


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_: object) -> None:
        """A client that went away is no fault."""


def _head(body: Body) -> Body:
    return {"id": "1", "object": "chat.completion", "created": 0, "model": f"{body['model']}-2026-01-01"}


@contextmanager
def serving() -> Iterator[Server]:
    """A server that runs until the end of the block."""
    server = Server()
    handler = type("Handler", (_Handler,), {"owner": server})
    http = _Quiet(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    try:
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()
