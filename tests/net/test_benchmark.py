"""Measuring a net while it trains: true numbers, kept once, and no trace in what it learns."""

import pytest

from mctslab.games import Gomoku
from mctslab.net.evaluation import Benchmark, Measurement
from mctslab.net.training import STRENGTH, read_log, read_strength, train
from mctslab.score import Score
from tests.net.runs import config, numbers, same, without_times

SMALL = Benchmark(("random", "uct:40"), every=2, num_games=4, num_simulations=4)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The folder of a run that was measured, its net, and what was told."""
    folder = tmp_path_factory.mktemp("measured")
    told = []
    trainer = train(config(num_iterations=5), folder, benchmark=SMALL, measured=told.append)
    return folder, numbers(trainer.net), told


def without_seconds(measurements):
    return [
        (each.iteration, each.opponent, each.num_positions, each.as_first, each.as_second)
        for each in measurements
    ]


def test_a_net_is_measured_now_and_then_and_in_the_end(measured):
    folder, _, told = measured
    assert [(each.iteration, each.opponent) for each in told] == [
        (2, "random"), (2, "uct:40"), (4, "random"), (4, "uct:40"), (5, "random"), (5, "uct:40"),
    ]  # fmt: skip
    assert read_strength(folder) == told
    positions = {each["number"]: each["num_positions"] for each in read_log(folder)}
    for each in told:
        assert each.num_positions == positions[each.iteration]
        assert sum(each.as_first) == sum(each.as_second) == 2
        assert each.score.num_games == 4
        assert each.num_simulations == 4


def test_further_iterations_can_be_measured_also_before_the_first(tmp_path):
    benchmark = Benchmark(("random",), every=3, also_at=(0, 2), num_games=4, num_simulations=4)
    first = train(config(num_iterations=4), tmp_path, benchmark=benchmark)

    assert [each.iteration for each in read_strength(tmp_path)] == [0, 2, 3, 4]
    assert read_strength(tmp_path)[0].num_positions == 0
    plain = train(config(num_iterations=4), tmp_path / "plain")
    assert same(numbers(first.net), numbers(plain.net))


def test_what_is_learnt_is_the_same_without_it(measured, tmp_path):
    folder, net, _ = measured
    assert same(numbers(train(config(num_iterations=5), tmp_path).net), net)
    assert without_times(read_log(tmp_path)) == without_times(read_log(folder))


def test_a_run_that_is_stopped_is_measured_alike(measured, tmp_path):
    """Also where it is stopped between an iteration and its measurement."""
    folder, net, _ = measured
    done, is_done = [], False
    while not is_done:
        until = len(done) + 1
        trainer = train(
            config(num_iterations=5),
            tmp_path,
            progress=done.append,
            stop=lambda until=until: len(done) >= until,
            benchmark=SMALL,
        )
        is_done = trainer.is_done
    train(config(num_iterations=5), tmp_path, benchmark=SMALL)  # what the last stop left out
    assert without_seconds(read_strength(tmp_path)) == without_seconds(read_strength(folder))
    assert same(numbers(trainer.net), net)


def test_half_a_line_and_what_is_ahead_of_the_run_are_taken_out(measured, tmp_path):
    folder, _, told = measured
    done = []
    train(config(num_iterations=5), tmp_path, progress=done.append, stop=lambda: len(done) == 3)
    lines = (folder / STRENGTH).read_text().splitlines(keepends=True)
    (tmp_path / STRENGTH).write_text("".join(lines[:4]) + lines[4][:30])
    train(config(num_iterations=5), tmp_path, benchmark=SMALL)
    assert without_seconds(read_strength(tmp_path)) == without_seconds(told)


def test_measuring_again_gives_the_same_and_another_iteration_other_games(net):
    first_state = Gomoku(6, in_a_row=4)
    benchmark = Benchmark(("uct:40",), num_games=20, num_simulations=8)
    results = {
        number: [next(benchmark.measure(net, first_state, iteration=number)) for _ in range(2)]
        for number in (1, 2, 3)
    }
    for one, other in results.values():
        assert without_seconds([one]) == without_seconds([other])
    assert len({one.as_first for one, _ in results.values()}) > 1


def test_a_measurement_counts_both_colours():
    measurement = Measurement(1, 10, "random", 4, Score(3, 1, 0), Score(2, 0, 2), 0.5)
    assert measurement.score == Score(5, 1, 2)
    assert measurement.score.rate.value == 5.5 / 8


def test_an_opponent_that_cannot_play_the_game_is_named_before_the_run(tmp_path):
    with pytest.raises(ValueError, match="uct:20 cannot try all 36 moves"):
        train(config(), tmp_path / "run", benchmark=Benchmark(("uct:20",)))
    assert not (tmp_path / "run").exists()
    with pytest.raises(ValueError, match="opening_plies=40 is too many"):
        Benchmark(opening_plies=40).check_game(Gomoku(6, in_a_row=4))
