"""What notebook 06 says is so, and stays so with another seed."""

import inspect
import math
from itertools import count

import numpy as np
import pytest

from mctslab import arena, course, games, search
from mctslab.course import exercises
from mctslab.course.notebooks import exercise_cells, replace_function
from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.running import run_here

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "06_backpropagation")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def values(state):
    """What each move is worth to the player to move, by its notation."""
    return {
        state.action_to_string(action): search.minimax(state.child(action))[state.current_player]
        for action in state.legal_actions()
    }


def found_by(way_back):
    """The search with another last phase."""
    expand = exercises.expand.model_answer
    return course.assemble(search.select, expand, search.rollout, way_back)


# The way back


def table():
    """The rows of the example by hand: N before, W before, return, N after, W after."""
    cell = next(cell.source for cell in read(NOTEBOOK).cells if cell.id == "by-hand")
    rows = [line.split("|")[1:-1] for line in cell.splitlines() if line.startswith("|")][2:]
    return [[int(number.replace("−", "-")) for number in row[2:]] for row in rows]


def test_the_table_by_hand_is_right_and_shown_by_the_package(executed):
    shown = executed(NOTEBOOK).text
    printed = "\n".join(
        f"mover {mover}: N = {row[3]}, W = {row[4]}"
        for mover, row in zip("OXOO", table(), strict=True)
    )

    assert printed in shown
    assert all(n + 1 == after for n, _, _, after, _ in table())
    assert all(w + won == after for _, w, won, _, after in table())


def test_x_can_win_the_line_of_the_example(names):
    state = names["threat"]
    for move in ("c3", "b2", "b3"):
        state = state.child(state.string_to_action(move))

    assert 1 in values(state).values()


def test_the_film_begins_as_it_is_told():
    threat = games.TicTacToe()
    for action in (0, 1, 2, 3, 5):
        threat = threat.child(action)
    trace = search.Trace()
    search.mcts(threat, num_simulations=30, rng=np.random.default_rng(2), trace=trace)

    steps = [len(simulation.selection) for simulation in trace.simulations]
    assert steps[:5] == [0, 0, 0, 0, 1]
    assert all(simulation.updates.node[-1] == 0 for simulation in trace.simulations)


# The whole search


def with_answers(until, **answers):
    """The notebook as far as the cell `until`, with these answers to some of its exercises."""
    notebook = read(NOTEBOOK)
    for name, _, cell in exercise_cells(notebook):
        if name in answers:
            cell.source = replace_function(cell.source, name, answers[name])
    return run_here(notebook, until=until)


OWN_PARTS = """def uct(state, num_simulations, rng):
    root = search.Node(state)
    for _ in range(num_simulations):
        leaf = expand(select(root, search.ucb1()), rng)
        backpropagate(leaf, rollout(leaf.state, search.uniform, rng))
    return root"""


def test_the_students_own_functions_are_used_as_soon_as_they_are_right():
    way_back = exercises.backpropagate.solution_source.replace("+= 1\n", "+= 1  # mine\n")
    run = with_answers("same-tree", uct=OWN_PARTS, backpropagate=way_back)

    assert "uct: yours, from notebook 06" in run.text
    assert "backpropagate: yours, from notebook 06" in run.text
    assert "Later notebooks will use" not in run.text
    assert "(True, 201)" in run.text
    assert inspect.getsource(run.names["my_uct"]).strip() == OWN_PARTS
    assert "# mine" in inspect.getsource(run.names["backpropagate"])
    film = run.names["film"]
    assert len(film) == 30
    root = run.names["own_parts"](run.names["threat"], 30, np.random.default_rng(6))
    assert film.statistics()[0] == (root.visit_count, root.total_value)


def test_a_wrong_search_is_left_aside():
    wrong = "def uct(state, num_simulations, rng):\n    raise KeyError('oh')"
    run = with_answers("own-film", uct=wrong)

    assert run.names["my_uct"] is exercises.uct.model_answer
    assert "✗ uct: wrong" in run.text
    assert (
        "uct: the package's, because your function has not passed its check in notebook 06 yet."
        in run.text
    )


def test_both_grow_the_same_tree(names, executed):
    assert names["statistics"](names["mine"]) == names["statistics"](names["theirs"].root)
    assert "(True, 201)" in executed(NOTEBOOK).text


@pytest.mark.parametrize("seed", range(5))
def test_a_slip_changes_the_visits_of_nearly_every_move(seed):
    first, visits = games.TicTacToe(), []
    for slips in (0, 1):
        rng = np.random.default_rng(seed)
        root = search.mcts(first, num_simulations=9, rng=rng).root
        rng.random(slips)
        search.mcts(first, num_simulations=991, rng=rng, root=root)
        visits.append([child.visit_count for child in root.children])

    assert sum(one == other for one, other in zip(*visits, strict=True)) <= 2


def test_the_slip_of_the_notebook_shows(names):
    theirs, other = names["visits"]

    assert sum(theirs) == sum(other) == names["num_simulations"]
    assert sum(one != other for one, other in zip(theirs, other, strict=True)) > 9 / 2


# Draws


def test_only_one_move_holds_against_the_threat(names):
    assert values(names["threat"]) == {"a3": -1, "b2": -1, "b3": -1, "c3": 0}


@pytest.mark.parametrize("seed", range(100, 110))
def test_who_takes_a_draw_for_a_loss_overlooks_the_threat(names, seed):
    def move(way_back):
        root = found_by(way_back)(names["threat"], 400, np.random.default_rng(seed))
        return names["threat"].action_to_string(names["robust_child"](root))

    assert move(search.backpropagate) == "c3"
    assert move(names["draw_as_loss"]) != "c3"


# Passes


def test_the_squeeze_is_as_it_is_told(names):
    state = names["squeeze"]
    lines = []

    def walk(state, moves):
        if state.is_terminal:
            lines.append((" ".join(moves), state.returns()))
        for action in state.legal_actions():
            walk(state.child(action), [*moves, state.action_to_string(action)])

    walk(state, [])
    assert state.player_names[state.current_player] == "White"
    assert lines == [("a3 pass c4", (-1, 1)), ("c4 a3 pass d1", (1, -1))]


@pytest.mark.parametrize("seed", range(10))
def test_a_flipped_sign_loses_the_squeeze_whatever_the_seed(names, seed):
    state, plays = names["skipped"], {}
    for way_back in (search.backpropagate, names["sign_flipped"]):
        root = found_by(way_back)(state, 50, np.random.default_rng(seed))
        plays[way_back] = state.action_to_string(names["robust_child"](root))
        means = {state.action_to_string(node.action): node.mean_value for node in root.children}
        if way_back is search.backpropagate:
            assert means == {"a3": 1, "c4": -1}
        else:
            assert means["a3"] < 0 < means["c4"]

    assert list(plays.values()) == ["a3", "c4"]


def test_the_film_shows_the_sign_flip_where_it_begins(names):
    trace = names["trace"]
    leaf, above, root = trace.simulations[2].updates.node
    actions = [trace.nodes[node].action for node in (leaf, above)]

    assert list(map(names["squeeze"].action_to_string, actions)) == ["c4", "a3"]
    before, after = trace.statistics(2), trace.statistics(3)
    assert (before[leaf][1], after[leaf][1]) == (0, 1)
    assert (before[above][1], after[above][1]) == (1, 0)
    assert {trace.nodes[node].mover for node in (leaf, above, root)} == {1}


@pytest.mark.parametrize("seed", range(3))
def test_a_flipped_sign_costs_many_endgames_and_the_movers_return_hardly_any(
    names, seed, monkeypatch
):
    rng = np.random.default_rng(seed)
    monkeypatch.setitem(names["random_endgame"].__globals__, "rng", rng)
    made = (names["random_endgame"]() for _ in count())
    matters = ((state, worth) for state, worth in made if len(set(worth.values())) > 1)
    endgames = [next(matters) for _ in range(30)]
    monkeypatch.setitem(names["best_moves"].__globals__, "endgames", endgames)

    assert names["best_moves"](found_by(search.backpropagate)) >= 29
    assert names["best_moves"](found_by(names["sign_flipped"])) <= 26


# Convergence, and the move in the end


@pytest.mark.parametrize("seed", range(3))
def test_the_three_values_end_near_the_minimax_values(names, seed):
    states = [names[name] for name in ("trap", "mistake", "answer")]
    ends = [
        names["results_on_the_way"](state, seed, (10, 2_000), math.sqrt(2))[-1].value
        for state in states
    ]

    assert [search.minimax(state)[state.current_player] for state in states] == [0, 1, -1]
    assert ends == pytest.approx([0, 1, -1], abs=0.2)


@pytest.mark.parametrize("seed", range(3))
def test_the_three_values_begin_near_random_play(names, seed):
    for state in [names[name] for name in ("trap", "mistake", "answer")]:
        rng, mover = np.random.default_rng(seed), state.current_player
        by_chance = [search.rollout(state, search.uniform, rng)[mover] for _ in range(1_000)]
        begun = [
            names["results_on_the_way"](state, each, (10,))[0].value
            for each in range(100 * seed, 100 * seed + 30)
        ]
        assert np.mean(begun) == pytest.approx(np.mean(by_chance), abs=0.3)


def disputed(names, c, budgets, seeds):
    """For each budget the results of the searches in which the two rules disagree."""
    searches = [names["results_on_the_way"](names["trap"], seed, budgets, c) for seed in seeds]
    return [
        [result for result in results if names["disagree"](result)]
        for results in zip(*searches, strict=True)
    ]


def test_the_dispute_ends_with_the_usual_constant_and_lasts_with_a_small_one(names):
    seeds, budgets = range(1_000, 1_060), (7, 80, 160, 320)
    usual = list(map(len, disputed(names, math.sqrt(2), budgets, seeds)))
    small = list(map(len, disputed(names, 0.1, budgets, seeds)))

    assert usual[0] == small[0] > 12, "as long as every move was tried at most twice"
    assert usual[-1] <= 4
    assert sum(small[1:]) > sum(usual[1:])


def test_with_the_small_constant_the_max_child_is_right_far_more_often(names):
    (late,) = disputed(names, 0.1, (160,), range(2_000, 2_200))
    robust = sum(result.robust_child() == names["c3"] for result in late)
    highest = sum(result.max_child() == names["c3"] for result in late)

    assert len(late) > 20
    assert highest > robust + 5
    assert robust < len(late) / 4


def test_with_the_usual_constant_there_are_too_few_disputes_to_decide(names):
    (late,) = disputed(names, 2**0.5, (160,), range(2_000, 2_200))
    found = [
        sum(rule(result) == names["c3"] for result in late)
        for rule in (search.SearchResult.robust_child, search.SearchResult.max_child)
    ]
    ends = [arena.wilson(each, len(late)) for each in found]

    assert max(low for low, _ in ends) < min(high for _, high in ends), "the intervals overlap"


def test_the_player_on_the_panel_plays_the_robust_child(names):
    player = names["my_player"](names["num_simulations"], rng=np.random.default_rng(1))
    (thought,) = player.think(names["threat"])

    assert names["threat"].action_to_string(thought.action) == "c3"
    assert thought.progress == 1
    assert thought.num_simulations == names["num_simulations"] == thought.result.root.visit_count


def test_the_other_uct_is_the_hardest_of_the_four_opponents(names):
    """The compiled search plays, which grows the same tree as the student's."""
    rates = {
        (game, opponent): arena.match(game, "uct:100", opponent, num_games=40, seed=1).score.rate
        for game, opponents in names["levels"].items()
        for opponent in opponents
    }

    assert rates.pop(("connect_four", "uct:300")).high < 0.5
    assert min(rate.low for rate in rates.values()) > 0.5
