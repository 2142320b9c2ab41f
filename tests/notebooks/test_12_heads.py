"""What the side road on heads and boards says is so."""

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
