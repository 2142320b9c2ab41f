"""The playground's own bandits, held against mctslab.search.bandits. No page, no kernel."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Browser

from mctslab.search import bandits
from tests.browser.modules import Module

STRATEGIES = {
    "ucb1(0.5)": bandits.ucb1(0.5),
    "ucb1(2)": bandits.ucb1(2),
    "epsilonGreedy(0.3)": bandits.epsilon_greedy(0.3),
    "greedy()": bandits.greedy(),
    "thompson()": bandits.thompson(),
}


@pytest.fixture(scope="module")
def model(chromium: Browser) -> Iterator[Module]:
    module = Module(chromium, "words.js", "bandit_model.js")
    yield module
    module.close()


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_curves_are_those_of_the_package(model: Module, name: str) -> None:
    win_rates, num_pulls, num_runs = [0.2, 0.5, 0.6], 300, 2_000
    drawn = model.run(
        f"""([winRates, numPulls, numRuns]) => {{
            const curve = new Curve({{ winRates, seed: 7 }}, {name}, numPulls);
            while (curve.runs < numRuns) curve.addRun();
            const at = [4, 99, numPulls - 1];
            return [at.map(p => curve.mean(p)), at.map(p => curve.margin(p)),
                    at.map(p => curve.bestShare(p))];
        }}""",
        [win_rates, num_pulls, num_runs],
    )
    mean, margin, best_share = map(np.array, drawn)
    rng = np.random.default_rng(8)
    played = bandits.play(
        win_rates, STRATEGIES[name], num_pulls=num_pulls, num_runs=num_runs, rng=rng
    )
    at = np.array([4, 99, num_pulls - 1])
    share = (played.choices == 2).cumsum(axis=1).mean(axis=0)[at] / (at + 1)

    # Two independent means differ by less than twice the root of the sum of their squared errors.
    assert (abs(mean - played.mean_regret[at]) < 2 * np.hypot(margin, played.margin[at])).all()
    assert margin == pytest.approx(played.margin[at], rel=0.1)
    assert best_share == pytest.approx(share, abs=0.02)


def test_ucb1_scores_as_the_package_does(model: Module) -> None:
    told = model.run(
        "([winRates, c, numPulls]) => armsAfter({ winRates, seed: 3 }, c, numPulls, 5)",
        [[0.2, 0.5, 0.6], 0.8, 40],
    )
    rows = told["rows"]
    wins, pulls = (np.array([[row[name] for row in rows]]) for name in ("wins", "pulls"))
    scores = bandits.ucb1(0.8).scores(wins, pulls)[0]

    assert pulls.sum() == 40
    assert [row["winRate"] + row["bonus"] for row in rows] == pytest.approx(scores)
    assert told["next"] == scores.argmax()


def test_one_run_goes_on_as_it_said(model: Module) -> None:
    states = [
        model.run("n => armsAfter({ winRates: [0.3, 0.5, 0.7], seed: 1 }, 1, n)", n)
        for n in range(60)
    ]
    for now, later in pairwise(states):
        grown = [b["pulls"] - a["pulls"] for a, b in zip(now["rows"], later["rows"], strict=True)]
        assert grown == [float(arm == now["next"]) for arm in range(3)]
    assert all(math.isinf(row["bonus"]) for row in states[0]["rows"])


def test_an_arm_keeps_its_luck_whatever_is_pulled_in_between(model: Module) -> None:
    seen = model.run(
        """() => [ucb1(0.2), ucb1(3), thompson()].map(choose => {
            const won = [[], [], []];
            let before = [0, 0, 0];
            for (let n = 1; n <= 80; n += 1) {
                let pulled;
                const end = playRun({ winRates: [0.4, 0.5, 0.6], seed: 2 }, choose, n, 0,
                                    (_, place) => { pulled = place; });
                const wins = end.order.map((_, place) => end.wins[end.order.indexOf(place)]);
                won[pulled].push(wins[pulled] - before[pulled]);
                before = wins;
            }
            return won;
        })"""
    )
    for arm in range(3):
        shortest = min(len(one[arm]) for one in seen)
        assert shortest >= 1
        assert len({tuple(one[arm][:shortest]) for one in seen}) == 1


def test_seeds_and_runs_differ(model: Module) -> None:
    chosen = model.run(
        """() => [[1, 0], [1, 0], [2, 0], [1, 1]].map(([seed, run]) => {
            const places = [];
            const see = (_, place) => places.push(place);
            playRun({ winRates: [0.5, 0.5], seed }, thompson(), 40, run, see);
            return places.join("");
        })"""
    )
    assert chosen[0] == chosen[1]
    assert len(set(chosen)) == 3


def test_axes_have_round_numbers(model: Module) -> None:
    ceilings = model.run("() => [0.9, 1, 3, 21, 25, 26, 84.2, 100].map(niceCeiling)")
    ticks = model.run("() => [ticks(100, 5), ticks(2.5, 5), ticks(1000, 5)]")

    assert ceilings == [1, 1, 5, 25, 25, 50, 100, 100]
    assert ticks == [
        [0, 20, 40, 60, 80, 100],
        [0, 0.5, 1, 1.5, 2, 2.5],
        [0, 200, 400, 600, 800, 1000],
    ]
