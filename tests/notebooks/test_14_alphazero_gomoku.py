"""What notebook 14 says is so, with whatever nets come with mctslab."""

import itertools
import json

import numpy as np
import pytest
import torch

from mctslab import arena, games, net, players, search
from mctslab.course import exercises
from mctslab.net.encode import encode
from mctslab.widgets.net_positions import named_positions
from tests.benchmarks import notebook_14
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "14_alphazero_gomoku")
SMALL = games.Gomoku(size=6, in_a_row=4)


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


# Asking


def test_a_net_is_asked_as_pytorch_would(names):
    """Value and softmax over the legal moves, worked out from the numbers in the file."""
    state = names["open_three"]
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


def test_the_position_is_an_open_three_against_white(names):
    state = names["open_three"]
    assert state.current_player == 1
    assert search.find_threats(state, 0).open_four
    assert len(state.legal_actions()) == 76


def test_the_panel_shows_all_ages_of_the_board(names):
    panel = names["panel"]
    assert panel.names == names["AGES"] == [each.name for each in players.shipped_nets(panel.state)]
    assert panel.record == named_positions(games.Gomoku(size=9))["an open three"]


# Strength


def test_the_oldest_net_knows_more_than_the_youngest(names):
    exam = [t for t in arena.tactics.load() if t.state.size == 9]
    young, old = (
        sum(names["at_a_glance"](name, tactic.state) in tactic.solutions for tactic in exam)
        for name in (names["youngest"], names["oldest"])
    )
    assert old > young


def test_the_two_numbers_of_an_age_are_at_a_glance_and_with_a_search(names):
    exam = names["exam"]
    for name in names["AGES"]:
        answers = [(names["ask"](name, tactic.state)[1], tactic.solutions) for tactic in exam]
        glances = sum(max(policy, key=policy.get) in right for policy, right in answers)
        assert names["solved"][name][0] == glances
        for how, number in zip(
            ("at a glance", "with a search"), names["solved"][name], strict=True
        ):
            assert names["scores"][f"{name}, {how}"][0] == pytest.approx(number / len(exam))


def test_the_shown_position_is_the_one_where_they_differ_most(names):
    old, young, shown = names["oldest"], names["youngest"], names["shown"]

    def counted(name, tactic):
        _, policy = names["ask"](name, tactic.state)
        is_right = max(policy, key=policy.get) in tactic.solutions
        return is_right + sum(policy[action] for action in tactic.solutions)

    gaps = [counted(old, tactic) - counted(young, tactic) for tactic in names["exam"]]
    assert counted(old, shown) - counted(young, shown) == pytest.approx(max(gaps))


def test_the_stored_matches_were_played_by_the_nets_that_come_with_mctslab():
    noted = json.loads(notebook_14.NETS.read_text("utf-8"))
    assert noted == notebook_14.digests(), (
        "the nets have changed: python -m tests.benchmarks.notebook_14 plays the matches anew"
    )


STORED = [*notebook_14.played_files(), *notebook_14.strength_files()]


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.stem)
def test_the_stored_matches_are_complete_and_no_game_was_lost_otherwise(file):
    result = arena.load(file)
    assert result.is_complete
    assert all(game.reason is arena.Reason.RULES for game in result.games)


def test_the_chart_has_all_nets_and_their_scores_against_uct(names):
    chart = names["against_uct_10000"]
    assert list(chart) == [each.name for each in players.shipped_nets()]
    for each in players.shipped_nets():
        result = arena.load(notebook_14.RESULTS / notebook_14.STRENGTH.format(each.name))
        own_name, rival = result.names
        assert own_name.startswith(each.name)
        assert rival == "uct:10000"
        assert result.first_state == net.load_checkpoint(each.file).first_state()
        points = [(1 + game.returns[game.players.index(own_name)]) / 2 for game in result.games]
        assert chart[each.name].value == pytest.approx(np.mean(points))


def test_the_scores_by_age_are_as_told(names):
    rates = names["against_uct_10000"]
    ages = {
        size: [rate for name, rate in rates.items() if name.startswith(f"gomoku{size}_")]
        for size in (6, 8, 9, 15)
    }
    assert all(rate.value == 1 for rate in ages.pop(15))
    for family in ages.values():
        values = [rate.value for rate in family]
        assert values == sorted(set(values)), "each age scores more"
    for before, after in (ages[6][-2:], ages[9][:2]):
        assert before.high > after.low, "this is not decided"


# Trees


def tree_after(names, moves, **options):
    """The oldest net's search of the position after `moves`, and how many moves it has tried."""
    evaluator, state = names["evaluators"][names["oldest"]], names["position_after"](moves)
    result = names["searched"](evaluator, state, number=200, **options)
    return result, sum(child.visit_count > 0 for child in result.children)


def test_a_net_tries_few_moves_where_it_expects_to_win_and_all_where_it_expects_to_lose(names):
    ahead, tried_ahead = tree_after(names, "D5 A9 E5 I9")
    behind, tried_behind = tree_after(names, "D5 A9 E5 I9 F5")
    assert ahead.root_value > 0.5
    assert tried_ahead < 10
    assert behind.root_value < -0.5
    assert tried_behind == len(behind.children) == 76
    assert len(ahead.principal_variation) > len(behind.principal_variation)


def test_where_an_untried_move_counts_as_its_position_bad_news_makes_no_bush(names):
    moves = "D5 A9 E5 I9 F5"
    assert names["open_three"] == names["position_after"](moves)
    result, tried = tree_after(names, moves, selection=search.puct(fpu="parent"))
    usual, _ = tree_after(names, moves)
    assert result.root_value < -0.5
    assert tried < 10
    assert len(result.principal_variation) > len(usual.principal_variation)


# The two halves


def test_halves_take_away_what_they_say(names):
    states = [SMALL, SMALL.child(3)]
    values, priors = names["expert"](states, np.random.default_rng(1))
    half = names["halved"]
    assert half(names["expert"], True, True)(states, None) == (values, priors)
    assert half(names["expert"], False, True)(states, None) == (values, None)
    assert half(names["expert"], True, False)(states, None) == ([(0.0, 0.0)] * 2, priors)
    assert half(names["expert"], False, False)(states, None) == ([(0.0, 0.0)] * 2, None)


def test_with_both_halves_it_is_the_net_and_with_neither_the_uniform_evaluator(names):
    """The same trees: so the matches are between what their names say."""

    def visits(evaluator):
        rng = np.random.default_rng(4)
        result = search.puct_search(SMALL, evaluator=evaluator, num_simulations=60, rng=rng)
        return [child.visit_count for child in result.children]

    half, expert = names["halved"], names["expert"]
    assert visits(half(expert, True, True)) == visits(expert)
    assert visits(half(expert, False, False)) == visits(search.uniform_evaluator())


def test_the_halves_are_worth_what_is_told(names):
    rates = names["half_rates"]
    both, neither = rates[True, True], rates[False, False]
    priors, values = rates[True, False], rates[False, True]

    assert neither[-1].value > neither[0].value, "it rises"
    assert both[0].low > neither[-1].high, "and does not reach the net with few simulations"
    assert names["BUDGETS"][False, False][-1] >= 1_000 * names["BUDGETS"][True, True][0]
    assert priors[0].low > values[0].high, "with few simulations the priors are worth more"
    assert values[1].low > neither[1].high, "and the values more than nothing"
    assert all(abs(one.value - other.value) < 0.1 for one, other in zip(both, priors, strict=True))


# Ways of training


def test_the_ways_of_training_rank_as_told(names):
    runs = names["stored"]["runs"]
    for seed in (1, 2, 3):
        points = {
            run["variant"]: np.add(run["as_first"], run["as_second"]) @ [1, 0.5, 0]
            for run in runs
            if run["seed"] == seed
        }
        assert len(points) == 6
        assert max(points, key=points.get) == "Gumbel, 32"
    rates = names["trained_rates"]
    others = [rates[name] for name in rates if name not in ("Gumbel, 32", "Gumbel, 16")]
    assert rates["Gumbel, 32"].low > max(rate.high for rate in others)
    assert min(rates, key=lambda name: rates[name].value) == "16 simulations"
    many, capped = rates["64 simulations"], rates["playout cap, 96 or 16"]
    assert capped.low < many.high, "neither helps nor harms"
    assert many.low < capped.high


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


def random_positions(number, seed):
    rng = np.random.default_rng(seed)
    while number:
        state = SMALL
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


def test_the_positions_of_the_count_are_proven_and_open(names):
    prove = names["prove"]
    assert len(names["positions"]) == names["NUM_PROVEN"]
    assert all(prove(state) is not None and not state.is_terminal for state in names["positions"])


def test_an_error_is_counted_where_the_net_has_the_other_winner(names):
    for name in names["AGES"]:
        signs = [
            (names["ask"](name, state)[0] > 0, names["prove"](state) > 0)
            for state in names["positions"]
        ]
        wrong = sum(told != proven for told, proven in signs)
        assert names["errors"][name][0] == pytest.approx(wrong / len(signs))


def test_the_hunt_ends_at_a_position_that_the_oldest_net_misjudges(names):
    state = names["state"]
    value, _ = names["ask"](names["oldest"], state)
    assert value * names["prove"](state) < 0
    assert not state.is_terminal


@pytest.mark.parametrize("seed", [1, 2])
def test_every_age_can_be_caught(names, seed):
    hunter = exercises.misjudged_position.model_answer
    for name in names["AGES"]:
        rng = np.random.default_rng(seed)
        moves = hunter(names["evaluators"][name], names["board"], names["prove"], rng)
        states = list(itertools.accumulate(moves, lambda s, a: s.child(a), initial=names["board"]))
        value, _ = names["ask"](name, states[-1])
        assert value * names["prove"](states[-1]) < 0
