"""What the side road on fast answers says is so."""

import numpy as np


def test_the_forms_of_the_net_give_the_same_answers(names):
    expected = names["as_trained"](names["some"])
    for form, evaluate in names["forms"].items():
        for numbers, wanted in zip(evaluate(names["some"]), expected, strict=True):
            np.testing.assert_allclose(numbers, wanted, atol=0.02 if "bfloat16" in form else 1e-4)
