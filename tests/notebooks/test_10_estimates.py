"""What the side road on estimates says is so, and stays so with another seed."""

import numpy as np


def test_the_estimates_move_from_the_means_towards_the_smaller_numbers(names):
    seen = np.mean([names["estimates"](seed) for seed in range(100, 120)], axis=0)
    rates = 100 * np.array(names["rates"])

    assert seen[0, 0] > 47, "a begins near the mean of its replies"
    assert seen[:3, 0].max() > seen[:3, 1].max() - 3
    assert seen[-1, 0] < seen[-1, 1] - 8, "and ends below b"
    assert all(rates.min(axis=1) < seen[-1]), "every estimate is still too high for Black"
    assert all(seen[-1] < rates.min(axis=1) + 10)
