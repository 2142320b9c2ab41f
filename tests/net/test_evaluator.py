"""What a net says reaches the search with the right sign, and for legal moves only."""

import copy
import pickle

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.net import evaluator as module
from mctslab.net.checkpoint import save_checkpoint
from mctslab.net.encode import encode
from mctslab.net.evaluator import NetEvaluator, family, load, shipped_nets
from mctslab.net.inference import fastest
from mctslab.net.self_play import think
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig
from mctslab.search.forest import softmax
from tests.games.own_games import DotsAndBoxes
from tests.games.playing import FIRST_STATES, name_of, played
from tests.net.by_hand import ByHand
from tests.net.nets import net_with_history, save_nets, small_net
from tests.search.toys import FORCED_PASS, play

EVERY_GAME = [*FIRST_STATES, DotsAndBoxes()]
RNG = np.random.default_rng(0)


@pytest.mark.parametrize("first_state", EVERY_GAME, ids=name_of)
def test_values_and_priors_are_those_of_the_formulas(first_state):
    """Softmax over the legal actions, also of a forced pass, and the mover's value."""
    net = small_net(first_state)
    rng = np.random.default_rng(3)
    states = [played(first_state, rng.integers(0, 99, plies).tolist())[-1] for plies in range(9)]
    if first_state == games.Reversi(4):
        states.append(play(first_state, f"{FORCED_PASS} a1"))
    states = [state for state in states if not state.is_terminal]
    evaluation = NetEvaluator(net)(states, RNG)
    assert len(evaluation.values) == len(evaluation.priors) == len(states)
    for state, values, priors in zip(states, *evaluation, strict=True):
        (logits,), (value,) = ByHand(net)(encode([state], net.config.inputs)[None])
        weights = np.array([np.exp(logits[action]) for action in state.legal_actions()])
        expected = (value, -value) if state.current_player == 0 else (-value, value)
        assert values == pytest.approx(expected, abs=1e-4)
        assert priors == pytest.approx(list(weights / weights.sum()), abs=1e-4)
        assert sum(priors) == pytest.approx(1)
    assert NetEvaluator(net)([], RNG) == ([], [])


def test_priors_are_probabilities_however_large_the_logits():
    assert softmax([1e4, -1e4, 0, 1e4]) == [0.5, 0, 0, 0.5]
    assert softmax([-1e4, 0]) == [0, 1]


# Earlier positions


class Seen:
    """Computes a net, and notes the planes that it has seen."""

    def __init__(self, net):
        self.planes = []
        self._answer = fastest(net)

    def __call__(self, planes):
        self.planes += list(planes)
        return self._answer(planes)


def plain_search(net, num_simulations):
    """Settings for self-play's search without chance and proofs."""
    playing = SelfPlayConfig(num_simulations, noise=None, gumbel=None, solver=False)
    return TrainingConfig(inputs=net.config.inputs, self_play=playing)


@pytest.mark.parametrize("searched", [search.puct_search, fast.puct_search])
def test_a_net_with_history_sees_in_a_search_what_it_sees_in_self_play(searched):
    game = [games.ConnectFour()]
    for action in (3, 3, 2):
        game.append(game[-1].child(action))
    net = net_with_history(game[0])
    for length in (1, 2, 4):
        ours, theirs = Seen(net), Seen(net)
        roots = think([game[:length]], plain_search(net, 60), theirs, RNG)
        *past, state = game[:length]
        options = {"evaluator": NetEvaluator(net, inference=ours), "num_simulations": 60}
        result = searched(state, past=past, rng=RNG, **options)
        assert np.array_equal(ours.planes, theirs.planes)
        assert roots.moves([99]) == [result.best_action]
    with pytest.raises(ValueError, match="sees the last 2 positions of a game, but of"):
        searched(state, rng=RNG, **options)
    with pytest.raises(ValueError, match="sees the last 2 positions of a game, but of"):
        search.mcts(game[0], rng=RNG, **options)


# What is refused


def test_another_board_and_the_end_of_a_game_are_refused(net):
    for state in (games.Gomoku(), games.Reversi(6), games.TicTacToe()):
        with pytest.raises(ValueError, match="for a board of 6 x 6 and 36 actions"):
            NetEvaluator(net)([state], RNG)
    state = play(games.TicTacToe(), "a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="end of a game"):
        NetEvaluator(small_net(games.TicTacToe()))([state], RNG)


@pytest.mark.parametrize("head", ["policy_head", "value_head"])
@pytest.mark.parametrize("bias", [np.nan, np.inf])
def test_a_net_that_went_wrong_is_told_in_play_and_in_self_play(head, bias):
    state = games.TicTacToe()
    net = small_net(state)
    getattr(net, head).convolution.norm.bias.data.fill_(bias)
    with pytest.raises(ValueError, match="not a finite number"):
        NetEvaluator(net)([state], RNG)
    with pytest.raises(ValueError, match="not a finite number"):
        think([[state]], plain_search(net, 5), fastest(net), RNG)


def test_a_net_is_copied_and_pickled(net):
    """Also what its evaluator has made ready; it gives the same answers."""
    state = games.Gomoku(size=6, in_a_row=4)
    evaluator = NetEvaluator(net, about={"game": "gomoku"})
    for other in (pickle.loads(pickle.dumps(evaluator)), copy.deepcopy(evaluator)):
        assert other([state], RNG) == evaluator([state], RNG)
        assert (other.about, other.config) == (evaluator.about, evaluator.config)


# Nets by name


def test_a_net_is_loaded_by_its_file_or_its_name(net, tmp_path, monkeypatch):
    about = {"game": "gomoku", "game_options": {"size": 6, "in_a_row": 4}, "step": 3}
    file = save_checkpoint(tmp_path / "six.safetensors", net, about=about)
    save_checkpoint(tmp_path / "five.safetensors", net)
    monkeypatch.setattr(module, "WEIGHTS", tmp_path)
    state = games.Gomoku(size=6, in_a_row=4)
    for name in (file, str(file), "six"):
        evaluator = load(name)
        assert evaluator.about["step"] == 3
        assert evaluator([state], RNG) == NetEvaluator(net)([state], RNG)
    assert shipped_nets() == ("five", "six")
    with pytest.raises(ValueError, match=r"no net 'seven'.*five, six"):
        load("seven")


def test_a_family_has_its_nets_youngest_first(tmp_path, monkeypatch):
    """Ten comes after nine, and a name that is longer is another family."""
    monkeypatch.setattr(module, "WEIGHTS", tmp_path)
    six, tictactoe = games.Reversi(size=6), games.TicTacToe()
    names = {"reversi6_10": six, "reversi6_9": six, "reversi6_1": six}
    save_nets(tmp_path, {**names, "tictactoe_1": tictactoe, "ageless": tictactoe})
    found = family("reversi6")
    assert list(found) == ["reversi6_1", "reversi6_9", "reversi6_10"]
    assert all(each.first_state() == six for each in found.values())
    assert family("tictactoe")["tictactoe_1"].first_state() == tictactoe
    for unknown in ("reversi", "ageless", ""):
        with pytest.raises(ValueError, match=r"There are: reversi6, tictactoe\."):
            family(unknown)
