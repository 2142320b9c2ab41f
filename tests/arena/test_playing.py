"""One game: its opening, its clocks, and everything that a player can do wrong."""

from functools import partial

import numpy as np
import pytest

from mctslab import arena, games
from mctslab.arena import Contestant
from mctslab.arena.game import Reason
from mctslab.arena.playing import play
from mctslab.arena.settings import contestants, make_setup
from mctslab.players import FunctionPlayer, UCTPlayer
from tests.arena import odd_players
from tests.games.own_games import DotsAndBoxes
from tests.games.playing import new_rng


def play_one(*entries, game="tictactoe", number=0, **options):
    setup = make_setup(game, entries, num_games=number + 1, seed=1, **options)
    return play(setup, setup.settings.unplayed((0, 1), number))


# A game that goes well


def test_the_moves_lead_to_the_result_and_are_timed_for_their_players():
    game = play_one("uct:20", "random", game="reversi", opening_plies=3)
    states = game.states(games.Reversi())
    assert states[-1].is_terminal
    assert states[-1].returns() == game.returns
    assert (game.reason, game.message) == (Reason.RULES, "")
    assert game.points("uct:20") + game.points("random") == 1
    movers = [state.current_player for state in states[3:-1]]
    assert game.num_moves == (movers.count(0), movers.count(1))
    choices = sum(
        state.current_player == 0 and len(state.legal_actions()) > 1 for state in states[3:-1]
    )
    assert game.simulations == (20 * choices, 0)
    assert 0 < game.seconds[0] < 100


@pytest.mark.parametrize("player", [0, 1])
def test_a_stored_seed_makes_the_same_player_again(player):
    game = play_one("uct:30", "uct:30", game="connect_four")
    settings = make_setup("connect_four", ["uct:30"] * 2, num_games=1, seed=1).settings
    again = UCTPlayer(30, rng=np.random.default_rng(settings.seeds(game)[player]))
    for ply, state in enumerate(game.states(games.ConnectFour())[:-1]):
        if ply % 2 == player:
            assert again.choose(state) == game.actions[ply]


def test_turns_need_not_alternate():
    game = play_one("random", "random", game=DotsAndBoxes())
    movers = [state.current_player for state in game.states(DotsAndBoxes())[:-1]]
    assert movers != [ply % 2 for ply in range(len(movers))]
    assert game.num_moves[0] == movers.count(0)


# Seeds and openings


def test_no_two_games_share_a_seed_and_everybody_has_both_colours_against_everybody():
    settings, other = (
        make_setup("tictactoe", ["random"] * 4, num_games=40, seed=seed).settings for seed in (3, 4)
    )
    games = list(settings.games())
    *seeds, openings = zip(*map(settings.seeds, games), strict=True)
    assert len({*seeds[0], *seeds[1]}) == 2 * len(games) == 2 * 6 * 40
    assert len({*openings}) == 20
    sixth = {seed for game, seed in zip(games, openings, strict=True) if game.number == 6}
    assert len(sixth) == 1
    others = {seed for game in other.games() for seed in other.seeds(game)}
    assert others.isdisjoint((*seeds[0], *seeds[1], *openings))
    players = [game.players for game in games]
    names = settings.contestants
    assert {players.count((a, b)) for a in names for b in names if a != b} == {20}


# What goes wrong


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize(
    ("odd", "reason", "message"),
    [
        (odd_players.Raising, "exception", "RuntimeError: I have lost my way (odd_players.py"),
        (odd_players.Exiting, "exception", "SystemExit: 3"),
        (odd_players.Silent, "exception", "the player chose nothing"),
        (odd_players.Illegal, "illegal", "is not legal: "),
        (odd_players.WrongType, "illegal", "Action 'a1' is not legal"),
        (odd_players.unmakeable, "exception", "OSError: the weights are gone"),
    ],
)
def test_a_mistake_loses_the_game_and_says_why(odd, reason, message, number):
    game = play_one(Contestant("odd", odd), "random", number=number)
    assert game.reason == reason
    assert message in game.message
    assert "\n" not in game.message
    assert (game.points("odd"), game.points("random")) == (0, 1)
    assert not game.states(games.TicTacToe())[-1].is_terminal


def test_a_player_who_takes_too_long_loses_by_time():
    game = play_one(Contestant("slow", odd_players.Slow), "random", seconds_per_move=0.05)
    assert game.reason is Reason.TIME
    assert game.points("slow") == 0
    assert "but only 0.05 s were allowed" in game.message
    assert game.seconds[0] > 0.05
    assert game.actions == ()


# Who takes part


def test_contestants_with_the_same_name_are_told_apart():
    mine = Contestant("mine", partial(UCTPlayer, 5))
    made = contestants(["random", "random", odd_players.OddPlayer, mine])
    assert [each.name for each in made] == ["random", "random #2", "odd", "mine"]


def second_move(state):
    """Plays the second move, if there is one."""
    return state.legal_actions()[:2][-1]


def test_a_function_from_a_state_and_a_player_play_like_one_that_is_made_for_each_game():
    """Each game has a copy of the player with new random numbers, on any number of processes."""
    player = UCTPlayer(15, rng=new_rng(), reuse_tree=True)
    terms = {"first": second_move, "num_games": 8, "seed": 1}
    by_object = arena.match(games.TicTacToe(), second=player, **terms)
    made = arena.match("tictactoe", second=partial(UCTPlayer, 15, reuse_tree=True), **terms)
    in_processes = arena.match("tictactoe", second=player, processes=2, **terms)
    assert by_object.names == ("second_move", "uct:15")
    assert {game.reason for game in by_object.games} == {Reason.RULES}
    assert by_object.num_different_games > 4
    moves = [[game.actions for game in each.games] for each in (by_object, made, in_processes)]
    assert moves[0] == moves[1] == moves[2]


@pytest.mark.parametrize("game", [games.TicTacToe, None, 3])
def test_what_is_no_game_is_refused_before_the_first_one(game):
    with pytest.raises(ValueError, match=r"is no game: expected a name such as 'reversi', or wh"):
        arena.match(game, "random", "random", num_games=2, seed=1)


def test_what_is_no_contestant_is_refused_before_the_first_game():
    for entry, error, message in (
        ("grandmaster", ValueError, "no player 'grandmaster'"),
        (
            5,
            TypeError,
            r"5 is no contestant\. Give the short name of a player, .*'; a player; a fun",
        ),
        (
            FunctionPlayer(lambda *_: None, 5, rng=new_rng(), name="mine"),
            TypeError,
            "player 'mine' cannot be copied for each game .* Give a function that takes rng=",
        ),
        (UCTPlayer, ValueError, "budget"),
    ):
        with pytest.raises(error, match=message):
            contestants([entry])
