import pytest

from ingest.markdown.plain import blank, has_words, plain


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("**Note**: *late* fees", "Note: late fees"),
        ("see [Section 4.2](#down) and ![seal](a.png)", "see Section 4.2 and seal"),
        ("[Terms (2026)](https://example.com/a_(b))", "Terms (2026)"),
        ("`credit_usd` is **final**", "credit_usd is final"),
        ("credit_usd = (prior_seats - new_seats) * annual_seat_price * (days_remaining / 365)",) * 2,
        ("2 * 3 * 4 and snake_case_name",) * 2,
        ("<b>S</b>eats<br>and <a href='x'>plans</a>", "Seats and plans"),
        ('<Card title="Fees" kind="x">inside</Card>', "Fees inside"),
        ('<img src="a.png" alt="A seal">', "A seal"),
        ("a < b and c > d",) * 2,
        ("seen <!-- hidden\n --> again", "seen again"),
        ("{% note %} seen {% data variables.contact %} {% endnote %}", "seen {% data variables.contact %}"),
        ("> quoted\n> on", "quoted on"),
        ("```text\nGitHub, Inc\n```", "GitHub, Inc"),
        (r"5 \* 3 \_x", "5 * 3 _x"),
        ("_Short: we may", "Short: we may"),
        ("R&amp;D &lt;5", "R&D <5"),
    ],
)
def test_plain_is_what_a_reader_sees(raw: str, seen: str) -> None:
    assert plain(raw) == seen


def test_blank_keeps_offsets_and_line_ends() -> None:
    raw = "a <!-- b\nc --> d\nimport X from 'y'\n<T>e</T>"
    assert len(blank(raw)) == len(raw)
    assert blank(raw).count("\n") == raw.count("\n")
    assert blank(raw).split() == ["a", "d", "e"]


@pytest.mark.parametrize(
    "raw", ["<!-- words -->", "</ol>", "* * *", "{% endnote %}", "import A from './a.mdx';", "| --- |"]
)
def test_markup_has_no_words(raw: str) -> None:
    assert not has_words(raw)


@pytest.mark.parametrize(
    "raw", ["import duties are from the buyer", "export controls", "{% data variables.x %}", "§ 4", "日本"]
)
def test_prose_has_words(raw: str) -> None:
    assert has_words(raw)
