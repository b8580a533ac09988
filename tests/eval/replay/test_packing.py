import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.replay.packing import LONG, Packer, UnknownText, Unpacker

HANDBOOK = "Mid-term or late seat reductions are non-refundable. " * 8
TEXTS = st.sampled_from([HANDBOOK, "x" * LONG, "x" * (LONG - 1), "short", "$same", "$literal"])
VALUES = st.recursive(
    TEXTS | st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "$same", "$literal"]), inner),
    max_leaves=12,
)


def test_a_long_text_is_written_once() -> None:
    packer = Packer()
    lines = [packer.pack({"passages": [HANDBOOK, HANDBOOK]}), packer.pack({"context": HANDBOOK})]
    assert json.dumps(lines).count(HANDBOOK) == 1


@given(st.lists(VALUES, max_size=4))
def test_what_was_packed_comes_back(lines: list[Any]) -> None:
    packer, unpacker = Packer(), Unpacker()
    assert [unpacker.unpack(json.loads(json.dumps(packer.pack(line)))) for line in lines] == lines


@given(st.lists(VALUES, max_size=4))
def test_it_comes_back_after_another_program_has_sorted_the_keys(lines: list[Any]) -> None:
    packer, unpacker = Packer(), Unpacker()
    assert [unpacker.unpack(json.loads(json.dumps(packer.pack(line), sort_keys=True))) for line in lines] == lines


def test_a_mark_without_its_text_is_told() -> None:
    with pytest.raises(UnknownText, match='no text with the digest "0f"'):
        Unpacker().unpack({"$same": "0f"})
