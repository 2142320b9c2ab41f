"""The page to play on, in a browser: every game to its end, and the same trees as here."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from docs.site.play import build
from mctslab import fast, games
from mctslab.fast.nodes import USED
from mctslab.fast.running import random_state_of
from mctslab.fast.tree import ArrayNode
from mctslab.search import Trace, mcts
from mctslab.search.evaluators import RolloutEvaluator, uniform
from mctslab.search.knowledge.policies import rollout_policies
from tests.browser.site import served
from tests.site.page_net import PageNet

THINKING_MS = 120_000


ENGINE = """
  const { load } = await import(new URL("engine.js", location.href));
  const bytes = async (name) => (await fetch(name)).arrayBuffer();
  const about = (await (await fetch("games.json")).json())[board];
  const engine = await load(about, await bytes(`${board}.wasm`));
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
"""

SEARCH_BY_NET = f"""async ([board, net, moves, chunks]) => {{{ENGINE}
  engine.addNet(net, await bytes(`${{net}}.net`));
  engine.setUp(moves);
  engine.beginByNet(net, moves);
  for (const chunk of chunks) engine.run(chunk);
  const priors = engine.children(engine.node(0)).map(({{ prior }}) => prior);
  return {{ nodes: hex(engine.bytes().nodes), priors }};
}}"""

SEARCH = f"""async ([board, random, chunks]) => {{{ENGINE}
  engine.setUp([]);
  engine.begin(random.map(BigInt), false);
  for (const [chunk, limit] of chunks) engine.run(chunk, limit);
  const {{ nodes, counters, random: after }} = engine.bytes();
  const [counted, drawn] = [counters, after].map((each) => Array.from(each, String));
  return {{ nodes: hex(nodes), counters: counted, random: drawn }};
}}"""

TRACE = f"""async ([board, moves, random, byClasses, number]) => {{{ENGINE}
  const {{ traceOf }} = await import(new URL("trace.js", location.href));
  return traceOf(engine, {{ moves, random: random.map(BigInt), byClasses, number }});
}}"""

LINES = f"""async ([board, records]) => {{{ENGINE}
  return records.map((record) => {{
    engine.setUp([]);
    const moves = [];
    for (const name of record) {{
      const named = (move) => (about.moves[move] ?? about.pass).name === name;
      moves.push(engine.legalMoves().find(named));
      engine.setUp(moves);
    }}
    return engine.winningLines(moves).map((line) => line.map((move) => about.moves[move].square));
  }});
}}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build.build(folder)
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder) as root:
        yield f"{root}/play/index.html"


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """A page on which nothing may go wrong, and which may ask only its own server."""
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    own = (address.removesuffix("play/index.html"), "data:", "blob:")
    page.on("request", lambda sent: None if sent.url.startswith(own) else problems.append(sent.url))
    yield page
    assert context.cookies() == []
    context.close()
    assert problems == []


def open_game(page: Page, address: str, game: str) -> None:
    page.goto(f"{address}#{game}")
    expect(page.locator(".headline")).to_contain_text("Your turn")


def choose(page: Page, side: int, player: str) -> None:
    page.locator(f'[data-side="{side}"] select').select_option(player)


def words_of(rng: np.random.Generator) -> list[str]:
    return [str(int(word)) for word in random_state_of(rng)]


@pytest.mark.parametrize("game", build.GAMES)
def test_the_search_in_the_browser_grows_the_same_tree(page: Page, address: str, game: str) -> None:
    page.goto(address)
    state, rng = games.make(game), np.random.default_rng(3)
    number = 20_000  # the array becomes longer on the way
    chunks = [[100, 100], [number - 100, number - 100]]
    found = page.evaluate(SEARCH, [game, words_of(rng), chunks])
    result = fast.mcts(state, num_simulations=number, rng=rng)
    assert isinstance(result.root, ArrayNode)
    tree = result.root.tree
    assert found["counters"] == [str(int(each) % (1 << 64)) for each in tree.counters]
    assert found["random"] == words_of(rng)
    own = np.frombuffer(bytes.fromhex(found["nodes"]), tree.nodes.dtype)
    assert len(own) == tree.counters[USED]
    in_tree = [0]  # the other records were left behind
    for index in in_tree:
        in_tree += tree.children_of(index)
    for field in tree.nodes.dtype.names or ():
        if field != "next_sibling":  # in a block it is what was there before
            assert np.array_equal(own[in_tree][field], tree.nodes[in_tree][field]), field


def test_a_search_by_a_net_in_the_browser_grows_the_same_tree(page: Page, address: str) -> None:
    page.goto(address)
    board, net, moves, number = "gomoku9", "gomoku9_3", [40, 31, 48], 300
    found = page.evaluate(SEARCH_BY_NET, [board, net, moves, [1, 99, number - 100]])
    state = build.boards()[board]
    for move in moves:
        state = state.child(move)
    evaluator = PageNet(build.boards()[board], build.net_file(net))
    rng = np.random.default_rng(1)
    result = fast.puct_search(state, evaluator=evaluator, num_simulations=number, rng=rng)
    assert isinstance(result.root, ArrayNode)
    tree = result.root.tree
    own = np.frombuffer(bytes.fromhex(found["nodes"]), tree.nodes.dtype)
    for field in ("visit_count", "first_child", "move", "mover"):
        assert np.array_equal(own[field], tree.nodes[: len(own)][field]), field
    assert found["priors"] == pytest.approx([child.prior for child in result.root.children])


@pytest.mark.parametrize("game", build.GAMES)
def test_the_winning_lines_are_those_of_the_states(page: Page, address: str, game: str) -> None:
    page.goto(address)
    rng, finished = np.random.default_rng(5), []
    for _ in range(5 if game == "gomoku" else 20):
        state = games.make(game)
        record = []
        while not state.is_terminal:
            action = int(rng.choice(state.legal_actions()))
            record.append(state.action_to_string(action))
            state = state.child(action)
        finished.append((record, sorted(state.board().winning_squares)))
    assert game == "reversi" or any(squares for _, squares in finished)
    found = page.evaluate(LINES, [game, [record for record, _ in finished]])
    together = [sorted({square for line in lines for square in line}) for lines in found]
    assert together == [squares for _, squares in finished]


@pytest.mark.parametrize(
    ("board", "number"),
    [("tictactoe", 250), ("connect_four", 60), ("reversi", 60), ("gomoku6", 60), ("gomoku", 30)],
)
def test_the_steps_of_a_search_are_those_of_the_readable_one(
    page: Page, address: str, board: str, number: int
) -> None:
    page.goto(address)
    rng, state = np.random.default_rng(11), build.boards()[board]
    data, moves = build.about(state, board), []
    for _ in range(4):
        action = int(rng.choice(state.legal_actions()))
        square = state.action_square(action)
        moves += [move for move, each in data["moves"].items() if each["square"] == square]
        state = state.child(action)
    by_classes = board == "reversi"
    found = page.evaluate(TRACE, [board, moves, words_of(rng), by_classes, number])
    trace = Trace()
    policy = rollout_policies()["roxanne"] if by_classes else uniform
    mcts(state, num_simulations=number, evaluator=RolloutEvaluator(policy), trace=trace, rng=rng)
    expected = trace.document()
    for part in expected:
        assert is_same(found["trace"][part], expected[part]), part
    places = found["places"]
    assert len({tuple(place) for place in places}) == len(places)  # none is on another
    assert all(0 <= x <= 1 for x, _ in places)


def is_same(one: Any, other: Any) -> bool:
    """Whether two documents are the same; their numbers have six digits."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == pytest.approx(other, rel=1e-5) if isinstance(one, float) else one == other)


def test_a_search_shows_numbers_statistics_and_its_tree(page: Page, address: str) -> None:
    open_game(page, address, "reversi")
    choose(page, 1, "uct:1s:roxanne")
    page.locator(".cells rect.open").first.click()
    expect(page.locator("[data-heat]").first).to_be_visible(timeout=THINKING_MS)
    expect(page.locator(".headline")).to_contain_text("Your turn", timeout=THINKING_MS)
    page.get_by_role("button", name="Statistics").click()
    rows = page.locator(".statistics tbody tr")
    assert rows.count() == 3  # White's answers to the first move
    played = page.locator(".moves .notation").nth(1).inner_text()
    assert rows.first.locator("th").inner_text() == played
    page.get_by_role("button", name="Tree", exact=True).click()
    nodes = page.locator("#explorer [data-place]")
    expect(nodes).to_have_count(4)  # the root and its children, the most visited first
    expect(nodes.nth(1)).to_contain_text(played)
    nodes.nth(1).press("Enter")
    expect(nodes.locator("text").first).to_have_text("White to move")
    expect(nodes.nth(4)).to_be_attached()
    assert nodes.nth(1).get_attribute("aria-expanded") == "true"
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".moves .notation")).to_have_count(0)


def test_a_net_plays_on_its_board_and_shows_its_priors(page: Page, address: str) -> None:
    open_game(page, address, "gomoku")
    board = page.get_by_label("Size of the board")
    board.focus()
    board.select_option(label="8 × 8")
    expect(page.locator(".cells rect")).to_have_count(64)
    expect(page.get_by_label("Size of the board")).to_be_focused()
    page.get_by_label("What the board shows").select_option(label="priors")
    choose(page, 1, "net:gomoku8_4:1s")
    page.locator(".cells rect.open").nth(27).click()
    prior = page.locator("[data-heat] + text").first
    expect(prior).to_have_text(re.compile(r"^\d+%$"), timeout=THINKING_MS)
    expect(page.locator(".headline")).to_contain_text("Your turn", timeout=THINKING_MS)
    page.get_by_role("button", name="Statistics").click()
    head = page.locator(".statistics thead th").all_inner_texts()
    assert head == ["Play", "Visits", "Share of visits", "Win rate for White", "Prior"]
    priors = page.locator(".statistics tbody td:last-child").all_inner_texts()
    assert sum(float(each.removesuffix("%")) for each in priors) == pytest.approx(100, abs=3)


def test_two_players_and_a_record(page: Page, address: str) -> None:
    open_game(page, address, "tictactoe")
    choose(page, 0, "uct:2000")
    choose(page, 1, "uct:2000")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".headline")).to_have_text("Draw", timeout=THINKING_MS)
    page.get_by_role("button", name="Record").click()
    page.get_by_label("Game record").fill("a1 b2 zz")
    page.get_by_role("button", name="Set up this game").click()
    expect(page.locator(".record .error")).to_have_text("Move 3, zz, is not a legal move there.")
    page.get_by_label("Game record").fill("A1 b2")
    page.get_by_role("button", name="Set up this game").click()
    expect(page.locator(".moves .notation")).to_have_text(["a1", "b2"])


def test_without_memory64_a_sentence_says_so(page: Page, address: str) -> None:
    page.add_init_script("WebAssembly.validate = () => false;")
    page.goto(address)
    expect(page.get_by_role("alert")).to_contain_text("needs WebAssembly with a memory of 64 bits")
    expect(page.get_by_role("heading", name="How it works")).to_be_visible()


def test_the_page_is_light(folder: Path) -> None:
    files = [*(folder / "play").iterdir()]
    assert sum(each.stat().st_size for each in files if each.suffix != ".net") < 1_000_000
    assert all(each.stat().st_size < 500_000 for each in files)
