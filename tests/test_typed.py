"""Data from outside become typed objects, or a sentence says what would be right."""

import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import pytest

from mctslab.typed import (
    Count,
    NonNegative,
    Number,
    Positive,
    Share,
    WrongEntryError,
    check,
    convert,
    from_json,
    from_json_lines,
    from_toml,
    write_whole,
)


@dataclass(frozen=True, slots=True)
class Noise:
    alpha: Positive = 0.3

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class Settings:
    num_games: Count = 3
    weight: Share = 0.5
    heads: Literal["dense", "pooled"] = "dense"
    plies: tuple[Number, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    noise: Noise | None = None
    noises: tuple[Noise, ...] = ()
    figure: Number | NonNegative | None = None
    pair: tuple[float, float] | None = None
    exact: bool = False

    def __post_init__(self) -> None:
        check(self)
        if self.num_games == 7:
            raise ValueError("num_games = 7 is odd.")


WRONG = [
    ({"num_games": "x"}, "num_games = 'x': expected `int`, got `str`."),
    ({"num_games": True}, "num_games = True: expected `int`, got `bool`."),
    ({"num_games": 2.0}, "num_games = 2.0: expected `int`, got `float`."),
    ({"num_games": 0}, "num_games = 0: expected `int` >= 1."),
    ({"num_games": None}, "num_games = None: expected `int`, got `null`."),
    ({"num_games": 7}, "num_games = 7 is odd."),
    ({"num_game": 7}, "There is no entry num_game; did you mean num_games?"),
    ({"zzz": 7}, "There is no entry zzz; known are num_games, weight"),
    ({"weight": math.nan}, "weight = nan: expected `float` >= 0.0."),
    ({"heads": 3}, "heads = 3: expected 'dense' or 'pooled'."),
    ({"plies": [1, "a"]}, "plies[1] = 'a': expected `int`, got `str`."),
    ({"plies": 5}, "plies = 5: expected `array`, got `int`."),
    ({"counts": {"a": "x"}}, "counts = {'a': 'x'}: expected `int`, got `str`."),
    ({"noise": {"alpha": 0}}, "noise.alpha = 0: expected `float` > 0.0."),
    ({"noise": {"beta": 0}}, "There is no entry noise.beta; known are alpha."),
    ({"noises": [{}, {"beta": 0}]}, "There is no entry noises[1].beta; known are alpha."),
    ({"figure": -1}, "figure = -1: expected `int` >= 0."),
    ({"noise": 5}, "noise = 5: expected `object | null`, got `int`."),
    ({"pair": [1, 2, 3]}, "pair = [1, 2, 3]: expected `array` of length 2, got 3."),
    ({"pair": [1, "2"]}, "pair[1] = '2': expected `float`, got `str`."),
    ({"exact": 1}, "exact = 1: expected `bool`, got `int`."),
    (5, "5: expected `object`, got `int`."),
    ({1: 2}, "{1: 2}: expected `str`"),
]


def test_each_wrong_entry_is_told_by_name_value_and_what_would_be_right() -> None:
    for entries, sentence in WRONG:
        with pytest.raises(WrongEntryError) as caught:
            convert(entries, Settings)
        assert str(caught.value).startswith(sentence), entries


def test_what_is_right_is_converted() -> None:
    entries = {"weight": 1, "plies": [1, 2], "noise": {"alpha": 1}, "pair": [1, 2.5]}
    assert convert(entries, Settings) == Settings(
        weight=1.0, plies=(1, 2), noise=Noise(1.0), pair=(1.0, 2.5)
    )
    assert convert({}, Settings) == Settings()
    assert convert({"noise": None, "options": {"a": [1]}}, Settings).options == {"a": [1]}


def test_arguments_are_checked_like_entries_and_a_missing_one_is_named() -> None:
    Settings(noise=Noise(), plies=(1, 2), counts=MappingProxyType({"a": 1}))
    for arguments, sentence in (
        ({"num_games": "x"}, "^num_games = 'x': expected `int`"),
        ({"noise": Settings()}, r"^noise = Settings\(num_.*: expected `object"),
        ({"weight": -1}, "^weight = -1: expected `float` >= 0"),
    ):
        with pytest.raises(WrongEntryError, match=sentence):
            Settings(**arguments)

    @dataclass
    class Game:
        actions: tuple[int, ...]

    with pytest.raises(WrongEntryError, match=r"The entry actions is missing\."):
        convert({}, Game)


def test_files_are_named_in_errors(tmp_path: Any) -> None:
    for text in ("{", "[" * 100_000, ""):
        with pytest.raises(WrongEntryError, match=r"a\.json is not JSON"):
            from_json(text, Settings, "a.json")
    lines = from_json_lines('{"num_games": 1}\n{"num_games": "x"}\n', Settings, "a.jsonl")
    assert next(lines) == Settings(1)
    with pytest.raises(WrongEntryError, match=r"a\.jsonl, line 2: num_games = 'x'"):
        next(lines)
    assert list(from_json_lines('{"num_games": 1}\n{"num_ga', Settings, "a")) == [Settings(1)]
    file = tmp_path / "a.toml"
    for content, sentence in ((b"a = ", "is not TOML"), (b"\xff", "is not TOML"),
                              (b"weight = 2", "weight = 2: expected `float` <= 1")):  # fmt: skip
        file.write_bytes(content)
        with pytest.raises(WrongEntryError, match=sentence):
            from_toml(file, Settings)
    file.write_text("\ufeffweight = 1\nnoise = {alpha = 2}", "utf-8")
    assert from_toml(file, Settings) == Settings(weight=1.0, noise=Noise(2.0))


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Any, monkeypatch: Any) -> None:
    file = tmp_path / "notes.txt"
    write_whole(file, "first")
    write_whole(file, b"second")
    assert file.read_text() == "second"
    file.with_name("plain.txt").write_text("as any program writes it")
    assert file.stat().st_mode == file.with_name("plain.txt").stat().st_mode
    file.with_name("plain.txt").unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(file, "third")
    assert [entry.read_text() for entry in tmp_path.iterdir()] == ["second"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_stays_a_link_and_only_a_file_is_replaced(tmp_path: Any) -> None:
    link, target, pipe = tmp_path / "link", tmp_path / "there" / "file", tmp_path / "pipe"
    target.parent.mkdir()
    link.symlink_to(target)
    for content in ("first", "second"):
        write_whole(link, content)
        assert (link.is_symlink(), target.read_text()) == (True, content)
    os.mkfifo(pipe)
    for other in (pipe, tmp_path / "there"):
        with pytest.raises(OSError, match="is not a regular file, so it was not replaced"):
            write_whole(other, "lost")
    assert pipe.is_fifo()
    assert {entry.name for entry in tmp_path.rglob("*")} == {"link", "there", "file", "pipe"}
