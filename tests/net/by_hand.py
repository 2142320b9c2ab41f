"""The net computed in NumPy, square by square: what the textbook says, and nothing of PyTorch's."""

import numpy as np

EPSILON = 1e-5  # what PyTorch's batch norm adds to a variance


class ByHand:
    """Answers as `PolicyValueNet` should, from its numbers alone."""

    def __init__(self, net):
        self.numbers = {
            name: tensor.numpy().astype(float) for name, tensor in net.state_dict().items()
        }
        self.num_blocks = net.config.num_blocks
        self.is_pooled = net.config.heads == "pooled"

    def __call__(self, planes):
        features = self.block("stem", planes.astype(float))
        for block in range(self.num_blocks):
            name = f"tower.{block}"
            change = self.convolution(f"{name}.second", self.block(f"{name}.first", features))
            features = relu(features + self.norm(f"{name}.second_norm", change))
        policy = self.block("policy_head.convolution", features)
        value = self.block("value_head.convolution", features)
        logits = self.pooled_policy(policy) if self.is_pooled else self.dense_policy(policy)
        value = self.pooled(value) if self.is_pooled else value.reshape(len(planes), -1)
        value = relu(self.linear("value_head.hidden", value))
        return logits, np.tanh(self.linear("value_head.linear", value))[:, 0]

    def dense_policy(self, features):
        return self.linear("policy_head.linear", features.reshape(len(features), -1))

    def pooled_policy(self, features):
        """A logit for each square from what is there, and one for the pass from the means."""
        weights = self.numbers["policy_head.squares.weight"][0, :, 0, 0]
        logits = (
            np.einsum("nirs,i->nrs", features, weights) + self.numbers["policy_head.squares.bias"]
        )
        logits = logits.reshape(len(features), -1)
        if "policy_head.passing.weight" not in self.numbers:
            return logits
        means = features.sum((2, 3)) / features[0, 0].size
        return np.hstack([logits, self.linear("policy_head.passing", means)])

    def pooled(self, features):
        """The mean and the greatest of each plane."""
        squares = features.reshape(*features.shape[:2], -1)
        return np.hstack([squares.sum(2) / squares.shape[2], squares.max(2)])

    def block(self, name, features):
        return relu(self.norm(f"{name}.norm", self.convolution(f"{name}.convolution", features)))

    def convolution(self, name, features):
        """Every square from its neighbours, those off the board being 0."""
        weights = self.numbers[f"{name}.weight"]
        reach = weights.shape[2] // 2
        padded = np.pad(features, ((0, 0), (0, 0), (reach, reach), (reach, reach)))
        _, _, rows, cols = features.shape
        result = np.zeros((len(features), len(weights), rows, cols))
        for row in range(rows):
            for col in range(cols):
                window = padded[:, :, row : row + 2 * reach + 1, col : col + 2 * reach + 1]
                result[:, :, row, col] = np.einsum("nirs,oirs->no", window, weights)
        return result

    def norm(self, name, features):
        mean, variance, scale, shift = (
            self.numbers[f"{name}.{part}"].reshape(1, -1, 1, 1)
            for part in ("running_mean", "running_var", "weight", "bias")
        )
        return (features - mean) / np.sqrt(variance + EPSILON) * scale + shift

    def linear(self, name, inputs):
        return inputs @ self.numbers[f"{name}.weight"].T + self.numbers[f"{name}.bias"]


def relu(numbers):
    return np.maximum(numbers, 0)
