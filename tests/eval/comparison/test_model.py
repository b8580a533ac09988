"""One call to a model; the server is a small one on this machine."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from eval.comparison.faults import Rejected, Transient
from eval.comparison.model import Endpoint, Model, Reply, Request, Usage, endpoint
from eval.comparison.prices import ModelPrice, read_prices
from ingest.errors import ConfigError
from tests.eval.comparison.server import Server, serving, text_of

REQUEST = Request("Decide.", "<policy-1>\n</policy-1>\n\n", "Day: 2026-03-15\nwho pays?\n", 30)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        running.write = lambda body: "So be it."
        yield running


def ask(server: Server, request: Request = REQUEST, times: int = 1, **changed: object) -> Reply:
    model = Model(replace(Endpoint("m", server.url, "secret"), **changed))  # type: ignore[arg-type]
    try:
        return [model.ask(request) for _ in range(times)][-1]
    finally:
        model.close()


@pytest.mark.enable_socket
def test_an_answer_is_streamed_and_timed(server: Server) -> None:
    reply = ask(server)
    assert (reply.text, reply.finish, reply.served_by) == ("So be it.", "stop", "m-2026-01-01")
    assert reply.usage is not None
    assert reply.usage.cached == reply.usage.input // 2 > 0
    assert reply.first_token_ms is not None
    assert 0 < reply.first_token_ms <= reply.total_ms
    (body,) = server.bodies
    assert text_of(body) == "Decide.\n<policy-1>\n</policy-1>\n\nDay: 2026-03-15\nwho pays?\n"
    assert (body["temperature"], body["max_tokens"], body["response_format"]) == (0, 1500, {"type": "json_object"})


@pytest.mark.enable_socket
def test_a_server_that_does_not_stream_is_understood(server: Server) -> None:
    server.streams = False
    reply = ask(server)
    assert (reply.text, reply.finish, reply.first_token_ms) == ("So be it.", "stop", None)
    assert reply.usage is not None


@pytest.mark.enable_socket
@pytest.mark.parametrize("key", ["temperature", "response_format", "stream_options", "max_tokens"])
def test_a_key_that_the_server_does_not_know_is_left_out_from_then_on(server: Server, key: str) -> None:
    server.unknown = (key,)
    assert ask(server, times=2).text == "So be it."
    assert [key in body for body in server.bodies] == [True, False, False]
    assert ("max_completion_tokens" in server.bodies[-1]) == (key == "max_tokens")


@pytest.mark.enable_socket
def test_where_a_provider_has_to_be_told_the_prefix_is_marked(server: Server) -> None:
    ask(server, caching="marked")
    first, second = server.bodies[0]["messages"][1]["content"]
    assert first == {"type": "text", "text": REQUEST.prefix, "cache_control": {"type": "ephemeral"}}
    assert second == {"type": "text", "text": REQUEST.asked}


@pytest.mark.enable_socket
@pytest.mark.parametrize(
    ("fault", "why", "wait", "sent"),
    [
        ("status 429 7", "told to say 429", 7.0, False),
        ("status 500", "told to say 500", None, False),
        ("late 2", "no answer after 0.5 s", None, True),
        ("html", 'type "text/html" instead of text/event-stream', None, True),
        ("cut-stream", "the answer broke off", None, True),
        ("bad-event", "an answer that cannot be read: JSONDecodeError", None, True),
        ("hang-up", "Connection error", None, False),
    ],
)
def test_what_another_try_may_mend(server: Server, fault: str, why: str, wait: float | None, sent: bool) -> None:
    server.faults = [fault]
    with pytest.raises(Transient, match=why) as caught:
        ask(server, timeout_seconds=0.5 if fault.startswith("late") else 60)
    assert (caught.value.wait, caught.value.sent) == (wait, sent)


@pytest.mark.enable_socket
@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_prompt_that_is_refused(server: Server, status: int) -> None:
    server.faults = [f"status {status}"]
    with pytest.raises(Rejected, match=f"told to say {status}"):
        ask(server)


@pytest.mark.enable_socket
@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_model_that_cannot_be_asked_at_all(server: Server, status: int) -> None:
    server.faults = [f"status {status}"]
    with pytest.raises(ConfigError, match=rf"{server.url}: the model cannot be asked: .*{status}.*; fix: check OPENAI"):
        ask(server)


@pytest.mark.parametrize(
    ("environ", "address", "key"),
    [
        ({"OPENAI_API_KEY": "k"}, None, "k"),
        ({"OPENAI_BASE_URL": "http://localhost:1/v1"}, "http://localhost:1/v1", "none"),
    ],
    ids=["key", "address"],
)
def test_address_and_key_are_of_the_environment(environ: dict[str, str], address: str | None, key: str) -> None:
    found = endpoint("m", environ, max_tokens=7)
    assert (found.model, found.address, found.key, found.max_tokens) == ("m", address, key, 7)
    assert "'k'" not in repr(found)


@pytest.mark.parametrize(
    ("environ", "why"),
    [({}, "OPENAI_API_KEY: no way to ask"), ({"OPENAI_BASE_URL": "localhost"}, "OPENAI_BASE_URL: .* is no address")],
    ids=["nothing", "no address"],
)
def test_an_environment_that_names_no_model(environ: dict[str, str], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        endpoint("m", environ)


def test_an_address_is_shown_without_its_password() -> None:
    assert Endpoint("m", "https://me:secret@example.com/v1?key=secret").where == "https://example.com/v1"


def test_usage_costs_what_the_prices_say() -> None:
    price: ModelPrice = read_prices().model[0]
    assert Usage(175_000).usd(price) == pytest.approx(0.525)
    assert Usage(175_000, cached=175_000).usd(price) == pytest.approx(0.0525)
    assert Usage(1000, cached=400, written=100, output=10).usd(price) == pytest.approx(
        (500 * price.input + 400 * price.cached_read + 100 * price.cache_write + 10 * price.output) / 1e6
    )
