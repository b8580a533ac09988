import datetime
import math
from collections import namedtuple
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, StrEnum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from eval.replay.plain import Plain
from tests.eval.replay.conftest import MuteKey, Unreadable

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


class Plan(StrEnum):
    ANNUAL = "annual"


class Side(Enum):
    DEBIT = 1


class Reply(BaseModel):
    text: str
    amount: Decimal


@dataclass
class Passage:
    section: str
    on: datetime.date


Seats = namedtuple("Seats", ["prior", "new"])


@given(JSON)
def test_json_stays_as_it_is(value: Any) -> None:
    plain = Plain(value)
    assert (plain.value, plain.converted) == (value, None)


@pytest.mark.parametrize(
    ("value", "plain"),
    [((1, ("a",)), [1, ["a"]]), (Plan.ANNUAL, "annual"), (np.float64(0.5), 0.5)],
    ids=["tuple", "StrEnum", "numpy float"],
)
def test_what_is_equal_to_json_counts_as_json(value: object, plain: object) -> None:
    assert (Plain(value).value, Plain(value).converted) == (plain, None)


@pytest.mark.parametrize(
    ("value", "plain", "converted"),
    [
        (Decimal("1.20"), "1.20", "out: decimal.Decimal"),
        ({"rows": [Decimal("1.20")]}, {"rows": ["1.20"]}, "out.rows[0]: decimal.Decimal"),
        ({"a": {1: "b"}}, {"a": {"1": "b"}}, "out.a: dict"),
        (math.nan, "nan", "out: float"),
        (b"id=7", "id=7", "out: bytes"),
        ({"b", "a"}, ["a", "b"], "out: set"),
        (Side.DEBIT, 1, f"out: {__name__}.Side"),
        (Seats(120, 80), [120, 80], f"out: {__name__}.Seats"),
        (np.array([[1, 2]]), [[1, 2]], "out: numpy.ndarray"),
        ([Reply(text="no", amount=Decimal(1))], [{"text": "no", "amount": "1"}], f"out[0]: {__name__}.Reply"),
        (Passage("4.2", datetime.date(2026, 1, 1)), {"section": "4.2", "on": "2026-01-01"}, f"out: {__name__}.Passage"),
        (object(), {"$type": "object"}, "out: object"),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, str) else "",
)
def test_anything_else_is_told_with_its_type(value: object, plain: object, converted: str) -> None:
    told = Plain(value, "out")
    assert (told.value, told.converted) == (plain, converted)


def test_bytes_that_are_no_text_are_told_by_digest() -> None:
    assert Plain(b"\xff\xfe").value == {"$type": "bytes", "digest": Plain(b"\xff\xfe").value["digest"], "length": 2}
    assert Plain(b"\xff\xfe").value != Plain(b"\xff\xfd").value


def test_what_holds_itself_ends_somewhere() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert Plain(loop).converted is not None


def test_half_a_character_can_be_written() -> None:
    plain = Plain("\ud800", "out")
    assert (plain.value, plain.converted) == ("\\ud800", "out: str")


def test_what_holds_itself_has_an_end() -> None:
    node: dict[str, Any] = {"name": "root"}
    node["children"] = [{"name": str(n), "parent": node, "root": node} for n in range(3)]
    plain = Plain(node, "output")
    assert plain.value["children"][2] == {"name": "2", "parent": {"$type": "dict"}, "root": {"$type": "dict"}}
    assert plain.converted == "output.children[0].parent: dict"


def test_what_stands_twice_is_told_twice() -> None:
    row = {"a": [1]}
    assert (Plain([row, row]).value, Plain([row, row]).converted) == ([row, row], None)


def test_what_json_cannot_spell_fails_no_recording() -> None:
    plain = Plain({"half \ud800": 1, "digits": 10**5000})
    assert plain.value == {"half \\ud800": 1, "digits": {"$type": "int"}}
    assert plain.converted is not None


class Unbound:
    """As a proxy without its object is, for instance werkzeug's."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise RuntimeError("unbound")


@pytest.mark.parametrize(
    ("value", "kind", "raised"),
    [
        (Unreadable(), f"{Unreadable.__module__}.Unreadable", "KeyError"),
        ({MuteKey(): 1}, "dict", "ValueError"),
        (Unbound(), f"{__name__}.Unbound", "RuntimeError"),
    ],
    ids=["mapping", "key", "proxy"],
)
def test_a_value_that_raises_when_it_is_read_is_told_by_its_type(value: object, kind: str, raised: str) -> None:
    plain = Plain({"a": [1, value], "b": 2}, "out")
    assert plain.value == {"a": [1, {"$type": kind}], "b": 2}
    assert (plain.converted, plain.lost_as(str)) == (f"out.a[1]: {kind}", f"out.a[1] ({raised})")


def test_a_dict_that_changes_while_it_is_looked_at_is_told_as_it_was() -> None:
    class Row:
        def model_dump(self, mode: str) -> dict[str, str]:
            shared["later"] = 1
            return {"mode": mode}

    shared: dict[str, Any] = {"row": Row(), "seats": 120}
    plain = Plain(shared)
    assert (plain.value, plain.lost_as(str)) == ({"row": {"mode": "json"}, "seats": 120}, None)


def test_a_place_is_shown_key_by_key() -> None:
    plain = Plain({"a": {"jane@example.com": [Decimal(1)]}}, "out")
    assert plain.converted_as(str.upper) == "out.A.JANE@EXAMPLE.COM[0]: DECIMAL.DECIMAL"
