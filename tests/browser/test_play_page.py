"""The page to play on, in a browser: the same trees as here, and games that everybody can play."""

import json

import numpy as np
import pytest
from playwright.sync_api import expect

from docs.site.play import build
from mctslab import fast
from mctslab.fast.nodes import NUM_UNUSED, USED
from mctslab.fast.running import random_state_of
from mctslab.net import load
from mctslab.search.evaluators import RolloutEvaluator, uniform
from mctslab.search.knowledge.policies import rollout_policies
from tests.browser.panel import LATE, PanelOnPage, shows
from tests.browser.site import BEYOND, opened, violations

THINKING_MS = 120_000

ENGINE = """
  const { load } = await import(new URL("engine.js", location.href));
  const bytes = async (name) => (await fetch(name)).arrayBuffer();
  const about = (await (await fetch("games.json")).json())[board];
  const engine = await load(about, await bytes(`${board}.wasm`));
"""

SEARCH = f"""async ([board, moves, random, byClasses, chunks]) => {{{ENGINE}
  engine.setUp(moves);
  engine.begin(random.map(BigInt), byClasses);
  for (const [chunk, limit] of chunks) engine.run(chunk, limit);
  const found = Array.from({{ length: engine.numNodes }}, (_, place) => engine.node(place));
  return JSON.stringify(found.map((each) => [
    each.mover, each.visits, each.total, each.untried, each.numChildren, each.firstChild,
  ]));
}}"""

FIELDS = ["mover", "visit_count", "total_value", "num_untried", "num_children", "first_child"]
"""What is compared of each node, as the package calls it."""

BY_NET = f"""async ([board, moves, net, chunks]) => {{{ENGINE}
  engine.setUp(moves);
  engine.addNet(net, await bytes(`${{net}}.net`));
  engine.beginByNet(net, moves);
  return chunks.map((chunk) => {{
    engine.run(chunk, chunk);
    const root = engine.node(0);
    return [root.total, ...["prior", "visits", "total"].map(
      (name) => engine.children(root).map((each) => each[name]))];
  }});
}}"""


@pytest.fixture(scope="module")
def book(chromium, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    build.build(folder)
    with opened(chromium, folder) as book:
        yield book


@pytest.fixture
def page(book):
    """A page on which nothing may go wrong, and which may ask only its own server."""
    book.page.set_viewport_size({"width": 1280, "height": 800})
    book.page.emulate_media(color_scheme="light", forced_colors="none")
    book.page.goto("about:blank")
    book.complaints.clear()
    yield book.page
    assert book.page.context.cookies() == []
    assert book.complaints == []


def open_game(page, game, *players):
    """Let the players play a game; without any, a person begins against the usual opponent."""
    page.goto(f"/play/index.html#{game}")
    shows(page, {f"nav a[aria-current][href='#{game.strip('6')}']": 1, ".headline": "Your turn"})
    for menu, player in zip(page.locator(".side select").all(), players, strict=False):
        menu.select_option(player)
    return PanelOnPage(page.locator("#game"))


def open_section(page, name):
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator(f".section.{name.lower()}")).to_be_visible()


def words_of(rng):
    return [str(int(word)) for word in random_state_of(rng)]


# The engine


def some_position(board, rng, num_moves=4):
    """A position after some random moves, and these moves as the page numbers them."""
    state, moves = build.boards()[board], []
    numbered = build.moves_of(state, state.compilable()).items()
    number_of = {about["square"]: number for number, about in numbered}
    for _ in range(num_moves):
        action = int(rng.choice(state.legal_actions()))
        moves.append(number_of[state.action_square(action)])
        state = state.child(action)
    return state, moves


@pytest.mark.parametrize(
    ("board", "policy", "number"),
    [
        ("tictactoe", "uniform", 3_000),
        ("connect_four", "uniform", 3_000),
        ("gomoku", "uniform", 3_000),
        ("reversi", "roxanne", 3_000),
        ("reversi", "uniform", 40_000),  # the array becomes longer on the way
    ],
)
def test_a_search_in_the_browser_leaves_the_tree_that_it_leaves_here(page, board, policy, number):
    page.goto("/play/index.html")
    rng = np.random.default_rng(3)
    state, moves = some_position(board, rng)
    chunks = [[100, 100], [number - 100, number - 100]]
    by_classes = policy != "uniform"
    found = page.evaluate(SEARCH, [board, moves, words_of(rng), by_classes, chunks])
    rollouts = RolloutEvaluator(rollout_policies()[policy] if by_classes else uniform)
    tree = fast.mcts(state, num_simulations=number, evaluator=rollouts, rng=rng).root.tree
    nodes = tree.nodes[: tree.counters[USED] - tree.counters[NUM_UNUSED]]
    assert json.loads(found) == [list(each) for each in nodes[FIELDS].tolist()]


OLDEST = {
    board: nets[-1] for board, state in build.boards().items() if (nets := build.nets_for(state))
}


@pytest.mark.parametrize("board", OLDEST)
def test_the_first_simulation_by_a_net_has_pytorch_s_outputs_and_further_ones_go_on_alike(
    page, board
):
    page.goto("/play/index.html")
    net, rng = OLDEST[board], np.random.default_rng(7)
    evaluator, (state, moves) = load(net), some_position(board, rng, num_moves=9)
    found = page.evaluate(BY_NET, [board, moves, net, [1, 99]])
    for number, (total, priors, visits, totals) in zip((1, 100), found, strict=True):
        root = fast.puct_search(state, evaluator=evaluator, num_simulations=number, rng=rng).root
        children = root.children
        np.testing.assert_allclose(priors, [child.prior for child in children], atol=1e-4)
        assert total == pytest.approx(root.total_value, abs=1e-4 if number == 1 else 2)
        # Where two scores are nearly the same, the last digits decide which move comes first.
        np.testing.assert_allclose(visits, [child.visit_count for child in children], atol=4)
        np.testing.assert_allclose(totals, [child.total_value for child in children], atol=2)
    assert np.ptp(priors) > 0.01  # something was compared


# The games


def test_a_search_shows_numbers_statistics_and_its_tree(page):
    panel = open_game(page, "reversi", "human", "uct:1s:roxanne")
    open_section(page, "Tree")
    shows(page, {".tree .remark": "Nothing has been searched yet."})
    panel.root.locator(".cells rect.open").first.click()
    expect(page.locator("[data-heat]").first).to_be_visible(timeout=THINKING_MS)
    expect(panel.headline).to_contain_text("Your turn", timeout=THINKING_MS)
    open_section(page, "Statistics")
    played = panel.moves.nth(1).inner_text()
    # White's answers to the first move, the most visited first, and in the tree the root as well.
    shows(page, {".statistics tbody tr": 3, ".statistics tbody th": played})
    open_section(page, "Tree")
    shows(page, {".below [data-node]": 4, f".below [data-node]:has-text('{played}')": 1})


@pytest.mark.parametrize("board", ["tictactoe", "connect_four", "reversi", "gomoku6"])
def test_a_game_is_played_to_its_end_by_the_rules(page, board):
    panel = open_game(page, board, "human", "random" if board == "reversi" else "human")
    if board == "reversi":
        open_section(page, "Record")
        panel.set_up(LATE)
        expect(panel.moves.nth(50)).to_be_attached()
    panel.play_to_the_end(build.boards()[board])


def test_without_memory64_a_sentence_says_so(page):
    old = page.context.new_page()
    old.add_init_script("WebAssembly.validate = () => false;")
    old.goto("/play/index.html")
    shows(old, {"role=alert": "needs WebAssembly with a memory of 64 bits"})
    shows(old, {"h2:text('How it works'):visible": 1})
    old.close()


# Everybody can play


def test_axe_finds_nothing_and_nothing_is_cut_off(page):
    """Opened in the dark theme and looked at in both, in a narrow window."""
    page.emulate_media(color_scheme="dark")
    open_game(page, "gomoku6")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".message.hint")).to_be_visible(timeout=THINKING_MS)
    for name in ("Tree", "Record", "Statistics"):
        open_section(page, name)
        for width in (420, 640):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate(BEYOND) <= 0, (name, width)
    assert violations(page) == []
