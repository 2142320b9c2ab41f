"""What the side road on what samples teach says is so, and stays so with another seed."""

import numpy as np
import pytest
import torch

from mctslab import net
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "12_what_samples_teach")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


@pytest.mark.parametrize("seed", [2, 7])
def test_one_batch_goes_to_the_entropy_of_its_target_and_no_farther(names, seed):
    torch.manual_seed(seed)
    value, policy = names["learn"](net.PolicyValueNet(names["config"]), names["sixteen"], 150)[-1]
    floor = net.policy_entropy(names["sixteen"].policies)

    assert value < 0.01
    assert floor - 1e-4 < policy < floor + 0.02


def test_two_samples_that_contradict_each_other_leave_an_eighth(names):
    torch.manual_seed(3)
    samples = names["contradicting"]
    value, _ = names["learn"](net.PolicyValueNet(names["config"]), samples, 150)[-1]

    assert value == pytest.approx(2 / 16, abs=0.01)
    assert samples.values[0] == -samples.values[1] != 0


def test_decay_shortens_the_weights_less_than_if_they_were_left_alone(names):
    norms = []
    for decay in (0, 1):
        torch.manual_seed(3)
        pupil = net.PolicyValueNet(names["config"])
        before = net.weight_norm(pupil)
        names["learn"](pupil, names["sixteen"], 60, decay)
        norms.append(net.weight_norm(pupil))

    assert before * (1 - 0.003) ** 60 < norms[1] < 0.95 * norms[0]


def test_an_exam_is_the_squared_error_and_the_distance_of_the_policy_from_its_target(names):
    game, pupil = names["test_games"][0], names["untrained"].eval()
    with torch.no_grad():
        logits, values = pupil(torch.from_numpy(game.planes))
    value = np.square(values.numpy() - game.values).mean()
    distance = torch.nn.functional.kl_div(
        logits.log_softmax(1), torch.from_numpy(game.policies), reduction="batchmean"
    )
    marks = names["exam"](pupil, names["test_games"])

    assert marks.shape == (len(names["test_games"]), 2)
    assert marks[0] == pytest.approx([value, float(distance)], abs=1e-4)


def test_turned_samples_help_and_a_forgotten_policy_is_never_learned(names, monkeypatch):
    """Smaller than in the notebook, and with another seed."""
    shell = names["learn"].__globals__
    monkeypatch.setitem(shell, "rng", np.random.default_rng(5))
    learned_from = [names["taught"]() for _ in range(150)]
    monkeypatch.setitem(shell, "lessons", names["joined"](learned_from))
    new = [names["taught"]() for _ in range(60)]
    marks, by_heart = {}, None
    for how in names["PUPILS"]:
        torch.manual_seed(5)
        pupil = net.PolicyValueNet(names["config"])
        optimizer = net.make_optimizer(pupil, 3e-3)
        before = names["exam"](pupil, new).mean(axis=0)
        for samples in names["batches"](how, 200):
            net.training_step(pupil, optimizer, samples)
        marks[how] = names["exam"](pupil, new).mean(axis=0)
        if how == "as played":
            by_heart = names["exam"](pupil, learned_from).mean(axis=0)
    value, policy = zip(*(marks[how] for how in names["PUPILS"]), strict=True)

    assert value[0] > 1.05 > value[1]
    assert by_heart[0] < value[0] / 2, "it has learned its games by heart"
    assert by_heart[1] < policy[0]
    assert abs(value[1] - value[2]) < 0.2
    assert policy[1] < policy[0] - 0.05
    assert abs(policy[2] - before[1]) < 0.08 < before[1] - policy[1]


def test_the_first_two_matches_differ_in_the_net_only(names):
    trained, untrained, own = names["results"].values()

    assert trained.names[1] == untrained.names[1] == "uct:200"
    assert own.names[1] == "mine:50"
    openings = [[game.actions[:2] for game in match.games] for match in (trained, untrained)]
    assert openings[0] == openings[1]
