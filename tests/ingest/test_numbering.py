import pytest

from ingest.numbering import explicit_id, extends, heading_text, only_number, split_heading


@pytest.mark.parametrize(
    ("raw", "number", "title"),
    [
        ("4.2 Downgrades", "4.2", "Downgrades"),
        ("## 4.2. Downgrades ##", "4.2", "Downgrades"),
        ("# 4 Seats", "4", "Seats"),
        ("## 2 Rules", "2", "Rules"),
        ("4.2.1 Pro-rata credit", "4.2.1", "Pro-rata credit"),
        ("4.2(b) Late notice", "4.2(b)", "Late notice"),
        ("§ 12.3(a) Fees", "12.3(a)", "Fees"),
        ("§12 Fees", "12", "Fees"),
        ("Section 4.2: Limits", "4.2", "Limits"),
        ("Section 4.2 — Limits", "4.2", "Limits"),
        ("Article IV - Fees", "IV", "Fees"),
        ("ARTICLE IV. FEES", "IV", "FEES"),
        ("IV. Fees", "IV", "Fees"),
        ("B. Account Terms", "B", "Account Terms"),
        ("b) Account terms", "b", "Account terms"),
        ("(a) Account terms", "a", "Account terms"),
        ("1) Scope", "1", "Scope"),
        ("1 – Scope", "1", "Scope"),
        ("1A. Payment by Stripe", "1A", "Payment by Stripe"),
        ("1A.2 Direct relationship", "1A.2", "Direct relationship"),
        ("4.1A Disclaimer", "4.1A", "Disclaimer"),
        ("A1-8. Liability", "A1-8", "Liability"),
        ("A.1 Scope", "A.1", "Scope"),
        ("Appendix C", "C", "Appendix C"),
        ("Appendix A – Security", "A", "Security"),
        ("Annex I", "I", "Annex I"),
        ("Schedule 2: Prices", "2", "Prices"),
        ("Chapter 7 Leave", "7", "Leave"),
        ("#### 1. Account Controls.", "1", "Account Controls"),
        ("**8.1 Instructions**", "8.1", "Instructions"),
        ("4.2 [Downgrades](#down) {#down}", "4.2", "Downgrades"),
        ("<h2 id='x'>4.2 Downgrades</h2>", "4.2", "Downgrades"),
        ("4.2 Downgrades\n------", "4.2", "Downgrades"),
        ("I. Scope", "I", "Scope"),
        ("12(b) Fees", "12(b)", "Fees"),
    ],
)
def test_a_number_is_split_off_as_written(raw: str, number: str, title: str) -> None:
    assert split_heading(raw) == (number, title)


@pytest.mark.parametrize(
    "title",
    [
        "Downgrades",
        "401(k) Plan",
        "30 Days' Notice",
        "30 Business Days to Appeal",
        "2024-01-01 Edition",
        "1.7.2024 Edition",
        "2026 Prices",
        "24/7 Support",
        "3D Printing",
        "A Note on Fees",
        "U.S. Government Terms",
        "Section headings and summaries",
        "Schedule a meeting",
        "Part of the Team",
        "Article titles",
        "I Agree",
        "Clause-by-clause Notes",
        "$5,000 Limit",
        "5 % Rule",
        "5 Ways to Save",
        "30 Days",
        "C++ Style",
        "E-mail",
        "Civil Rights",
        "Mix and Match",
        "Rules",
        "Title",
    ],
)
def test_no_number_is_invented(title: str) -> None:
    assert split_heading(title) == (None, title)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("## *Fees* and `credit_usd`", "Fees and credit_usd"),
        ("## [A. Definitions](#a-definitions)", "A. Definitions"),
        ('## <a name="x"></a>Fees', "Fees"),
        ("## Fees {: #fees .wide}", "Fees"),
        ("## Q&amp;A", "Q&A"),
        ("## C#", "C#"),
        ("## Prices in {USD}", "Prices in {USD}"),
    ],
)
def test_a_heading_is_shown_without_markup(raw: str, shown: str) -> None:
    assert heading_text(raw) == shown


def test_an_explicit_id_is_the_authors_own() -> None:
    assert explicit_id("## Fees {#late-fees}") == "late-fees"
    assert explicit_id("## Fees {: .wide #late-fees }") == "late-fees"
    assert explicit_id('<h2 class="a" id="late-fees">Fees</h2>') == "late-fees"
    assert explicit_id("## Fees {late}") is None


def test_a_bare_number_is_told_from_a_titled_one() -> None:
    assert only_number("Clause 8")
    assert only_number("### Article IV.")
    assert not only_number("Clause 8 Fees")
    assert not only_number("Fees")


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [("4", "4.2", True), ("4.2", "4.2(a)", True), ("4", "42", False), ("4.2", "4.2", False), (None, "4.2", False)],
)
def test_a_number_extends_another_by_whole_steps(outer: str | None, inner: str, expected: bool) -> None:
    assert extends(outer, inner) is expected
