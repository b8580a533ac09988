"""What a pin's file may hold, and how it is refused where it holds something else."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.pins.plain.form import BadPin, files_in, read_folder, read_text
from tests.eval.pins.conftest import pin

ANCHOR: dict[str, Any] = pin()["anchors"][0]


def test_a_pin_reads_back() -> None:
    first = read_text(json.dumps(pin(title="Préavis", source={"trace": "8841.jsonl"})), "a.json")
    text = first.to_text()
    assert read_text(text, "a.json") == first
    assert list(json.loads(text)) == sorted(json.loads(text))
    assert "Préavis" in text
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"pin": 2}, '"pin" is 2; this Caveat reads 1'),
        ({"expect": []}, 'unknown field "expect"'),
        ({"query": " "}, "query is missing or no text"),
        ({"query": None}, "query is missing or no text"),
        ({"id": "A pin"}, 'id "A pin" is not of lower-case letters'),
        ({"as_of": "2026-02-30"}, 'as_of "2026-02-30" is no day'),
        ({"as_of": "20260215"}, 'as_of "20260215" is no day'),
        ({"status": "done"}, 'status "done" is not one of pinned, open, retired'),
        ({"status": "retired"}, "status and retired contradict each other"),
        ({"retired": {"why": "gone"}}, "status and retired contradict each other"),
        ({"status": "retired", "retired": {"why": " "}}, "retired without a why"),
        ({"retired": "gone"}, "retired is no object"),
        ({"status": "retired", "retired": {"why": "gone", "at": 5}}, "retired at is no text"),
        ({"born": {"came": 5}}, "born came is no list of texts"),
        ({"born": {"anchors": None}}, "born anchors is no list of quotes with their ranks"),
        ({"born": {"anchors": [{"quote": ["x"]}]}}, "born anchors is no list of quotes with their ranks"),
        ({"born": {"anchors": [{"quote": "x", "ranks": 5}]}}, "born anchors is no list of quotes with their ranks"),
        ({"title": "half \ud800"}, "half a character"),
        ({"anchors": []}, "anchors is no list of quotes: a pin that expects nothing would always pass"),
        ({"anchors": "all"}, "anchors is no list of quotes: a pin that expects nothing would always pass"),
        ({"anchors": [ANCHOR | {"quote": ""}]}, "anchor 1 has an empty quote"),
        ({"anchors": [ANCHOR | {"wordings": [" "]}]}, "anchor 1: sections and wordings are lists"),
        ({"anchors": [ANCHOR | {"sections": []}]}, "anchor 1: sections and wordings are lists"),
        ({"anchors": [{"quote": "x"}]}, "anchor 1 is not of quote, sections and wordings"),
    ],
)
def test_a_pin_edited_into_nonsense_is_named(changed: dict[str, Any], told: str) -> None:
    with pytest.raises(BadPin) as caught:
        read_text(json.dumps(pin(**changed)), "a.json")
    assert str(caught.value).startswith(f"a.json: {told}")
    assert "fix: " in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a.json:1: not JSON"),
        ('{"pin": 1,\n', "a.json:2: not JSON"),
        ("[1]", "a.json: list instead of a pin"),
        ('{"pin": 1, "pin": 1}', 'a.json: "pin" stands twice'),
        ("[" * 100_000, "a.json: nested too deeply"),
    ],
    ids=["empty", "cut", "list", "twice", "deep"],
)
def test_what_is_no_object_is_named(text: str, told: str) -> None:
    with pytest.raises(BadPin) as caught:
        read_text(text, "a.json")
    assert str(caught.value).startswith(told)


def test_two_pins_with_one_id_are_named(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(pin()), encoding="utf-8")
    with pytest.raises(BadPin, match=r'b\.json: id "a-pin" is also that of a\.json'):
        read_folder(tmp_path)


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'{"pin": "\xff"}')
    with pytest.raises(BadPin, match="not UTF-8 at byte 9"):
        read_folder(tmp_path)


def test_a_folder_that_is_not_there_has_no_pins(tmp_path: Path) -> None:
    assert read_folder(tmp_path / "none") == []
    (tmp_path / ".a.json.new").write_text("half", encoding="utf-8")
    assert files_in(tmp_path) == []
