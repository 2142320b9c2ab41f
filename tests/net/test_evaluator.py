"""What a net says reaches the search with the right sign, and for legal moves only."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games, search
from mctslab.net import evaluator as module
from mctslab.net.checkpoint import CheckpointError, save_checkpoint
from mctslab.net.encode import encode
from mctslab.net.evaluator import NetEvaluator, family, legal_priors, load, shipped_nets
from mctslab.net.inference import MAX_BATCH, Answer
from mctslab.net.model import NetConfig, PolicyValueNet
from tests.games.own_games import DotsAndBoxes, Hex
from tests.games.playing import FIRST_STATES, choices, name_of, played
from tests.net.by_hand import ByHand
from tests.net.nets import lively_net

EVERY_GAME = [*FIRST_STATES, Hex(), DotsAndBoxes()]
RNG = np.random.default_rng(0)


def small_net(state):
    return lively_net(NetConfig.for_game(state, num_filters=3, num_blocks=1, value_hidden=4))


def expected_of(net, state):
    """Values and priors from the formulas: softmax over the legal actions, the mover's value."""
    (logits,), (value,) = ByHand(net)(encode([state], net.config.inputs)[None])
    weights = [np.exp(logits[action]) for action in state.legal_actions()]
    returns = [0.0, 0.0]
    returns[state.current_player], returns[1 - state.current_player] = value, -value
    return returns, [weight / sum(weights) for weight in weights]


@pytest.mark.parametrize("first_state", EVERY_GAME, ids=name_of)
def test_values_and_priors_are_those_of_the_formulas(first_state):
    net = small_net(first_state)
    rng = np.random.default_rng(3)
    states = [played(first_state, rng.integers(0, 99, plies).tolist())[-1] for plies in range(9)]
    states = [state for state in states if not state.is_terminal]

    evaluation = NetEvaluator(net)(states, RNG)

    assert len(evaluation.values) == len(evaluation.priors) == len(states)
    for state, values, priors in zip(states, *evaluation, strict=True):
        expected_values, expected_priors = expected_of(net, state)
        assert values == pytest.approx(expected_values, abs=1e-4)
        assert priors == pytest.approx(expected_priors, abs=1e-4)
        assert sum(priors) == pytest.approx(1)


class Says:
    """Stands for a net that says the same of every position."""

    name = "the same of everything"

    def __init__(self, value, logits):
        self.value, self.logits = value, logits

    def __call__(self, planes):
        n = len(planes)
        return Answer(np.tile(np.float32(self.logits), (n, 1)), np.full(n, self.value, np.float32))


def test_a_value_for_the_mover_is_a_gain_for_white_when_white_is_to_move():
    black_to_move = games.TicTacToe()
    white_to_move = black_to_move.child(4)
    evaluator = NetEvaluator(small_net(black_to_move), inference=Says(0.5, np.zeros(9)))
    assert evaluator([black_to_move, white_to_move], RNG).values == [(0.5, -0.5), (-0.5, 0.5)]


def test_what_is_illegal_has_no_share_in_the_priors():
    state = games.TicTacToe().child(4)
    logits = np.zeros(9)
    logits[4] = 1000  # the net's favourite is taken
    logits[0] = np.log(9)
    evaluator = NetEvaluator(small_net(state), inference=Says(0.0, logits))
    assert evaluator([state], RNG).priors == [pytest.approx([9 / 16] + [1 / 16] * 7)]


def test_a_forced_pass_gets_the_whole_prior():
    waiting = [games.Reversi(4)]
    while waiting[0].last_action != 16:
        state = waiting.pop(0)
        waiting += [state.child(action) for action in state.legal_actions()]
        if state.legal_actions() == (16,):
            break
    assert NetEvaluator(small_net(games.Reversi(4)))([state], RNG).priors == [[1.0]]


@given(
    logits=st.lists(st.floats(-1e4, 1e4, width=32), min_size=1, max_size=9),
    counts=st.lists(st.integers(1, 5), min_size=1, max_size=6),
    data=st.data(),
)
def test_priors_are_probabilities_however_large_the_logits(logits, counts, data):
    legal = [
        sorted(data.draw(st.sets(st.integers(0, len(logits) - 1), min_size=1, max_size=count)))
        for count in counts
    ]
    batch = np.tile(np.float32(logits), (len(legal), 1))
    for actions, priors in zip(legal, legal_priors(batch, legal), strict=True):
        assert len(priors) == len(actions)
        assert sum(priors) == pytest.approx(1)
        assert min(priors) >= 0
        order = sorted(range(len(actions)), key=lambda i: logits[actions[i]])
        assert sorted(priors) == [priors[i] for i in order]


@given(numbers=st.lists(choices(20), min_size=1, max_size=12))
def test_a_batch_is_judged_like_its_states_one_by_one(numbers):
    first_state = games.Gomoku(size=5, in_a_row=4)
    evaluator = NetEvaluator(small_net(first_state))
    states = [played(first_state, each)[-1] for each in numbers]
    states = [state for state in states if not state.is_terminal] or [first_state]
    together = evaluator(states, RNG)
    for i, state in enumerate(states):
        alone = evaluator([state], RNG)
        assert together.values[i] == pytest.approx(alone.values[0], abs=1e-5)
        assert together.priors[i] == pytest.approx(alone.priors[0], abs=1e-5)


def test_a_batch_of_any_size_is_judged(net):
    first_state = games.Gomoku(size=6, in_a_row=4)
    children = [first_state.child(action) for action in first_state.legal_actions()]
    states = (children * 10)[: 2 * MAX_BATCH + 5]
    evaluation = NetEvaluator(net)(states, RNG)
    assert len(evaluation.values) == len(evaluation.priors) == len(states)
    for i in range(36, len(states)):
        assert evaluation.values[i] == pytest.approx(evaluation.values[i % 36], abs=1e-5)
    assert NetEvaluator(net)([], RNG) == ([], [])


def test_a_search_follows_the_net():
    """A net whose favourite is one square gets most visits there, and not where that is illegal."""
    state = games.Gomoku(size=6, in_a_row=4)
    logits = np.zeros(36)
    logits[[14, 21]] = 9, 5
    evaluator = NetEvaluator(small_net(state), inference=Says(0.0, logits))
    for position, best in ((state, 14), (state.child(14), 21)):
        result = search.puct_search(
            position, evaluator=evaluator, num_simulations=50, rng=np.random.default_rng(1)
        )
        assert result.best_action == best


# What is refused


@pytest.mark.parametrize("state", [games.Gomoku(), games.Reversi(6), games.TicTacToe()])
def test_another_board_is_refused(net, state):
    with pytest.raises(ValueError, match="for a board of 6 x 6 and 36 actions"):
        NetEvaluator(net)([state], RNG)


def test_the_end_of_a_game_is_refused():
    state = games.TicTacToe()
    for action in (0, 3, 1, 4, 2):
        state = state.child(action)
    with pytest.raises(ValueError, match="end of a game"):
        NetEvaluator(small_net(games.TicTacToe()))([state], RNG)


@pytest.mark.parametrize(("value", "logit"), [(np.nan, 0), (0, np.nan), (0, np.inf)])
def test_a_net_that_went_wrong_is_told(value, logit):
    state = games.TicTacToe()
    evaluator = NetEvaluator(small_net(state), inference=Says(value, [logit] + [0] * 8))
    with pytest.raises(ValueError, match="not a finite number"):
        evaluator([state], RNG)


# Nets by name


def test_a_net_is_loaded_from_its_file(net, tmp_path):
    about = {"game": "gomoku", "game_options": {"size": 6, "in_a_row": 4}, "step": 3}
    file = save_checkpoint(tmp_path / "a.safetensors", net, about=about)
    state = games.Gomoku(size=6, in_a_row=4)
    for name in (file, str(file)):
        evaluator = load(name)
        assert evaluator.about["step"] == 3
        assert evaluator([state], RNG) == NetEvaluator(net)([state], RNG)


def test_a_net_that_comes_along_is_loaded_by_its_name(net, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "WEIGHTS", tmp_path)
    save_checkpoint(tmp_path / "six.safetensors", net)
    save_checkpoint(tmp_path / "five.safetensors", net)
    assert shipped_nets() == ("five", "six")
    assert load("six").config == net.config
    with pytest.raises(ValueError, match=r"no net 'seven'.*five, six"):
        load("seven")


def test_a_damaged_net_is_refused(tmp_path):
    (tmp_path / "a.safetensors").write_bytes(b"nothing")
    with pytest.raises(CheckpointError):
        load(tmp_path / "a.safetensors")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "b.safetensors")


def test_evaluating_does_not_change_the_net(net):
    before = [parameter.clone() for parameter in net.parameters()]
    NetEvaluator(net)([games.Gomoku(size=6, in_a_row=4)], RNG)
    assert all(torch.equal(one, other) for one, other in zip(before, net.parameters(), strict=True))
    assert isinstance(net, PolicyValueNet)


def test_a_family_has_its_nets_youngest_first(tmp_path, monkeypatch):
    """Ten comes after nine, and a name that is longer is another family."""
    monkeypatch.setattr(module, "WEIGHTS", tmp_path)
    six, tictactoe = games.Reversi(size=6), games.TicTacToe()
    abouts = {
        six: {"game": "reversi", "game_options": {"size": 6}},
        tictactoe: {"game": "tictactoe"},
    }
    for name, state in (
        ("reversi6_10", six),
        ("reversi6_9", six),
        ("reversi6_1", six),
        ("tictactoe_1", tictactoe),
        ("ageless", tictactoe),
    ):
        about = abouts[state]
        save_checkpoint(tmp_path / f"{name}.safetensors", small_net(state), about=about)

    found = family("reversi6")

    assert list(found) == ["reversi6_1", "reversi6_9", "reversi6_10"]
    assert all(each.first_state() == six for each in found.values())
    assert family("tictactoe")["tictactoe_1"].first_state() == tictactoe
    for unknown in ("reversi", "ageless", ""):
        with pytest.raises(ValueError, match=r"There are: reversi6, tictactoe\."):
            family(unknown)
