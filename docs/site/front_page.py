"""The front page of the book: a board to play on, the film, and the road with its pictures."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from running import PROJECT, Executed
from widgets_on_page import FOLDER, Widgets

from mctslab.course.outline import is_side_road, place_of, title_of

FILES: Final = ("film_light.webp", "film_dark.webp", "game_light.webp", "game_dark.webp")
"""Pictures of `docs/`, which the page shows from the folder of the widgets' files."""

GAME: Final = "A game of Reversi against the search"
FILM: Final = "A search of Tic-Tac-Toe, event by event, and a game of Reversi against a search"

COVERS: Final = {
    "00": "search-tree",
    "01": "late-tree",
    "02": "tree",
    "03": "own-arms",
    "04": "grow",
    "05": "show-leaf",
    "06": "own-film",
    "07": "solver",
    "08": "frontier-shown",
    "09": "classes",
    "10": "stepper",
    "11": "evaluators",
    "12": "planes",
    "13": "one-position",
    "14": "hunt",
    "15": "full-board",
}
"""The cell whose picture stands for a notebook of the road, by the notebook's number."""

_DRAWING: Final = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_ROW_OF_README: Final = re.compile(r"^\| (\d\d) \| \[[^]]*\]\(notebooks/[^)]*\) \| (.+) \|$", re.M)


def front_page(executed: Sequence[Executed], widgets: Widgets) -> str:
    """The front page, in Markdown.

    Args:
        executed: the notebooks in their order.
        widgets: keeps the pictures.
    """
    for name in FILES:
        widgets.files[name] = (PROJECT / "docs" / name).read_bytes()
    road = [each for each in executed if not is_side_road(each.path)] or executed[:1]
    side_roads = [each for each in executed if is_side_road(each.path)]
    return f"""---
hide-toc: true
---

# Monte Carlo Tree Search, step by step

<div class="hero">
<div class="welcome">
<p class="lead">Learn Monte Carlo Tree Search by playing against it, watching it think, and writing
it yourself. The notebooks of this course lead from a game of Tic-Tac-Toe to an AlphaZero that plays
Gomoku.</p>
<p class="ways"><a class="first" href="{_page_of(road[0])}">Begin with {_name_of(road[0])}</a>
<a href="play/index.html">More games, stronger opponents</a></p>
</div>
<div id="game" class="front-board" data-board="reversi">{_picture_of("game", GAME, "game")}</div>
<div class="about">
<p>You have the black discs, and the search answers in this tab. It has learned nothing beforehand:
for every move it plays 400 random games from the position on the board, and it prefers the moves
that won.</p>
<p>Every notebook can be read here, with what it computes, and its steppers, bandits, trees and
predictions work on the page. Three things are worth running yourself, in Colab, in Binder or on
your own computer: the exercises, which check the functions that you write; the boards on which you
play against your own search; and the training of nets, which you can watch.</p>
</div>
</div>
<link rel="stylesheet" href="play/widgets.css">
<script type="module" src="play/front.js"></script>

## Watch it think

<div class="film">{_picture_of("film", FILM, "game")}
<p>A search of Tic-Tac-Toe goes through its four phases, one event after the other. It
<em>selects</em> a leaf of its tree, <em>expands</em> it, <em>simulates</em> a random game from
there, and <em>backpropagates</em> the result. You write these four functions in the notebooks 03 to
06. After that, the same search plays Reversi.</p></div>

## The road

<ol class="road">
{"".join(_cards(road, widgets))}
</ol>

*Side roads* go further into one topic, and no later notebook needs them. Each notebook links to
its own, and the menu lists all {len(side_roads)}. [The exercises](exercises/index.md) have a page
each, with their hints. [The bug museum](museum.md) shows faults that were found in published
programs, and [the glossary](glossary.md) explains each term in a sentence. [Stuck?](docs/stuck.md)
answers what people ask most.

{_hidden_tree("The course", map(_source_of, road))}

{_hidden_tree("Side roads", map(_source_of, side_roads))}

{_hidden_tree("To look up", ["docs/stuck", "exercises/index", "museum", "glossary", "api/index"])}
"""


def abilities() -> dict[str, str]:
    """What a reader can do after each notebook, by its number, as README lists it."""
    return dict(_ROW_OF_README.findall((PROJECT / "README.md").read_text("utf-8")))


def _cards(road: Sequence[Executed], widgets: Widgets) -> Iterator[str]:
    """A picture, a title and a sentence for each notebook."""
    sentences = abilities()
    for each in road:
        number = each.path.name[:2]
        cover = widgets.keep("cover", "svg", cover_of(each).encode())
        sentence = sentences[number]
        yield (
            f'<li><a href="{_page_of(each)}"><img alt="" src="{FOLDER}/{cover}" loading="lazy">'
            f"<strong>{_name_of(each)}</strong></a>"
            f"<p>{sentence[0].upper()}{escape(sentence[1:], quote=False)}.</p></li>\n"
        )


def cover_of(executed: Executed) -> str:
    """The picture that stands for a notebook of the road, as SVG.

    Raises:
        ValueError: the cell that `COVERS` names shows none.
    """
    wanted = COVERS[executed.path.name[:2]]
    [cell] = [each for each in executed.notebook.cells if each.get("id") == wanted]
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        model = data.get("application/vnd.jupyter.widget-view+json", {}).get("model_id")
        stills = [svg for svg, _ in executed.stills.get(model, {"pictures": []})["pictures"]]
        html = data.get("text/html", "")
        drawings = [data.get("image/svg+xml", ""), *stills, *_DRAWING.findall(html)]
        if any(drawings):
            return str(next(filter(None, drawings)))
    raise ValueError(f"The cell {wanted!r} of {executed.path.name} shows no picture; see COVERS.")


def _picture_of(name: str, alt: str, at_rest: str) -> str:
    """A picture in both themes; `at_rest` takes its place where no motion is wanted."""
    return "".join(
        f'<picture class="only-{theme}"><source media="(prefers-reduced-motion: reduce)" '
        f'srcset="{FOLDER}/{at_rest}_{theme}.webp">'
        f'<img alt="{alt}" src="{FOLDER}/{name}_{theme}.webp" loading="lazy"></picture>'
        for theme in ("light", "dark")
    )


def _name_of(executed: Executed) -> str:
    return f"{executed.path.name[:2]} · {title_of(executed.notebook.cells)}"


def _source_of(executed: Executed) -> str:
    return f"notebooks/{place_of(executed.path).with_suffix('').as_posix()}"


def _page_of(executed: Executed) -> str:
    return f"{_source_of(executed)}.html"


def _hidden_tree(caption: str, pages: Iterable[str]) -> str:
    return f"```{{toctree}}\n:caption: {caption}\n:hidden:\n\n" + "\n".join(pages) + "\n```"
