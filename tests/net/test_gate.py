"""The promotion gate: who makes the self-play, and when that changes."""

from mctslab.games import Gomoku
from mctslab.net import training
from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.evaluation import net_mover, play_match
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.run_folder import BEST, save_run
from mctslab.net.training_config import Gate
from tests.net.nets import small_net
from tests.net.runs import config, numbers, same

STATE = Gomoku(6, in_a_row=4)


def test_the_score_is_that_of_a_match_and_the_threshold_is_enough():
    gate = Gate(every=2, num_games=8, num_simulations=4)
    best, candidate = small_net(STATE, 1), small_net(STATE, 2)
    seed = (7, 2, 1_000_003)
    scores = play_match(gate, STATE, net_mover(candidate, 4), net_mover(best, 4), seed)
    assert play_match(gate, STATE, candidate, best, seed) == scores
    score = sum(each.wins + each.draws / 2 for each in scores) / 8
    assert 0 < score < 1
    for threshold, is_promoted in ((score, True), (score + 0.01, False)):
        needed = Gate(every=2, num_games=8, num_simulations=4, threshold=threshold)
        run = training.Run(config(gate=needed, seed=7), candidate)
        run.num_iterations = 1
        run.playing_net = small_net(STATE, 1)
        assert training.examine(run) == score
        assert same(numbers(run.playing_net), numbers(candidate)) is is_promoted


def test_only_the_promoted_net_makes_the_self_play(monkeypatch, tmp_path):
    played, play = [], training.self_play

    def note(config, iteration, share, net):
        played.append(numbers(net))
        return play(config, iteration, share, net)

    monkeypatch.setattr(training, "self_play", note)
    gate = Gate(every=2, num_games=8, num_simulations=4, threshold=0.55)
    run = training.Run(config(gate=gate, num_iterations=10, seed=2))
    playing, promoted = numbers(run.net), []
    for done in training.alphazero(run):
        assert same(played[-1], playing)
        assert (done.gate_score is None) == (done.number % 2 == 1)
        if done.gate_score is not None:
            promoted.append(done.gate_score >= 0.55)
            playing = numbers(run.net) if promoted[-1] else playing
    assert set(promoted) == {True, False}, "this run is no test"
    save_run(run, tmp_path)
    best = load_checkpoint(tmp_path / BEST)
    assert same(numbers(best.net), playing)
    assert NetEvaluator(best.net, about=best.about).first_state() == STATE
