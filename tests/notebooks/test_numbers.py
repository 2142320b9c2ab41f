"""A number that the prose names is one of the notebook's code or outputs, or is checked here."""

import re

import pytest

from tests.notebooks.reading import NOTEBOOKS, prose, read

LARGE_NUMBER = re.compile(r"(?<![\w.,^{])(?:\d{1,3}(?:,\d{3})+|\d{3,}|\d+\.\d{2,})(?!\w|[.,]\d)")
"""Three digits or more, or two decimals. Smaller ones are told by what a cell shows."""
YEAR = re.compile(r"(?:19|20)\d\d")

CHECKED = {
    "01_games_and_trees": {"362,880": "math.factorial(9)"},
    "02_monte_carlo": {
        "0.87": "round(np.std([1, 1, -1, 1]), 2)",
        "0.43": "round(np.std([1, 1, -1, 1]) / 2, 2)",
        "0.85": "round(1.96 * np.std([1, 1, -1, 1]) / 2, 2)",
    },
    "03_selection": {"2.30": "round(math.log(10), 2)"},
    "03_bandits": {"0.39": "round(start, 2)"},
    "05_simulation": {"4,520": "len(positions)"},
    "09_long_tournaments": {
        "0.57": "min(n / 200 for n in range(100, 200) if arena.wilson(n, 200).low > 0.5)",
        "0.571": "round(1 / (1 + 10 ** (-50 / 400)), 3)",
    },
    "09_rollouts_measured": {
        "0.439": "round(rates['100 for all moves'].low, 3)",
        "0.469": "round(rates['100 for all moves'].value, 3)",
        "0.500": "round(rates['100 for all moves'].high, 3)",
    },
    "09_roxanne_rollouts": {
        "0.098": "round(1.96 * (0.25 / 100) ** 0.5, 3)",
        "0.75": "np.var([1, 1, -1, 1])",
        "2.25": "(np.mean([1, 1, -1, 1]) + 1) ** 2",
    },
    "11_puct": {"225": "games.Gomoku().num_actions"},
    "11_puct_measured": {
        "0.25": "search.DirichletNoise().weight",
        "256": "2 ** (len(search.NINE_CLASSES) - 1)",
    },
    "12_policy_value_net": {
        "0.25": "(1 - 0.5) / 2",
        "0.64": "round((1 - 0.2) ** 2, 2)",
        "0.69": "round(-np.log(0.5), 2)",
        "0.90": "round(-0.7 * np.log(0.5) - 0.3 * np.log(0.25), 2)",
        "1.39": "round(-np.log(0.25), 2)",
        "2.56": "round((5 - 0.1 * 4 - 3) ** 2, 2)",
        "3.58": "round(np.log(start.num_actions), 2)",
    },
    "12_what_samples_teach": {"0.003": "net.make_optimizer(trained, 0.003).param_groups[0]['lr']"},
    "13_curves": {
        "500": "500",  # a proposal
        "3.58": "round(float(np.log(own_run.first_state().num_actions)), 2)",
    },
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
        "400": "int(results[-1].names[0].split(':')[2])",
    },
}
"""By notebook: what neither code nor output contains, and what gives it in the notebook's names."""


def named_numbers(text: str) -> list[str]:
    """The large numbers of a text; a formula inside a sentence may write `{,}` for a comma."""
    found = LARGE_NUMBER.findall(prose(text).replace("{,}", ","))
    return [number for number in found if not YEAR.fullmatch(number)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_number_in_the_prose_is_shown_by_a_cell_or_checked(path, executed):
    run = executed(path)
    cells = read(path).cells
    code = "\n".join(cell.source.replace("_", "") for cell in cells if cell.cell_type == "code")
    shown = set(re.findall(r"\d+(?:\.\d+)?", f"{run.text}\n{code}".replace(",", "")))
    checked = CHECKED.get(path.stem, {})
    markdown = [cell.source for cell in cells if cell.cell_type == "markdown"]
    # The minutes at the top are counted by another test.
    markdown[0] = re.sub(r"^\*\*Time:\*\* about \d+ minutes", "", markdown[0], flags=re.MULTILINE)
    numbers = [number for source in markdown for number in named_numbers(source)]

    assert [n for n in numbers if n not in checked and n.replace(",", "") not in shown] == []
    for number, expression in checked.items():
        assert number in numbers, f"{number} is no longer named: take it out of CHECKED"
        assert float(number.replace(",", "")) == eval(expression, dict(run.names))
