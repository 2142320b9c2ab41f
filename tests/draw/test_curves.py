"""Charts: in the theme's colours, without a trace in pyplot, and never two with the same ids."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mctslab.boards.style import contrast
from mctslab.draw import curves
from mctslab.draw.colors import INK, OKABE_ITO
from tests.draw.drawn import SVG, all_texts

SIZES = {"Tic-Tac-Toe": 255_168, "Reversi": 1e58}


def ids_and_references(picture: str) -> tuple[set[str], set[str]]:
    root = ElementTree.fromstring(picture)
    ids = {e.get("id", "") for e in root.iter()} - {""}
    links = {e.get("href", "").removeprefix("#") for e in root.iter(f"{SVG}use")}
    clips = {e.get("clip-path", "")[5:-1] for e in root.iter() if e.get("clip-path")}
    return ids, links | clips


def test_bars_say_their_names_numbers_and_unit() -> None:
    texts = all_texts(curves.log_bars(SIZES, label="games", title="How many?").svg)
    assert {"Tic-Tac-Toe", "Reversi", "255,168", "10⁵⁸", "games", "How many?"} <= set(texts)
    assert texts.index("Tic-Tac-Toe") < texts.index("Reversi"), "the first one on top"


def test_bars_are_as_long_as_their_logarithms() -> None:
    figure = curves.log_bars({"a": 1e2, "b": 1e6}, label="things").figure
    (axes,) = figure.axes
    assert axes.get_xscale() == "log"
    assert [bar.get_width() for bar in axes.patches] == [1e2, 1e6]
    assert axes.get_xlim()[0] == 1
    assert axes.get_xlim()[1] > 1e6


@pytest.mark.parametrize("size", [0, -3])
def test_what_has_no_logarithm_is_refused(size: float) -> None:
    with pytest.raises(ValueError, match=f"b is {size}; a logarithmic axis holds positive"):
        curves.log_bars({"a": 1, "b": size}, label="things")


def test_black_follows_the_theme() -> None:
    figure, axes = curves.subplots()
    axes.plot([1, 2], [3, 4], color="black")
    axes.legend(["a line"])
    picture = curves.Chart(figure).svg
    root = ElementTree.fromstring(picture)
    assert root.get("fill") == INK
    assert "fill:var(--jp-ui-font-color1" in root.get("style", "")
    assert "#000000" not in picture
    assert "fill: #ffffff" not in picture
    assert not list(root.iter(f"{SVG}style")), "a style sheet would hold for the whole page"


def test_references_lead_somewhere_and_two_charts_share_no_ids() -> None:
    first = ids_and_references(curves.log_bars(SIZES, label="games").svg)
    second = ids_and_references(curves.log_bars(SIZES, label="states").svg)
    assert first[0]
    assert first[0] == first[1]
    assert second[0] == second[1]
    assert not first[0] & second[0]


def test_the_same_chart_gives_the_same_text() -> None:
    assert curves.log_bars(SIZES, label="x").svg == curves.log_bars(SIZES, label="x").svg


def test_a_chart_shows_itself_and_can_be_saved(tmp_path: Path) -> None:
    chart = curves.log_bars(SIZES, label="games", title="How many?")
    bundle = chart._repr_mimebundle_()
    assert bundle["image/svg+xml"] == bundle["text/html"] == chart.svg
    assert bundle["text/plain"] == "How many? games: Tic-Tac-Toe 255,168, Reversi 10⁵⁸"
    assert chart.save_svg(tmp_path / "c.svg").read_text(encoding="utf-8") == chart.svg


def test_lines_stand_out_from_both_themes() -> None:
    for color in (*OKABE_ITO, INK):
        assert contrast(color, "#ffffff") >= 2
        assert contrast(color, "#111111") >= 3


def test_style_ends_with_its_block() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    with curves.style():
        assert matplotlib.rcParams["figure.facecolor"] == "none"
    assert dict(matplotlib.rcParams) == before


def test_no_figure_is_left_with_pyplot() -> None:
    code = (
        "import sys; from mctslab.draw import curves; curves.log_bars({'a': 10}, label='b').svg;"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
