"""What the side road about training and thinking says is so, by the scores that are stored."""

import json

import numpy as np
import pytest

from mctslab import net, players
from tests.notebooks.reading import PROJECT

FILE = PROJECT / "notebooks" / "more" / "results" / "14_elo_grid.jsonl"


@pytest.fixture(scope="module")
def stored():
    """The wins, draws and losses of the first player, for each pair and seed."""
    lines = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    found = {(*line["players"], line["seed"]): line["score"] for line in lines}
    assert len(found) == len(lines), "no match is stored twice"
    return found


def test_every_match_of_the_grid_is_stored_and_no_other(names, stored):
    assert {*stored} == {*names["matches"]}
    assert {sum(score) for score in stored.values()} == {20}


def test_the_pair_that_looked_equal_was_lucky_in_its_first_match(stored):
    pair = "net:gomoku9_3:32", "net:gomoku9_4:1"
    assert stored[*pair, 14] == [11, 0, 9]
    assert np.sum([stored[*pair, seed] for seed in (1, 2, 3, 4)], axis=0).tolist() == [16, 1, 63]


def test_the_ratings_are_those_of_the_stored_scores(names, stored):
    """Each player has the points that its rating predicts; one draw is added to each pair."""
    elo = dict(zip(names["names"], (each.value for each in names["ratings"].elo), strict=True))
    won, expected = dict.fromkeys(elo, 0.0), dict.fromkeys(elo, 0.0)
    drawn = {(*pair, "added"): (0, 1, 0) for pair in names["pairs"]}
    for (*pair, _), (wins, draws, losses) in (stored | drawn).items():
        for (one, other), points in ((pair, wins), (pair[::-1], losses)):
            won[one] += points + draws / 2
            share = 1 / (1 + 10 ** ((elo[other] - elo[one]) / 400))
            expected[one] += (wins + draws + losses) * share
    assert expected == pytest.approx(won, abs=1e-6)


def test_a_player_with_one_simulation_plays_the_favourite_of_its_net(names):
    evaluator = net.load("gomoku9_3")
    state = evaluator.first_state()
    for move in ("E5", "E6", "D5", "F6"):
        state = state.child(state.string_to_action(move))
        priors = evaluator([state], None).priors[0]
        player = players.make(names["player"]("gomoku9_3", 1), rng=np.random.default_rng(1))
        assert player.choose(state) == state.legal_actions()[int(np.argmax(priors))]


def test_age_3_comes_close_to_the_next_age_with_128_simulations_and_the_others_do_not(names):
    reached = [names["above_next"](row)[-1] for row in range(4)]
    assert [gap.low < 0 < gap.high for gap in reached] == [False, False, True, False]


@pytest.mark.parametrize("row", range(3))
def test_within_the_run_a_row_is_worth_more_thinking_than_jones_found(names, row):
    of_jones = (names["positions"][row + 1] / names["positions"][row]) ** names["EXCHANGE"]
    assert of_jones < 8
    assert names["above_next"](row)[1].high < 0, "with 8 simulations it is still weaker"


def test_the_gains_are_those_that_the_text_names(names):
    player, tenfold = names["player"], names["tenfold"]
    ages, sizes = names["AGES"], names["positions"]
    for age in ages[:4]:
        elo, _ = tenfold(player(age, names["MOST"]), player(age, 1), names["MOST"])
        assert 150 <= float(elo) <= 250, "roughly 200"
    for number in names["SIMULATIONS"]:
        of_training = player(ages[3], number), player(ages[0], number)
        elo, _ = tenfold(*of_training, sizes[3] / sizes[0])
        assert 1_250 <= float(elo) <= 1_450, "about 1,400"
        gap = names["ratings"].difference(*of_training)
        assert gap.low / np.log10(sizes[3] / sizes[0]) > 500, "more than for Jones"


def test_the_gradient_steps_cost_half_as_much_as_the_searches_again(names):
    iterations, steps, batch, passes = 160 - 90, 40, 256, 3  # forward, and backward about twice
    assert iterations * steps * batch * passes / names["training"] == pytest.approx(0.5, abs=0.05)


def test_the_experiment_compares_a_match_with_the_grid(names):
    found = names["duel"]((1, 1), (4, 1), 2, seed=1)
    assert "net:gomoku9_1:1 scores 0.00 against net:gomoku9_4:1 in 2 games." in found
    assert "The grid expects 0.00 (0.00 to 0.00)." in found
    assert "The grid" not in names["duel"]((1, 2), (4, 1), 2, seed=1), "it has no 2 simulations"


def test_its_result_waits_for_the_prediction(executed, notebook):
    run = executed(notebook)
    for cell in ("gains", "experiment"):
        assert "Answer the question above first" in run.saved[cell]
        assert "net:gomoku9_3:32 scores" not in run.saved[cell]
