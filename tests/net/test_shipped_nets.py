"""Every net that comes with mctslab: small, told of in full, loaded, and playing legal moves."""

import json
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
from setuptools import find_packages

from mctslab import net, players
from mctslab.net.evaluator import WEIGHTS
from mctslab.net.training_config import TrainingConfig
from mctslab.players.shipped import shipped_nets

PROJECT = Path(__file__).resolve().parents[2]
MOST_BYTES = 5_000_000
NETS = shipped_nets()

every_net = pytest.mark.parametrize("shipped", NETS, ids=lambda each: each.name)


def test_there_are_nets_of_several_ages_for_the_usual_boards():
    families = {each.name.rpartition("_")[0] for each in NETS}
    assert families >= {"gomoku6", "gomoku8", "gomoku9", "gomoku15"}
    for family in families:
        ages = [
            int(each.name.rpartition("_")[2])
            for each in NETS
            if each.name.rpartition("_")[0] == family
        ]
        assert ages == list(range(1, len(ages) + 1)), f"{family}: none is missing, youngest first"


@every_net
def test_it_is_small_and_holds_no_more_than_a_net(shipped):
    assert shipped.file.stat().st_size < MOST_BYTES
    assert not net.load_checkpoint(shipped.file).tensors


@every_net
def test_its_settings_lie_beside_it_with_seed_and_command(shipped):
    text = shipped.file.with_suffix(".toml").read_text("utf-8")
    config = TrainingConfig.from_entries(tomllib.loads(text))

    assert config.first_state() == shipped.first_state()
    assert "seed" in tomllib.loads(text)
    assert "python -m mctslab train" in text
    assert config.net_config() == net.load_checkpoint(shipped.file).net.config


@every_net
def test_its_log_lies_beside_it_up_to_the_iteration_that_it_is_of(shipped):
    lines = shipped.file.with_suffix(".jsonl").read_text("utf-8").splitlines()
    iterations = [json.loads(line) for line in lines]
    about = net.load_checkpoint(shipped.file).about

    assert [each["number"] for each in iterations] == list(range(1, len(iterations) + 1))
    assert iterations[-1]["number"] == about["iterations"]
    assert iterations[-1]["num_positions"] == about["positions"]


@every_net
def test_nothing_beside_it_tells_of_the_machine_that_made_it(shipped):
    for suffix in (".toml", ".jsonl"):
        text = shipped.file.with_suffix(suffix).read_text("utf-8")
        assert "/tmp" not in text
        assert "/work" not in text


@every_net
def test_it_plays_a_game_of_legal_moves(shipped):
    state = shipped.first_state()
    player = players.make(f"net:{shipped.name}:8", rng=np.random.default_rng(1))
    while not state.is_terminal:
        state = state.child(player.choose(state))  # an illegal move raises an error


@every_net
def test_it_has_learnt_something(shipped):
    """Its policy is not that of a net without training, which is nearly even."""
    state = shipped.first_state()
    _, (priors,) = net.load(shipped.name)([state], np.random.default_rng(1))
    assert max(priors) > 1.5 / state.num_actions


def test_the_older_of_two_nets_has_seen_more():
    for family in {each.name.rpartition("_")[0] for each in NETS}:
        seen = [
            net.load_checkpoint(each.file).about["positions"]
            for each in NETS
            if each.name.rpartition("_")[0] == family
        ]
        assert seen == sorted(seen)


def test_they_are_in_the_wheel(tmp_path):
    """Built with what is installed here, from a copy of the sources without its history."""
    code = (
        "import sys; from setuptools import build_meta;print(build_meta.build_wheel(sys.argv[1]))"
    )
    copy = tmp_path / "project"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (copy / name).write_bytes((PROJECT / name).read_bytes())
    for package in find_packages(str(PROJECT), include=["mctslab*"]):
        folder = copy / package.replace(".", "/")
        folder.mkdir(parents=True, exist_ok=True)
        source = PROJECT / package.replace(".", "/")
        for file in [*source.glob("*.py"), *source.glob("weights/*"), *source.glob("static/*")]:
            target = folder / file.relative_to(source)
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(file.read_bytes())
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=copy, check=True)

    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    lying = {f"mctslab/net/weights/{file.name}" for file in WEIGHTS.iterdir()}
    assert lying <= packed
