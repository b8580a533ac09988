"""A model behind an OpenAI-compatible address: one call, timed, with what the provider says that it took.

A call is streamed, so that the first token can be timed; a server that answers in one piece is understood as well.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from eval.comparison.faults import Transient, Unknown, mapped
from eval.comparison.prices import MILLION, ModelPrice
from ingest.errors import ConfigError

if TYPE_CHECKING:
    from openai import OpenAI

KEY: Final = "OPENAI_API_KEY"
ADDRESS: Final = "OPENAI_BASE_URL"
UNNAMED: Final = "no model was asked: set OPENAI_API_KEY (or OPENAI_BASE_URL of a server of your own) and name one"
Caching = Literal["automatic", "marked"]
"""Automatic: the provider caches what calls begin with alike. Marked: it has to be told where that ends."""
_EVENTS: Final = "text/event-stream"
_DROPPABLE: Final = ("stream_options", "response_format", "temperature")


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the provider counts them."""

    input: int
    """All that was sent, whatever of it came from a cache."""
    cached: int = 0
    """Of the input: read from a cache."""
    written: int = 0
    """Of the input: written to a cache."""
    output: int = 0

    def usd(self, price: ModelPrice) -> float:
        """What they cost."""
        plain = self.input - self.cached - self.written
        read = self.cached * price.cached_read + self.written * price.cache_write
        return (plain * price.input + read + self.output * price.output) / MILLION


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Which model is asked, where, and how."""

    model: str
    address: str | None = None
    """None: the openai client's own."""
    key: str = field(default="none", repr=False)
    caching: Caching = "automatic"
    temperature: float = 0.0
    max_tokens: int = 1500
    """Of one answer."""
    timeout_seconds: float = 180.0
    """Until an answer is complete."""

    @property
    def where(self) -> str:
        """The address without a name or password in it, for messages and files."""
        if self.address is None:
            return "the openai client's default address"
        parts = urlsplit(self.address)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()

    @property
    def identity(self) -> dict[str, Any]:
        """What an answer depends on besides its prompt."""
        told = {"where": self.where, "model": self.model}
        return told | {"temperature": self.temperature, "max_tokens": self.max_tokens}


def endpoint(model: str, environ: Mapping[str, str] = os.environ, **changed: Any) -> Endpoint:
    """A model at the address and with the key that the environment names, as the openai client reads them.

    Raises:
        ConfigError: neither a key nor an address is set, or the address is none.
    """
    address, key = environ.get(ADDRESS) or None, environ.get(KEY) or ""
    if not key and address is None:
        raise ConfigError(
            f'no way to ask "{model}"', where=KEY, fix=f"set {KEY}, or {ADDRESS} of a server without keys"
        )
    if address is not None and urlsplit(address).scheme not in ("http", "https"):
        raise ConfigError(f'"{address}" is no address', where=ADDRESS, allowed="http://... or https://...")
    return Endpoint(model, address, key or "none", **changed)


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt in the parts that matter to a cache."""

    system: str
    prefix: str
    """What other requests share."""
    asked: str
    tokens: int
    """o200k tokens of all three."""

    def messages(self, caching: Caching) -> list[dict[str, Any]]:
        """As a chat; with `marked`, the prefix is a part of its own that says where the cached text ends."""
        system = {"role": "system", "content": self.system}
        if caching == "automatic":
            return [system, {"role": "user", "content": f"{self.prefix}{self.asked}"}]
        marked = {"type": "text", "text": self.prefix, "cache_control": {"type": "ephemeral"}}
        return [system, {"role": "user", "content": [marked, {"type": "text", "text": self.asked}]}]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote, and what is known of the call."""

    text: str
    finish: str
    """"stop", or why it ended before the model was done: "length", "content_filter"."""
    usage: Usage | None
    """None: the server did not say."""
    served_by: str
    """The model as the server calls it."""
    first_token_ms: float | None
    """None: the server answered in one piece."""
    total_ms: float


class Model:
    """Asks one model; safe for threads."""

    def __init__(self, at: Endpoint, clock: Callable[[], float] = time.monotonic):
        self.at = at
        self._clock = clock
        self._lock = threading.Lock()
        self._without: frozenset[str] = frozenset()
        self._limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
        self._client: OpenAI | None = None

    def ask(self, request: Request) -> Reply:
        """One call; what the server does not know of (JSON mode, usage in streams) is left out from then on.

        Raises:
            Transient, Rejected, ConfigError: see `eval.comparison.faults`.
        """
        while True:
            without, limit = self._without, self._limit
            try:
                return self._called(request, without, limit)
            except Unknown as unknown:
                self._learn(unknown.key)

    def close(self) -> None:
        """Release the connections."""
        if self._client is not None:
            self._client.close()

    def _learn(self, key: str) -> None:
        with self._lock:
            if key == "max_tokens":
                self._limit = "max_completion_tokens"
            else:
                self._without |= {key}

    def _called(self, request: Request, without: frozenset[str], limit: str) -> Reply:
        optional = {
            "stream_options": {"include_usage": True},
            "response_format": {"type": "json_object"},
            "temperature": self.at.temperature,
        }
        asked: dict[str, Any] = {name: value for name, value in optional.items() if name not in without}
        asked |= {"model": self.at.model, "messages": request.messages(self.at.caching), "stream": True}
        asked[limit] = self.at.max_tokens
        droppable = {*asked} & {*_DROPPABLE, "max_tokens"}
        started = self._clock()
        with mapped(self.at.timeout_seconds, self.at.where, droppable):
            stream = self._opened().chat.completions.create(**asked)
            kind = stream.response.headers.get("content-type", "")
            try:
                if kind.startswith("application/json"):
                    return self._whole(json.loads(stream.response.read()), started)
                if not kind.startswith(_EVENTS):
                    raise Transient(f'an answer of type "{kind or "unknown"}" instead of {_EVENTS}', sent=True)
                return self._streamed(stream, started)
            finally:
                stream.close()

    def _whole(self, body: Any, started: float) -> Reply:
        choice = body["choices"][0]
        text, finish = choice["message"]["content"] or "", choice.get("finish_reason") or "stop"
        total = self._since(started)
        return Reply(text, finish, _usage(body.get("usage")), str(body.get("model") or ""), None, total)

    def _streamed(self, stream: Any, started: float) -> Reply:
        texts: list[str] = []
        usage = first = None
        finish = served_by = ""
        for chunk in stream:
            if self._since(started) > self.at.timeout_seconds * 1000:
                raise Transient(f"no whole answer after {self.at.timeout_seconds:g} s", sent=True)
            served_by = getattr(chunk, "model", None) or served_by
            usage = _usage(getattr(chunk, "usage", None)) or usage
            for choice in getattr(chunk, "choices", None) or ():
                said = getattr(choice.delta, "content", None)
                if said:
                    first = self._since(started) if first is None else first
                    texts.append(said)
                finish = choice.finish_reason or finish
        if not finish:
            raise Transient("the answer broke off", sent=True)
        return Reply("".join(texts), finish, usage, served_by, first, self._since(started))

    def _since(self, started: float) -> float:
        return round((self._clock() - started) * 1000, 3)

    def _opened(self) -> OpenAI:
        with self._lock:
            if self._client is None:
                from openai import OpenAI

                at = self.at
                # It would try again by itself, uncounted and unseen by the cap.
                self._client = OpenAI(base_url=at.address, api_key=at.key, timeout=at.timeout_seconds, max_retries=0)
            return self._client


def _usage(told: Any) -> Usage | None:
    """Usage as providers tell it, an object or a dict; tokens from a cache under any of their names."""
    if told is None:
        return None
    values = told if isinstance(told, dict) else told.model_dump()
    details = values.get("prompt_tokens_details") or {}
    counted = {
        "input": values.get("prompt_tokens"),
        "cached": details.get("cached_tokens") or values.get("cache_read_input_tokens"),
        "written": details.get("cache_write_tokens") or values.get("cache_creation_input_tokens"),
        "output": values.get("completion_tokens"),
    }
    if not isinstance(counted["input"], int) or not isinstance(counted["output"], int):
        return None
    return Usage(**{name: value if isinstance(value, int) else 0 for name, value in counted.items()})
