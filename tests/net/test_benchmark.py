"""Measuring a net while it trains: true numbers, kept once."""

import pytest

from mctslab.net.evaluation import Benchmark
from mctslab.net.run_folder import train
from mctslab.net.run_log import read_log, read_strength
from mctslab.net.training import Run
from tests.net.runs import BENCHMARK, config


def test_a_net_is_measured_now_and_then_and_in_the_end(whole):
    measured = read_strength(whole)
    assert [(each.iteration, each.opponent) for each in measured] == [
        (4, "random"), (4, "uct:40"), (6, "random"), (6, "uct:40"),
    ]  # fmt: skip
    positions = {each["number"]: each["num_positions"] for each in read_log(whole)}
    for each in measured:
        assert each.num_positions == positions[each.iteration]
        assert sum(each.as_first) == sum(each.as_second) == 2
        assert each.score == each.as_first + each.as_second
        assert each.num_simulations == 4


def test_a_stop_ends_the_matches_and_those_that_are_missing_are_played():
    run = Run(config())
    run.num_iterations = 4
    alone = list(BENCHMARK.measure(run))
    assert [each.opponent for each in alone] == ["random", "uct:40"]
    stops = iter([False, True])
    assert list(BENCHMARK.measure(run, stop=lambda: next(stops))) == alone[:1]
    assert list(BENCHMARK.measure(run, alone[:1])) == alone[1:]


def test_an_opening_longer_than_the_game_is_named_before_the_run(tmp_path):
    with pytest.raises(ValueError, match="opening_plies=40 is too many"):
        train(config(), tmp_path / "run", benchmark=Benchmark(opening_plies=40))
    assert not (tmp_path / "run").exists()
