"""Runs to compare with: which settings they have, and which files are none of them."""

import json

from mctslab.net.evaluation import Measurement
from mctslab.net.reference import read_reference
from mctslab.score import Score
from tests.net.runs import config, reference_lines


def test_a_file_is_read_and_its_settings_are_compared(tmp_path):
    file = tmp_path / "reference.jsonl"
    log = [{"number": 1, "value_loss": None, "seconds": 2.5}, {"number": 2, "seconds": 1.5}]
    measured = {
        "iteration": 2, "num_positions": 120, "opponent": "random", "num_simulations": 4,
        "as_first": [1, 0, 0], "as_second": [0, 1, 0],
    }  # fmt: skip
    head, *rest = reference_lines(config(), log)
    older = json.loads(head)
    del older["settings"]["self_play"]["solver"], older["settings"]["weight_decay"]
    more = json.dumps({"seed": 4, "measured": measured})
    for first in (head, json.dumps(older)):  # a setting that came later has its default
        file.write_text("\n".join([first, *rest, more]) + "\n")
        reference = read_reference(file)
        assert [(run.seed, run.log) for run in reference.runs] == [(3, log), (4, [])]
        assert reference.runs[1].strength == [
            Measurement(2, 120, "random", 4, Score(1, 0, 0), Score(0, 1, 0))
        ]
        assert reference.differences(config(seed=99)) == []
        assert reference.differences(config(batch_size=9)) == ["batch_size"]
