"""A net of one's own: trained, resumed, loaded with its class only, and played."""

import copy
import types
import warnings
from functools import partial

import numpy as np
import pytest
import torch
from torch import nn

from mctslab import arena, games, net
from mctslab.net.checkpoint import CheckpointError, load_checkpoint
from mctslab.net.own_net import OwnNet, source_digest
from mctslab.net.run_folder import CHECKPOINT, train
from tests import forks
from tests.net.own_nets import MLP, ResNet, Single, TwoDimensional
from tests.net.runs import config, is_as, train_on

_forked = pytest.fixture(forks.child_processes, scope="module", autouse=True)

SETTINGS = config(game="tictactoe", num_iterations=3, num_shares=2)
PLANES = np.random.default_rng(1).integers(2, size=(5, 4, 3, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder of a run of a net, made once for each kind."""
    folders = {}

    def folder(make_net):
        if make_net not in folders:
            folders[make_net] = tmp_path_factory.mktemp(make_net.__name__)
            train(SETTINGS, folders[make_net], make_net=make_net, num_workers=0)
        return folders[make_net]

    return folder


@pytest.mark.parametrize("make_net", [ResNet, MLP])
def test_stopped_after_each_iteration_it_ends_with_the_same_bytes(make_net, trained, tmp_path):
    """Also with dropout, and on two processes."""
    for workers in (0, 2, 0):
        torch.manual_seed(workers)  # PyTorch's own random numbers make no difference
        run = train_on(tmp_path, 1, SETTINGS, make_net=make_net, num_workers=workers)
    assert run.is_done
    assert is_as(tmp_path, trained(make_net))


@pytest.mark.parametrize("make_net", [ResNet, MLP])
def test_loaded_it_answers_as_its_module_does(make_net, trained):
    kept = load_checkpoint(trained(make_net) / CHECKPOINT, make_net).net
    with torch.inference_mode():
        logits, values = kept.own(torch.from_numpy(PLANES))
    answer = net.fastest(copy.deepcopy(kept), "cpu")(PLANES)
    assert answer.policy_logits == pytest.approx(logits.numpy(), abs=1e-5)
    assert answer.values == pytest.approx(values.numpy(), abs=1e-5)


def test_it_plays_a_match_as_a_run_in_a_folder(trained):
    mine = partial(net.player, trained(MLP), 8, make_net=MLP, device="cpu")
    result = arena.match(games.TicTacToe(), first=mine, second="random", num_games=4, seed=1)
    assert result.is_complete
    assert {game.reason for game in result.games} == {"rules"}
    assert result.names[0] == f"net:{trained(MLP)}:8"
    one, other = (net.player(net.load("connect_four_1", device="cpu"), 30, rng=1) for _ in "ab")
    assert one.choose(games.ConnectFour()) == other.choose(games.ConnectFour())
    with pytest.raises(ValueError, match=r"device = 'tpu': this machine has none\. Use 'auto' or"):
        net.load("connect_four_1", device="tpu")


def test_without_its_class_or_with_another_one_its_file_is_a_sentence(trained, tmp_path):
    file = trained(MLP) / CHECKPOINT
    assert b"layers" in file.read_bytes()
    assert b"nn.Linear" not in file.read_bytes()  # no code
    with pytest.raises(CheckpointError, match=r"whose code is not in the file.*make_net=MLP\.$"):
        net.load(file)
    with pytest.raises(CheckpointError, match=r"weights are not those of make_net=<class.*ResNet"):
        net.load(file, make_net=ResNet)
    with pytest.raises(CheckpointError, match=r"of mctslab itself: leave out make_net\.$"):
        net.load("connect_four_1", make_net=MLP)
    with pytest.raises(CheckpointError, match="whose code is not in the file"):
        train(SETTINGS, trained(MLP))


def test_a_source_that_has_changed_is_told(trained):
    class Changed(MLP):
        def forward(self, planes):
            return super().forward(planes)

    with pytest.raises(ValueError, match=r"the source of make_net=<class .*Changed'> has changed"):
        train(SETTINGS, trained(MLP), make_net=Changed)
    with pytest.warns(UserWarning, match=r"^<class .*Changed'> has changed since "):
        net.load(trained(MLP), make_net=Changed)
    with warnings.catch_warnings(action="error"):  # where Python has no source, nothing is told
        net.load(trained(MLP), make_net=types.new_class("Unknown", (MLP,)))
    assert source_digest(MLP) != source_digest(ResNet)


def test_a_net_that_exists_only_in_this_process_is_trained_in_it(tmp_path):
    run = train(SETTINGS, tmp_path, make_net=lambda config: MLP(config))
    assert run.is_done


SHAPE = net.NetConfig.for_game(games.TicTacToe())


@pytest.mark.parametrize(
    ("make_net", "words"),
    [
        (TwoDimensional, r"with \[2, 9\] and \[2, 1\]: expected logits .* \[2, 9\] .* \[2\]\."),
        (
            Single,
            r"^Single answered planes of shape \[2, 4, 3, 3\] with \[2, 10\]: expected logits",
        ),
        (lambda _: nn.Flatten(), r"with \[2, 36\]: expected logits of shape \[2, 9\] and values"),
        (lambda _: 7, r"made 7: expected a torch\.nn\.Module\."),
        (nn.Linear(2, 2), r"^make_net must be a class or a function that .* got Linear\(in_feat"),
        (nn.Linear, r"^make_net must be a class or a function that makes .* got <class .*Linear"),
        (
            lambda _: nn.Linear(7, 2),
            r"planes of shape \[2, 4, 3, 3\], which are \[N, inputs\.count",
        ),
    ],
)
def test_what_is_no_net_for_the_game_is_a_sentence_that_names_both_shapes(make_net, words):
    with pytest.raises((TypeError, ValueError), match=words):
        OwnNet(SHAPE, make_net)


def test_settings_that_are_none_are_told_before_a_folder_is_made(tmp_path):
    with pytest.raises(ValueError, match=r"^config must be a TrainingConfig, .* got {'game': 'tic"):
        net.train({"game": "tictactoe"}, tmp_path / "run")
    assert not (tmp_path / "run").exists()
