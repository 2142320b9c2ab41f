"""What the side road on the net's two halves says is so."""

import numpy as np
import pytest


@pytest.mark.parametrize("has_priors", [True, False])
@pytest.mark.parametrize("has_values", [True, False])
def test_halves_take_away_what_they_say(names, has_values, has_priors):
    states = [names["small"], names["small"].child(3)]
    values, priors = names["expert"](states, np.random.default_rng(1))
    half = names["halved"](names["expert"], has_priors, has_values)

    expected = values if has_values else [(0.0, 0.0)] * 2, priors if has_priors else None
    assert half(states, None) == expected
