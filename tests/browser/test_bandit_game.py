"""The bandit that a person plays against UCB1, in JupyterLab and as pure functions."""

import re

from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.modules import Module, module_of

SETUP = """\
from mctslab.widgets import BanditGame
game = BanditGame(num_pulls=8, seed=3)
game"""


model = module_of("common.js", "words.js", "bandit_model.js", "bandit_game.js")


def test_arms_are_pulled_by_mouse_and_keys_and_the_truth_comes_at_the_end(lab: Lab) -> None:
    lab.open_cells(SETUP)
    lab.run_all()
    game, keyboard = lab.output(0).locator(".mctslab-bandit-game"), lab.page.keyboard
    expect(game).to_contain_text("0 wins so far. Pull 1 of 8: which arm?")
    game.get_by_role("button", name="Pull A").click()
    expect(game.locator("[data-arm=A] .tally")).to_have_text(re.compile(r"[01] wins? in 1 pull"))
    for key in ("b", "Tab", "Enter"):
        keyboard.press(key)
    expect(game.locator("[data-arm=B] .tally")).to_have_text(re.compile("in 2 pulls"))
    expect(game.locator(".truth").first).to_be_empty()
    assert lab.evaluate("game.win_rates") == []
    for _ in range(5):
        keyboard.press("c")
    expect(game).to_contain_text(re.compile(r"You have \d wins?, and UCB1 has \d\."))
    lab.wait_until(lambda: len(lab.evaluate("game.win_rates")) == 3)
    assert lab.evaluate("game.pulled") == [0, 1, 1, 2, 2, 2, 2, 2]
    for arm, rate in zip("ABC", lab.evaluate("game.win_rates"), strict=True):
        expect(game.locator(f"[data-arm={arm}] .truth")).to_contain_text(f"win rate {rate:.2f}")
    missed = lab.evaluate("[game.wins_missed(p)[-1] for p in (game.pulled, game.pulled_by_ucb1)]")
    expect(game).to_contain_text(f"you missed {missed[0]:.1f} wins, and UCB1 {missed[1]:.1f}")
    expect(game.get_by_role("img")).to_be_visible()
    keyboard.press("a")
    assert lab.evaluate("len(game.pulled)") == 8, "the game is over"
    assert lab.page.locator(".jp-Cell").count() == 1, "no key went to the notebook"
    game.get_by_role("button", name="New arms").click()
    expect(game).to_contain_text("Pull 1 of 8")
    lab.wait_until(lambda: lab.evaluate("[game.seed, game.pulled, game.win_rates]") == [4, [], []])


def test_both_sides_have_the_same_luck(model: Module) -> None:
    """What UCB1 pulls brings, by hand, what it brings in a run of the playground."""
    for seed in range(5):
        by_hand, of_run = model.run(
            """seed => {
                const bandit = { winRates: hiddenRates(3, seed), seed };
                const pulled = pulledByUcb1(bandit, 1, 60);
                const results = resultsOf(bandit, pulled);
                const wins = [0, 1, 2].map(arm => pulled.filter(
                    (each, place) => each === arm && results[place]).length);
                return [wins, armsAfter(bandit, 1, 60).rows.map(row => row.wins)];
            }""",
            seed,
        )
        assert by_hand == of_run


def test_the_hidden_rates_differ_from_game_to_game(model: Module) -> None:
    games = model.run("() => [1, 2, 3, 1].map(seed => hiddenRates(3, seed))")
    assert games[0] == games[3]
    assert len({tuple(rates) for rates in games}) == 3
    assert all(0.1 <= rate <= 0.9 for rates in games for rate in rates)
