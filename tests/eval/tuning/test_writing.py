"""A choice in caveat.toml: nothing else of the file changes."""

import tomllib
from pathlib import Path

import pytest

from eval.tuning.writing import with_choice, write_choice
from ingest.errors import ConfigError

FILE = """\
# Ours; ask Ada before you change it.
handbook = "policies"

[retrieve]  # searching
# five is what the page has room for
k = 5 # do not raise

# What must hold.
[gates]
"""


def test_values_change_in_place_and_new_keys_stand_at_the_head(tmp_path: Path) -> None:
    file = tmp_path / "caveat.toml"
    file.write_text(FILE, encoding="utf-8")
    write_choice(file, {"k": 3, "fusion": "minmax"}, ["why", "how much"])
    head = '# caveat tune: why\n# caveat tune: how much\nfusion = "minmax"\n'
    wanted = FILE.replace("# five", f"{head}# five").replace("k = 5", "k = 3")
    assert file.read_text(encoding="utf-8") == wanted


def test_evidence_takes_the_place_of_older_evidence() -> None:
    once = with_choice(FILE, {"k": 3}, ["first", "again"])
    twice = with_choice(once, {"k": 4}, ["second"])
    assert twice == with_choice(FILE, {"k": 4}, ["second"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        'state = "x"',
        "[gates]\n\n[retrieve]\nk = 5",
        "[retrieve] # empty\n",
        "retrieve.k = 5 # mine\n",
        'retrieve.k = 5 # mine\nstate = "x"\nretrieve.rrf_k = 3\n',
        "retrieve = {k = 5, rrf_k = 3} # mine\n",
        "# unix\r\n[retrieve]\r\nk = 4 # dos\r\n",
    ],
    ids=["none", "no end of line", "last", "empty", "dotted", "scattered", "inline", "crlf"],
)
def test_every_form_of_the_file_keeps_what_it_says(text: str) -> None:
    changes = {"k": 7, "max_links": 4, "fusion": "minmax", "dense_weight": 0.5}
    made = with_choice(with_choice(text, {"k": 9}, ["older"]), changes, ["newer"])
    before, after = tomllib.loads(text), tomllib.loads(made)
    assert after == {**before, "retrieve": {**before.get("retrieve", {}), **changes}}
    assert made.count("# caveat tune") == made.count("# caveat tune: newer") == 1
    assert all(part in made for part in ("mine", "unix", "dos", "empty") if part in text)
    assert ("\r\n" in text) == ("\r\n" in made)
    assert "\n" not in made.replace("\r\n", "") or "\r\n" not in text


def test_a_missing_file_is_made(tmp_path: Path) -> None:
    write_choice(tmp_path / "caveat.toml", {"max_links": 4}, ["why"])
    assert (tmp_path / "caveat.toml").read_text() == "[retrieve]\n# caveat tune: why\nmax_links = 4\n"


@pytest.mark.parametrize("text", ["[retrieve\n", "[retrieve]\nnonsense = 1\n"], ids=["no toml", "unknown key"])
def test_a_file_that_cannot_be_read_is_left_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "caveat.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"caveat\.toml"):
        write_choice(file, {"k": 3}, ["why"])
    assert file.read_text() == text
    assert [path.name for path in tmp_path.iterdir()] == ["caveat.toml"]


def test_a_value_that_is_not_allowed_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "caveat.toml"
    file.write_text(FILE)
    with pytest.raises(ConfigError, match=r"retrieve.k = 0; allowed: greater than or equal to 1"):
        write_choice(file, {"k": 0}, ["why"])
    assert file.read_text() == FILE


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text(FILE)
    link = tmp_path / "caveat.toml"
    link.symlink_to("real.toml")
    write_choice(link, {"k": 3}, ["why"])
    assert link.is_symlink()
    assert "k = 3" in (tmp_path / "real.toml").read_text()
