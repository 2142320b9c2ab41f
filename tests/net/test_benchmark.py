"""Measuring a net while it trains: true numbers, kept once, and no trace in what it learns."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from mctslab.net.evaluation import Benchmark
from mctslab.net.run_folder import train
from mctslab.net.run_log import read_log, read_strength
from mctslab.net.training import Run
from tests.net.runs import config, is_as

SMALL = Benchmark(("random", "uct:40"), every=2, num_games=4, num_simulations=4)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The folder of a run that was measured, and what was told."""
    folder = tmp_path_factory.mktemp("measured")
    told = []
    train(config(num_iterations=5), folder, benchmark=SMALL, measured=told.append)
    return folder, told


def test_a_net_is_measured_now_and_then_and_in_the_end(measured):
    folder, told = measured
    assert [(each.iteration, each.opponent) for each in told] == [
        (2, "random"), (2, "uct:40"), (4, "random"), (4, "uct:40"), (5, "random"), (5, "uct:40"),
    ]  # fmt: skip
    assert read_strength(folder) == told
    positions = {each["number"]: each["num_positions"] for each in read_log(folder)}
    for each in told:
        assert each.num_positions == positions[each.iteration]
        assert sum(each.as_first) == sum(each.as_second) == 2
        assert each.score == each.as_first + each.as_second
        assert each.num_simulations == 4


def test_what_is_learnt_is_the_same_without_it(measured, tmp_path):
    train(config(num_iterations=5), tmp_path)
    assert is_as(tmp_path, measured[0])


def test_an_executor_plays_the_same_matches_and_a_stop_ends_them():
    run = Run(config())
    run.num_iterations = 4
    alone = list(SMALL.measure(run))
    assert [each.opponent for each in alone] == ["random", "uct:40"]
    with ThreadPoolExecutor(2) as executor:
        assert list(SMALL.measure(run, executor=executor)) == alone
    stops = iter([False, True])
    assert list(SMALL.measure(run, stop=lambda: next(stops))) == alone[:1]
    assert list(SMALL.measure(run, alone[:1])) == alone[1:]


def test_an_opening_longer_than_the_game_is_named_before_the_run(tmp_path):
    with pytest.raises(ValueError, match="opening_plies=40 is too many"):
        train(config(), tmp_path / "run", benchmark=Benchmark(opening_plies=40))
    assert not (tmp_path / "run").exists()
