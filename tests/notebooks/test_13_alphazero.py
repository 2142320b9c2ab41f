"""What notebook 13 says is so, and stays so with another seed; its program, and the stored runs."""

import json
import re

import numpy as np
import pytest
import torch

from mctslab import arena, course, fast, games, search
from mctslab.course import exercises
from mctslab.course.parts import WrongPartError
from mctslab.net import NetConfig, PolicyValueNet, TrainingConfig, make_optimizer
from mctslab.net.reference import read_reference
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read
from tests.notebooks.running import run_here

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "13_alphazero")
PAGE = [cell for cell in read(NOTEBOOK).cells if cell.cell_type == "code" and "page-" in cell.id]
PARTS = (
    "encode",
    "residual_block",
    "select",
    "backpropagate",
    "puct",
    "noisy_priors",
    "play_move",
    "self_play_targets",
    "symmetries",
    "museum_mirror",
    "loss",
)


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


# The page


def test_the_program_is_six_cells_and_about_150_lines():
    lines = [line for cell in PAGE for line in cell.source.splitlines() if line.strip()]

    assert len(PAGE) == 6
    assert 120 <= len(lines) <= 165


def test_the_program_stands_alone_and_is_made_of_the_students_parts():
    """It needs the notebook's imports and nothing else."""
    source = "\n".join(cell.source for cell in PAGE)
    names = {"course": course, "np": np, "search": search}
    exec(source, names)

    assert sorted(re.findall(r'course\.mine\("(\w+)"\)', source)) == sorted(PARTS)
    assert callable(names["alphazero"])


def test_it_learns_tictactoe_from_its_own_games(names):
    """Three iterations of 32 games are a tenth of what the page plays."""
    exam = dict(list(names["exam"].items())[::8])
    right = []
    for trained in names["alphazero"](games.TicTacToe(), 3, seed=2, num_games=32):
        right.append(names["num_right"](trained, exam))

    assert len(right) == 4
    assert right[0] < 0.5 * len(exam)
    assert right[-1] > 0.6 * len(exam)
    assert names["num_right"](trained, exam, 32) > max(right[-1], 0.75 * len(exam))


@pytest.mark.parametrize(
    "game", [games.ConnectFour(rows=4, cols=4), games.Gomoku(size=4, in_a_row=3), games.Reversi(4)]
)
def test_another_game_is_another_line(names, game):
    *_, trained = names["alphazero"](game, 1, num_games=4)
    [(returns, priors)] = names["evaluate"](trained, [game])

    assert len(priors) == len(game.legal_actions())
    assert sum(priors) == pytest.approx(1, abs=1e-5)
    assert returns[0] == -returns[1]


def test_its_search_is_the_packages(names):
    trained = names["trained"]

    def evaluator(states, rng):
        answers = names["evaluate"](trained, states)
        return search.Evaluation(*zip(*answers, strict=True))

    state = games.TicTacToe().child(4)
    result = search.puct_search(
        state, evaluator=evaluator, num_simulations=60, rng=np.random.default_rng(1)
    )
    expected = {child.action: child.visit_count for child in result.children}

    assert names["think"]([games.TicTacToe(), state], trained, 60)[1] == expected


def test_its_games_are_games_and_its_samples_are_of_the_player_to_move(names):
    first = games.TicTacToe()
    rng = np.random.default_rng(3)
    for positions, visits in names["self_play"](first, names["trained"], rng, 8, 8, 4):
        assert positions[-1].is_terminal
        for state, after, counts in zip(positions, positions[1:], visits, strict=False):
            assert after == state.child(after.last_action)
            assert tuple(counts) == state.legal_actions()
            assert sum(counts.values()) == 7  # of 8 visits one is the root's own
        buffer = names["Buffer"](first, 1_000)
        buffer.add(positions, visits)
        planes, policies, values = buffer.batch(50, rng)
        assert len(buffer.samples) == 8 * len(visits)
        assert planes.shape == (50, 4, 3, 3)
        assert torch.allclose(policies.sum(dim=1), torch.ones(50))
        returns = positions[-1].returns()
        assert set(values.tolist()) <= {*returns, 0.0}


def test_an_opening_never_ends_the_game(names):
    for seed in range(40):
        game = names["opening"](games.TicTacToe(), 9, np.random.default_rng(seed))
        assert not game.is_terminal


# Wrong parts


@pytest.mark.parametrize("name", PARTS)
def test_a_wrong_part_is_named_before_anything_is_trained(names, name):
    exercise = getattr(exercises, name)
    mistake = exercise.mistakes[0]
    parts = {each: getattr(exercises, each).model_answer for each in PARTS}
    course.check_parts(**parts)
    with pytest.raises(WrongPartError) as caught:
        course.check_parts(**{**parts, name: exercise.wrong_answer(mistake)})

    message = str(caught.value)
    assert message.startswith(f"Not right: {name}.")
    assert f"notebook {exercise.notebook}" in message
    assert mistake.name in message
    assert not [other for other in PARTS if other != name and f"✗ {other}" in message]


def test_the_cell_checks_every_part_of_the_page():
    (cell,) = (cell for cell in read(NOTEBOOK).cells if cell.id == "check-parts")

    assert sorted(re.findall(r"^    (\w+)=", cell.source, re.MULTILINE)) == sorted(PARTS)


# The judges


def test_the_exam_is_every_position_in_which_the_choice_matters(names):
    exam = names["exam"]

    assert len(exam) == 3_191
    for state, right in list(exam.items())[::200]:
        best = search.minimax(state)
        values = {action: search.minimax(state.child(action)) for action in state.legal_actions()}
        assert right == {action for action, value in values.items() if value == best}
        assert right != set(values)


def test_the_exam_of_connect_four_is_the_solvers(names):
    solver = fast.ConnectFourSolver()
    exam = names["exam_four"]

    assert len(exam) == 200
    for state, right in list(exam.items())[::40]:
        solved = fast.SolvedPosition(state, solver.solve_moves(state))
        assert solved.matters
        assert set(solved.outcome_keeping) == right
        assert 12 <= sum(stone >= 0 for stone in state.board().stones) <= 18


def test_the_gate_lets_the_trained_net_play(executed):
    assert re.search(r"^(trained|untrained) makes the next games$", executed(NOTEBOOK).text, re.M)


# What came along


def stored(name):
    return PROJECT / "notebooks" / "results" / f"13_{name}"


@pytest.fixture(scope="module")
def reference():
    return read_reference(stored("reference.jsonl"))


def median(reference, name, numbers):
    return np.median([run.log[number - 1][name] for run in reference.runs for number in numbers])


def scores(reference, opponent, iteration):
    return [
        each.score.rate.value
        for run in reference.runs
        for each in run.strength
        if (each.opponent, each.iteration) == (opponent, iteration)
    ]


def test_the_stored_runs_are_ten_and_were_measured_early(reference):
    assert len(reference.runs) == 10
    for opponent in ("random", "uct:100", "uct:1000"):
        for iteration in (0, 2, 5, 10, 20, 40, 120, 200):
            assert len(scores(reference, opponent, iteration)) == 10
    medians = [np.median(scores(reference, "uct:1000", n)) for n in (0, 5, 20, 200)]
    assert medians == sorted(medians)
    assert medians[2] - medians[0] > 0.75 * (medians[3] - medians[0]), "most of the way"


def test_the_stored_runs_have_the_settings_of_the_notebook(names, reference):
    differing = reference.differences(names["six"])
    assert set(differing) <= {"num_iterations"}, "short runs"
    assert (names["benchmark"].every, names["benchmark"].also_at) == (20, (0, 2, 5, 10))


def test_games_become_shorter_and_then_longer(reference):
    lengths = [
        median(reference, "game_length", when)
        for when in (range(2, 5), range(10, 21), range(191, 201))
    ]
    assert lengths[0] > lengths[1] < lengths[2]
    first = [run.log[-1]["first_player_score"] for run in reference.runs]
    assert all(score > 0.5 for score in first)


def test_the_table_of_differences_has_the_numbers_of_both(names, reference):
    (cell,) = (cell for cell in read(NOTEBOOK).cells if cell.id == "live-words")
    config: TrainingConfig = names["six"]
    page = "\n".join(cell.source for cell in PAGE)

    def row(name):
        return re.search(rf"^\| {name} \| (.*) \| (.*) \|$", cell.source, re.MULTILINE).groups()

    assert row("random first moves") == ("0 to 6", f"0 to {config.self_play.opening_plies}")
    assert "opening(game, rng.integers(7), rng)" in page
    assert f"from {config.learning_rate} to {config.final_learning_rate}" in row("learning rate")[0]
    assert "LinearLR(optimizer, 1.0, 0.1, num_iterations)" in page
    assert "lr=3e-3" in page
    assert row("tower") == ("2 residual blocks", f"{config.num_blocks}")
    assert "num_blocks=2" in page
    assert row("buffer") == ("40,000 images", f"{config.replay_capacity:,} positions")
    assert "capacity=40_000" in page
    assert row("iteration") == (
        "64 games from beginning to end; 60 steps of 128 samples",
        f"{config.positions_per_iteration:,} positions of {config.num_games} games in progress; "
        f"{config.steps_per_iteration} steps of {config.batch_size}",
    )
    assert "num_games=64" in page
    assert "range(60):\n            training_step(net, optimizer, *buffer.batch(128, rng))" in page
    assert f"for {config.self_play.temperature_plies} plies" in row("played move")[1]
    assert f"{config.self_play.gumbel.num_considered} moves" in row("root")[1]
    groups = make_optimizer(PolicyValueNet(NetConfig.for_game(games.TicTacToe())), 0.1).param_groups
    assert [group["weight_decay"] > 0 for group in groups] == [True, False]


# After a restart


@pytest.mark.parametrize("cell", ["panel", "play"])
def test_after_a_restart_one_cell_is_enough(cell, tmp_path):
    notebook = read(NOTEBOOK)
    notebook.cells = [each for each in notebook.cells if each.id == cell]
    executed = run_here(notebook, folder=tmp_path)

    assert executed.names


def test_the_stored_course_of_connect_four_is_what_the_notebook_shows():
    kept = json.loads(stored("connect_four.json").read_text("utf-8"))
    numbers, bare, searched = np.array(kept["marks"]).T

    (cell,) = (cell for cell in read(NOTEBOOK).cells if cell.id == "swap-seen")

    assert numbers[0] == 0
    for sentence in (
        f"After {numbers[-1]} iterations, which took five and a half minutes",
        f"the bare net is right in {bare[-1]} of 200 positions instead of {bare[0]}.",
        f"the untrained net is right in {searched[0]},",
        f"with the trained net in {searched[-1]}.",
    ):
        assert sentence in cell.source
    assert 5.25 <= kept["seconds"] / 60 <= 5.75
    lowest, highest = arena.wilson(int(searched[-1]), 200), arena.wilson(int(searched[0]), 200)
    assert lowest.low < highest.high, "the intervals overlap"


def test_the_shares_of_notebook_14_are_those_that_are_quoted():
    (file,) = (PROJECT / "notebooks").glob("**/14_ablation.json")
    (cell,) = (cell for cell in read(NOTEBOOK).cells if cell.id == "fast-seen")
    found: dict[str, list[float]] = {}
    for run in json.loads(file.read_text("utf-8"))["runs"]:
        wins, draws, _ = np.add(run["as_first"], run["as_second"])
        found.setdefault(run["variant"], []).append((wins + draws / 2) / 200)

    for variant, sentence in {
        "64 simulations": "{:.0%} with 64 simulations",
        "16 simulations": "{:.0%} with 16",
    }.items():
        assert len(found[variant]) == 3
        assert sentence.format(np.mean(found[variant])) in cell.source
