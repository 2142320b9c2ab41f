"""Charts: in the theme's colours, without a trace in pyplot, and never two with the same ids."""

from xml.etree import ElementTree

from mctslab.boards.style import contrast
from mctslab.draw import curves
from mctslab.draw.colors import INK, OKABE_ITO
from tests.draw.drawn import SVG, all_texts, packages_loaded_by


def bars(label: str) -> curves.Chart:
    figure, axes = curves.subplots(height=2)
    axes.barh(["Tic-Tac-Toe", "Reversi"], [255_168, 1e58])
    axes.set(xscale="log", xlabel=label)
    axes.grid()
    return curves.Chart(figure, description=f"Bars of {label}")


def ids_and_references(picture: str) -> tuple[set[str], set[str]]:
    root = ElementTree.fromstring(picture)
    ids = {e.get("id", "") for e in root.iter()} - {""}
    links = {e.get("href", "").removeprefix("#") for e in root.iter(f"{SVG}use")}
    clips = {e.get("clip-path", "")[5:-1] for e in root.iter() if e.get("clip-path")}
    return ids, links | clips


def test_black_follows_the_theme() -> None:
    figure, axes = curves.subplots()
    axes.plot([1, 2], [3, 4], color="black")
    assert axes.plot([1, 2])[0].get_color() == OKABE_ITO[0]
    axes.legend(["a line"])
    picture = curves.Chart(figure).svg
    root = ElementTree.fromstring(picture)
    assert root.get("fill") == INK
    assert "fill:var(--jp-ui-font-color1" in root.get("style", "")
    assert "#000000" not in picture
    assert "fill: #ffffff" not in picture
    assert not list(root.iter(f"{SVG}style")), "a style sheet would hold for the whole page"


def test_references_lead_somewhere_and_two_charts_share_no_ids() -> None:
    first, references = ids_and_references(bars("games").svg)
    second, _ = ids_and_references(bars("states").svg)
    assert first == references != set()
    assert not first & second


def test_a_chart_shows_itself() -> None:
    chart = bars("games")
    bundle = chart._repr_mimebundle_()
    assert bundle["image/svg+xml"] == bundle["text/html"] == chart.svg == bars("games").svg
    assert bundle["text/plain"] == "Bars of games"
    assert {"Tic-Tac-Toe", "Reversi", "games"} <= set(all_texts(chart.svg))


def test_lines_stand_out_from_both_themes() -> None:
    for color in (*OKABE_ITO, INK):
        assert contrast(color, "#ffffff") >= 2
        assert contrast(color, "#111111") >= 3


def test_no_figure_is_left_with_pyplot() -> None:
    code = "from mctslab.draw import curves; curves.Chart(curves.subplots()[0]).svg"
    assert packages_loaded_by(code, "matplotlib", "matplotlib.pyplot") == {"matplotlib"}
