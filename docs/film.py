"""The pictures at the top of README, made from the real widgets in Chromium.

    python -m docs.film

writes docs/film_light.webp and docs/film_dark.webp: three simulations of a search, event by event,
and the first moves of a game against a search. It also writes a still picture of the game in both
themes, for readers who prefer no motion. The seeds are fixed, but not how fast a computer searches,
so the numbers of simulations in the game differ from one run to the next.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, expect, sync_playwright

from mctslab import games, search, widgets
from tests.browser.bridge import Bridge
from tests.browser.lab import REPOSITORY, started_browser
from tests.browser.panel import PanelOnPage

DOCS: Final = REPOSITORY / "docs"
MOST_BYTES: Final = 1_000_000
"""Of both films together."""
WIDTH: Final = 880
"""Of the page without its margins, in pixels."""
PATIENCE: Final = 120_000
"""How long anything on the page may take, in milliseconds; a computer can be busy."""

NUM_SIMULATIONS: Final = 14
FIRST_SIMULATION: Final = 12
BEST_FIRST: Final = ("c3", "f3", "c6", "f6", "c4", "c5", "d3", "d6", "e3", "e6", "f4", "f5")
"""Black plays on the first of these squares that is legal."""
NUM_MOVES: Final = 4
NUM_EVENTS: Final = 32


@dataclass(frozen=True)
class Frame:
    """A picture, and how long it is shown."""

    image: Image.Image
    milliseconds: int


def main() -> None:
    """Make the films in both themes, and say how large they are."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        if (browser := started_browser(playwright)) is None:
            raise SystemExit("No Chromium, Chrome or Edge was found on this computer.")
        page = browser.new_context(reduced_motion="reduce").new_page()
        page.set_default_timeout(PATIENCE)
        page.set_viewport_size({"width": WIDTH + 20, "height": 1400})
        bridge = Bridge(page)
        sizes = [film(bridge, theme) for theme in ("light", "dark")]
        bridge.close()
    if sum(sizes) > MOST_BYTES:
        raise SystemExit(f"The films have {sum(sizes):,} bytes, more than {MOST_BYTES:,}.")


def film(bridge: Bridge, theme: str) -> int:
    """Play everything in one theme and write its pictures; returns the film's size in bytes."""
    trace, rng = search.Trace(), np.random.default_rng(3)
    search.mcts(games.TicTacToe(), num_simulations=NUM_SIMULATIONS, rng=rng, trace=trace)
    player, rng = "uct:2s:roxanne", np.random.default_rng(2)
    bridge.show(
        widgets.PhaseStepper(trace, simulation=FIRST_SIMULATION),
        widgets.GamePanel("reversi", white=player, rng=rng),
    )
    bridge.use_theme(theme)
    stepper = bridge.output(0).locator(".mctslab-stepper")
    frames = [*stepped(stepper), *played(PanelOnPage(bridge, cell=1))]
    frames[-1].image.save(DOCS / f"game_{theme}.webp", lossless=True)
    target = DOCS / f"film_{theme}.webp"
    write(frames, target)
    print(f"{target.name}: {len(frames)} pictures, {target.stat().st_size:,} bytes")
    return target.stat().st_size


def stepped(stepper: Locator, num_events: int = NUM_EVENTS) -> Iterator[Frame]:
    """A search, one event after the other."""
    expect(stepper.locator("[data-node]").first).to_be_visible()
    forward = stepper.get_by_role("button", name="Forward")
    for _ in range(num_events):
        yield Frame(picture(stepper), 550)
        forward.click()


def played(panel: PanelOnPage, num_moves: int = NUM_MOVES) -> Iterator[Frame]:
    """The first moves of a game: the board after each of Black's moves and after each reply."""
    yield Frame(picture(panel.root), 900)
    for number in range(1, num_moves + 1):
        open_squares = [
            panel.square(name)
            for name in BEST_FIRST
            if "open" in (panel.square(name).get_attribute("class") or "")
        ]
        (open_squares or [panel.root.locator("rect.open").first])[0].click()
        expect(panel.moves.nth(2 * number - 2)).to_be_attached()
        yield Frame(picture(panel.root), 500)
        panel.expect_reply(2 * number, seconds=PATIENCE / 1000)
        yield Frame(picture(panel.root), 1100)


def picture(element: Locator) -> Image.Image:
    """What `element` looks like now."""
    return Image.open(io.BytesIO(element.screenshot())).convert("RGB")


def write(frames: list[Frame], target: Path) -> None:
    """Write an animation; every picture gets the size of the largest, on the page's own ground."""
    width = max(frame.image.width for frame in frames)
    height = max(frame.image.height for frame in frames)
    whole = []
    for frame in frames:
        ground = Image.new("RGB", (width, height), frame.image.getpixel((0, 0)))
        left, top = (width - frame.image.width) // 2, (height - frame.image.height) // 2
        ground.paste(frame.image, (left, top))
        whole.append(ground)
    whole[0].save(
        target,
        save_all=True,
        append_images=whole[1:],
        duration=[frame.milliseconds for frame in frames],
        loop=0,
        lossless=True,
        method=6,
    )


if __name__ == "__main__":
    main()
