import pytest

from ingest.dates import parse_day
from ingest.errors import DateError, SourceError
from ingest.handbook.frontmatter import LONGEST, declared, read_sidecar, split_front_matter


def test_front_matter_body_and_line() -> None:
    keys, body, line = split_front_matter("---\nid: 04\ntitle: No\neffective_from: 2026-01-01\n---\n\n# Seats\n")

    assert keys == {"id": "04", "title": "No", "effective_from": "2026-01-01"}
    assert (body, line) == ("\n# Seats\n", 6)


@pytest.mark.parametrize(
    "raw",
    [
        "# Seats\n",
        "",
        "---\n",
        "---\n\nA rule above.\n\n---\n\nAnd below.\n",
        "---\nNo key here.\n",
        "--- \n\n---",
        " ---\na: b\n---\n",
    ],
    ids=["none", "empty", "a rule at the end", "two rules", "a rule and text", "rules alone", "indented"],
)
def test_a_text_without_front_matter_is_left_alone(raw: str) -> None:
    assert split_front_matter(raw)[1:] == (raw, 1)


@pytest.mark.parametrize("raw", ["---\n---\nText.\n", "---\n# a comment\n---\nText.\n", "---\n''\n---\nText.\n"])
def test_front_matter_may_be_empty(raw: str) -> None:
    assert split_front_matter(raw)[:2] == ({}, "Text.\n")


def test_front_matter_may_end_with_dots_and_start_with_an_empty_line() -> None:
    assert split_front_matter("---\n\ntitle: Seats\n...\nText.\n") == ({"title": "Seats"}, "Text.\n", 5)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("---\n- a\n- b\n---\n", "a.md:2: front matter is a list, not a mapping; allowed: .*fix: "),
        ("---\njust text\n---\n", "a.md:2: front matter is text, not a mapping"),
        ("---\ntitle: Seats\n\n# Seats\n", "a.md:1: front matter is never closed; .*fix: close it"),
        ("---\ntitle: a: b\n---\n", "a.md:2: front matter is not valid YAML .*fix: put a value"),
        ("---\na: *b\n---\n", "a.md:2: front matter is not valid YAML"),
        ("---\ntitle: \x07\n---\n", "front matter is not valid YAML"),
        ("---\na: " + "[" * 1500 + "\n---\n", "front matter is not valid YAML"),
        ("---\na: " + "x" * LONGEST + "\n---\n", f"front matter of {LONGEST + 4} characters; allowed: up to {LONGEST}"),
        ("---\nid: a\ntitle: b\nid: c\n---\n", r'a.md: "id" stands in the front matter twice \(lines 2 and 4\)'),
    ],
    ids=["list", "text", "never closed", "colon", "alias", "control", "nested", "long", "twice"],
)
def test_faulty_front_matter(raw: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        split_front_matter(raw, where="a.md")


def test_declared_keys() -> None:
    keys = {"id": "seats", "title": " Seats  and plans ", "effective_from": "1 January 2026", "moved_from": "old.md"}

    read = declared({**keys, "layout": "page", "tags": ["a"]}, where="a.md")

    assert (read.doc_id, read.title, read.effective) == ("seats", "Seats and plans", parse_day("2026-01-01"))
    assert (read.moved_from, read.moved_sections, read.notes) == ("old.md", {}, ())


def test_sections_that_moved() -> None:
    read = declared({"moved_from": {"Seats > Late": "05.md#Refunds > Late"}}, where="a.md")

    assert (read.moved_from, dict(read.moved_sections)) == (None, {"Seats > Late": "05.md#Refunds > Late"})


def test_a_document_that_moved_with_a_section_of_another_name() -> None:
    read = declared({"moved_from": {"*": "05.md", "Late": "05.md#Delays"}}, where="a.md")

    assert (read.moved_from, dict(read.moved_sections)) == ("05.md", {"Late": "05.md#Delays"})


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"id": ["a"]}, 'a.md: "id" is not text'),
        ({"id": "a#b"}, r'a.md: id "a#b" cannot be part of an address; allowed: up to 300 characters without #'),
        ({"id": "a\u2028b"}, None),
        ({"id": "a\x1bb"}, "cannot be part of an address"),
        ({"id": "a" * 301}, "cannot be part of an address"),
        ({"title": {"en": "Seats"}}, '"title" is not text'),
        ({"effective_from": "01/07/2024"}, "a.md: effective_from: .*month first.*day first"),
        ({"effective_from": ["2026-01-01"]}, '"effective_from" is not text'),
        ({"moved_from": ["a", "b"]}, "moved_from is neither an id nor a mapping"),
        ({"moved_from": {"a": ["b"]}}, "moved_from is neither an id nor a mapping"),
    ],
)
def test_faulty_keys(keys: dict[str, object], message: str | None) -> None:
    if message is None:  # white space of any kind is squeezed
        assert declared(keys, where="a.md").doc_id == "a b"
        return
    with pytest.raises(SourceError, match=message):
        declared(keys, where="a.md")


@pytest.mark.parametrize("key", ["effective-from", "effectiveFrom", "Effective From", "effective_form", "moved-from"])
def test_a_near_miss_is_noted(key: str) -> None:
    (note,) = declared({key: "2026-01-01"}, where="a.md").notes

    assert (note.code, note.where) == ("unread-key", "a.md")
    assert "rename it" in note.message


def test_a_sidecar_reads_dates_of_toml() -> None:
    keys = read_sidecar(b'id = "seats"\neffective_from = 2026-01-01\n', where="a.md.meta.toml")

    assert declared(keys, where="a.md.meta.toml").effective == parse_day("2026-01-01")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"effective = 2026-01-01", 'unknown key "effective"; allowed: id, title, effective_from; fix: did you mean'),
        (b"zzz = 1", 'unknown key "zzz"; allowed: id, title, effective_from$'),
        (b"id = ", "a.md.meta.toml: not valid TOML"),
        (b"\xff", "not valid TOML"),
    ],
)
def test_a_faulty_sidecar(source: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_sidecar(source, where="a.md.meta.toml")


def test_a_sidecar_with_a_time_for_a_day_is_refused() -> None:
    keys = read_sidecar(b"effective_from = 2026-01-01T09:00:00Z", where="s")

    with pytest.raises(DateError, match="is not a date"):
        declared(keys, where="s")
