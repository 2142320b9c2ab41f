"""What the side road on rollouts says is so."""

import pytest

FACTS = {"100 for each move": (0.384, 0.030), "400 for each move": (0.364, 0.029)}
"""Scores that others have measured by another program, with their margins."""


# A hundred of what?


@pytest.mark.thorough
@pytest.mark.parametrize("name", FACTS)
def test_scores_agree_with_those_of_another_program(names, name):
    value, margin = FACTS[name]
    rate = names["rates"][name]
    assert rate.low - margin <= value <= rate.high + margin
