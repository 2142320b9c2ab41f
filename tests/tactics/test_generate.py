"""The generator of tactical positions makes what it says."""

import json

from mctslab.arena import tactics
from tests.tactics import generate

FEW = {("complete", 1): 1, ("block", 1): 1, ("win", 3): 1, ("win", 5): 1}


def test_a_few_positions_are_made_and_can_be_read(tmp_path, monkeypatch):
    monkeypatch.setattr(generate, "SIZES", (9,))
    monkeypatch.setattr(generate.positions, "__defaults__", (FEW,))
    file = tmp_path / "made.json"
    monkeypatch.setattr("sys.argv", ["generate", "--seed", "5", "--out", str(file)])
    generate.main()
    assert json.loads(file.read_text("utf-8"))["made_by"].endswith("--seed 5")
    assert list(tmp_path.iterdir()) == [file]
    monkeypatch.setattr(tactics, "FILE", file)
    names = [tactic.name for tactic in tactics.load()]
    assert names == [f"{kind}-{plies}-9x9-01" for kind, plies in FEW]
