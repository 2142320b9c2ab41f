"""What notebook 14 says is so, and stays so with another seed; and it can question any family."""

import itertools
import re

import numpy as np
import pytest
import torch

from mctslab import games, net, players, search
from mctslab.arena import tactics
from mctslab.course import exercises
from mctslab.net.encode import encode
from mctslab.players.shipped import header
from mctslab.widgets.net_positions import named_positions
from tests.notebooks.reading import NOTEBOOKS, read
from tests.notebooks.running import run_here

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "14_alphazero_gomoku")
SMALL = games.Gomoku(size=6, in_a_row=4)


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


# The family


def with_family(name):
    """The notebook with another family in its one line."""
    notebook = read(NOTEBOOK)
    cell = next(cell for cell in notebook.cells if cell.id == "family")
    assert cell.source.count('FAMILY = "gomoku9"') == 1
    cell.source = cell.source.replace('FAMILY = "gomoku9"', f'FAMILY = "{name}"')
    return notebook


FAMILIES = sorted({each.name.rpartition("_")[0] for each in players.shipped_nets()} - {"gomoku9"})


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_questions_go_to_any_family(family):
    run = run_here(with_family(family), folder=NOTEBOOK.parent)
    own = [each.name for each in players.shipped_nets() if each.name.startswith(f"{family}_")]

    assert run.names["AGES"] == own
    assert all(each.fits(run.names["board"]) for each in players.shipped_nets() if each.name in own)
    assert run.names["panel"].names == own
    state = run.names["state"]
    assert run.names["ask"](own[-1], state)[0] * run.names["prove"](state) < 0
    if not run.names["exam"]:
        assert "There is no exam for this board" in run.text


def test_a_prediction_about_one_family_does_not_answer_for_another():
    source = "\n".join(cell.source for cell in read(NOTEBOOK).cells if cell.cell_type == "code")
    names = re.findall(r"course\.predict\.\w+\(\s*(.+),", source)
    assert len(names) == 7
    assert all("{FAMILY}" in name for name in names)


def test_the_family_is_from_one_run_and_the_two_that_are_named_continue_from_another():
    starts = {
        each.name: header(each.file)["about"]["training"]["start_from"]
        for each in players.shipped_nets()
    }

    assert not any(starts[f"gomoku9_{age}"] for age in (1, 2, 3, 4))
    assert starts["gomoku8_4"] == starts["gomoku15_1"] == "gomoku9_4"
    assert not starts["gomoku8_3"]


# Asking


def test_a_net_is_asked_as_pytorch_would(names):
    """Value and softmax over the legal moves, worked out from the numbers in the file."""
    state = names["asked"]
    for each in players.shipped_nets(state):
        kept = net.load_checkpoint(each.file)
        planes = torch.from_numpy(encode((state,), kept.net.config.inputs))[None]
        with torch.inference_mode():
            logits, values = kept.net.eval()(planes)
        legal = list(state.legal_actions())
        shares = torch.softmax(logits[0, legal].double(), 0).tolist()
        value, policy = names["ask"](each.name, state)

        assert value == pytest.approx(float(values[0]), abs=1e-4)
        assert list(policy) == legal
        assert list(policy.values()) == pytest.approx(shares, abs=1e-4)


def test_the_position_is_the_open_three_of_the_panel(names):
    state = names["asked"]
    assert names["title"] == "an open three"
    assert names["panel"].record == named_positions(games.Gomoku(size=9))["an open three"]
    assert names["panel"].state == state
    assert state.current_player == 1
    assert search.find_threats(state, 0).open_four


def test_the_ages_answer_the_open_three_as_told(names):
    state = names["asked"]
    stops = [state.string_to_action(move) for move in ("B5", "F5")]
    answers = {name: names["ask"](name, state) for name in names["AGES"]}
    shares = [sum(policy[action] for action in stops) for _, policy in answers.values()]

    assert all(value < -0.3 for value, _ in answers.values()), "all expect White to lose"
    assert shares[0] < 0.15, "the youngest has hardly any idea"
    assert all(share > 0.75 for share in shares[1:])
    assert names["favourite"] in stops


# The exam


def test_the_curve_at_a_glance_is_as_told(names):
    exam = [tactic for tactic in tactics.load() if tactic.state.size == 9]
    glances = [
        sum(names["at_a_glance"](name, tactic.state) in tactic.solutions for tactic in exam)
        for name in names["AGES"]
    ]

    assert len(exam) == 80
    assert glances == sorted(set(glances)), "each age solves more"
    assert 0.2 < glances[0] / 80 < 0.3, "about a quarter"
    assert 0.6 < glances[-1] / 80 < 0.72, "about two thirds"


@pytest.mark.parametrize("seed", [2, 3])
def test_the_search_adds_more_to_the_youngest_net_than_to_the_oldest(names, seed, monkeypatch):
    monkeypatch.setitem(names["searched"].__globals__, "rng", np.random.default_rng(seed))
    exam = [tactic for tactic in tactics.load() if tactic.state.size == 9][::2]
    gains, found = [], []
    for name in (names["youngest"], names["oldest"]):
        glances = [names["at_a_glance"](name, t.state) in t.solutions for t in exam]
        marks = [names["searched"](name, t.state, 100).best_action in t.solutions for t in exam]
        gains.append(sum(marks) - sum(glances))
        found.append(sum(marks) / len(exam))

    assert gains[0] > gains[1] >= -2
    assert 0.4 < found[0] < 0.6, "about half"


def test_the_two_numbers_of_an_age_are_at_a_glance_and_with_a_search(names):
    exam = names["exam"]
    for name in names["AGES"]:
        answers = [(names["ask"](name, tactic.state)[1], tactic.solutions) for tactic in exam]
        glances = sum(max(policy, key=policy.get) in right for policy, right in answers)
        assert names["solved"][f"{name}, at a glance"] == pytest.approx(glances / len(exam))
        assert f"{name}, with a search" in names["solved"]


# Trees


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_net_tries_few_moves_where_it_expects_to_win_and_all_where_it_expects_to_lose(
    names, seed, monkeypatch
):
    monkeypatch.setitem(names["searched"].__globals__, "rng", np.random.default_rng(seed))
    ahead = names["searched"](names["oldest"], names["before"], 200)
    behind = names["searched"](names["oldest"], names["asked"], 200)

    assert ahead.root_value > 0.5
    assert names["num_tried"](ahead) < 10
    assert behind.root_value < -0.5
    assert names["num_tried"](behind) == len(behind.children) == 76


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_uct_spreads_its_simulations_over_the_whole_board(names, seed):
    rng = np.random.default_rng(seed)
    result = search.mcts(names["before"], num_simulations=200, rng=rng)
    visits = [child.visit_count for child in result.children]

    assert min(visits) >= 1
    assert max(visits) <= 6, "a few visits each"


# Proofs


def wins_at_once(state):
    """Whether the player to move has a move that ends the game, tried out."""
    return any(
        child.is_terminal and child.returns()[state.current_player] == 1
        for child in map(state.child, state.legal_actions())
    )


def loses(state):
    """Whether after each move the other side wins at once, tried out."""
    children = [state.child(action) for action in state.legal_actions()]
    return all(not child.is_terminal and wins_at_once(child) for child in children)


def wins(state):
    """Whether some move wins at once, or leaves the other side lost."""
    children = [state.child(action) for action in state.legal_actions()]
    return wins_at_once(state) or any(not each.is_terminal and loses(each) for each in children)


def random_positions(number, seed, first_state=SMALL):
    rng = np.random.default_rng(seed)
    while number:
        state = first_state
        for _ in range(rng.integers(7, 20)):
            if not state.is_terminal:
                state = state.child(int(rng.choice(state.legal_actions())))
        if not state.is_terminal:
            number -= 1
            yield state


def test_what_threats_prove_is_so_by_trying_all_moves(names):
    seen = set()
    for state in random_positions(60, seed=3):
        proven = names["prove"](state)
        seen.add(proven)
        if proven == 1:
            assert wins(state), state
        elif proven == -1:
            assert loses(state), state
            assert not wins_at_once(state), state
        else:
            assert not wins_at_once(state), state
    assert seen == {1, -1, None}


def test_in_another_game_a_search_proves_it(names):
    """With Connect Four: a win at once, and a loss whatever is played."""
    state = games.ConnectFour()
    records = named_positions(state)

    def proven(record):
        reached = state
        for move in record.split():
            reached = reached.child(reached.string_to_action(move))
        return names["prove"](reached)

    assert proven(records["a four to complete"]) == 1
    assert proven(records["a double threat"] + " 3") == -1
    assert proven("") is None

    rng = np.random.default_rng(4)
    late = state
    while len(late.legal_actions()) > 4:
        after = late.child(int(rng.choice(late.legal_actions())))
        late = state if after.is_terminal else after
    assert len({names["prove"](late) for _ in range(5)}) == 1, "the same answer every time"


def test_the_positions_of_the_count_are_proven_and_open(names):
    prove = names["prove"]
    assert len(names["positions"]) == len(names["proofs"]) == 30
    assert [prove(state) for state in names["positions"]] == names["proofs"]
    assert set(names["proofs"]) <= {1, -1}


def test_an_error_is_counted_where_the_net_has_the_other_winner(names):
    for name in names["AGES"]:
        told = [names["ask"](name, state)[0] for state in names["positions"]]
        assert list(names["values"][name]) == pytest.approx(told)
        signs = zip(told, names["proofs"], strict=True)
        assert list(names["wrong"][name]) == [value * proof < 0 for value, proof in signs]


@pytest.fixture(scope="module")
def many(executed):
    """Values and errors of each age about many positions, from other seeds than the notebook's."""
    names = executed(NOTEBOOK).names
    values, proofs = {name: [] for name in names["AGES"]}, []
    with pytest.MonkeyPatch.context() as patch:
        for seed in (5, 6):
            rng = np.random.default_rng(seed)
            patch.setitem(names["proven_positions"].__globals__, "rng", rng)
            positions = names["proven_positions"](100)
            proofs += [names["prove"](state) for state in positions]
            for name in names["AGES"]:
                values[name] += [names["ask"](name, state)[0] for state in positions]
    return {name: (np.array(told), np.array(told) * proofs < 0) for name, told in values.items()}


def test_older_nets_have_the_wrong_winner_less_often(many):
    shares = [wrong.mean() for _, wrong in many.values()]

    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.3
    assert 0 < shares[-1] < 0.2


def test_older_nets_are_less_sure_when_they_are_wrong_but_some_errors_look_sure(many):
    gaps = [
        np.abs(values[~wrong]).mean() - np.abs(values[wrong]).mean()
        for values, wrong in many.values()
    ]

    assert abs(gaps[0]) < 0.15, "the youngest is hardly less sure"
    assert all(gap > 0.1 for gap in gaps[1:])
    assert all(gap > 0.2 for gap in gaps[2:])
    assert max(np.abs(values[wrong]).max() for values, wrong in many.values()) > 0.5


# The hunt


def test_the_hunt_ends_at_a_position_that_the_oldest_net_misjudges(names):
    state = names["state"]
    value, _ = names["ask"](names["oldest"], state)
    assert value * names["prove"](state) < 0
    assert not state.is_terminal


def test_the_hunt_runs_the_students_function():
    hunt = next(cell.source for cell in read(NOTEBOOK).cells if cell.id == "hunt")
    assert 'course.mine("misjudged_position")' in hunt
    assert "model_answer" not in hunt


@pytest.mark.parametrize("seed", [1, 2])
def test_every_age_can_be_caught_and_a_search_with_proofs_sees_it(names, seed):
    hunter = exercises.misjudged_position.model_answer
    for name in names["AGES"]:
        rng = np.random.default_rng(seed)
        moves = hunter(names["nets"][name], names["board"], names["prove"], rng)
        states = list(itertools.accumulate(moves, lambda s, a: s.child(a), initial=names["board"]))
        value, _ = names["ask"](name, states[-1])
        assert value * names["prove"](states[-1]) < 0
        first = names["searched"](name, states[-1], 1)
        assert first.root_value == pytest.approx(value, abs=1e-3), "it repeats what the net says"


def test_the_oldest_net_knows_the_winner_more_often_than_the_move(names):
    exam = [t for t in tactics.load() if t.state.size == 9 and t.kind != "block"]
    winners, favourites = {}, {}
    for name in (names["youngest"], names["oldest"]):
        winners[name] = sum(names["ask"](name, t.state)[0] < 0 for t in exam)
        favourites[name] = sum(names["at_a_glance"](name, t.state) not in t.solutions for t in exam)
    young, old = winners

    assert winners[young] > len(exam) / 2, "most of them"
    assert winners[old] < len(exam) / 8, "only a few"
    assert favourites[old] > 2 * winners[old]


def test_what_is_examined_for_wrong_winners_is_won(names):
    assert names["wins"]
    assert {tactic.kind for tactic in names["wins"]} <= {"win", "complete"}
