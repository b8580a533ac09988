"""Nothing that is nobody's business reaches the disk, and what is not secret stays."""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.redaction import Redactor, kind_of, kinds_only
from eval.settings import RedactSettings

sys.path.insert(0, str(Path(__file__).parent))
import made

MADE = 2_000


def test_no_generated_secret_of_any_kind_survives_at_any_depth() -> None:
    rng = random.Random(20261201)
    kinds, survived = Counter[str](), []
    for _ in range(MADE):
        one = made.make(rng, rng.choice(list(made.KINDS)))
        redacted = Redactor().value(made.nest(rng, one.text, rng.randint(0, 7)))
        kinds[one.kind] += 1
        if made.readable(one.secret, redacted):
            survived.append(one)
    assert kinds.keys() == made.KINDS.keys()
    assert survived == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), beside=JSON, kind=st.sampled_from(list(made.KINDS)), depth=st.integers(0, 6))
def test_no_secret_survives_beside_other_data(seed: int, beside: object, kind: str, depth: int) -> None:
    rng = random.Random(seed)
    one = made.make(rng, kind)
    value = {"beside": beside, "here": made.nest(rng, one.text, depth)}
    assert not made.readable(one.secret, Redactor().value(value))


@settings(max_examples=60)
@given(value=JSON, seed=st.integers(0, 2**32))
def test_redacting_twice_changes_nothing_more(value: object, seed: int) -> None:
    rng = random.Random(seed)
    once = Redactor().value([value, made.make(rng, rng.choice(list(made.KINDS))).text])
    assert Redactor().value(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "j\u00adane@exa\u2060mple.com",
        "ja\u202ene@example.com",
        "jane@exam\x00ple.com",
        "jane\x1b[31m@example.com",
        "ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ",
        "jane%40example.com",
        "jane%2540example%2Ecom",
        "jane&#64;example&period;com",
        r"jane\u0040example.com",
        r"jane\\\\u0040example.com",
        "jane [at] example [dot] com",
        "jane at example dot com",
        "jane @ example.com",
        '"jane doe"@example.com',
        "jane@[192.0.2.1]",
        "δοκιμή+x@παράδειγμα.example",
        "4111\u200b1111\u200b1111\u200b1111",
        "４１１１１１１１１１１１１１１１",
        "٤١١١١١١١١١١١١١١١",
        "4111–1111–1111–1111",
        "4111\u00a01111\u00a01111\u00a01111",
        "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "4111.1111.1111.1111",
        "4111_1111_1111_1111",
        "4111 1111\n1111 1111",
        "123–45–6789",
        "DE89-3704-0044-0532-0130-00",
        "192.168.001.001",
    ],
)
def test_disguised_values_are_taken_whole(text: str) -> None:
    assert kind_of(Redactor().text(text)) is not None


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("Jane <jane@example.com>, from 192.0.2.7", "Jane <<EMAIL_1>>, from <IP_1>"),
        ("JANE@example.com or jane@EXAMPLE.com", "<EMAIL_1> or <EMAIL_1>"),
        ("4111 1111 1111 1111, that is 4111-1111-1111-1111", "<CARD_1>, that is <CARD_1>"),
        ("card 4111111111111111 exp 12/27", "card <CARD_1> exp 12/27"),
        ("DE89 3704 0044 0532 0130 00 EUR 4", "<IBAN_1> EUR 4"),
        ("postgres://u:p@ss/w@h/db", "postgres://u:<PASSWORD_1>@ss/w@h/db"),
        ("postgres://u:p@ss@h/db", "postgres://u:<PASSWORD_1>@h/db"),
        ("mailto:jane@example.com?subject=x", "mailto:<EMAIL_1>?subject=x"),
        ("?email=jane@example.com&x=1", "?email=<EMAIL_1>&x=1"),
        ("my SSN: 123456789", "my SSN: <SSN_1>"),
        ("call 555-0123 today", "call <PHONE_1> today"),
        ("PASSWORD='a b c'", "PASSWORD='<PASSWORD_1>'"),
        ("known before: <EMAIL_1>, new: a@example.com", "known before: <EMAIL_1>, new: <EMAIL_2>"),
    ],
)
def test_the_words_around_a_value_stay(text: str, redacted: str) -> None:
    assert Redactor().text(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "acct_99201",
        "cr_30417",
        "invoice 0012345678",
        "order 2026-00123 of 2026-03-15, 14:02:11.204Z",
        "48,000.00 USD for 120 seats at 1200.00 each, +10 000 000",
        "section 4.2.2.1, § 10.0.0.1, version 1.2.3.4, v1.2.3.4",
        "4.2.2 and 25.1(a)",
        "4111 1111 1111 1112",
        "DE88370400440532013000",
        "std::vector, face::beef",
        "http://host:8080/path/@user",
        "the bearer of bad news has a basic understanding",
        "Password: must be changed; passwords are secret; token: 512; key = 4.2.2",
        "digest: 8f14e45fceea167a5a36dedd4bea2543, sort_key=8f14e45fceea167a5a36dedd4bea2543",
        "uuid 123e4567-e89b-12d3-a456-426614174000",
    ],
)
def test_ids_amounts_dates_and_numbers_of_sections_stay(text: str) -> None:
    assert Redactor().text(text) == text


def test_the_same_value_has_one_placeholder_in_texts_keys_and_numbers() -> None:
    redacted = Redactor().value(
        {"a@example.com": ["write to A@example.com", 4111111111111111], "n": "4111111111111111"}
    )
    assert redacted == {"<EMAIL_1>": ["write to <EMAIL_1>", "<CARD_1>"], "n": "<CARD_1>"}


def test_two_keys_of_one_value_are_both_kept() -> None:
    assert Redactor().value({"a@example.com": 1, "A@example.com": 2}) == {"<EMAIL_1>": 1, "<EMAIL_1> (2)": 2}


def test_a_field_name_tells_what_a_bare_value_is() -> None:
    value = {"db_password": "correct horse", "ssn": 123456789, "phone": [5551234567], "amount": 5551234567, "tokens": 9}
    redacted = {
        "db_password": "<PASSWORD_1>",
        "ssn": "<SSN_1>",
        "phone": ["<PHONE_1>"],
        "amount": 5551234567,
        "tokens": 9,
    }
    assert Redactor().value(value) == redacted


def test_json_within_a_string_stays_json_and_keeps_its_spelling() -> None:
    inner = '{"to":  "jane@example.com", "card": 4111111111111111}'
    assert Redactor().text('{"to":  "jane@example.com"}') == '{"to":  "<EMAIL_1>"}'
    assert json.loads(Redactor().text(inner)) == {"to": "<EMAIL_1>", "card": "<CARD_1>"}
    assert json.loads(json.loads(Redactor().text(json.dumps(inner)))) == {"to": "<EMAIL_1>", "card": "<CARD_1>"}


@pytest.mark.parametrize("value", [b"x", {"body": bytearray(b"x")}, [{1}]], ids=["bytes", "bytearray", "set"])
def test_other_kinds_of_values_are_refused_by_place(value: object) -> None:
    with pytest.raises(TypeError, match=r"^value.* is (bytes|bytearray|set); only JSON's kinds"):
        Redactor().value(value)


def test_a_value_within_itself_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="within itself"):
        Redactor().value(loop)


def test_placeholders_tell_their_kind() -> None:
    assert Redactor.kind_of("<API_KEY_12>") == "API_KEY"
    assert kind_of("to <EMAIL_1>") is None
    assert kinds_only("<EMAIL_3> at <IP_1>") == "<EMAIL> at <IP>"


def test_settings_add_leave_and_allow() -> None:
    own = RedactSettings(
        patterns={"ACCOUNT": r"acct_\d+"}, leave=("IP",), allow=("@example.org", "4111 1111 1111 1111")
    )
    text = "acct_99201 from 192.0.2.7 by help@example.org and jane@example.com"
    assert Redactor(own).text(text) == "<ACCOUNT_1> from 192.0.2.7 by help@example.org and <EMAIL_1>"
    assert Redactor(RedactSettings(enabled=False)).text("jane@example.com") == "jane@example.com"


def test_names_and_addresses_only_where_asked_for() -> None:
    text = "Dear Mr. Omar Haddad, my name is Jane Doe of 12 Main Street, Springfield, IL 62704."
    assert Redactor().text(text) == text
    asked = RedactSettings(names=True, addresses=True)
    assert Redactor(asked).text(text) == "Dear Mr. <NAME_1>, my name is <NAME_2> of <ADDRESS_1>."


@pytest.mark.parametrize(
    ("patterns", "message"),
    [({"acct": "x"}, "in capitals"), ({"ACCT": "("}, "regular expression"), ({"ACCT": "x*"}, "not match nothing")],
)
def test_patterns_that_cannot_be_used_are_refused(patterns: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RedactSettings(patterns=patterns)


def test_the_demo_has_no_false_positives(demo_handbook: Path) -> None:
    texts = [file.read_text(encoding="utf-8") for file in sorted((demo_handbook / "2026-01-01").glob("*.md"))]
    changed = [text for text in texts if Redactor().text(text) != text]
    assert len(texts) > 20
    assert changed == []


HOSTILE = ["a", "1", "1 ", "4 ", "@", "a@", "a.", "a@a.", "eyJ", "eyJabcd.", "a://u:", "://u:a@", "password=", 'key:"']
HOSTILE += [
    "\\",
    "\\u0040",
    "%25",
    "+1 ",
    "(",
    "0 11 ",
    "1:",
    "f:",
    "DE89 ",
    "call 1",
    "a at a dot ",
    "\u200b",
    "[",
    "{",
]
HOSTILE += [
    "-----BEGIN PRIVATE KEY-----\n",
    "-----END PRIVATE KEY-----\n",
    "A" * 64 + "\n",
    "<EMAIL_1>",
    "authorization: ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_texts_take_time_in_line_with_their_length(piece: str) -> None:
    """A quadratic step would take a minute on them."""
    text, began = piece * (20_000 // len(piece)), time.process_time()
    Redactor().text(text)
    assert time.process_time() - began < 4


def test_a_megabyte_of_them_too() -> None:
    text, began = "".join(piece * (1_000_000 // len(HOSTILE) // len(piece)) for piece in HOSTILE), time.process_time()
    Redactor().text(text)
    assert time.process_time() - began < 40
