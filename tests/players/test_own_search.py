"""The player `mine`: the search with which a student has passed the check of `uct`."""

import numpy as np
import pytest

from mctslab import arena, games, players, search
from mctslab.arena import results_file
from mctslab.arena.game import Reason
from mctslab.course import exercises
from mctslab.course.keeping import parts, progress
from mctslab.widgets import GamePanel
from mctslab.widgets.menus import levels
from tests.games.playing import player_of
from tests.widgets.browser_messages import answer_of, event, play, see


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    monkeypatch.setenv(progress.HOME_VARIABLE, str(tmp_path / "home"))


def uct(state, num_simulations, rng):
    """A search in this file, as a student may write it."""
    root = search.Node(state)
    for _ in range(num_simulations):
        node = search.select(root, search.ucb1())
        [leaf] = search.expand(node, rng)
        search.backpropagate(leaf, search.rollout(leaf.state, search.uniform, rng))
    return root


def uct_of_another_day(state, num_simulations, rng):
    """The same search, written otherwise."""
    return search.mcts(state, num_simulations=num_simulations, rng=rng).root


@pytest.fixture
def digest():
    assert exercises.uct.check(uct).notes == ()
    return parts.own_search()[1]


def test_without_a_search_of_ones_own_it_says_what_to_do():
    for name in ("mine:400", "mine:400:0123456789ab"):
        with pytest.raises(ValueError, match=r"needs a search of your own.* in notebook 06_back"):
            player_of(name)
    for name in ("mine", "mine:", "mine:2s", "mine:400:roxanne", "mine:4:5:6"):
        with pytest.raises(ValueError, match="mine:SIMULATIONS"):
            player_of(name)


@pytest.mark.parametrize("state", [games.TicTacToe(), games.ConnectFour(), games.Reversi(size=4)])
def test_it_plays_the_robust_child_of_the_students_search(digest, state):
    (thought,) = player_of("mine:60", seed=5).think(state)
    root = uct(state, 60, np.random.default_rng(5))
    assert thought.action == max(root.children, key=lambda node: node.visit_count).action
    assert thought.num_simulations == thought.result.root.visit_count == 60
    fewer = players.FunctionPlayer(lambda *given: root, 100, rng=np.random.default_rng(1))
    assert [each.num_simulations for each in fewer.think(state)] == [60]
    with pytest.raises(ValueError, match="num_simulations=0 is not possible"):
        player_of("mine:0")


def test_its_name_and_the_arena_record_which_source_it_is(digest, tmp_path):
    """The arena plays it also in another process."""
    name, file = f"mine:40:{digest}", tmp_path / "match.jsonl"
    assert player_of("mine:40").name == player_of(name).name == name
    assert players.FunctionPlayer(uct, 30, rng=np.random.default_rng(1)).name == "uct:30"
    terms = {"num_games": 4, "seed": 1, "file": file}
    result = arena.match("tictactoe", "mine:40", "random", processes=1, **terms)
    assert [game.reason for game in result.games] == [Reason.RULES] * 4
    assert results_file.read(file).settings.contestants == (name, "random")

    assert exercises.uct.check(uct_of_another_day).notes == ()
    with pytest.raises(ValueError, match="is not your search as it is stored now"):
        player_of(name)
    with pytest.raises(ValueError, match="another tournament: its contestants"):
        arena.match("tictactoe", "mine:40", "random", **terms | {"num_games": 6})


def test_the_menus_offer_it_as_soon_as_there_is_one_and_it_answers_on_a_board():
    def offered():
        return [level.player for level in levels(games.TicTacToe())]

    before = offered()
    exercises.uct.check(uct)
    assert offered() == [*before, "mine:400"]
    panel = GamePanel("tictactoe", "human", "human", rng=np.random.default_rng(1))
    see(panel)
    try:
        assert "your own search" in dict(panel.about["players"])["mine:400"]
        play(panel, 4)
        found = answer_of(panel, 1, "mine:400")
    finally:
        event(panel, "view_closed")
    assert found["move"] in (0, 2, 6, 8), "only a corner holds the draw"
    parts.path_of("uct").unlink()
    assert offered() == before
