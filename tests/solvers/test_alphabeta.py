"""The compiled alpha-beta of Reversi against the readable one, and its budgets.

That the readable one finds what plain minimax finds is shown in tests/search/test_alphabeta.py.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mctslab import solvers
from mctslab.games import ConnectFour, Reversi, State, TicTacToe
from mctslab.search import WIN, ReversiEvaluation, alpha_beta
from mctslab.solvers import AlphaBetaResult, EndgameSolver
from mctslab.solvers.alphabeta_result import Iteration
from tests.games.playing import for_mover, late, must_pass, random_game
from tests.search.toys import Turn, WrittenOut, play
from tests.solvers.test_endgame import OwnRules

NOTHING = ReversiEvaluation(0, 0, 0, 0, 0, 0, 0)
EVALUATIONS = (
    ReversiEvaluation(),
    ReversiEvaluation(100, -40, -15, 0, 0, 0, 0),
    ReversiEvaluation(3, 1, -4, 1, 5, -9, 2),
    NOTHING,
)
SWITCHES = [(ordering, table) for ordering in (True, False) for table in (True, False)]


def unsolved(state: State, **options: Any) -> AlphaBetaResult:
    """The result of a search that does not look up the end of the game."""
    return solvers.alphabeta(state, solve_from=0, **options)


def open_positions(num: int, size: int, seed: int) -> list[Reversi]:
    """Positions of random games at all stages; first come passes and the positions before them."""
    rng = np.random.default_rng(seed)
    passes: list[Reversi] = []
    others: list[Reversi] = []
    while len(others) < num:
        line = list(random_game(Reversi(size), rng))[:-1]
        for before, state in zip([line[0], *line], line, strict=False):
            if must_pass(state):
                passes += [before, state]
        others += [line[int(place)] for place in rng.integers(0, len(line), 4)]
    passes = passes[: num // 3]
    return passes + others[: num - len(passes)]


# Against the readable search


@pytest.mark.parametrize("size", [4, 6, 8])
def test_every_value_is_that_of_the_readable_search(size):
    """On 108 positions, with passes, and each evaluation with each switch.

    Without ordering and table the same nodes are visited, too.
    """
    states = open_positions(36, size, seed=size)
    assert sum(map(must_pass, states)) > 3
    decided = 0
    for number, state in enumerate(states):
        evaluation = EVALUATIONS[number % len(EVALUATIONS)]
        deepest = 4 if size == 4 or number % 9 == 0 else 3
        readable = [alpha_beta(state, depth, evaluation) for depth in range(deepest + 1)]
        for ordering, table in (SWITCHES[0], SWITCHES[1 + number % 3]):
            switches = {"ordering": ordering, "table": table}
            result = unsolved(state, depth=deepest, evaluation=evaluation, **switches)
            for depth, num_nodes, _, value, action in result.iterations:
                assert value == for_mover(state, readable[depth].value), (state, switches)
                found = alpha_beta(state.child(action), depth - 1, evaluation)
                assert value == for_mover(state, found.value)
                if not (ordering or table):
                    assert (num_nodes, action) == readable[depth][:0:-1]
            assert result.best_action in state.legal_actions()
            assert len(result.iterations) == deepest or result.is_exact
            decided += abs(result.value) > WIN / 2
    assert decided > 3


@pytest.mark.parametrize(
    ("name", "table_size"), [("mobility", 1 << 4), ("frontier", 1 << 20), ("stability", 1 << 4)]
)
def test_the_table_tells_a_value_from_a_bound_that_is_as_large(name, table_size, monkeypatch):
    """Where little is counted, many positions are worth the same, and bounds meet values.

    To take a bound for a value changes the result of one position in a hundred. A small table
    forgets most of them.
    """
    monkeypatch.setattr("mctslab.solvers.reversi_alphabeta._FIRST_TABLE_SIZE", 16)
    monkeypatch.setattr("mctslab.solvers.reversi_alphabeta._LARGEST_TABLE_SIZE", table_size)
    evaluation = replace(NOTHING, **{name: 1})
    rng = np.random.default_rng(1)
    for _ in range(50):
        line = list(random_game(Reversi(), rng))[:-1]
        state = line[int(rng.integers(len(line)))]
        options = {"depth": 6, "evaluation": evaluation}
        assert unsolved(state, **options).value == unsolved(state, table=False, **options).value


def test_table_and_ordering_save_nodes():
    totals = dict.fromkeys(SWITCHES, 0)
    for state in open_positions(10, 8, seed=5):
        for ordering, table in SWITCHES:
            result = unsolved(state, depth=6, ordering=ordering, table=table)
            totals[ordering, table] += result.num_nodes
    assert totals[True, True] < totals[True, False] < totals[False, False]
    assert totals[True, True] < totals[False, True] < totals[False, False]


@pytest.mark.parametrize("table", [True, False])
def test_the_principal_variation_leads_to_the_value(table):
    lengths = []
    for state in open_positions(25, 8, seed=7):
        result = unsolved(state, depth=6, table=table)
        here: State = state
        for action in result.principal_variation:
            here = here.child(action)
        assert result.principal_variation[0] == result.best_action
        left = result.depth - len(result.principal_variation)
        if left <= 3:
            found = alpha_beta(here, left, ReversiEvaluation())
            assert for_mover(state, found.value) == result.value
        lengths.append(left == 0 or here.is_terminal)
    # What the table has forgotten is missing; without it nothing is.
    assert all(lengths) or (table and sum(lengths) > 20)


# The end of the game


def test_near_the_end_it_knows_what_the_endgame_solver_knows():
    rng = np.random.default_rng(1)
    for state in (late(Reversi(), 1 + number % 10, rng) for number in range(40)):
        known = EndgameSolver(8).solve_moves(state)
        best = max(known.values())
        for solve_from, depth in ((0, 40), (12, 40), (12, 1)):
            result = solvers.alphabeta(state, depth=depth, solve_from=solve_from)
            assert result.is_exact
            assert known[result.best_action] == best
            assert result.value == np.sign(best) * WIN + best
    state = late(Reversi(), 10, np.random.default_rng(2))
    solved, guessed = (solvers.alphabeta(state, depth=1, solve_from=number) for number in (10, 9))
    assert (solved.note, guessed.is_exact) == ("Solved to the end of the game.", False)


def test_without_time_to_solve_there_is_the_move_of_a_few_plies():
    state = late(Reversi(), 40, np.random.default_rng(3))
    result = solvers.alphabeta(state, seconds=0.2, solve_from=64)
    assert (result.depth, result.is_exact, result.note) == (6, False, "")
    assert result.best_action in state.legal_actions()
    assert result.seconds < 1


# Budgets


@pytest.mark.parametrize(("ordering", "table"), SWITCHES)
def test_however_few_nodes_there_is_a_legal_move(ordering, table):
    for num_nodes in (1, 2, 5, 100, 4_000):
        rng = np.random.default_rng(num_nodes)
        endgames = [late(Reversi(), number, rng) for number in (9, 10)]
        for state in [*open_positions(6, 8, seed=num_nodes), *endgames]:
            result = solvers.alphabeta(state, num_nodes=num_nodes, ordering=ordering, table=table)
            assert result.best_action in state.legal_actions()
            assert result.num_nodes == num_nodes or result.is_exact
            assert sum(each.num_nodes for each in result.iterations) <= result.num_nodes
            assert result.num_nodes <= num_nodes
            assert result.depth == len(result.iterations)


def test_an_unfinished_iteration_only_makes_the_move_better():
    """Judged by the iteration brought to its end, it is worth no less than the last one's move."""
    changed = 0
    for state in open_positions(20, 8, seed=9):
        full = unsolved(state, depth=6)
        if full.is_exact:
            continue
        before = sum(each.num_nodes for each in full.iterations[:-1])
        for share in (0.2, 0.5, 0.9):
            num_nodes = before + max(1, int(share * full.iterations[-1].num_nodes))
            cut = solvers.alphabeta(state, num_nodes=num_nodes)
            assert cut.depth == 5
            assert untimed(cut) == untimed(full)[:-1]
            found, known = (  # the turns alternate, because a pass is a ply
                -unsolved(state.child(action), depth=5).value
                for action in (cut.best_action, cut.iterations[-1].best_action)
            )
            assert found >= known
            changed += cut.best_action != cut.iterations[-1].best_action
    assert changed > 0


def untimed(result: AlphaBetaResult) -> list[Iteration]:
    return [each._replace(seconds=0.0) for each in result.iterations]


# In plain Python


@pytest.mark.parametrize(
    ("state", "evaluation", "reason"),
    [
        (ConnectFour(), None, "only alpha-beta of Reversi is compiled"),
        (OwnRules(4), None, "only alpha-beta of Reversi is compiled"),
        (Reversi(10), None, "more squares than fit into 64 bits"),
        (Reversi(6), lambda state: 0.0, "the evaluation is not a ReversiEvaluation"),
    ],
)
def test_what_is_not_compiled_is_searched_readably(state, evaluation, reason):
    result = solvers.alphabeta(state, depth=2, evaluation=evaluation)
    assert reason in result.note
    assert reason in repr(result)
    expected = evaluation or (ReversiEvaluation() if state.game == "reversi" else (lambda _: 0.0))
    for iteration in result.iterations:
        readable = alpha_beta(state, iteration.depth, expected)
        assert iteration[:2] == (iteration.depth, readable.num_nodes)
        assert (iteration.value, iteration.best_action) == readable[:2]
    assert result.depth == 2


def test_a_readable_search_keeps_to_its_budget_of_leaves():
    for num_nodes in (1, 2, 10, 100):
        result = solvers.alphabeta(ConnectFour(), num_nodes=num_nodes)
        assert result.best_action in range(7)
        assert (result.depth > 0) == (num_nodes >= 10)


SOON, LATE = Turn(1, (-1.0,)), Turn(1, (Turn(0, (Turn(1, (-1.0,)),)),))


@pytest.mark.parametrize(
    ("state", "found"),
    [
        (play(ConnectFour(), "1 7 1 7 1 6"), (WIN, 1, 0)),
        (WrittenOut(Turn(0, (SOON, LATE, SOON))), (-WIN, 4, 1)),
        (TicTacToe(), (0.0, 9, 0)),
    ],
    ids=["the shortest win", "the longest defeat", "the whole of Tic-Tac-Toe"],
)
def test_a_readable_search_ends_when_it_knows_the_end(state, found):
    result = solvers.alphabeta(state, depth=30)
    assert (result.value, result.depth, result.best_action) == found
    assert result.value or result.is_exact
