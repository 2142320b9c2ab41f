"""Nets of somebody else, in a file that other processes can import."""

import torch
from torch import nn

from mctslab.net.model import ConvolutionBlock, ResidualBlock


class ResNet(nn.Module):
    """Of mctslab's own blocks, so that its batch norms are folded; with dropout."""

    def __init__(self, config):
        super().__init__()
        self.tower = nn.Sequential(ConvolutionBlock(config.inputs.count, 4), ResidualBlock(4))
        size = 4 * config.rows * config.cols
        self.dropout = nn.Dropout(0.2)
        self.policy, self.value = nn.Linear(size, config.num_actions), nn.Linear(size, 1)

    def forward(self, planes):
        features = self.dropout(self.tower(planes).flatten(1))
        return self.policy(features), torch.tanh(self.value(features))[:, 0]


class MLP(nn.Module):
    """Has no convolution and no batch norm, and needs planes that lie in one piece."""

    def __init__(self, config):
        super().__init__()
        self.num_actions = config.num_actions
        size = config.inputs.count * config.rows * config.cols
        self.layers = nn.Sequential(
            nn.Linear(size, 16), nn.ReLU(), nn.Linear(16, config.num_actions + 1)
        )

    def forward(self, planes):
        answer = self.layers(planes.view(len(planes), -1))
        return answer[:, : self.num_actions], answer[:, self.num_actions].tanh()


class TwoDimensional(MLP):
    """Forgets to remove the last dimension of its values."""

    def forward(self, planes):
        logits, values = super().forward(planes)
        return logits, values[:, None]


class Single(MLP):
    def forward(self, planes):
        return self.layers(planes.view(len(planes), -1))
