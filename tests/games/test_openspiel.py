"""OpenSpiel's games as states have its moves and results."""

import copy
import pickle
import random
import re
import sys

import pytest

from mctslab import draw, games, search
from mctslab.games import contract
from mctslab.widgets.trace_document import trace_document

pyspiel = pytest.importorskip("pyspiel")

SMALL = ("hex(board_size=4)", "mancala", "breakthrough(rows=5,columns=4)")


def suitable() -> list[str]:
    """The games that have a form for two players and that `from_openspiel` accepts."""
    found = []
    for kind in pyspiel.registered_games():
        if kind.default_loadable and kind.min_num_players <= 2 <= kind.max_num_players:
            try:
                games.from_openspiel(kind.short_name)
            except ValueError:
                continue
            found.append(kind.short_name)
    return found


def play(name: str, num_games: int) -> None:
    rng, first_state = random.Random(1), games.from_openspiel(name)
    for _ in range(num_games):
        state, theirs = first_state, pyspiel.load_game(name).new_initial_state()
        while not theirs.is_terminal():
            legal = theirs.legal_actions()
            assert (state.legal_actions(), state.is_terminal) == (tuple(legal), False)
            assert state.current_player == theirs.current_player()
            action = rng.choice(legal)
            theirs.apply_action(action)
            state = state.child(action)
            assert state.last_action == action
        assert (state.legal_actions(), state.is_terminal) == ((), True)
        first, second = theirs.returns()
        won = (first > second) - (first < second)
        assert state.returns() == (won, -won)


def test_every_game_has_the_moves_and_the_results_of_openspiel():
    names = suitable()
    assert len(names) >= 31
    for name in names:
        play(name, 2)


@pytest.mark.parametrize("name", SMALL)
def test_a_game_is_checked_searched_drawn_and_copied(name):
    state = games.from_openspiel(name)
    assert "keeps the contract" in contract.check(state, num_games=2)
    result = search.mcts(state, num_simulations=60, rng=1)
    assert draw.tree(result, boards=True).svg.startswith("<svg")
    after = state.child(result.best_so_far)
    assert pickle.loads(pickle.dumps(after)) == copy.deepcopy(after) == after != state


@pytest.mark.parametrize("name", ["breakthrough(rows=6,columns=4)", "tic_tac_toe"])
def test_a_move_has_one_name_in_the_stepper_also_if_it_is_legal_later_only(name):
    """OpenSpiel says `x(0,0)` and `o(0,0)`, but in a table of moves a move has no player."""
    state, trace = games.from_openspiel(name), search.Trace()
    search.mcts(state, num_simulations=60, rng=1, trace=trace)
    names = trace_document(trace)["game"]["moves"]
    for node in trace.nodes[1:]:
        before = trace.nodes[node.parent].state
        assert names[node.action] == before.action_to_string(node.action)
        assert not names[node.action].isdecimal()


def test_the_name_of_a_move_has_no_blanks_and_no_player():
    for name, move in {
        "go(board_size=9)": "a1",
        "amazons": "From(7,1)",
        "ultimate_tic_tac_toe": "Choose_local_board_0",
        "nim": "pile:1,take:1",
        "oware": "A",
    }.items():
        state = games.from_openspiel(name)
        assert state.action_to_string(state.legal_actions()[0]) == move


def test_the_board_is_the_text_without_the_line_that_a_panel_shows_above_it():
    state = games.from_openspiel("clobber(rows=4,columns=4)")
    assert state.board().text.splitlines() == ["4xoxo", "3oxox", "2xoxo", "1oxox", " abcd"]
    assert str(state).endswith(" abcd\nFirst to move")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("checkerz", "OpenSpiel has no game 'checkerz'; did you mean 'checkers'?"),
        ("xyz(a=1)", "OpenSpiel has no game 'xyz'."),
        ("hex(x", "OpenSpiel cannot make the game 'hex(x': Missing closing bracket ')'."),
        ("connect_four(rows=0)", "'connect_four(rows=0)': rows must be from 1 to 100, got 0."),
        (
            "havannah(board_size=-1)",
            "board_size must be from 1 to 100, got -1.",
        ),  # ends the process
        (
            "quoridor(board_size=100000)",
            "board_size must be from 1 to 100, got 100000.",
        ),  # does, too
        ("go(board_size=1)", "cannot make the game 'go(board_size=1)': unsupported board size."),
        (["hex"], "Expected the name of a game, such as 'hex(board_size=5)', got ['hex']."),
        ("hex(x=3)", "Unknown parameter 'x'. Available parameters are: board_size,"),
        ("kuhn_poker", "Kuhn Poker of OpenSpiel can't be searched here: expected a game for two"),
    ],
)
def test_other_games_are_refused(name, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        games.from_openspiel(name)


def test_a_game_can_be_made_of_another_one():
    assert games.from_openspiel("misere(game=tic_tac_toe())").num_actions == 9


def test_without_openspiel_it_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install \"mctslab\[openspiel\]\""):
        games.from_openspiel("nim(pile_sizes=2;3)")
