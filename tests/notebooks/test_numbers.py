"""A number that the prose names is one that the notebook computes, or one that is checked here."""

import re

import pytest

from tests.notebooks.reading import NOTEBOOKS, prose, read

LARGE_NUMBER = re.compile(r"(?<![\w.,^{])(?:\d{1,3}(?:,\d{3})+|\d{3,}|\d+\.\d+)(?!\w|[.,]\d)")
"""Three digits or more, or a decimal point. Smaller ones are told by what a cell shows."""
YEAR = re.compile(r"(?:19|20)\d\d")

CHECKED = {
    "01_games_and_trees": {"362,880": "math.factorial(9)"},
    "02_monte_carlo": {
        "1.5": "abs(-1 - np.mean([1, 1, -1, 1]))",
        "0.87": "round(np.std([1, 1, -1, 1]), 2)",
        "0.43": "round(np.std([1, 1, -1, 1]) / 2, 2)",
        "0.85": "round(1.96 * np.std([1, 1, -1, 1]) / 2, 2)",
        "1.96": "round(__import__('statistics').NormalDist().inv_cdf(0.975), 2)",
    },
    "03_selection": {
        "0.3": "WIN_RATES[0]",
        "0.7": "WIN_RATES[2]",
        "2.30": "round(math.log(10), 2)",
    },
    "03_bandits": {"0.39": "round(start, 2)"},
    "05_simulation": {"4,520": "len(positions)"},
    "07_connect_four": {
        "400": "round(arena.Score(10, 0, 1).elo.value)",
        "300": "budgets_of_trees[0]",
        "0.3": "c",
    },
    "07_transpositions": {"300": "result.num_simulations"},
    "08_reversi": {"300": "len(histories) // 2", "600": "len(histories)"},
    "09_long_tournaments": {
        "0.57": "min(n / 200 for n in range(100, 200) if arena.wilson(n, 200).low > 0.5)",
        "0.5": "1 / (1 + 10 ** (-0 / 400))",
        "0.571": "round(1 / (1 + 10 ** (-50 / 400)), 3)",
    },
    "09_rollouts_measured": {
        "400": "int(flat_games.names[1].split(':')[1])",
        "0.439": "round(rates['100 for all moves'].low, 3)",
        "0.469": "round(rates['100 for all moves'].value, 3)",
        "0.500": "round(rates['100 for all moves'].high, 3)",
    },
    "09_roxanne_rollouts": {
        "0.098": "round(1.96 * (0.25 / 100) ** 0.5, 3)",
        "0.5": "np.mean([1, 1, -1, 1])",
        "0.75": "np.var([1, 1, -1, 1])",
        "1.96": "round(__import__('statistics').NormalDist().inv_cdf(0.975), 2)",
        "2.25": "(np.mean([1, 1, -1, 1]) + 1) ** 2",
    },
    "10_evaluation": {"400": "int(played.names[0].split(':')[1])"},
    "10_minimax_and_clocks": {
        "200": "POSITIONS",
        "2,500": "int(mcts.split(':')[1])",
        "5,000": "num_positions",
    },
    "11_puct": {
        "1.25": "search.puct().c",
        "225": "games.Gomoku().num_actions",
        "5,000": "int(hopeless.names[0].split(':')[1])",
    },
    "11_puct_measured": {
        "0.25": "search.DirichletNoise().weight",
        "200": "round(ruled[8].cost('batches of 8').simulations_per_move)",
        "256": "2 ** (len(search.NINE_CLASSES) - 1)",
    },
    "11_variants": {
        "0.1": "rave.b2**0.5",
        "0.2": "1 / (1 + 4)",
        "0.3": "rave.c",
        "0.4": "ImplicitMinimax(1.0).alpha",
        "0.5": "C['gomoku']",
        "1.4": "14 / 10",
        "2.5": "5 / (1 + 1)",
        "140": "NUM_SIMULATIONS['gomoku']['progressive bias']",
        "400": "max(range(2, 402, 2))",
    },
    "12_policy_value_net": {
        "0.1": "round(1 - 0.7 - 0.2, 9)",  # shares of an example, as are the next ones
        "0.2": "round(1 - 0.7 - 0.1, 9)",
        "0.25": "(1 - 0.5) / 2",
        "0.5": "1 - 2 * 0.25",
        "0.64": "round((1 - 0.2) ** 2, 2)",
        "0.69": "round(-np.log(0.5), 2)",
        "0.7": "round(1 - 0.2 - 0.1, 9)",
        "0.90": "round(-0.7 * np.log(0.5) - 0.3 * np.log(0.25), 2)",
        "1,000": "num_rollouts",
        "1.39": "round(-np.log(0.25), 2)",
        "2.56": "round((5 - 0.1 * 4 - 3) ** 2, 2)",
        "3.58": "round(np.log(start.num_actions), 2)",
        "4.6": "round(5 - 0.1 * 4, 1)",
    },
    "12_what_samples_teach": {
        "1,000": "num_rollouts",
        "0.003": "net.make_optimizer(trained, 0.003).param_groups[0]['lr']",
        "200": "int(results['trained, against uct:200'].names[1].split(':')[1])",
    },
    "13_alphazero": {"200": "len(exam_four)"},
    "13_curves": {
        "0.1": "0.1",  # a proposal, as is the next one
        "500": "500",
        "3.58": "round(float(np.log(own_run.first_state().num_actions)), 2)",
    },
    "13_games_and_windows": {
        "300": "int(list(means)[0].split()[0])",
        "1,200": "int(list(means)[1].split()[0].replace(',', ''))",
        "6,000": "int(list(means)[2].split()[0].replace(',', ''))",
    },
    "13_gate_and_resume": {"400": "num_games"},
    "14_blind_spots": {"100": "85 + 15"},  # won and lost, in the match of the command
    "14_elo_grid": {
        "100": "arena.Score(10, 0, 10).elo.high // 100 * 100",
        "143,360": "positions[3] - positions[2]",
        "1,400": "round(float(tenfold(player(AGES[3], 1), player(AGES[0], 1), 16)[0]), -2)",
        "200": "round(float(tenfold(player(AGES[2], MOST), player(AGES[2], 1), MOST)[0]), -2)",
        "500": "500",  # from the paper
        "512": "4 * MOST",
    },
    "14_strength": {
        "10,000": "int(results[0].names[1].split(':')[1])",
        "200": "int(results[0].names[0].split(':')[2])",
        "400": "int(results[-1].names[0].split(':')[2])",
    },
    "14_training_tricks": {"1,000": "int(command.rpartition(':')[2])"},
    "14_two_halves": {"1,000": "int(OPPONENT.split(':')[1])", "400": "BUDGETS[2]"},
}
"""By notebook: what no cell shows, and an expression in the notebook's names that gives it."""


def named_numbers(text: str) -> list[str]:
    """The large numbers of a text; a formula inside a sentence may write `{,}` for a comma."""
    found = LARGE_NUMBER.findall(prose(text).replace("{,}", ","))
    return [number for number in found if not YEAR.fullmatch(number)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_number_in_the_prose_is_shown_by_a_cell_or_checked(path, executed):
    run = executed(path)
    shown = set(re.findall(r"\d+(?:\.\d+)?", run.text.replace(",", "")))
    checked = CHECKED.get(path.stem, {})
    markdown = [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
    # The minutes at the top are counted by another test.
    markdown[0] = re.sub(r"^\*\*Time:\*\* about \d+ minutes", "", markdown[0], flags=re.MULTILINE)
    numbers = [number for source in markdown for number in named_numbers(source)]

    assert [n for n in numbers if n not in checked and n.replace(",", "") not in shown] == []
    for number, expression in checked.items():
        assert number in numbers, f"{number} is no longer named: take it out of CHECKED"
        assert float(number.replace(",", "")) == eval(expression, dict(run.names))
