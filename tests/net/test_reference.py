"""Runs to compare with: what is kept of their logs, and which runs belong together."""

import json

import pytest

from mctslab.__main__ import main
from mctslab.net.evaluation import Benchmark
from mctslab.net.reference import KEPT, Reference, Run, collect, read_reference, write_reference
from mctslab.net.run_folder import train
from mctslab.net.run_log import LOG, read_log, read_strength
from tests.net import runs


def config(**changes):
    more = {"num_iterations": 2, "num_games": 4}
    return runs.config(**{**more, **changes})


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two runs that differ in the seed; the first one was measured."""
    found = []
    for seed in (3, 4):
        folder = tmp_path_factory.mktemp(f"run_{seed}")
        benchmark = Benchmark(("random",), every=1, num_games=2, num_simulations=4)
        train(config(seed=seed), folder, benchmark=benchmark if seed == 3 else None)
        found.append(folder)
    return found


def test_runs_are_collected_written_and_read_back(folders, tmp_path, capsys):
    file = tmp_path / "reference.jsonl"
    assert main(["reference", *map(str, folders), "--out", str(file)]) == 0
    assert "2 runs are in" in capsys.readouterr().out
    reference = read_reference(file)
    assert [run.seed for run in reference.runs] == [3, 4]
    assert reference.differences(config(seed=99)) == []
    assert reference.differences(config(batch_size=9)) == ["batch_size"]
    for run, folder in zip(reference.runs, folders, strict=True):
        log = read_log(folder)
        assert [line["number"] for line in run.log] == [1, 2]
        assert {name for line in run.log for name in line} <= set(KEPT)
        for name in ("game_length", "policy_entropy", "seconds"):
            kept = [line[name] for line in run.log if name in line]
            expected = [each[name] for each in log if each[name] is not None]
            assert kept == pytest.approx(expected, rel=1e-3)
            assert kept
        assert list(run.strength) == read_strength(folder)
    assert len(reference.runs[0].strength) == 2
    assert len(file.read_text().splitlines()) == 1 + 2 + 2 + 2

    log = [{"number": 1, "value_loss": None, "policy_loss": 1.23456789, "sample_game": [1, 2]}]
    write_reference(Reference({}, (Run(1, log, ()),)), file)  # what there was not is left out
    (line,) = map(json.loads, file.read_text().splitlines()[1:])
    assert line == {"seed": 1, "iteration": {"number": 1, "policy_loss": 1.235}}


def test_a_setting_that_came_later_has_its_default_in_an_older_file(folders, tmp_path):
    file = tmp_path / "older.jsonl"
    write_reference(collect(folders), file)
    head, *runs = file.read_text().splitlines(keepends=True)
    older = json.loads(head)
    del older["settings"]["self_play"]["discount"], older["settings"]["weight_decay"]
    file.write_text("".join([json.dumps(older) + "\n", *runs]))
    assert read_reference(file).differences(config(seed=99)) == []


def test_runs_that_do_not_belong_together_are_refused(folders, tmp_path, capsys):
    train(config(seed=5, batch_size=9), tmp_path / "other")
    for wrong, words in (
        ([*folders, tmp_path / "other"], "other settings"),
        ([folders[0], folders[0]], "second run with the seed 3"),
        ([], "no folder"),
    ):
        with pytest.raises(ValueError, match=words):
            collect(wrong)
    out = tmp_path / "out.jsonl"
    assert main(["reference", str(tmp_path / "nothing"), "--out", str(out)]) == 2
    assert capsys.readouterr().err.startswith("reference: There is no file")
    assert not out.exists()


def test_a_file_with_something_else_is_refused(tmp_path):
    file = tmp_path / LOG
    for content in (
        "",
        "no json",
        "{}",
        '{"format": 9}',
        '{"format": 1, "settings": {}}\n{"seed": 1}',
        *(
            f'{{"format": 1, "settings": {{}}}}\n{{"seed": 1, "iteration": {{"seconds": {wrong}}}}}'
            for wrong in ("-1", "-0.5", "NaN", "Infinity", "true")
        ),
    ):
        file.write_text(content)
        with pytest.raises(ValueError, match="holds no runs to compare with"):
            read_reference(file)
