"""What the side road on what samples teach says is so, and stays so with another seed."""

import numpy as np
import torch

from mctslab import net


def test_one_batch_goes_to_the_entropy_of_its_target_and_no_farther(names):
    torch.manual_seed(2)
    value, policy = names["learn"](net.PolicyValueNet(names["config"]), names["sixteen"], 150)[-1]
    floor = net.policy_entropy(names["sixteen"].policies)

    assert value < 0.01
    assert floor - 1e-4 < policy < floor + 0.02


def test_decay_shortens_the_weights_less_than_if_they_were_left_alone(names):
    norms = []
    for decay in (0, 1):
        torch.manual_seed(3)
        pupil = net.PolicyValueNet(names["config"])
        before = net.weight_norm(pupil)
        names["learn"](pupil, names["sixteen"], 60, decay)
        norms.append(net.weight_norm(pupil))

    assert before * (1 - 0.003) ** 60 < norms[1] < 0.95 * norms[0]


def test_turned_samples_help_and_a_forgotten_policy_is_never_learned(names, monkeypatch):
    """Smaller than in the notebook, and with another seed."""
    monkeypatch.setitem(names, "rng", np.random.default_rng(5))
    learned_from, new = ([names["taught"]() for _ in range(number)] for number in (150, 60))
    monkeypatch.setitem(names, "lessons", names["joined"](learned_from))
    before, marks, known = [], [], []
    for how in names["PUPILS"]:
        torch.manual_seed(5)
        pupil = net.PolicyValueNet(names["config"])
        optimizer = net.make_optimizer(pupil, 3e-3)
        before.append(names["exam"](pupil, new).mean(axis=0))
        for samples in names["batches"](how, 200):
            net.training_step(pupil, optimizer, samples)
        marks.append(names["exam"](pupil, new).mean(axis=0))
        known.append(names["exam"](pupil, learned_from).mean(axis=0))
    value, policy = np.transpose(marks)

    assert value[0] > 1.05 > value[1]
    assert known[0][0] < value[0] / 2, "as played, it has learned its games by heart"
    assert known[0][1] < policy[0]
    assert abs(value[1] - value[2]) < 0.2
    assert policy[1] < policy[0] - 0.05
    assert abs(policy[2] - before[0][1]) < 0.08 < before[0][1] - policy[1]
