"""What the side road on fast answers says is so."""

import numpy as np


def test_the_fastest_backend_gives_the_same_answers(names):
    logits, values = names["by_pytorch"](names["some"])
    answer = names["quick"](names["some"])

    np.testing.assert_allclose(answer.policy_logits, logits, atol=1e-4)
    np.testing.assert_allclose(answer.values, values, atol=1e-4)
