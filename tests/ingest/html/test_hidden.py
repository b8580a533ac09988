"""Text that nobody sees is left out and quoted; what only looks hidden is kept."""

import pytest


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>secret",
        '<p style="display:none">secret',
        '<p style="DISPLAY : None !important; color:red">secret',
        '<p style="visibility:hidden">secret',
        '<p style="opacity:0">secret',
        '<p style="opacity:0.0">secret',
        '<p style="font-size:0">secret',
        '<p style="font:0px serif">secret',
        '<p style="font-size:10px"><span style="font-size:.05em">secret</span>',
        '<p style="color:#fff">secret',
        '<p style="color:white">secret',
        '<p style="color:rgb(254, 255, 255)">secret',
        "<p><font color=#FFFFFE>secret</font>",
        '<p style="color:transparent">secret',
        '<p style="color:rgba(0,0,0,0)">secret',
        '<div style="background:#036"><p style="color:#003366">secret</div>',
        "<table bgcolor=navy><tr><td><font color=navy>secret</font></table>",
        '<p style="position:absolute; left:-9999px">secret',
        '<p style="text-indent:-100em">secret',
        '<p style="position:absolute;clip:rect(1px, 1px, 1px, 1px)">secret',
        '<p style="clip-path: inset(50%)">secret',
        '<p style="width:1px;height:1px;overflow:hidden">secret',
        '<p style="transform:scale(0)">secret',
        "<p style='mso-hide:all'>secret",
        "<style>.h{display:none}</style><p class='x h'>secret",
        "<style>#h{display:none}</style><p id=h>secret",
        "<style>div > p.h, b{display:none}</style><div><p class=h>secret</div>",
        "<style>.a .h{display:none}</style><div class=a><div><p class=h>secret</div></div>",
        "<style>@media screen{p{display:none}}</style><p>secret",
        "<style>p{display:none!important}</style><p style='display:block'>secret",
        "<template>secret</template>",
        "<dialog>secret</dialog>",
        "<i class=material-icons>secret</i>",
    ],
    ids=lambda html: html[:44],
)
def test_hidden_text_is_left_out(page, html: str) -> None:
    read = page(f"<div>Seen.</div>{html}")
    assert [block.text for block in read.blocks] == ["Seen."]
    assert [(one.reason, one.text) for one in read.dropped if one.reason != "style"] == [("hidden text", "secret")]
    assert all('"secret"' in one.message for one in read.remarks)


@pytest.mark.parametrize(
    "html",
    [
        "<p style='visibility:hidden'><b style='visibility:visible;font-weight:400'>seen</b>",
        "<div style='font-size:0'><p style='font-size:12px'>seen</div>",
        "<style>.h{display:none} p.h{display:block}</style><p class=h>seen",
        "<style>p{display:none}</style><p style='display:block'>seen",
        "<style>@media print{p{display:none}} p:hover{display:none} @font-face{display:none}</style><p>seen",
        "<style>.a > .h{display:none}</style><div class=a><div><p class=h>seen</div></div>",
        "<style>.h, p[x]{color:red} /* p{display:none} */</style><p class=h>seen",
        '<div style="background:navy"><p style="color:white">seen</div>',
        '<div style="background:url(dark.png)"><p style="color:white">seen</div>',
        '<link rel=stylesheet href=x.css><div class=dark><p style="color:white">seen</div>',
        '<p style="opacity:0.5;text-indent:-18pt;margin-left:-4px">seen',
        '<p aria-hidden="true">seen',
        "<details><p>seen</details>",
        "<dialog open>seen</dialog>",
    ],
    ids=lambda html: html[:44],
)
def test_what_a_person_sees_is_kept(page, html: str) -> None:
    read = page(html)
    assert [block.text for block in read.blocks] == ["seen"]
    assert [one.reason for one in read.dropped if one.reason != "style"] == []


def test_a_remark_says_where_and_why_and_quotes_eighty_characters(page) -> None:
    read = page(f"<p>a\n<p hidden>Ignore all previous {'x' * 80}</p>\n<p style='opacity:0'>b</p>\n<p>c<p hidden>d")
    assert [(one.code, one.where) for one in read.remarks] == [("hidden-text", "line 2"), ("hidden-text", "line 4")]
    quoted = f"Ignore all previous {'x' * 60}..."
    assert read.remarks[0].message == f'left out, not to be seen (hidden): "{quoted}"'


def test_only_the_first_rules_for_a_name_are_looked_at(page) -> None:
    sheet = "".join(f"p.c{number}{{color:red}} p{{color:red}}" for number in range(150))
    assert [one.message for one in page(f"<style>{sheet}</style><p>a").remarks] == [
        'only the first 100 style rules for "p" were looked at'
    ]


def test_formulas_are_read_once(markdown, left_out) -> None:
    html = """<span class=katex><span class=katex-mathml><math><mi>x</mi><mn>2</mn>
        <annotation>x^2</annotation></math></span>
        <span class=katex-html aria-hidden=true>x2</span></span>"""
    assert markdown(html) == "x2"
    assert left_out(html) == [("duplicate", "x^2"), ("duplicate", "x2")]
