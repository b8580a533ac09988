"""Everything in a trace is redacted, and a replay compares both sides redacted alike."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from eval.replay import CutPointSession, ModelDrift, RecordedFailure, Values, read_trace
from ingest.errors import QueryError
from tests.eval.replay.conftest import Open, WriteTrace, envelope

MAIL = "jane.doe@example.com"
CARD = "4111 1111 1111 1111"
URL = "https://bob:hunter2hunter@llm.example.com/v1"
OTHER_PASSWORD = "https://bob:correcthorse9@llm.example.com/v1"
OTHER_HOST = "https://bob:hunter2hunter@llm.example.org/v1"


def answer(**_: Any) -> str:
    return "out"


@pytest.mark.parametrize(
    ("output", "converted"),
    [
        ({MAIL: Decimal(1)}, "output.<EMAIL_1>: decimal.Decimal"),
        ({"accounts": {CARD: {1, 2}}}, "output.accounts.<CARD_1>: set"),
        ([{MAIL: {CARD: [0, Decimal(1)]}}], "output[0].<EMAIL_1>.<CARD_1>[1]: decimal.Decimal"),
    ],
    ids=["mail", "card", "both"],
)
def test_the_place_of_a_converted_value_is_redacted(trace: Path, output: object, converted: str) -> None:
    with CutPointSession(trace, "record") as session:
        session.wrap("llm")(lambda: output)()
    text = trace.read_text(encoding="utf-8")
    assert (MAIL in text, "1111" in text) == (False, False)
    recorded = read_trace(trace).envelopes[("llm", 1)]
    assert recorded.converted == converted
    # As in the output itself.
    assert all(name.strip("[]01") in json.dumps(recorded.output) for name in converted.split(":")[0].split(".")[1:])


def test_the_place_in_a_warning_is_redacted(trace: Path) -> None:
    class Broken(dict[str, int]):
        def items(self) -> Any:
            raise ValueError(MAIL)

    with CutPointSession(trace, "record") as session:
        wrapped = session.wrap("llm")(lambda: {MAIL: Broken()})
        with pytest.warns(RuntimeWarning, match=r"by its type only: output.<EMAIL_1> \(ValueError\)"):
            wrapped()


def test_a_model_is_redacted(trace: Path) -> None:
    with CutPointSession(trace, "record") as session:
        wrapped = session.wrap("llm", model=URL, model_version=f"tuned by {MAIL}", sampling={"user": MAIL})
        wrapped(lambda base: "out")(URL)
    text = trace.read_text(encoding="utf-8")
    assert ("hunter2" in text, MAIL in text) == (False, False)
    recorded = read_trace(trace).envelopes[("llm", 1)]
    assert recorded.model == recorded.inputs["base"]
    assert recorded.model_version == f"tuned by {recorded.sampling['user']}" == "tuned by <EMAIL_1>"


@pytest.mark.parametrize("written", ["recorded", "by another program"])
@pytest.mark.parametrize("now", [URL, OTHER_PASSWORD], ids=["same", "other password"])
def test_a_model_with_a_password_is_no_drift(
    trace: Path, replay: Open, write_trace: WriteTrace, written: str, now: str
) -> None:
    if written == "recorded":
        with CutPointSession(trace, "record") as session:
            session.wrap("llm", model=URL, sampling={"user": MAIL})(answer)(q=OTHER_HOST)
    else:
        write_trace(envelope("llm", q=OTHER_HOST) | {"model": URL, "sampling": {"user": MAIL}})
    session = replay("llm")
    # Another number of placeholders so far.
    session._redact([f"{n}@example.com ftp://me:swordfish{n}@example.com" for n in range(3)])
    assert session.wrap("llm", model=now, sampling={"user": MAIL})(answer)(q=OTHER_HOST) == "out"
    assert session.captured_live == {}


def test_a_model_among_the_inputs_is_compared_by_kind(trace: Path, replay: Open) -> None:
    with CutPointSession(trace, "record") as session:
        session.wrap("llm")(answer)(model=URL)
    session = replay("llm")
    session._redact("ftp://me:swordfish@example.com")
    assert session.wrap("llm")(answer)(model=OTHER_PASSWORD) == "out"


SHOWN = "https://bob:<PASSWORD>@llm.example"


@pytest.mark.parametrize(
    "allowed",
    [(URL, OTHER_HOST), (f"{SHOWN}.com/v1", f"{SHOWN}.org/v1")],
    ids=["as it is", "as it is shown"],
)
def test_another_model_is_a_drift_and_can_be_allowed(trace: Path, replay: Open, allowed: tuple[str, str]) -> None:
    with CutPointSession(trace, "record") as session:
        session.wrap("llm", model=URL)(answer)()
    with pytest.raises(ModelDrift, match=f'goes to model "{SHOWN}.org/v1", was recorded from "{SHOWN}.com/v1"'):
        replay("llm").wrap("llm", model=OTHER_HOST)(answer)()
    session = replay("llm", allow_model_drift=allowed)
    assert session.wrap("llm", model=OTHER_HOST)(answer)() == "out"


def test_a_boundary_whose_name_would_be_redacted_is_refused(recording: CutPointSession) -> None:
    found = r'trace.jsonl: boundary "mail <EMAIL_1>" holds what is redacted; fix: name the step, and give its data'
    with pytest.raises(QueryError, match=found):
        recording.wrap(f"mail {MAIL}")


def test_a_boundary_of_another_program_may_have_any_name(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope(f"mail {MAIL}"))
    assert replay(f"mail {MAIL}").wrap(f"mail {MAIL}")(answer)() == "out"


def test_an_exceptions_type_and_text_are_redacted(trace: Path, replay: Open) -> None:
    kind = type(f"NoAccount<{MAIL}>", (Exception,), {})

    def fail() -> None:
        raise kind(f"{MAIL} \ud800")

    with CutPointSession(trace, "record") as session, pytest.raises(kind):
        session.wrap("llm")(fail)()
    assert MAIL not in trace.read_text(encoding="utf-8")
    with pytest.raises(RecordedFailure, match=r"NoAccount<<EMAIL_1>>: <EMAIL_1> \\ud800"):
        replay("llm").wrap("llm")(fail)()
    # Named, it is known again, though a trace does not spell it.
    with pytest.raises(kind, match="<EMAIL_1>"):
        replay("llm").wrap("llm", values=Values(raises=(kind,)))(fail)()


def test_a_text_that_cannot_be_redacted_is_left_out_of_a_readable_line(trace: Path) -> None:
    class Broken:
        def value(self, value: Any) -> Any:
            raise ValueError("too deep")

    def fail() -> None:
        raise ValueError(MAIL)

    with (
        CutPointSession(trace, "record", redactor=Broken()) as session,
        pytest.warns(RuntimeWarning, match="could not be redacted"),
        pytest.raises(ValueError, match=MAIL),
    ):
        session.wrap(f"mail {MAIL}", model=URL)(fail)()
    text = trace.read_text(encoding="utf-8")
    assert ("hunter2" in text, MAIL in text) == (False, False)
    recorded = read_trace(trace).envelopes[("not redacted", 1)]
    assert (recorded.model, recorded.error and recorded.error.message) == ("not redacted", "not redacted")
