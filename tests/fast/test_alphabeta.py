"""The compiled alpha-beta of Reversi against plain minimax, and its budgets."""

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from mctslab import fast, games
from mctslab.fast import AlphaBetaResult, EndgameSolver
from mctslab.fast.classic.alphabeta_result import end_value
from mctslab.fast.module_builder import compiled_module
from mctslab.fast.translate import rules_text
from mctslab.games import ConnectFour, Reversi, State, TicTacToe
from mctslab.search import WIN, ReversiEvaluation, alpha_beta, depth_limited_minimax
from mctslab.search.knowledge.reversi import TERMS
from tests.games.playing import random_game
from tests.search.squares import mirrored, turned
from tests.search.test_evaluation import random_boards
from tests.search.toys import FORCED_PASS, Turn, WrittenOut, play

NOTHING = ReversiEvaluation(0, 0, 0, 0, 0, 0, 0)
EVALUATIONS = (
    ReversiEvaluation(),
    ReversiEvaluation(100, -40, -15, 0, 0, 0, 0),
    ReversiEvaluation(3, 1, -4, 1, 5, -9, 2),
    NOTHING,
)
SWITCHES = [(ordering, table) for ordering in (True, False) for table in (True, False)]


def value_for_mover(state: State, value: float) -> float:
    """A value for player 0 as one for the player to move."""
    return value if state.current_player == 0 else -value


def is_pass(state: State) -> bool:
    return isinstance(state, Reversi) and state.legal_actions() == (state.pass_action,)


def open_positions(num: int, size: int, seed: int) -> list[Reversi]:
    """Positions of random games at all stages; first come passes and the positions before them."""
    rng = np.random.default_rng(seed)
    passes: list[Reversi] = []
    others: list[Reversi] = []
    while len(others) < num:
        line = list(random_game(Reversi(size), rng))[:-1]
        for before, state in zip([line[0], *line], line, strict=False):
            if is_pass(state):
                passes += [before, state]
        others += [line[int(place)] for place in rng.integers(0, len(line), 4)]
    passes = passes[: num // 3]
    return passes + others[: num - len(passes)]


# The evaluation


@pytest.mark.parametrize("size", [4, 8])
def test_the_terms_say_the_same_when_compiled(size):
    """Also on boards that never occur: bits that are shifted out of 64 must not count."""
    game = Reversi(size).compilable()
    kernel = Path(__file__).with_name("evaluation_kernel.py")

    def warm_up(module: ModuleType) -> None:
        module.counts(tuple(map(np.uint64, game.position)))

    counts: Callable[..., Any] = compiled_module(
        "terms", rules_text(game, TERMS.values()), kernel, {}, entry_points=("counts",),
        warm_up=warm_up,
    ).counts  # fmt: skip
    for position in random_boards(size, number=800):
        expected = tuple(term(position, game.geometry) for term in TERMS.values())
        assert counts(tuple(map(np.uint64, position))) == expected


# Against plain minimax


@pytest.mark.parametrize("size", [4, 6, 8])
def test_every_value_is_that_of_plain_minimax(size):
    """At depth 1 to 4, on 108 positions, with passes: each evaluation with each switch."""
    states = open_positions(36, size, seed=size)
    assert sum(map(is_pass, states)) > 3
    decided = 0
    for number, state in enumerate(states):
        evaluation = EVALUATIONS[number % len(EVALUATIONS)]
        deepest = 4 if size == 4 or number % 12 == 0 else 12 // size + 1
        plain = [depth_limited_minimax(state, depth, evaluation) for depth in range(deepest + 1)]
        found: dict[tuple[int, int], float] = {}
        for ordering, table in (SWITCHES[0], SWITCHES[1 + number % 3]):
            result = fast.alphabeta(
                state,
                depth=deepest,
                evaluation=evaluation,
                ordering=ordering,
                table=table,
                solve_from=0,
            )
            assert result.best_action in state.legal_actions()
            for iteration in result.iterations:
                expected = value_for_mover(state, plain[iteration.depth].value)
                assert iteration.value == expected, (state, iteration, ordering, table)
                move = iteration.best_action, iteration.depth - 1
                if move not in found:
                    found[move] = alpha_beta(state.child(move[0]), move[1], evaluation).value
                assert value_for_mover(state, found[move]) == expected
            assert len(result.iterations) == deepest or result.is_exact
            decided += abs(result.value) > WIN / 2
    assert decided > 3


def test_without_ordering_and_table_the_same_nodes_are_visited_as_in_the_readable_search():
    for state in open_positions(30, 8, seed=1):
        result = fast.alphabeta(state, depth=3, ordering=False, table=False, solve_from=0)
        for iteration in result.iterations:
            readable = alpha_beta(state, iteration.depth, ReversiEvaluation())
            assert iteration.num_nodes == readable.num_nodes
            assert iteration.best_action == readable.best_action


def test_deep_searches_agree_with_each_other():
    """Too deep for plain minimax; the table is full of positions of earlier iterations by then."""
    for state in open_positions(8, 8, seed=3):
        results = [
            fast.alphabeta(state, depth=7, ordering=ordering, table=table, solve_from=0)
            for ordering, table in SWITCHES
        ]
        lines = [tuple(each.value for each in result.iterations) for result in results]
        shortest = min(map(len, lines))
        assert len({line[:shortest] for line in lines}) == 1
        assert len({result.value for result in results}) == 1


@pytest.mark.parametrize("name", ["mobility", "frontier", "stability"])
def test_the_table_tells_a_value_from_a_bound_that_is_as_large(name):
    """Where little is counted, many positions are worth the same, and bounds meet values.

    To take a bound for a value changes the result of one position in a hundred.
    """
    evaluation = replace(NOTHING, **{name: 1})
    rng = np.random.default_rng(1)
    for _ in range(80):
        line = list(random_game(Reversi(), rng))[:-1]
        state = line[int(rng.integers(len(line)))]
        remembering, forgetting = (
            fast.alphabeta(state, depth=6, evaluation=evaluation, table=table, solve_from=0)
            for table in (True, False)
        )
        assert remembering.value == forgetting.value


def test_a_small_table_that_forgets_does_no_harm(monkeypatch):
    monkeypatch.setattr("mctslab.fast.classic.reversi_alphabeta._FIRST_TABLE_SIZE", 16)
    monkeypatch.setattr("mctslab.fast.classic.reversi_alphabeta._LARGEST_TABLE_SIZE", 64)
    for state in open_positions(10, 8, seed=4):
        forgetful = fast.alphabeta(state, depth=6, solve_from=0)
        without = fast.alphabeta(state, depth=6, table=False, solve_from=0)
        assert forgetful.value == without.value


def test_table_and_ordering_save_nodes():
    totals = dict.fromkeys(SWITCHES, 0)
    for state in open_positions(10, 8, seed=5):
        for switches in SWITCHES:
            ordering, table = switches
            result = fast.alphabeta(state, depth=6, ordering=ordering, table=table, solve_from=0)
            totals[switches] += result.num_nodes
    assert totals[True, True] < totals[True, False] < totals[False, False]
    assert totals[True, True] < totals[False, True] < totals[False, False]


def test_the_moves_that_are_known_are_worth_what_minimax_says():
    exact = 0
    for state in open_positions(12, 6, seed=6):
        result = fast.alphabeta(state, depth=3, solve_from=0)
        depth = result.depth
        for action in state.legal_actions():
            found = depth_limited_minimax(state.child(action), depth - 1, ReversiEvaluation())
            value = value_for_mover(state, found.value)
            assert value <= result.value
            if action in result.move_values:
                assert result.move_values[action] == value
                exact += 1
        assert result.move_values[result.best_action] == result.value
    assert exact > 12


@pytest.mark.parametrize("table", [True, False])
def test_the_principal_variation_leads_to_the_value(table):
    lengths = []
    for state in open_positions(25, 8, seed=7):
        result = fast.alphabeta(state, depth=6, table=table, solve_from=0)
        here: State = state
        for action in result.principal_variation:
            assert action in here.legal_actions()
            here = here.child(action)
        assert result.principal_variation[0] == result.best_action
        left = result.depth - len(result.principal_variation)
        found = alpha_beta(here, min(left, 3), ReversiEvaluation())
        if left <= 3:
            assert value_for_mover(state, found.value) == result.value
        lengths.append(left == 0 or here.is_terminal)
    # What the table has forgotten is missing; without it nothing is.
    assert all(lengths) or (table and sum(lengths) > 20)


def test_turned_and_mirrored_positions_have_the_same_value():
    for state in open_positions(10, 8, seed=8):
        values = set()
        own, opponent, player = state.compilable().position
        for turn in (turned, turned, turned, turned, mirrored):
            own, opponent = turn(own), turn(opponent)
            other = Reversi()
            other._arrive((own, opponent, player))
            values.add(fast.alphabeta(other, depth=5, solve_from=0).value)
        assert len(values) == 1


# The end of the game


def test_reversi_on_4_x_4_is_lost_by_8_discs():
    for ordering, table in SWITCHES:
        result = fast.alphabeta(Reversi(4), depth=30, ordering=ordering, table=table, solve_from=0)
        assert result.is_exact
        assert result.value == -WIN - 8


def late_positions(num: int, squares_left: range, seed: int) -> list[Reversi]:
    rng = np.random.default_rng(seed)
    found: list[Reversi] = []
    while len(found) < num:
        wanted = squares_left[len(found) % len(squares_left)]
        for state in random_game(Reversi(), rng):
            if state.board().stones.count(-1) == wanted and not state.is_terminal:
                found.append(state)
                break
    return found


def test_near_the_end_it_knows_what_the_endgame_solver_knows():
    for state in late_positions(40, range(1, 11), seed=1):
        known = EndgameSolver(state.board().rows).solve_moves(state)
        best = max(known.values())
        for solve_from in (0, 12):
            result = fast.alphabeta(state, depth=40, solve_from=solve_from)
            assert result.is_exact
            assert result.value == end_value(best)
            assert known[result.best_action] == best
            assert abs(result.value) > WIN / 2 or best == 0
            for action, value in result.move_values.items():
                won = (known[action] > 0) - (known[action] < 0)
                assert value == won * WIN + known[action]


def test_the_endgame_is_solved_however_few_plies_are_asked_for():
    (state,) = late_positions(1, range(10, 11), seed=2)
    assert len(state.legal_actions()) > 1
    solved = fast.alphabeta(state, depth=1)
    assert solved.is_exact
    assert set(solved.move_values) == set(state.legal_actions())
    assert solved.note
    guessed = fast.alphabeta(state, depth=1, solve_from=9)
    assert not guessed.is_exact


def test_a_wipe_out_is_seen():
    """Black flips White's last discs, and the game is over with squares left."""
    wiped = 0
    for seed in range(2_000):
        *line, last = random_game(Reversi(4), np.random.default_rng(seed))
        if min(last.disc_counts()) == 0:
            state = line[-1]
            result = fast.alphabeta(state, depth=1, solve_from=0)
            discs = max(last.disc_counts())
            assert result.value >= WIN + discs
            assert result.best_action in state.legal_actions()
            wiped += 1
    assert wiped > 0


def test_a_pass_is_an_action():
    state = play(Reversi(size=4), FORCED_PASS + " a1")
    result = fast.alphabeta(state, depth=1, solve_from=0)
    assert result.best_action == state.pass_action
    assert result.principal_variation == (state.pass_action,)
    before = fast.alphabeta(play(Reversi(size=4), FORCED_PASS), depth=9, solve_from=0)
    assert before.principal_variation == (0, 16, 3)
    assert before.value == WIN + 1


# Budgets


@pytest.mark.parametrize("num_nodes", [1, 2, 3, 5, 10, 100, 1_000, 4_000, 50_000])
@pytest.mark.parametrize(("ordering", "table"), SWITCHES)
def test_however_few_nodes_there_is_a_legal_move(num_nodes, ordering, table):
    endgame = late_positions(2, range(9, 13), seed=num_nodes)
    for state in [*open_positions(6, 8, seed=num_nodes), *endgame]:
        result = fast.alphabeta(state, num_nodes=num_nodes, ordering=ordering, table=table)
        assert result.best_action in state.legal_actions()
        assert result.num_nodes == num_nodes or result.is_exact
        assert result.num_nodes <= num_nodes
        assert result.num_nodes >= sum(each.num_nodes for each in result.iterations)
        assert result.depth == len(result.iterations)


def test_an_unfinished_iteration_only_makes_the_move_better():
    """Judged by the iteration brought to its end, it is worth no less than the last one's move."""
    changed = 0
    for state in open_positions(20, 8, seed=9):
        full = fast.alphabeta(state, depth=6, solve_from=0)
        if full.is_exact:
            continue
        before = sum(each.num_nodes for each in full.iterations[:-1])
        for share in (0.2, 0.5, 0.9):
            num_nodes = before + max(1, int(share * full.iterations[-1].num_nodes))
            cut = fast.alphabeta(state, num_nodes=num_nodes)
            assert cut.depth == 5
            assert cut.iterations == tuple(
                each._replace(seconds=cut.iterations[place].seconds)
                for place, each in enumerate(full.iterations[:-1])
            )
            values = [
                value_for_mover(state, alpha_beta_fast(state, action, depth=6))
                for action in (cut.best_action, cut.iterations[-1].best_action)
            ]
            assert values[0] >= values[1]
            changed += cut.best_action != cut.iterations[-1].best_action
    assert changed > 0


def test_without_ordering_an_unfinished_iteration_changes_nothing():
    """Its moves come in the order of the squares, and the best so far may be a bad one."""
    for state in open_positions(20, 8, seed=9):
        full = fast.alphabeta(state, depth=4, ordering=False, solve_from=0)
        for num_nodes in range(20, full.num_nodes, 1 + full.num_nodes // 5):
            cut = fast.alphabeta(state, num_nodes=num_nodes, ordering=False)
            last = cut.iterations[-1]
            assert (cut.best_action, cut.value) == (last.best_action, last.value)


def alpha_beta_fast(state: Reversi, action: int, depth: int) -> float:
    """What `action` is worth to player 0, with the horizon at `depth` from `state`."""
    child = state.child(action)
    if child.is_terminal:
        return depth_limited_minimax(child, 0, ReversiEvaluation()).value
    found = fast.alphabeta(child, depth=depth - 1, solve_from=0)
    return value_for_mover(child, found.value)


def test_the_same_number_of_nodes_gives_the_same_answer():
    state = open_positions(1, 8, seed=10)[0]
    one, other = (fast.alphabeta(state, num_nodes=20_000) for _ in range(2))
    assert untimed(one) == untimed(other)


def untimed(result: AlphaBetaResult) -> AlphaBetaResult:
    iterations = tuple(each._replace(seconds=0.0) for each in result.iterations)
    return replace(result, seconds=0.0, iterations=iterations)


@pytest.mark.parametrize(
    "state", [Reversi(), late_positions(1, range(12, 13), seed=3)[0], ConnectFour()]
)
def test_stop_ends_the_search(state):
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 20

    result = fast.alphabeta(state, stop=stop)
    assert result.best_action in state.legal_actions()
    assert asked == 21 or result.is_exact


def test_a_search_that_is_stopped_at_once_has_a_move():
    for state in (Reversi(), Reversi(10), ConnectFour(), TicTacToe()):
        result = fast.alphabeta(state, stop=lambda: True)
        assert result.best_action in state.legal_actions()
        assert result.depth <= 1


def test_other_threads_run_while_it_searches():
    fast.alphabeta(Reversi(), depth=1)
    is_over = threading.Event()
    thread = threading.Thread(
        target=lambda: fast.alphabeta(Reversi(), seconds=600, stop=is_over.is_set)
    )
    thread.start()
    is_over.set()
    thread.join(60)
    assert not thread.is_alive()


def test_the_time_is_kept():
    """The clock is asked after every few thousand positions, so it is the clock that ends this."""
    result = fast.alphabeta(Reversi(), seconds=0.2)
    assert result.seconds >= 0.2
    assert not result.is_exact
    assert fast.alphabeta(Reversi(), seconds=1e-9).best_action in Reversi().legal_actions()


def test_results_on_the_way_grow():
    results = list(fast.deepen(Reversi(), num_nodes=30_000))
    assert results[-1].num_nodes == 30_000
    assert untimed(results[-1]) == untimed(fast.alphabeta(Reversi(), num_nodes=30_000))
    nodes = [result.num_nodes for result in results]
    assert nodes == sorted(nodes)
    assert [result.depth for result in results[:3]] == [1, 2, 3]
    for result in results:
        assert sum(each.seconds for each in result.iterations) <= result.seconds + 1e-9


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({}, "needs a budget"),
        ({"depth": 0}, "depth=0 is not possible: .* from 1 to 200"),
        ({"depth": 1.5}, "depth=1.5 is not possible"),
        ({"num_nodes": 0}, "num_nodes must be an integer, 1 or more, got 0"),
        ({"num_nodes": 2.5}, "num_nodes must be an integer, 1 or more, got 2.5"),
        ({"seconds": 0}, "seconds must be above 0 and at most 1,000,000,000, got 0"),
        ({"seconds": math.inf}, "got inf"),
        ({"seconds": math.nan}, "got nan"),
        ({"seconds": "2"}, "got '2'"),
    ],
)
def test_a_budget_that_is_none_is_refused(budget, message):
    for search in (fast.alphabeta, fast.deepen):
        with pytest.raises(ValueError, match=message):
            search(Reversi(), **budget)


def test_a_finished_game_is_refused():
    over = play(TicTacToe(), "a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="game is over"):
        fast.alphabeta(over, depth=1)


# In plain Python


def readable_cases() -> Iterator[tuple[State, Any, str]]:
    yield TicTacToe(), None, "only alpha-beta of Reversi is compiled"
    yield ConnectFour(), None, "only alpha-beta of Reversi is compiled"
    yield Reversi(10), None, "more squares than fit into 64 bits"
    yield Reversi(6), lambda state: 0.0, "the evaluation is not a ReversiEvaluation"


@pytest.mark.parametrize(("state", "evaluation", "reason"), list(readable_cases()))
def test_what_is_not_compiled_is_searched_readably(state, evaluation, reason):
    result = fast.alphabeta(state, depth=2, evaluation=evaluation)
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
        result = fast.alphabeta(ConnectFour(), num_nodes=num_nodes)
        assert result.best_action in range(7)
        assert (result.depth > 0) == (num_nodes >= 10)


def test_a_win_in_sight_ends_a_readable_search_and_the_shortest_is_taken():
    state = play(ConnectFour(), "1 7 1 7 1 6")
    result = fast.alphabeta(state, depth=30)
    assert (result.best_action, result.depth, result.value) == (0, 1, WIN)


def test_who_loses_in_any_case_holds_out_as_long_as_possible():
    soon = Turn(1, (-1.0,))
    late = Turn(1, (Turn(0, (Turn(1, (-1.0,)),)),))
    result = fast.alphabeta(WrittenOut(Turn(0, (soon, late, soon))), depth=30)
    assert (result.value, result.depth, result.best_action) == (-WIN, 4, 1)


def test_the_whole_of_tic_tac_toe_is_exact():
    result = fast.alphabeta(TicTacToe(), depth=30)
    assert (result.value, result.is_exact, result.depth) == (0.0, True, 9)


def test_a_game_with_rules_of_its_own_is_not_taken_for_reversi():
    class Misere(Reversi):
        __slots__ = ()
        rules = games.rules.Rules(*Reversi.rules)

    assert fast.alphabeta(Misere(4), depth=1).note


# What is said


def test_a_result_says_what_was_found():
    result = fast.alphabeta(Reversi(), depth=3)
    text = repr(result)
    assert "points for Black" in text
    assert "depth 3" in text
    won = fast.alphabeta(play(Reversi(size=4), FORCED_PASS), depth=9)
    assert "won by 1 for White (exact)" in repr(won)
