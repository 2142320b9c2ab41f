"""The page to play on for everybody: axe, the keyboard alone, a narrow window, other colours."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from docs.site.play import build
from tests.browser.site import THEMES, Judge, served

SECTIONS = ("Statistics", "Tree", "Phases", "Record")
OPENED = "document.querySelectorAll('#game .sections, #game .more-section')"
BOARDS = (*build.GAMES, "gomoku6")
OVER = re.compile("wins|Draw")
YOURS = re.compile("Your turn|has to pass|wins|Draw")
WAIT_MS = 120_000
ZOOMED = (640, 420)
"""Widths of a window of 1,280 at 200% and, about, of 840; in the pixels of CSS."""

SCROLLS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT_OFF = """() => {
  const isScroller = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
  const isHidden = (element) => !element.checkVisibility() || element.closest("svg");
  return [...document.querySelectorAll("body *")].filter((element) =>
    !isHidden(element) && !isScroller(element) && getComputedStyle(element).overflowX !== "visible"
      && element.scrollWidth > element.clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 120));
}"""
OUTSIDE = """() => {
  const scroller = (element) => element.closest(".scroller, .moves, svg");
  const isOutside = (element) => element.getBoundingClientRect().right > innerWidth + 1;
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && !scroller(element) && isOutside(element))
    .map((element) => element.outerHTML.slice(0, 120));
}"""
WAY_TO_OPEN = """() => {
  const squares = [...document.querySelectorAll(".cells rect")];
  const open = squares.find((square) => square.matches(".open"));
  return ["y", "x"].map((side) => {
    const places = new Set(squares.map((square) => Number(square.getAttribute(side))));
    return [...places].filter((place) => place < Number(open.getAttribute(side))).length;
  });
}"""
"""How many squares the first open one is below and right of the corner."""
OVERLAPPING = """() => {
  const all = "#game :is(button, select, input, textarea), nav a, .headline";
  const controls = [...document.querySelectorAll(all)]
    .filter((element) => element.checkVisibility() && !element.closest(".scroller, svg"));
  const boxes = controls.map((element) => element.getBoundingClientRect());
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  return controls.flatMap((control, place) => controls.slice(place + 1)
    .filter((_, after) => meet(boxes[place], boxes[place + 1 + after]))
    .map((other) => `${control.outerHTML.slice(0, 80)} meets ${other.outerHTML.slice(0, 80)}`));
}"""


STATES = (
    ("borderBottomColor", ("nav a[aria-current]", "nav a:not([aria-current])")),
    ("borderBottomColor", (".section-tab[aria-expanded=true]", ".section-tab:last-child")),
    ("outlineStyle", (".side.is-to-move", ".side:not(.is-to-move)")),
    ("backgroundColor", (".toggle-track", "body")),
    ("backgroundColor", (".shares span:first-child", ".shares span:last-child")),
    ("fill", ("[data-player='0']", "[data-player='1']")),
)
"""What tells two states from each other, of which elements."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    build.build(folder)
    with served(folder) as root:
        yield f"{root}/play/index.html"


@contextmanager
def game_on(chromium: Browser, address: str, game: str, **settings: Any) -> Iterator[Page]:
    context = chromium.new_context(**{"reduced_motion": "reduce", **settings})
    page = context.new_page()
    page.goto(f"{address}#{game}")
    expect(page.locator(".headline")).to_contain_text("Your turn")
    yield page
    context.close()


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


def search_once(page: Page) -> None:
    """Let Hint search, so that every section shows something."""
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".message.hint")).to_be_visible(timeout=WAIT_MS)


def whole_game(game: str) -> str:
    """The record of a random game."""
    rng, state, record = np.random.default_rng(1), build.boards()[game], []
    while not state.is_terminal:
        action = int(rng.choice(state.legal_actions()))
        record.append(state.action_to_string(action))
        state = state.child(action)
    return " ".join(record)


def open_section(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    if name == "Phases":
        expect(page.locator("#phases > .remark")).not_to_contain_text("being recorded")


def how_it_ends(game: str, record: str) -> str:
    """What the page says after a whole game, by the rules in Python."""
    state = build.boards()[game]
    for word in record.split():
        state = state.child(state.string_to_action(word))
    assert state.is_terminal
    result = state.returns()[0]
    return f"{state.player_names[0 if result > 0 else 1]} wins" if result else "Draw"


@pytest.mark.parametrize(("game", "theme"), [*zip(BOARDS, cycle(THEMES))])
def test_axe_finds_nothing_before_during_and_after_a_game(
    chromium: Browser, address: str, judge: Judge, game: str, theme: str
) -> None:
    """In both themes, whichever of them the page is opened in."""
    with game_on(chromium, address, game, color_scheme=theme) as page:
        assert judge.violations(page) == []
        search_once(page)
        for name in SECTIONS:
            open_section(page, name)
            assert judge.violations(page, OPENED) == [], name
        page.get_by_label("Game record").fill(whole_game(game))
        page.get_by_role("button", name="Set up this game").click()
        expect(page.locator(".headline")).to_have_text(OVER)
        assert judge.violations(page) == []


def tab_to(page: Page, selector: str) -> None:
    for _ in range(60):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {selector}")


def play_by_keys(page: Page) -> None:
    """Go from the corner down and to the right to an open square, and play there."""
    tab_to(page, ".cells rect")
    down, right = page.evaluate(WAY_TO_OPEN)
    way = (*["ArrowDown"] * down, *["ArrowRight"] * right)
    for key in ("Home", "PageUp", *way, "Enter"):
        page.keyboard.press(key)


@pytest.mark.parametrize("game", build.GAMES)
def test_a_game_without_a_mouse(chromium: Browser, address: str, game: str) -> None:
    with game_on(chromium, address, game) as page:
        tab_to(page, '[data-side="1"] select')
        page.keyboard.type("random" if game == "gomoku" else "Level 1")
        headline = page.locator(".headline")
        for _ in range(120):
            expect(headline).to_have_text(YOURS, timeout=WAIT_MS)
            said = headline.inner_text()
            if OVER.search(said):
                break
            number = page.locator(".moves .notation").count()
            if "pass" in said:
                tab_to(page, '[data-command="pass"]')
                page.keyboard.press("Enter")
            else:
                play_by_keys(page)
            expect(page.locator(".moves .notation").nth(number)).to_be_visible()
        tab_to(page, '[data-section="record"]')
        page.keyboard.press("Enter")
        record = page.get_by_label("Game record").input_value()
        assert headline.inner_text().startswith(how_it_ends(game, record))


@pytest.mark.parametrize(("game", "widths"), [*zip(BOARDS, cycle((ZOOMED, ZOOMED[::-1])))])
def test_nothing_is_cut_off_in_a_narrow_window(
    chromium: Browser, address: str, game: str, widths: tuple[int, int]
) -> None:
    sizes: list[ViewportSize] = [{"width": width, "height": 512} for width in widths]
    with game_on(chromium, address, game, viewport=sizes[0]) as page:
        search_once(page)
        for name in SECTIONS:
            open_section(page, name)
            for size in sizes:
                page.set_viewport_size(size)
                assert page.evaluate(SCROLLS) <= 0, (name, size)
                for check in (CUT_OFF, OUTSIDE, OVERLAPPING):
                    assert page.evaluate(check) == [], (name, size)


def test_where_the_system_forces_its_colours_every_state_can_be_seen(
    chromium: Browser, address: str
) -> None:
    with game_on(chromium, address, "reversi", forced_colors="active") as page:
        search_once(page)
        open_section(page, "Statistics")
        assert Judge().violations(page) == []
        for theme, (name, others) in product(THEMES, STATES):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            look = f"element => getComputedStyle(element).{name}"
            one, other = (page.locator(each).first.evaluate(look) for each in others)
            assert one != other, (theme, others)


def test_nothing_moves_for_those_who_want_no_motion(chromium: Browser, address: str) -> None:
    moving = "document.getAnimations().filter(({ playState }) => playState === 'running').length"
    for motion in ("no-preference", "reduce"):
        with game_on(chromium, address, "tictactoe", reduced_motion=motion) as page:
            search_once(page)
            expect(page.locator("[data-hint]")).to_be_visible()
            assert (page.evaluate(moving) > 0) == (motion == "no-preference")
