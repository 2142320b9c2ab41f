"""What the side road on heads and boards says is so, and stays so with another seed."""

import numpy as np
import torch

from mctslab import net


def test_a_stone_reaches_a_square_farther_with_each_convolution(names):
    torch.manual_seed(2)
    tower = net.PolicyValueNet(names["tower"].config).eval()
    features, sides = names["pair"], []
    with torch.no_grad():
        for layer in (tower.stem, *tower.tower):
            features = layer(features)
            reached = (features[0] != features[1]).any(dim=0).nonzero()
            sides.append((reached.max(0).values - reached.min(0).values + 1).tolist())

    assert sides == [[3, 3], [7, 7], [11, 11], [15, 15]]


def test_a_dense_head_knows_the_upper_rows_only_and_a_pooled_one_the_lower_ones_too(
    names, monkeypatch
):
    monkeypatch.setitem(names, "rng", np.random.default_rng(11))
    shares = {}
    for heads in ("dense", "pooled"):
        specialized = names["specialist"](heads, 60)
        for where, rows in (("upper", range(4)), ("lower", range(5, 9))):
            planes, policies, _ = names["fours"](rows, 200)
            right = specialized(planes).policy_logits.argmax(1) == policies.argmax(1)
            shares[heads, where] = right.mean()

    assert min(shares["dense", "upper"], shares["pooled", "upper"]) > 0.95
    assert shares["dense", "lower"] < 0.1
    assert shares["pooled", "lower"] > 0.5
