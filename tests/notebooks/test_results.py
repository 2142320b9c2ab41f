"""The stored results: every game is one that can be played, and a sample is played anew."""

import re
from dataclasses import replace

import numpy as np
import pytest

from mctslab import arena, games
from mctslab.arena import results_file
from mctslab.arena.game import PlayedGame, Reason
from mctslab.arena.playing import play
from mctslab.arena.settings import Setup
from mctslab.games.openings import random_opening
from tests.arena.comparing import without_times
from tests.benchmarks import strength
from tests.notebooks.reading import NOTEBOOKS, PROJECT, needs_torch, read

NO_MATCHES = {"13_proofs", "13_reference", "14_ablation", "14_elo_grid"}
"""Runs of training and a list of scores, which have formats of their own."""

RESULTS = tuple(
    file
    for file in sorted((PROJECT / "notebooks").glob("**/results/*.jsonl"))
    if file.stem not in NO_MATCHES
)
MOST_BYTES = 300_000
BY_TIME = re.compile(r":[\d.]+s\b")
"""A budget in a player's name that is a time: what it plays depends on the machine."""


def assert_ends_as_it_says(game: PlayedGame, first_state: games.State) -> None:
    """Play a stored game again, and count the moves of each player."""
    *before, end = game.states(first_state)
    by_rules = game.reason is Reason.RULES
    assert end.is_terminal == by_rules
    assert game.returns == end.returns() if by_rules else sum(game.returns) == 0
    movers = [state.current_player for state in before[game.opening_plies :]]
    for player, num_moves in enumerate(game.num_moves):
        # The move by which a player has lost is not among the actions.
        assert 0 <= num_moves - movers.count(player) <= (not by_rules)


@pytest.mark.thorough
@pytest.mark.parametrize("file", RESULTS, ids=lambda file: file.stem)
def test_a_file_is_small_and_whole_and_every_game_ends_as_it_says(file):
    stored = results_file.read(file)
    result = arena.load(file)

    for game in stored.games:
        assert_ends_as_it_says(game, result.first_state)
    assert all(game.message for game in stored.games if game.reason is not Reason.RULES)
    assert file.stat().st_size <= MOST_BYTES
    assert stored.settings.command
    assert file.read_bytes().endswith(b"\n")
    assert result.is_complete


def test_every_file_is_read_by_a_notebook_with_its_number():
    """Most names are put together, such as `f"09_stage{table}_{stage}"`."""
    files = {*(PROJECT / "notebooks").glob("**/results/*")} - {strength.NETS}
    for file in files:
        own = [path for path in file.parents[1].glob("*.ipynb") if path.stem[:2] == file.name[:2]]
        text = "\n".join(cell.source for path in own for cell in read(path).cells)
        named = re.findall(r'["/](\d\d_(?:\w|\*|\{[^}]*\})+)(?:\.\w+)?"', text)
        patterns = [re.sub(r"\{[^}]*\}|\*", ".+", name) for name in named]
        assert any(re.fullmatch(pattern, file.stem) for pattern in patterns), file


def comparable(game: PlayedGame) -> PlayedGame:
    """A game without its times, and without the nodes of alpha-beta, which has become better."""
    return replace(without_times(game), nodes=(0, 0))


def assert_is_what_a_call_plays(stored: results_file.Stored, setup: Setup) -> None:
    """Play two of the games anew; of those on a clock, check how all of them begin."""
    settings = setup.settings
    if any(map(BY_TIME.search, settings.contestants)):
        for game in stored.games:
            *_, seed = settings.seeds(game)
            begun = random_opening(
                setup.first_state, settings.opening_plies, np.random.default_rng(seed)
            )
            assert game.actions[: settings.opening_plies] == tuple(begun)
    else:
        for game in (stored.games[0], stored.games[-1]):
            again = play(setup, settings.unplayed(game.pairing, game.number))
            assert comparable(again) == comparable(game)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if not needs_torch(path)], ids=lambda path: path.stem
)
def test_the_stored_games_are_those_that_the_cells_of_a_notebook_play(path, executed):
    """Not those of nets: their sums are rounded differently on another processor."""
    for file, setup in executed(path).matches.items():
        assert_is_what_a_call_plays(results_file.read(file), setup)
