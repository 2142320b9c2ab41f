"""Every net that comes with mctslab: small, with its origin, loaded, and playing legal moves."""

import json
import tomllib

import numpy as np
import pytest

from mctslab import net, players
from mctslab.net.evaluator import WEIGHTS
from mctslab.net.training_config import TrainingConfig
from mctslab.players.shipped import shipped_nets


def test_there_are_nets_of_several_ages_and_the_older_one_has_seen_more():
    families = {}
    for each in shipped_nets():
        family, _, age = each.name.rpartition("_")
        positions = net.load_checkpoint(each.file).about["positions"]
        families.setdefault(family, []).append((int(age), positions))
    assert families.keys() >= {"gomoku6", "gomoku8", "gomoku9", "gomoku15"}
    for family, ages in families.items():
        assert [age for age, _ in ages] == list(range(1, len(ages) + 1)), f"{family}: all, in order"
        assert ages == sorted(ages, key=lambda each: each[1])


every_net = pytest.mark.parametrize("shipped", shipped_nets(), ids=lambda each: each.name)


@every_net
def test_settings_and_log_lie_beside_a_net_and_its_file_holds_no_more_than_the_net(shipped):
    kept = net.load_checkpoint(shipped.file)
    assert shipped.file.stat().st_size < 5_000_000

    settings = shipped.file.with_suffix(".toml").read_text("utf-8")
    log = shipped.file.with_suffix(".jsonl").read_text("utf-8")
    config = TrainingConfig.from_entries(tomllib.loads(settings))
    assert config.first_state() == shipped.first_state()
    assert config.net_config() == kept.net.config
    assert "seed" in tomllib.loads(settings)
    assert "python -m mctslab train" in settings

    iterations = [json.loads(line) for line in log.splitlines()]
    assert [each["number"] for each in iterations] == list(range(1, len(iterations) + 1))
    assert iterations[-1]["number"] == kept.about["iterations"]
    assert iterations[-1]["num_positions"] == kept.about["positions"]
    assert not [path for path in ("/tmp", "/work") if path in settings + log]


@every_net
def test_it_has_learnt_something_and_its_moves_are_legal(shipped):
    """The policy of a net without training is nearly even."""
    state = shipped.first_state()
    _, (priors,) = net.load(shipped.name)([state], np.random.default_rng(1))
    assert max(priors) > 1.5 / state.num_actions
    player = players.make(f"net:{shipped.name}:4", rng=np.random.default_rng(1))
    for _ in range(12):
        if state.is_terminal:
            break
        state = state.child(player.choose(state))  # an illegal move raises an error


@pytest.mark.parametrize("name", ["reversi6_4", "connect_four_3", "reversi8_3"])
def test_other_runs_with_the_settings_of_a_family_show_what_is_normal(name):
    reference = net.read_reference(name.rpartition("_")[0])
    settings = TrainingConfig.from_toml(WEIGHTS / f"{name}.toml")
    assert reference.differences(settings) == []
    first, *others = reference.runs
    own = [json.loads(line) for line in (WEIGHTS / f"{name}.jsonl").read_text().splitlines()]
    for name in ("number", "value_loss", "policy_loss", "game_length"):
        kept = [line[name] for line in first.log if name in line]
        assert kept == pytest.approx(
            [line[name] for line in own if line[name] is not None], rel=1e-3
        )
    assert others
    assert all(len(run.log) >= 20 and run.seed != first.seed for run in others)
