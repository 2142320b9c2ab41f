"""The stored results: every game is one that can be played, and a sample is played anew."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mctslab import arena
from mctslab.arena import results_file
from mctslab.arena.playing import play
from mctslab.arena.settings import Settings, make_settings
from mctslab.games.openings import random_opening
from tests.arena.comparing import without_times
from tests.notebooks.reading import PROJECT

NO_MATCHES = {"13_reference", "14_ablation"}
"""Runs of training, which have a format of their own."""

RESULTS = tuple(
    file
    for file in sorted((PROJECT / "notebooks").glob("**/results/*.jsonl"))
    if file.stem not in NO_MATCHES
)
MOST_BYTES = 300_000
BY_TIME = re.compile(r":[\d.]+s\b")
"""A budget in a player's name that is a time: what it plays depends on the machine."""

every_file = pytest.mark.parametrize("file", RESULTS, ids=lambda file: file.stem)


def header_of(file: Path) -> Any:
    return results_file.read(file).header


def is_by_time(file: Path) -> bool:
    return any(BY_TIME.search(name) for name in header_of(file).contestants)


def can_be_repeated(file: Path) -> bool:
    """Whether a command plays the same games on any machine, with what is in the repository.

    A net's sums are rounded otherwise on another processor, and one bit can decide a move.
    """
    header = header_of(file)
    has_file = any(name.startswith(("book:", "net:")) for name in header.contestants)
    is_command = header.command.startswith("python -m mctslab arena ")
    return is_command and not has_file and not is_by_time(file)


def settings_of(header: Any) -> Settings:
    """What is to be played, from the names in the first line of a file."""
    options = ("num_games", "seed", "opening_plies", "seconds_per_move")
    return make_settings(
        header.game,
        header.contestants,
        header.game_options,
        sprt=header.sprt and arena.SPRT(*header.sprt),
        **{option: getattr(header, option) for option in options},
    )


def sample(stored: results_file.Stored) -> Iterator[Any]:
    """The first game of each pairing, and the last game of the file."""
    first = {game.pairing: game for game in reversed(stored.games)}
    yield from first.values()
    yield stored.games[-1]


def comparable(game: arena.PlayedGame) -> arena.PlayedGame:
    """A game without what only a clock can tell, and with its simulations summed up."""
    first, second = ((round(sum(numbers)),) for numbers in game.simulations)
    return replace(without_times(game), simulations=(first, second), nodes=((), ()))


def assert_played_alike(stored: results_file.Stored, settings: Settings) -> None:
    """Play a sample of the games anew, and compare them with what is stored."""
    fixtures = {(each.pairing, each.number): each for each in settings.fixtures()}
    for game in sample(stored):
        again = play(settings, fixtures[game.pairing, game.number])
        assert comparable(again) == comparable(game)


def test_there_are_results_of_the_notebooks_that_need_them():
    assert {file.name[:2] for file in RESULTS} >= {"09"}


@every_file
def test_a_file_is_small_and_whole_and_every_game_ends_as_it_says(file):
    stored = results_file.read(file)
    result = arena.load(file)  # plays every game, and finds a result that does not follow

    assert all(game.message for game in stored.games if game.reason is not arena.Reason.RULES)
    assert file.stat().st_size <= MOST_BYTES
    assert stored.header.command
    assert not stored.is_cut_off
    assert result.is_complete
    assert list(file.parents[1].glob(f"{file.name[:2]}_*.ipynb"))


@pytest.mark.parametrize(
    "file", [file for file in RESULTS if can_be_repeated(file)], ids=lambda file: file.stem
)
def test_a_sample_of_the_games_is_played_alike_anew(file):
    stored = results_file.read(file)
    settings = settings_of(stored.header)

    assert settings.command == stored.header.command
    assert_played_alike(stored, settings)


@pytest.mark.parametrize(
    "file", [file for file in RESULTS if is_by_time(file)], ids=lambda file: file.stem
)
def test_games_by_the_clock_begin_as_their_command_says(file):
    """Nobody can play these again move for move; but a random opening depends on no clock."""
    stored = results_file.read(file)
    settings = settings_of(stored.header)
    seeds = {(each.pairing, each.number): each.opening_seed for each in settings.fixtures()}
    plies = settings.opening_plies

    assert settings.command == stored.header.command
    for game in stored.games:
        rng = np.random.default_rng(seeds[game.pairing, game.number])
        assert list(game.actions[:plies]) == random_opening(settings.first_state, plies, rng)


def test_a_game_that_was_changed_is_found(tmp_path):
    file = tmp_path / "match.jsonl"
    arena.match("reversi", "roxanne", "random", num_games=2, seed=4, file=file)
    stored = results_file.read(file)
    assert_played_alike(stored, settings_of(stored.header))
    file.write_text(file.read_text("utf-8").replace('"seed": 4', '"seed": 5'), "utf-8")
    other = results_file.read(file)
    with pytest.raises(AssertionError):
        assert_played_alike(other, settings_of(other.header))
