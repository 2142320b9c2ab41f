"""What notebook 01 says is so."""

import math


def test_the_answers_to_the_predictions_are_what_was_counted(names):
    assert names["counted"].value == 255_168
    assert [sum(sizes) for sizes in names["counts"].values()] == [549_946, 5_478, 765]


def test_ten_to_the_power_of_240_has_241_digits(names):
    exponent = names["means"]["Gomoku"]

    assert len(str(10**240)) == 241
    assert names["digits"] == len(str(10 ** math.floor(exponent)))
    assert "lower bound" in names["answer"]


def test_seven_of_the_eight_replies_to_a_corner_lose(names):
    assert {value: len(moves) for value, moves in names["values"].items()} == {
        "0": 1,
        "+1": 7,
        "−1": 0,
    }
