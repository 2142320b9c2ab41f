"""What the side road on the net's two halves says is so."""

import numpy as np
import pytest

from mctslab import arena


@pytest.mark.parametrize("has_priors", [True, False])
@pytest.mark.parametrize("has_values", [True, False])
def test_halves_take_away_what_they_say(names, has_values, has_priors):
    states = [names["small"], names["small"].child(3)]
    values, priors = names["expert"](states, np.random.default_rng(1))
    half = names["halved"](names["expert"], has_priors, has_values)

    expected = values if has_values else [(0.0, 0.0)] * 2, priors if has_priors else None
    assert half(states, None) == expected


def test_the_priors_are_worth_more_only_with_few_simulations(names):
    priors, values = names["half_rates"]["priors only"], names["half_rates"]["values only"]
    assert names["BUDGETS"] == [25, 100, 400]
    assert priors[0].low > values[0].high
    for one, other in zip(priors[1:], values[1:], strict=True):
        assert other.high > one.low, "the intervals overlap"
    both = names["half_rates"]["both"]
    assert all(abs(one.value - other.value) < 0.1 for one, other in zip(both, priors, strict=True))


def test_both_falls_by_no_more_than_chance(names, notebook):
    rates = names["half_rates"]["both"]
    assert [rate.value for rate in rates] == [1.0, 0.975, 0.95]
    assert rates[0].low < rates[2].high
    files = [notebook.parent / "results" / f"14_half_both_{number}.jsonl" for number in (25, 400)]
    assert [arena.load(file).score.losses for file in files] == [0, 2]


def test_knowing_nothing_rises_and_stays_weaker(names):
    nothing, both = names["nothing"], names["half_rates"]["both"]
    assert nothing[-1].value > nothing[0].value, "it rises"
    assert 0 < nothing[0].high - nothing[-1].low < 0.1, "they overlap a little"
    assert nothing[-1].value == both[0].value / 2
    assert both[0].low > nothing[-1].high
    assert names["MANY"][-1] >= 1_000 * names["BUDGETS"][0]
    assert not names["enough"]
