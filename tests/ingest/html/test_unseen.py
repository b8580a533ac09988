"""More ways to hide text from people than `display: none`; and what only looks like one."""

import pytest


@pytest.mark.parametrize(
    "html",
    [
        '<div style="height:0;overflow:hidden">secret</div>',
        '<div style="max-height:0;overflow-y:hidden">secret</div>',
        '<div style="position:absolute;left:9999px">secret</div>',
        '<div style="position:relative;left:-9999px">secret</div>',
        '<div style="position:absolute;left:-1000%">secret</div>',
        '<div style="position:absolute;left:-200vw">secret</div>',
        '<div style="position:absolute;left:calc(0px - 9999px)">secret</div>',
        '<div style="transform:translateX(-9999px)">secret</div>',
        '<p style="transform:scale(0.001)">secret',
        '<p style="opacity:1%">secret',
        '<p style="color:rgba(0,0,0,0.01)">secret',
        '<p style="color:#0000">secret',
        '<p style="color:#00000005">secret',
        '<p style="color:hsl(0,0%,100%)">secret',
        '<p style="color:rgb(100%,100%,100%)">secret',
        '<p style="color:#f0f0f0">secret',
        '<p style="-webkit-text-fill-color:transparent">secret',
        '<p style="font-size:1.5px">secret',
        '<p style="display:/**/none">secret',
        '<p style="display:n\\6f ne">secret',
        "<style>p[data-x]{display:none}</style><p data-x>secret",
        "<style>p[class^='a,b']{display:none} p[class^=hid]{display:none}</style><p class=hide>secret",
        "<style>@layer a{.x{display:none}}</style><p class=x>secret",
        "<style>@supports (display:grid){.x{display:none}}</style><p class=x>secret",
        "<canvas>secret</canvas>",
        "<svg width=0 height=0><text>secret</text></svg>",
        '<svg><text fill="none">secret</text></svg>',
        "<svg><defs><text>secret</text></defs></svg>",
        "<div popover>secret</div>",
    ],
    ids=lambda html: html[:56],
)
def test_hidden_text_is_left_out(page, html: str) -> None:
    read = page(f"<div>Seen.</div>{html}")
    assert [block.text for block in read.blocks] == ["Seen."]
    assert [(one.reason, one.text) for one in read.dropped if one.reason != "style"] == [("hidden text", "secret")]


@pytest.mark.parametrize(
    "html",
    [
        '<div style="position:absolute;top:8000px;left:1200px">seen</div>',
        '<div style="height:0">seen</div>',
        '<p style="transform:translate(-50%, -50%) scale(0.5)">seen',
        '<p style="color:rgba(0,0,0,.6);font-size:9px;left:-9px;position:relative">seen',
        "<style>p[data-y], p[class=a]{display:none} @supports not (a:b){p{display:none}}</style><p data-x>seen",
        "<div><template shadowrootmode=open>seen</template></div>",
        '<svg><text fill="none" stroke="black">seen</text></svg>',
    ],
    ids=lambda html: html[:56],
)
def test_what_a_person_sees_is_kept(page, html: str) -> None:
    assert [block.text for block in page(html).blocks] == ["seen"]


@pytest.mark.parametrize("digits", ["9" * 4301, "0" * 5000 + "65", "x" + "F" * 5000], ids=["long", "zeros", "hex"])
def test_a_character_reference_of_thousands_of_digits_is_one_character(page, digits: str) -> None:
    read = page(f'<p title="&#{digits};">a &#{digits};b')
    assert [block.text for block in read.blocks] == ["a Ab" if digits.endswith("65") else "a \ufffdb"]


def test_marks_of_lists_are_not_cut(page) -> None:
    read = page("<ol type=i start=2147483647><li>a</ol><ol start=99999999999><li>b</ol><ol start=-5><li>c</ol>")
    assert [block.mark for block in read.blocks] == ["2147483647.", "1.", "-5."]
