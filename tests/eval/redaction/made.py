"""Secrets made up at random, each with a text that holds it as people and programs write it.

The numbers are nobody's: e-mail domains are reserved for examples, check digits are computed.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass

HEX = "0123456789abcdef"
ALNUM = string.ascii_letters + string.digits
URL_SAFE = ALNUM + "-_"
WORDS = [
    "invoice",
    "seats",
    "renewal",
    "the",
    "customer",
    "asked",
    "about",
    "billing",
    "on",
    "Tuesday",
    "please",
    "check",
    "their",
    "account",
    "again",
]
FIRST = ["jane", "omar", "li", "björn", "maría", "o'brien", "anna-lena", "raj", "σοφία", "дмитрий"]
LAST = ["doe", "smith", "van.dyk", "garcía", "wong", "müller"]


@dataclass(frozen=True, slots=True)
class Made:
    """One secret and a text that holds it."""

    kind: str
    secret: str
    """What must not be read afterwards."""
    text: str


def drawn(rng: random.Random, letters: str, least: int, most: int | None = None) -> str:
    return "".join(rng.choices(letters, k=rng.randint(least, most or least)))


def email(rng: random.Random) -> str:
    local = rng.choice(FIRST) + rng.choice(["", ".", "_", "-"]) + rng.choice(LAST) + rng.choice(["", "1984", "+caveat"])
    hosts = ["example.com", "mail.example.org", "münchen.example", "xn--mnchen-3ya.example", "EXAMPLE.CO.UK"]
    return f"{local}@{rng.choice(hosts)}"


def phone(rng: random.Random) -> str:
    area, three, four = rng.randint(201, 989), rng.randint(200, 999), drawn(rng, string.digits, 4)
    return rng.choice(
        [
            f"+1 {area} {three} {four}",
            f"+1-{area}-{three}-{four}",
            f"({area}) {three}-{four}",
            f"{area}-{three}-{four}",
            f"{area}.{three}.{four}",
            f"1-{area}-{three}-{four}",
            f"+1{area}{three}{four}",
            f"+44 20 79{drawn(rng, string.digits, 2)} 09{drawn(rng, string.digits, 2)}",
            f"+44 (0)20 79{drawn(rng, string.digits, 2)} 09{drawn(rng, string.digits, 2)}",
            f"+49 30 {drawn(rng, '123456789', 6, 8)}",
            f"+33 6 {' '.join(drawn(rng, string.digits, 2) for _ in range(4))}",
            f"+55 11 9{drawn(rng, string.digits, 4)}-{four}",
            f"0049 89 {drawn(rng, '123456789', 7)}",
            f"020 79{drawn(rng, string.digits, 2)} 09{drawn(rng, string.digits, 2)}",
            f"+91 98{drawn(rng, string.digits, 3)} {drawn(rng, string.digits, 5)}",
            f"+81-3-{drawn(rng, '123456789', 4)}-{four}",
        ]
    )


def card(rng: random.Random) -> str:
    start, length = rng.choice(
        [
            ("4", 16),
            ("51", 16),
            ("55", 16),
            ("2221", 16),
            ("2720", 16),
            ("34", 15),
            ("37", 15),
            ("6011", 16),
            ("65", 16),
            ("3528", 16),
            ("36", 14),
            ("4", 19),
            ("4", 13),
            ("62", 16),
            ("6759", 16),
        ]
    )
    digits = start + drawn(rng, string.digits, length - len(start) - 1)
    digits += next(last for last in string.digits if _luhn(digits + last))
    groups = [4, 6, 5] if length == 15 else [4, 6, 4] if length == 14 else [4] * 5
    cut, at = [], 0
    for size in groups:
        cut, at = [*cut, digits[at : at + size]], at + size
    return rng.choice(["", " ", "-"]).join(group for group in cut if group)


def _luhn(digits: str) -> bool:
    total = 0
    for at, digit in enumerate(reversed(digits)):
        double = int(digit) * (1 + at % 2)
        total += double - 9 * (double > 9)
    return total % 10 == 0


def iban(rng: random.Random) -> str:
    country, length = rng.choice(
        [("DE", 22), ("GB", 22), ("FR", 27), ("NL", 18), ("NO", 15), ("BR", 29), ("MT", 31), ("CH", 21)]
    )
    body = drawn(rng, string.digits, length - 4)
    if country in ("GB", "NL"):
        body = drawn(rng, string.ascii_uppercase, 4) + body[4:]
    number = "".join(str(int(char, 36)) for char in body + country + "00")
    whole = f"{country}{98 - int(number) % 97:02d}{body}"
    grouped = " ".join(whole[at : at + 4] for at in range(0, length, 4))
    return rng.choice([whole, grouped, whole.lower(), grouped.replace(" ", "-")])


def ssn(rng: random.Random) -> str:
    area = rng.choice([number for number in range(1, 900) if number != 666])
    return rng.choice(["-", "-", " ", "."]).join(
        [f"{area:03d}", f"{rng.randint(1, 99):02d}", f"{rng.randint(1, 9999):04d}"]
    )


def ip(rng: random.Random) -> str:
    four = ".".join(str(rng.randint(0, 255)) for _ in range(4))
    six = ":".join(drawn(rng, HEX, 1, 4) for _ in range(8))
    return rng.choice(
        [
            four,
            four,
            six,
            f"2001:db8::{drawn(rng, HEX, 1, 4)}:{drawn(rng, HEX, 1, 4)}",
            f"fe80::{drawn(rng, HEX, 4)}",
            f"::ffff:{four}",
        ]
    )


def vendor_key(rng: random.Random) -> str:
    return rng.choice(
        [
            "AKIA" + drawn(rng, string.ascii_uppercase + "234567", 16),
            "ghp_" + drawn(rng, ALNUM, 36),
            "github_pat_" + drawn(rng, ALNUM, 22) + "_" + drawn(rng, ALNUM, 59),
            "glpat-" + drawn(rng, URL_SAFE, 20),
            f"xoxb-{drawn(rng, string.digits, 12)}-{drawn(rng, string.digits, 12)}-{drawn(rng, ALNUM, 24)}",
            "sk_live_" + drawn(rng, ALNUM, 24),
            "rk_test_" + drawn(rng, ALNUM, 24),
            "sk-" + drawn(rng, ALNUM, 48),
            "sk-proj-" + drawn(rng, URL_SAFE, 120),
            "sk-ant-api03-" + drawn(rng, URL_SAFE, 93) + "AA",
            "AIza" + drawn(rng, URL_SAFE, 35),
            "SG." + drawn(rng, URL_SAFE, 22) + "." + drawn(rng, URL_SAFE, 43),
            "SK" + drawn(rng, HEX, 32),
            "npm_" + drawn(rng, ALNUM, 36),
            "pypi-AgEIcHlwaS5vcmc" + drawn(rng, URL_SAFE, 80),
            "hf_" + drawn(rng, string.ascii_letters, 34),
            "dop_v1_" + drawn(rng, HEX, 64),
            "shpat_" + drawn(rng, HEX, 32),
            "hvs." + drawn(rng, ALNUM, 24),
            f"{drawn(rng, '123456789', 10)}:AA{drawn(rng, URL_SAFE, 33)}",
        ]
    )


def named_key(rng: random.Random) -> tuple[str, str]:
    secret = rng.choice(
        [drawn(rng, ALNUM, 20, 48), drawn(rng, HEX, 32, 64), base64.b64encode(rng.randbytes(24)).decode()]
    )
    text = rng.choice(
        [
            "api_key={}",
            '"apiKey": "{}"',
            "token: {}",
            "X-Api-Key: {}",
            "AWS_SECRET_ACCESS_KEY={}",
            "key={}",
            "access_token={}&x=1",
        ]
    )
    return secret, text.format(secret)


def bearer(rng: random.Random) -> tuple[str, str]:
    secret = drawn(rng, ALNUM + "-._~+/", 20, 60) + rng.choice(["", "="])
    secret = "a" + secret if secret[0] in ".=" else secret
    return secret, rng.choice(
        ["Authorization: Bearer {}", "authorization: bearer {}", "Bearer {}", '"Authorization": "Bearer {}"']
    ).format(secret)


def jwt(rng: random.Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head, body = (
        part({"alg": rng.choice(["HS256", "RS256"]), "typ": "JWT"}),
        part({"sub": drawn(rng, HEX, 12), "iat": rng.randint(1, 10**9)}),
    )
    return f"{head}.{body}.{drawn(rng, URL_SAFE, 43)}"


def private_key(rng: random.Random) -> str:
    name = rng.choice(["RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA ", ""])
    body = base64.b64encode(rng.randbytes(rng.randint(60, 1200))).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    whole = [f"-----BEGIN {name}PRIVATE KEY-----", *lines, f"-----END {name}PRIVATE KEY-----"]
    cut = rng.choice([whole, whole, whole[:-1], whole[: len(whole) // 2 + 1], whole[len(whole) // 2 :]])
    return rng.choice(["\n", "\n", "\\n", " "]).join(cut)


def url_password(rng: random.Random) -> tuple[str, str]:
    secret = drawn(rng, ALNUM + "!$*-_.%", 6, 20)
    scheme = rng.choice(["https", "postgres", "redis", "mongodb+srv", "amqp"])
    host = rng.choice(["db.example.com", "localhost:5432", "192.0.2.9"])
    return secret, f"{scheme}://{rng.choice(['admin', 'app', ''])}:{secret}@{host}/x"


def _plainly(make: Callable[[random.Random], str]) -> Callable[[random.Random], tuple[str, str]]:
    def made(rng: random.Random) -> tuple[str, str]:
        secret = make(rng)
        return secret, secret

    return made


KINDS: Mapping[str, Callable[[random.Random], tuple[str, str]]] = {
    "EMAIL": _plainly(email),
    "PHONE": _plainly(phone),
    "CARD": _plainly(card),
    "IBAN": _plainly(iban),
    "SSN": _plainly(ssn),
    "IP": _plainly(ip),
    "vendor API_KEY": _plainly(vendor_key),
    "named API_KEY": named_key,
    "BEARER": bearer,
    "JWT": _plainly(jwt),
    "PRIVATE_KEY": _plainly(private_key),
    "PASSWORD": url_password,
}


def make(rng: random.Random, kind: str) -> Made:
    """A secret of one kind within a few words."""
    secret, text = KINDS[kind](rng)
    before = " ".join(rng.choices(WORDS, k=rng.randint(0, 5)))
    after = " ".join(rng.choices(WORDS, k=rng.randint(0, 5)))
    close = rng.choice(["", ".", ",", ";", ")", "?"]) if kind not in ("PRIVATE_KEY", "BEARER", "PASSWORD") else ""
    return Made(kind, secret, " ".join(part for part in (before, text + close, after) if part))


def nest(rng: random.Random, text: str, depth: int) -> object:
    """The text at a depth of nested data, some levels of it JSON within a string."""
    value: object = text
    for _ in range(depth):
        form = rng.choice(["list", "dict", "key", "json", "among"])
        if form == "list":
            value = [value]
        elif form == "dict":
            value = {rng.choice(["message", "inputs", "query"]): value, "n": rng.randint(1, 9)}
        elif form == "key" and isinstance(value, str):
            value = {value: "seen"}
        elif form == "json":
            value = json.dumps(value, ensure_ascii=rng.random() < 0.5)
        else:
            value = ["2026-03-15", value, 40, None, {"amount_usd": "48000.00"}]
    return value


def readable(secret: str, redacted: object) -> bool:
    """Whether a secret can still be read in redacted data, in any spelling of JSON's escapes."""
    written = json.dumps(redacted, ensure_ascii=False)
    for _ in range(8):
        if secret in written:
            return True
        written = written.replace('\\"', '"').replace("\\\\", "\\")
    bare = "".join(char for char in secret if char.isalnum())
    return bare in "".join(char for char in written if char.isalnum())
