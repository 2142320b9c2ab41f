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

    def __call__(self, planes):
        features = self.block("stem", planes.astype(float))
        for block in range(self.num_blocks):
            name = f"tower.{block}"
            change = self.convolution(f"{name}.second", self.block(f"{name}.first", features))
            features = relu(features + self.norm(f"{name}.second_norm", change))
        policy = self.block("policy_head.convolution", features).reshape(len(planes), -1)
        value = self.block("value_head.convolution", features).reshape(len(planes), -1)
        value = relu(self.linear("value_head.hidden", value))
        value = np.tanh(self.linear("value_head.linear", value))
        return self.linear("policy_head.linear", policy), value[:, 0]

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
