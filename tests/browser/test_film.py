"""The film at the top of README: its script still finds its way through the widgets."""

from pathlib import Path

from PIL import Image

from docs import film
from tests.browser.bridge import Bridge
from tests.browser.panel import PanelOnPage


def test_a_short_film_is_made_of_both_widgets(bridge: Bridge, tmp_path: Path) -> None:
    bridge.open_cells(film.STEPPER, film.GAME.replace("2s", "50"))
    bridge.run_all()
    steps = list(film.stepped(bridge.output(0).locator(".mctslab-stepper"), num_events=3))
    moves = list(film.played(PanelOnPage(bridge, cell=1), num_moves=1))
    frames = steps + moves
    assert len(steps) == len(moves) == 3
    assert len({frame.image.tobytes() for frame in frames}) == 6, "every picture is another one"

    film.write(frames, tmp_path / "film.webp")

    with Image.open(tmp_path / "film.webp") as made:
        assert made.n_frames == 6
        assert made.size == (
            max(frame.image.width for frame in frames),
            max(frame.image.height for frame in frames),
        )
