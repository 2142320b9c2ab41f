"""The sentences of the panel."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import players
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.players import Proposal
from mctslab.widgets import wording
from mctslab.widgets.match import Match
from mctslab.widgets.menus import hint_player, levels
from tests.widgets.test_match import BLACK_MUST_PASS, match_of, timed_match

BLACK_HUMAN = (True, False)


@pytest.mark.parametrize(
    ("first_state", "record", "is_human", "expected"),
    [
        (Reversi(), "", BLACK_HUMAN, "Your turn: Black"),
        (Reversi(), "", (True, True), "Black to move"),
        (Reversi(), "d3", BLACK_HUMAN, "White is to move"),
        (Reversi(), BLACK_MUST_PASS, BLACK_HUMAN, "Black has to pass"),
        (Reversi(), BLACK_MUST_PASS, (False, True), "Black is to move"),
        (TicTacToe(), "a1 a2 b1 b2 c1", BLACK_HUMAN, "X wins"),
        (TicTacToe(), "a1 b1 a2 b2 c3 b3", BLACK_HUMAN, "O wins"),
        (TicTacToe(), "b2 a1 a3 c1 b1 b3 a2 c2 c3", BLACK_HUMAN, "Draw"),
    ],
)
def test_the_headline_says_whose_turn_it_is_or_who_won(first_state, record, is_human, expected):
    assert wording.headline(match_of(record, first_state), is_human) == expected


def test_the_result_of_reversi_counts_the_discs():
    match = Match(Reversi(size=4))
    while match.outcome is None:
        match.play(match.state.legal_actions()[0])
    black, white = match.state.board().stones.count(0), match.state.board().stones.count(1)
    assert wording.headline(match, BLACK_HUMAN).endswith(f", {black} to {white}")


def test_a_loss_on_time_is_explained():
    match, _ = timed_match(60, used=61)
    assert match.check_time()
    assert wording.headline(match, BLACK_HUMAN) == "Black wins on time"
    assert wording.explain_time_loss(match) == "White took longer than 60 s for this move."


@pytest.mark.parametrize(
    ("record", "is_human", "expected"),
    [
        ("", BLACK_HUMAN, ""),
        ("d3", BLACK_HUMAN, ""),  # nobody needs to be told what they did themselves
        ("d3 c3", BLACK_HUMAN, "White played c3."),
        (BLACK_MUST_PASS + " pass", BLACK_HUMAN, "Black had no legal move and passed."),
    ],
)
def test_the_last_move_is_told(record, is_human, expected):
    assert wording.last_move(match_of(record), is_human) == expected


@pytest.mark.parametrize(
    ("first_state", "record", "is_empty", "is_human", "words"),
    [
        (Reversi(), "", True, True, "Black can't play a1: the dots show where it can."),
        (Reversi(), "", False, True, "a1 is taken."),
        (Reversi(), "", True, False, "It is Black's turn."),
        (Reversi(), BLACK_MUST_PASS, True, True, "Black has no legal move: press Pass."),
        (ConnectFour(), "1 1 1 1 1 1", False, True, "This column is full."),
        (TicTacToe(), "a1 a2 b1 b2 c1", True, True, "The game is over."),
    ],
)
def test_an_illegal_click_is_answered_gently(first_state, record, is_empty, is_human, words):
    match = match_of(record, first_state)
    answer = wording.refusal(match, "a1", is_empty=is_empty, is_human=is_human)
    assert answer.startswith(words)


def test_a_hint_says_how_often_it_won():
    state = TicTacToe()
    *_, thought = players.make("uct:100", rng=np.random.default_rng(1)).think(state)
    child = max(thought.result.children, key=lambda child: child.visit_count)
    rate = (1 + child.mean_value) / 2
    assert wording.hint(state, thought) == (
        f"Hint: {state.action_to_string(child.action)}, "
        f"which won {rate:.0%} of {child.visit_count} simulations."
    )
    assert wording.hint(state, Proposal(4, progress=1.0)) == "Hint: b2."


def test_progress_names_the_move_and_the_simulations():
    state = TicTacToe()
    thought = Proposal(4, 0.5, num_simulations=1_500, seconds=0.5)
    assert wording.progress(state, thought) == "b2 so far, 1,500 simulations, 3,000/s"
    assert wording.progress(state, Proposal(0, progress=1.0)) == "a1 so far"


def test_effort_tells_the_simulations_and_how_many_a_second():
    thought = Proposal(0, 1.0, num_simulations=1_234_567, seconds=1.0)
    assert wording.effort(thought) == "1,234,567 simulations, 1.2 M/s"
    assert wording.effort(replace(thought, seconds=0.0)) == "1,234,567 simulations"
    counts_nodes = Proposal(0, 1.0, num_nodes=30_000, seconds=2.0)
    assert wording.effort(counts_nodes) == "30,000 nodes, 15,000/s"
    no_search = Proposal(0, 1.0, seconds=2.0)
    assert wording.effort(no_search) == wording.speed(no_search) == ""


def test_a_rate_has_two_digits():
    for a_second, text in (
        (0.254, "0.25"), (9.94, "9.9"), (9.96, "10"), (849.0, "850"), (1_004.0, "1,000"),
        (994_999.0, "990,000"), (995_001.0, "1.0 M"), (9_949_000.0, "9.9 M"),
        (9_951_000.0, "10 M"), (234_000_000.0, "230 M"),
    ):  # fmt: skip
        assert wording.rate(a_second) == f"{text}/s"


@given(st.floats(0.1, 1e9))
def test_a_rate_is_right_to_the_second_digit(a_second):
    number = wording.rate(a_second).removesuffix("/s")
    value = float(number.removesuffix(" M").replace(",", "")) * (1e6 if "M" in number else 1)
    assert value == pytest.approx(a_second, rel=0.051)


# Levels


@pytest.mark.parametrize(
    "state", [Reversi(), Reversi(size=6), TicTacToe(), ConnectFour(), Gomoku()]
)
def test_every_level_can_be_made_and_begins_to_play(state):
    rng = np.random.default_rng(1)
    for name in [*(level.player for level in levels(state)), hint_player(state)]:
        thought = next(players.make(name, rng=rng).think(state))
        assert thought.action in state.legal_actions()


def test_reversi_has_the_three_levels_and_then_the_nets_for_its_board():
    players = [level.player for level in levels(Reversi())]

    assert players[:3] == ["random", "roxanne", "uct:2s:roxanne"]
    assert players[3:]
    assert all(player.startswith("net:reversi8_") for player in players[3:])
