import tomllib
from pathlib import Path

import pytest

from eval.config import Config, find_config, known_keys, load_place, read_config, starter
from ingest.errors import ConfigError


def written(folder: Path, text: str) -> Path:
    file = folder / "caveat.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_key_has_a_default(tmp_path: Path) -> None:
    place = load_place(tmp_path)
    assert place.config == Config()
    assert place.file is None
    assert place.state == tmp_path / ".caveat"


def test_paths_are_relative_to_the_files_own_folder(tmp_path: Path) -> None:
    written(tmp_path, 'handbook = "books"\nstate = "kept/here"\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    place = load_place(below)
    assert place.handbook == tmp_path / "books"
    assert place.state == tmp_path / "kept/here"


def test_the_nearest_file_above_wins(tmp_path: Path) -> None:
    written(tmp_path, "")
    inner = tmp_path / "inner"
    inner.mkdir()
    assert find_config(inner) == tmp_path / "caveat.toml"
    assert find_config(written(inner, "").parent) == inner / "caveat.toml"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[retrieve]\nkk = 3", r'unknown key "retrieve\.kk"; fix: did you mean "retrieve\.k"\?'),
        ("[retreive]\nk = 3", r'unknown key "retreive"; fix: did you mean "retrieve"\?'),
        ("[encoder]\nkeep_generation = 4", r'did you mean "index\.keep_generations"\?'),
        ("handbok = 'x'", r'did you mean "handbook"\?'),
        ("qqq = 1", r'unknown key "qqq"$'),
    ],
    ids=["key", "section", "another-section", "top", "nothing-near"],
)
def test_an_unknown_key_names_the_nearest(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_config(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[retrieve]\nk = "x"', r'retrieve\.k = "x"; allowed: a whole number$'),
        ("[retrieve]\nk = 1.5", r"retrieve\.k = 1\.5; allowed: a whole number$"),
        ('[ingest]\ntimezone = "Mars"', r'caveat\.toml: ingest\.timezone = "Mars"; allowed: names such as "UTC"'),
        ("[retrieve]\nk = 0", r"retrieve\.k = 0; allowed: greater than or equal to 1"),
        ('[retrieve]\nfusion = "sum"', r"allowed: 'rrf' or 'minmax'"),
        ("[retrieve\nk = 1", r"is not TOML: .*line 1"),
    ],
    ids=["type", "fraction", "zone", "bound", "choice", "syntax"],
)
def test_a_wrong_value_says_what_is_allowed(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_config(written(tmp_path, text))


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    file = tmp_path / "caveat.toml"
    file.write_bytes(b"# \xff\n")
    with pytest.raises(ConfigError, match=r"not UTF-8 at byte 2"):
        read_config(file)


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(ConfigError, match=r"folder\.toml: cannot be read"):
        read_config(tmp_path / "folder.toml")


def test_the_starter_is_read_back_as_the_defaults(tmp_path: Path) -> None:
    assert read_config(written(tmp_path, starter())) == Config()
    assert read_config(written(tmp_path, starter("my books"))).handbook == "my books"


def test_each_line_of_the_starter_works_when_uncommented() -> None:
    text = starter()
    for key in known_keys():
        name = key.rsplit(".", 1)[-1]
        line = next(line for line in text.splitlines() if line.startswith(f"# {name} = "))
        assert name in tomllib.loads(line.removeprefix("# "))
