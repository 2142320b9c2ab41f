"""What the side road on the constant c says is so, and stays so with another seed."""

import math

from tests.notebooks.test_07_connect_four import examine


def test_robust_child_and_max_child_seldom_differ(names, monkeypatch):
    _, differ, _ = examine(names, (10, 300, 1_000, 10_000, 100_000), monkeypatch)

    assert differ.mean(axis=0).max() < 0.15
    assert differ[:, 2:].mean() < 0.04


def test_a_tiny_c_is_bad_and_a_large_one_does_little_harm(names, monkeypatch):
    tiny, half, usual, large = (
        examine(names, (10_000,), monkeypatch, c)[0].mean() for c in (0.01, 0.5, math.sqrt(2), 10.0)
    )
    assert tiny < min(half, usual, large) - 0.05
    assert abs(large - usual) < 0.1
    assert abs(half - usual) < 0.1
