"""The curves of a training run: lines are the log's numbers, bands those of other runs."""

import math

import numpy as np
import pytest

from mctslab.draw.training import Curves, Scored, training_curves

NAMES = ("value_loss", "policy_loss", "policy_entropy", "game_length", "first_player_score")


def line(number, shift=0.0, **changes):
    known = {name: place + 1 / number + shift for place, name in enumerate(NAMES)}
    return {"number": number, **known, **changes}


def axes_of(*arguments, **options):
    chart = training_curves(*arguments, num_iterations=10, **options)
    return {axes.get_title(loc="left"): axes for axes in chart.figure.axes}


def heights_of(band, x):
    """The least and the largest height of a band at x."""
    corners = band.get_paths()[0].vertices
    heights = corners[corners[:, 0] == x][:, 1]
    return heights.min(), heights.max()


@pytest.fixture
def run():
    scores = {
        "random": [Scored(2, 0.9, 0.7, 0.97), Scored(4, 1.0, 0.84, 1.0)],
        "uct:100": [Scored(4, 0.25, 0.11, 0.47)],
    }
    return Curves([line(number) for number in (1, 2, 3, 4)], scores)


def test_lines_are_the_numbers_of_the_log(run):
    axes = axes_of(run)
    value, policy, left, length, first, scores = axes.values()
    assert next(iter(axes)) == "Loss of the value"
    for one, names in (
        (value, ["value_loss"]),
        (policy, ["policy_loss", "policy_entropy"]),
        (length, ["game_length"]),
        (first, ["first_player_score"]),
    ):
        assert len(one.lines) == len(names)
        for drawn, name in zip(one.lines, names, strict=True):
            x, y = drawn.get_data()
            assert x.tolist() == [1, 2, 3, 4]
            assert y.tolist() == [each[name] for each in run.log]
    assert left.lines[0].get_ydata() == pytest.approx([-1.0] * 4)  # policy_loss - policy_entropy
    assert all(each.get_xlim() == (0, 10) for each in axes.values())
    words = [text.get_text() for text in policy.get_legend().get_texts()]
    assert words == ["policy", "entropy of its target"]
    assert scores.get_ylim()[0] < 0 < 1 < scores.get_ylim()[1]


def test_scores_have_whiskers_and_a_look_of_their_own(run):
    *_, axes = axes_of(run).values()
    random, uct, _even = axes.lines
    assert [random.get_label(), uct.get_label()] == ["random", "uct:100"]
    assert random.get_ydata().tolist() == [0.9, 1.0]
    assert random.get_xdata() == pytest.approx([2, 4], abs=0.1)
    whiskers = [[tuple(part[:, 1]) for part in each.get_segments()] for each in axes.collections]
    assert whiskers == [[(0.7, 0.97), (0.84, 1.0)], [(0.11, 0.47)]]
    for look in ("get_color", "get_linestyle", "get_marker"):
        assert getattr(random, look)() != getattr(uct, look)()
    assert random.get_xdata()[1] != uct.get_xdata()[0], "neither hides the other"


def test_a_band_goes_from_the_lowest_to_the_highest_of_other_runs(run):
    others = [Curves([line(number, shift) for number in (1, 2)]) for shift in (0.5, -0.25, 0.1)]
    (band,) = axes_of(run, reference=others)["Length of the games"].collections
    for number in (1, 2):
        middle = NAMES.index("game_length") + 1 / number
        assert heights_of(band, number) == pytest.approx((middle - 0.25, middle + 0.5))
    scored = [Curves([], {"uct:100": [Scored(4, score, 0, 1)]}) for score in (0.2, 0.6)]
    *_, last = axes_of(run, reference=scored).values()
    assert heights_of(last.collections[1], 4) == (0.2, 0.6)


def test_what_there_is_not_is_left_out():
    log = [line(1, value_loss=None), line(2, value_loss=math.nan), line(3), {"number": 4}]
    axes = axes_of(Curves(log))
    loss = axes["Loss of the value"].lines[0]
    assert (loss.get_xdata().tolist(), loss.get_marker()) == ([3], "o"), "one point can be seen"
    assert axes["Length of the games"].lines[0].get_xdata().tolist() == [1, 2, 3]
    assert np.isfinite(axes["Policy: what remains to be learned"].lines[0].get_ydata()).all()
    assert "0 of 5 iterations" in training_curves(Curves([]), num_iterations=5).svg
    with pytest.raises(ValueError, match="num_iterations=0"):
        training_curves(Curves([]), num_iterations=0)
