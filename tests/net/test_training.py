"""A training run: the same settings make the same net, however often it was stopped on the way."""

import pytest
import torch

from mctslab.net.inference import computes_in_bfloat16
from mctslab.net.run_folder import CHECKPOINT, train
from mctslab.net.training import DivergedError, Run, alphazero
from tests.net.runs import config, numbers, numbers_in, same, train_in_parts, train_on


def test_a_run_learns_on_the_device_of_the_settings_at_their_rate():
    run = Run(config(device="cpu"))
    for number, iteration in zip(range(2), alphazero(run), strict=False):
        assert iteration.learning_rate == run.config.learning_rate_at(number)
        rates = {group["lr"] for group in run.optimizer.param_groups}
        assert rates == {config().learning_rate_at(number)} or not number
    assert {each.device.type for each in run.net.state_dict().values()} == {"cpu"}
    with pytest.raises(ValueError, match="device = 'cuda': this machine has none"):
        Run(config(device="cuda"))
    with pytest.raises(ValueError, match="device = 'tpu': expected"):
        config(device="tpu")


def test_half_precision_makes_a_net_that_is_nearly_the_same_and_exactly_the_same_again(tmp_path):
    """On a processor without it both runs are in full precision."""
    halved = config(half_precision=True, num_iterations=2)
    net = numbers(train(halved, tmp_path / "half").net)
    exact = numbers(train(config(num_iterations=2), tmp_path / "full").net)
    assert same(net, exact) is not computes_in_bfloat16()
    stem = "stem.convolution.weight"
    assert torch.allclose(net[stem], exact[stem], atol=0.1)
    assert same(numbers(train_in_parts(tmp_path / "again", halved, 1).net), net)


def test_other_settings_are_refused(tmp_path):
    train_on(tmp_path, 1)
    before = (tmp_path / CHECKPOINT).read_bytes()
    with pytest.raises(ValueError, match="batch_size is 8 there, not 9"):
        train(config(batch_size=9), tmp_path)
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_a_finished_run_can_be_given_more_iterations_but_not_fewer(tmp_path):
    """From where it was, its learning rate is that of the longer run; stopped, it ends the same."""
    longer, rates = config(num_iterations=4), []
    for folder in (tmp_path / "whole", tmp_path / "stopped"):
        train(config(num_iterations=2), folder)
    run = train(longer, tmp_path / "whole", progress=lambda done: rates.append(done.learning_rate))
    assert rates == [longer.learning_rate_at(2), longer.learning_rate_at(3)]
    train_in_parts(tmp_path / "stopped", longer)
    assert run.num_iterations == 4
    assert same(numbers_in(tmp_path / "whole"), numbers_in(tmp_path / "stopped"))
    with pytest.raises(ValueError, match=r"num_iterations is 4 there, not 3.*can grow"):
        train(config(num_iterations=3), tmp_path / "whole")


def test_a_training_that_diverges_says_so_and_keeps_the_net_before(tmp_path):
    settings = config(learning_rate=1e12, final_learning_rate=1e12)
    with pytest.raises(DivergedError, match=r"diverged: .* learning_rate below 1e\+12"):
        train(settings, tmp_path)
    kept = numbers_in(tmp_path)
    assert all(torch.isfinite(each).all() for each in kept.values())


def test_the_learning_rate_falls_along_half_a_cosine():
    settings = config(num_iterations=5, learning_rate=1.0, final_learning_rate=0.2)
    rates = [settings.learning_rate_at(number) for number in range(5)]
    assert rates == pytest.approx([1.0, 0.882843, 0.6, 0.317157, 0.2], abs=1e-6)
