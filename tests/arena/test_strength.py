"""The measurement of nets runs, goes on where it was, and its table says what was played."""

import json

import pytest

from mctslab import arena, net
from mctslab.__main__ import main
from mctslab.arena import strength, tactics
from mctslab.games import Gomoku
from tests.net.nets import lively_net


@pytest.fixture
def measure(tmp_path, capsys):
    """A function that runs the command; what it printed, and the folder.

    Without the running scores: a busy machine prints more of them.
    """

    def run(*words):
        folder = tmp_path / "results"
        assert main(["strength", *words, "--results", str(folder)]) == 0
        lines = capsys.readouterr().out.splitlines(keepends=True)
        return "".join(line for line in lines if line[0] not in "\r█░"), folder

    return run


def net_file(path, size, in_a_row, seed=0):
    options = {"size": size, "in_a_row": in_a_row}
    config = net.NetConfig.for_game(Gomoku(**options), num_filters=4, num_blocks=1, value_hidden=4)
    about = {"game": "gomoku", "game_options": options}
    return str(net.save_checkpoint(path, lively_net(config, seed), about=about))


def rows_of(text, head):
    """The rows of a table, as lists of cells."""
    lines = text[text.index(f"| {head} |") :].split("\n\n")[0].strip().splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]


def test_nets_are_measured_against_rivals_and_each_other(measure, tmp_path):
    nets = [net_file(tmp_path / f"{name}.safetensors", 6, 4, name == "b") for name in "ab"]
    words = [*nets, "--games", "4", "--simulations", "5", "--rivals", "random"]
    text, folder = measure(*words)
    expected = []
    results = [arena.load(file) for file in folder.glob("*.jsonl")]
    for first, second in ("a", "random"), ("b", "random"), ("b", "a"):
        (result,) = (
            each for each in results if (each.names[0][0], each.names[1][0]) == (first, second[0])
        )
        scores = result.score, result.score_as(0), result.score_as(1)
        rates = [strength.written(score.rate) for score in scores]
        expected.append([f"`{first}`", f"`{second}`", "4", *rates])
    assert rows_of(text, " | ".join(strength.MATCHES)) == expected
    before = {file: file.read_bytes() for file in folder.glob("*.jsonl")}
    assert measure(*words)[0] == text
    assert {file: file.read_bytes() for file in before} == before


def test_another_net_seed_or_option_has_a_file_of_its_own(measure, tmp_path):
    file = tmp_path / "run" / "checkpoint.safetensors"
    file.parent.mkdir()
    always = ["--games", "2", "--simulations", "2", "--rivals", "random"]
    names = []
    for net_seed, options, name in (
        (0, [], "run"),
        (1, [], "run"),  # the net has learned more
        (1, ["--seed", "2"], "run"),  # other openings
        (1, ["--solver"], "run+solver"),
        (1, ["--reuse", "--parent"], "run+parent+reuse"),
    ):
        text, folder = measure(net_file(file, 6, 4, net_seed), *always, *options)
        assert rows_of(text, " | ".join(strength.MATCHES))[0][0] == f"`{name}`"
        names.append(name)
        played = [arena.load(each).names[0] for each in folder.glob("*.jsonl")]
        assert sorted(each.partition("-")[0] for each in played) == sorted(names)
        entrant = strength.enter(str(file), folder, f"net{name.removeprefix('run')}")
        assert entrant.player(7) == f"net{name.removeprefix('run')}:{entrant.file}:7"


def test_tactics_are_counted_and_not_solved_twice(measure, tmp_path):
    words = [net_file(tmp_path / "nine.safetensors", 9, 5), "--simulations", "2", "--rivals"]
    text, folder = measure(*words)
    (row,) = rows_of(text, " | ".join(strength.TACTICS))
    (file,) = folder.glob("*--tactics.jsonl")
    moves = dict(json.loads(line) for line in file.read_text().splitlines())
    ours = [tactic for tactic in tactics.load() if tactic.state.size == 9]
    assert moves.keys() == {tactic.name for tactic in ours}
    for kind, cell in zip(("complete", "block", "win"), row[1:4], strict=True):
        solved = [moves[each.name] in each.solutions for each in ours if each.kind == kind]
        assert cell == f"{sum(solved)} of {len(solved)}"
    *first, last = file.read_text().splitlines(keepends=True)
    file.write_text("".join(first) + last[:5])  # as if it had been killed
    assert measure(*words)[0] == text
    assert len(file.read_text().splitlines()) == len(ours)


def test_a_score_is_written_with_its_interval():
    score = arena.Score(wins=191, losses=9)
    assert strength.written(score.rate) == ".955 (.917 to .976)"
    assert strength.written(arena.Score(wins=2).rate) == "1.000 (.342 to 1.000)"
