"""The promotion gate: who makes the self-play, when that changes, and that it can be resumed."""

import numpy as np
import pytest

from mctslab.games import Gomoku
from mctslab.net import training
from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.evaluation import match_of, net_mover, play_match
from mctslab.net.evaluator import load
from mctslab.net.run_folder import BEST, CHECKPOINT, train
from mctslab.net.run_log import read_log
from mctslab.net.training_config import Gate
from tests.net.nets import small_net
from tests.net.runs import config, numbers, same

STATE = Gomoku(6, in_a_row=4)


def test_the_score_is_that_of_a_match():
    gate = Gate(every=2, num_games=8, num_simulations=4)
    best, candidate = small_net(STATE, 1), small_net(STATE, 2)
    scores = play_match(
        STATE, net_mover(candidate, 4), net_mover(best, 4), num_games=8,
        opening_plies=gate.opening_plies, rng=np.random.default_rng([7, 2, 1_000_003]),
    )  # fmt: skip
    assert match_of(gate, STATE, candidate, best, (7, 2, 1_000_003)) == scores
    score = sum(each.wins + each.draws / 2 for each in scores) / 8
    assert 0 < score < 1
    run = training.Run(config(gate=gate, seed=7), candidate)
    run.num_iterations = 1
    run.playing_net = best
    assert training.examine(run) == score


def first_weights(net):
    return net.stem.convolution.weight.detach().numpy().copy()


@pytest.mark.parametrize(("threshold", "is_promoted"), [(0.0, True), (1.0, False)])
def test_only_the_promoted_net_makes_the_self_play(threshold, is_promoted, monkeypatch):
    played, newest, play = [], [], training.self_play

    def note(config, iteration, share, net):
        played.append(first_weights(net))
        return play(config, iteration, share, net)

    monkeypatch.setattr(training, "self_play", note)
    gate = Gate(every=2, num_games=8, num_simulations=2, threshold=threshold)
    for done in training.alphazero(run := training.Run(config(gate=gate))):
        newest.append(first_weights(run.net))
        assert (done.gate_score is None) == (done.number % 2 == 1)
    first = newest[0]  # before there are games nothing is learned
    assert not np.array_equal(newest[3], first)
    expected = [first, first] + [newest[1]] * 2 + [newest[3]] * 2 if is_promoted else [first] * 6
    assert all(np.array_equal(one, other) for one, other in zip(played, expected, strict=True))


WITH_GATE = config(gate=Gate(every=1, num_games=8, num_simulations=4, threshold=0.55))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run with a gate that lets some nets through, and its nets."""
    folder = tmp_path_factory.mktemp("whole")
    trainer = train(WITH_GATE, folder)
    return folder, numbers(trainer.net), numbers(trainer.playing_net)


def test_the_log_says_who_was_promoted(whole):
    folder, net, best = whole
    promoted = [each["gate_score"] >= 0.55 for each in read_log(folder)]
    assert set(promoted) == {True, False}  # else this run is no test
    assert same(net, best) == promoted[-1]
    assert same(numbers(load_checkpoint(folder / BEST).net), best)
    assert load(folder / BEST).first_state() == STATE
    assert same(numbers(load_checkpoint(folder / CHECKPOINT).net), net)


def test_an_opening_longer_than_the_game_is_named_at_once():
    with pytest.raises(ValueError, match="opening_plies=40 is too many"):
        config(gate=Gate(opening_plies=40))
