"""Boards as SVG, read back as XML: what is there, where it is, and what it says."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.boards import EMPTY, Board, BoardStyle, board_svg, stone_svg
from mctslab.boards.geometry import Grid
from mctslab.boards.style import LOOKS, PLAIN_BAND, heat_color, value_color
from mctslab.boards.svg import describe
from mctslab.boards.thumbnail import board_thumbnail

SVG = "{http://www.w3.org/2000/svg}"
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def make_board(
    style: BoardStyle,
    stones: tuple[int, ...],
    cols: int,
    last_square: int | None = None,
    winning_squares: tuple[int, ...] = (),
) -> Board:
    rows = len(stones) // cols
    return Board(
        rows=rows,
        cols=cols,
        style=style,
        stones=stones,
        column_labels=tuple(ALPHABET[:cols]),
        row_labels=tuple(str(row + 1) for row in range(rows)),
        last_square=last_square,
        winning_squares=winning_squares,
    )


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, cols = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    stone = st.sampled_from((EMPTY, 0, 1))
    stones = tuple(draw(st.lists(stone, min_size=rows * cols, max_size=rows * cols)))
    squares = st.integers(0, rows * cols - 1)
    winners = tuple(sorted(draw(st.sets(squares, max_size=5))))
    style = draw(st.sampled_from(BoardStyle))
    return make_board(style, stones, cols, draw(st.none() | squares), winners)


def center_of(element: Element) -> tuple[float, float]:
    """The middle of a circle, a rectangle, or of the ends that a path names absolutely."""
    if element.tag == f"{SVG}circle":
        return float(element.get("cx", "")), float(element.get("cy", ""))
    x, y = float(element.get("x", "")), float(element.get("y", ""))
    return x + float(element.get("width", "")) / 2, y + float(element.get("height", "")) / 2


def marked(picture: str, attribute: str) -> dict[int, Element]:
    """The elements with `data-...` by its number."""
    root = ElementTree.fromstring(picture)
    return {int(e.get(attribute, "")): e for e in root.iter() if e.get(attribute) is not None}


@given(boards())
def test_every_stone_is_there_once_and_in_its_place(board: Board) -> None:
    picture = board_svg(board)
    stones = marked(picture, "data-square")
    assert set(stones) == {s for s, stone in enumerate(board.stones) if stone != EMPTY}
    assert picture.count("data-square=") == len(stones)
    grid = Grid(board.rows, board.cols, LOOKS[board.style].label_band)
    for square, element in stones.items():
        assert element.get("data-player") == str(board.stones[square])
        color = LOOKS[board.style].stones[board.stones[square]]
        if element.tag == f"{SVG}circle":
            assert center_of(element) == pytest.approx(grid.center(square))
            assert element.get("fill") == color
        else:
            assert element.get("stroke") == color


@given(boards())
def test_any_board_is_valid_xml_with_nothing_foreign_in_it(board: Board) -> None:
    for picture in (board_svg(board), board_thumbnail(board)):
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        names = {name for element in root.iter() for name in element.attrib}
        assert "id" not in names, "pictures on one page must not share ids"
        assert "href" not in names
        assert not {e.tag for e in root.iter()} & {f"{SVG}script", f"{SVG}style", f"{SVG}a"}


@given(boards())
def test_everything_lies_inside_the_picture(board: Board) -> None:
    root = ElementTree.fromstring(board_svg(board, legal=range(len(board.stones))))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for element in root.iter():
        if element.tag in (f"{SVG}circle", f"{SVG}rect"):
            x, y = center_of(element)
            assert 0 < x < width
            assert 0 < y < height


@pytest.mark.parametrize("style", BoardStyle)
def test_an_empty_board_shows_all_its_squares(style: BoardStyle) -> None:
    root = ElementTree.fromstring(board_svg(make_board(style, (EMPTY,) * 12, cols=4)))
    if style is BoardStyle.DROP:
        circles = list(root.iter(f"{SVG}circle"))
        grid = Grid(3, 4, LOOKS[style].label_band)
        assert [center_of(c) for c in circles] == [grid.center(s) for s in grid.squares]
        return
    lines = next(root.iter(f"{SVG}path")).get("d", "").count("M")
    # MARKS has the inner lines alone, DISCS the outline too, POINTS a line through each square.
    assert lines == {"marks": 2 + 3, "discs": 4 + 5, "points": 3 + 4}[style.value]


def test_coordinates_stand_beside_their_column_and_row() -> None:
    board = make_board(BoardStyle.DISCS, (EMPTY,) * 6, cols=3)
    root = ElementTree.fromstring(board_svg(board))
    places = {
        e.text: (float(e.get("x", "")), float(e.get("y", ""))) for e in root.iter(f"{SVG}text")
    }
    grid = Grid(2, 3, LOOKS[BoardStyle.DISCS].label_band)
    assert list(places) == ["a", "b", "c", "1", "2"]
    assert places["b"][0] == grid.center(1)[0]
    assert places["2"][1] == grid.center(3)[1]
    bare = ElementTree.fromstring(board_svg(board, coordinates=False))
    assert list(bare.iter(f"{SVG}text")) == []
    assert bare.get("viewBox") == f"0 0 {3 * 40 + 2 * PLAIN_BAND:g} {2 * 40 + 2 * PLAIN_BAND:g}"


@pytest.mark.parametrize("style", BoardStyle)
def test_the_last_move_is_marked_on_its_square(style: BoardStyle) -> None:
    board = make_board(style, (0, 1, EMPTY, EMPTY), cols=2, last_square=1)
    mark = marked(board_svg(board), "data-last")
    assert list(mark) == [1]
    assert center_of(mark[1]) == Grid(2, 2, LOOKS[style].label_band).center(1)
    assert LOOKS[style].last_move in board_thumbnail(board)
    before = make_board(style, (0, 1, EMPTY, EMPTY), cols=2)
    assert marked(board_svg(before), "data-last") == {}
    assert LOOKS[style].last_move not in board_thumbnail(before)


@pytest.mark.parametrize("style", BoardStyle)
def test_the_win_line_ends_on_the_squares_that_won(style: BoardStyle) -> None:
    board = make_board(style, (0, 1, 1, EMPTY, 0, EMPTY, 1, EMPTY, 0), 3, winning_squares=(0, 4, 8))
    root = ElementTree.fromstring(board_svg(board))
    (line,) = (e for e in root.iter() if e.get("data-win"))
    grid = Grid(3, 3, LOOKS[style].label_band)
    (x1, y1), (x2, y2) = grid.center(0), grid.center(8)
    assert {e.get("d") for e in line} == {f"M{x1:g} {y1:g}L{x2:g} {y2:g}"}
    assert [e.get("stroke") for e in line] == [LOOKS[style].win_casing, LOOKS[style].win]


def test_winners_without_a_line_get_rings() -> None:
    board = make_board(BoardStyle.POINTS, (0, 0, EMPTY, 0), cols=2, winning_squares=(0, 1, 3))
    root = ElementTree.fromstring(board_svg(board))
    (line,) = (e for e in root.iter() if e.get("data-win"))
    grid = Grid(2, 2, LOOKS[BoardStyle.POINTS].label_band)
    assert {center_of(e) for e in line} == {grid.center(s) for s in (0, 1, 3)}


def test_legal_moves_are_marked_where_they_are_and_give_way_to_heat() -> None:
    board = make_board(BoardStyle.DISCS, (EMPTY,) * 9, cols=3)
    grid = Grid(3, 3, LOOKS[BoardStyle.DISCS].label_band)
    marks = marked(board_svg(board, legal=(2, 4)), "data-legal")
    assert {s: center_of(e) for s, e in marks.items()} == {2: grid.center(2), 4: grid.center(4)}
    assert list(marked(board_svg(board, legal=(2, 4), heat={4: 3}), "data-legal")) == [2]


def test_heat_is_coloured_in_proportion_and_says_its_numbers() -> None:
    board = make_board(BoardStyle.DISCS, (EMPTY,) * 9, cols=3)
    picture = board_svg(board, heat={0: 0, 4: 250, 8: 1000}, heat_title="Visits & more")
    patches = marked(picture, "data-heat")
    assert {s: e.get("fill") for s, e in patches.items()} == {
        0: heat_color(0.0),
        4: heat_color(0.25),
        8: heat_color(1.0),
    }
    texts = [e.text for e in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert texts[6:9] == ["0", "250", "1000"]
    assert texts[9:] == ["Visits & more", "0", "500", "1000"]


def test_probabilities_are_shown_in_percent() -> None:
    board = make_board(BoardStyle.POINTS, (EMPTY,) * 4, cols=2)
    picture = board_svg(board, heat={0: 0.75, 1: 0.25}, coordinates=False)
    texts = [e.text for e in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert texts == ["75%", "25%", "Visits", "0%", "38%", "75%"]


def test_win_rates_have_the_colours_of_values_and_are_percentages() -> None:
    board = make_board(BoardStyle.POINTS, (EMPTY,) * 9, cols=3)
    picture = board_svg(board, heat={0: 0.0, 4: 0.5, 8: 1.0, 2: 0.62}, heat_scale="win rate")
    colors = {square: patch.get("fill") for square, patch in marked(picture, "data-heat").items()}
    assert colors == {
        0: value_color(-1),
        2: value_color(0.24),
        4: value_color(0),
        8: value_color(1),
    }
    texts = [e.text for e in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert texts[6:10] == ["0%", "62%", "50%", "100%"]
    assert texts[10:] == ["Visits", "0%", "50%", "100%"]


def test_a_win_rate_has_its_colour_whatever_the_others_are() -> None:
    board = make_board(BoardStyle.POINTS, (EMPTY,) * 4, cols=2)
    picture = board_svg(board, heat={0: 0.2, 1: 0.5}, heat_scale="win rate")
    colors = {square: patch.get("fill") for square, patch in marked(picture, "data-heat").items()}
    assert colors == {0: value_color(-0.6), 1: value_color(0)}


def test_a_certain_win_is_no_number_of_visits() -> None:
    board = make_board(BoardStyle.POINTS, (EMPTY,) * 4, cols=2)
    picture = board_svg(board, heat={0: 0.0, 1: 1.0}, heat_scale="win rate", coordinates=False)
    texts = [e.text for e in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert texts[:2] == ["0%", "100%"]


def test_a_win_rate_above_one_is_refused() -> None:
    board = make_board(BoardStyle.POINTS, (EMPTY,) * 9, cols=3)
    with pytest.raises(ValueError, match=r"heat of square 4 is 1.5: no win rate is above 1"):
        board_svg(board, heat={4: 1.5}, heat_scale="win rate")
    with pytest.raises(ValueError, match="'warmth' is not a valid HeatScale"):
        board_svg(board, heat_scale="warmth")


def test_heat_on_a_stone_prints_no_number_over_it() -> None:
    board = make_board(BoardStyle.DISCS, (0, EMPTY, EMPTY, EMPTY), cols=2)
    picture = board_svg(board, heat={0: 7, 1: 3}, coordinates=False, legend=False)
    texts = [e.text for e in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert texts == ["3"]
    assert picture.index('data-heat="0"') < picture.index('data-square="0"')


def test_heat_that_is_zero_everywhere_can_be_drawn() -> None:
    board = make_board(BoardStyle.MARKS, (EMPTY,) * 9, cols=3)
    patches = marked(board_svg(board, heat=dict.fromkeys(range(9), 0)), "data-heat")
    assert {e.get("fill") for e in patches.values()} == {heat_color(0.0)}


def test_the_legend_makes_room_for_itself() -> None:
    board = make_board(BoardStyle.DISCS, (EMPTY,) * 9, cols=3)
    heights = {
        legend: float(
            ElementTree.fromstring(board_svg(board, heat={0: 1}, legend=legend)).get("height", "")
        )
        for legend in (False, True)
    }
    assert heights[True] > heights[False] == 3 * 40 + 2 * 24


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf")])
def test_heat_below_zero_or_without_size_is_refused(value: float) -> None:
    board = make_board(BoardStyle.DISCS, (EMPTY,) * 9, cols=3)
    with pytest.raises(ValueError, match=r"heat of square 4 is .*; it must be 0 or more"):
        board_svg(board, heat={4: value})


@pytest.mark.parametrize("square", [-1, 9])
def test_squares_off_the_board_are_refused(square: int) -> None:
    board = make_board(BoardStyle.DISCS, (EMPTY,) * 9, cols=3)
    with pytest.raises(ValueError, match=f"square {square} is not on the board.*from 0 to 8"):
        board_svg(board, legal=[square])
    with pytest.raises(ValueError, match=f"square {square} is not on the board"):
        board_svg(board, heat={square: 1})


def test_the_player_with_the_ring_can_be_told_without_colours() -> None:
    board = make_board(BoardStyle.DROP, (0, 1), cols=2)
    root = ElementTree.fromstring(board_svg(board))
    grid = Grid(1, 2, LOOKS[BoardStyle.DROP].label_band)
    rings = [center_of(e) for e in root.iter(f"{SVG}circle") if e.get("fill") == "none"]
    assert rings == [grid.center(1)]


def test_x_and_o_have_different_shapes() -> None:
    paths = marked(board_svg(make_board(BoardStyle.MARKS, (0, 1), cols=2)), "data-square")
    assert "a" not in paths[0].get("d", "")
    assert paths[0].get("d", "").count("L") == 2
    assert paths[1].get("d", "").count("a") == 2


@pytest.mark.parametrize("style", BoardStyle)
def test_square_size_scales_the_picture_and_nothing_else(style: BoardStyle) -> None:
    board = make_board(style, (0, 1, EMPTY, EMPTY), cols=2)
    small, large = board_svg(board, square_size=20), board_svg(board, square_size=80)
    sizes = [float(ElementTree.fromstring(p).get("width", "")) for p in (small, large)]
    assert sizes[1] == pytest.approx(4 * sizes[0])
    assert small.partition("viewBox")[2] == large.partition("viewBox")[2]


def test_thumbnails_keep_to_their_size_and_stay_small() -> None:
    full = make_board(BoardStyle.POINTS, tuple(s % 2 for s in range(225)), cols=15)
    thumbnail = board_thumbnail(full, size=56)
    root = ElementTree.fromstring(thumbnail)
    assert (root.get("width"), root.get("height")) == ("56", "56")
    assert len(list(root.iter())) < 12
    assert len(thumbnail) < 12_000
    wide = ElementTree.fromstring(board_thumbnail(make_board(BoardStyle.DROP, (0,) * 6, cols=3)))
    assert float(wide.get("width", "")) == 56 > float(wide.get("height", ""))


@pytest.mark.parametrize("style", BoardStyle)
def test_thumbnails_show_each_players_stones_where_they_lie(style: BoardStyle) -> None:
    board = make_board(style, (0, EMPTY, 1, 1), cols=2)
    root = ElementTree.fromstring(board_thumbnail(board))
    grid = Grid(2, 2, band=2.0)
    for player, squares in ((0, [0]), (1, [2, 3])):
        (path, *_) = (e for e in root.iter() if e.get("stroke") == LOOKS[style].stones[player])
        if style is BoardStyle.MARKS:
            assert path.get("d", "").count("M") == (2 if player == 0 else 1) * len(squares)
            continue
        places = "".join(f"M{x:g} {y:g}h0" for x, y in map(grid.center, squares))
        assert path.get("d") == places


def test_labels_and_titles_are_escaped() -> None:
    hostile = '<script>alert("1")</script> & more'
    board = Board(1, 1, BoardStyle.MARKS, (0,), (hostile,), ("]]>",), last_square=0)
    picture = board_svg(board, heat={0: 1}, heat_title=hostile, title=hostile, description=hostile)
    root = ElementTree.fromstring(picture)
    assert root.get("aria-label") == hostile
    assert root[0].text == hostile
    assert [e.text for e in root.iter(f"{SVG}text")][:3] == [hostile, "]]>", hostile]
    assert not list(root.iter(f"{SVG}script"))


def test_the_position_is_told_in_words() -> None:
    board = make_board(BoardStyle.MARKS, (0, 0, 0, 1, 1, EMPTY), 3, 2, (0, 1, 2))
    assert describe(board) == (
        "First player: a1 b1 c1. Second player: a2 b2. Last move: c1. Winning line: a1 b1 c1."
    )
    root = ElementTree.fromstring(board_svg(board))
    assert root.get("role") == "img"
    assert root[0].text == describe(board)


@pytest.mark.parametrize("style", BoardStyle)
def test_a_single_stone_is_that_players(style: BoardStyle) -> None:
    for player in (0, 1):
        stones = marked(stone_svg(style, player, size=16), "data-square")
        assert stones[0].get("data-player") == str(player)


def test_a_golden_board() -> None:
    """The whole text of one small picture: a change of looks has to be meant."""
    board = make_board(BoardStyle.MARKS, (0, EMPTY), cols=2, last_square=0)
    assert board_svg(board, coordinates=False) == (
        '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="56" viewBox="0 0 96 56"'
        ' role="img" aria-label="Board with 1 rows and 2 columns">'
        "<desc>First player: a1. Second player: none. Last move: a1.</desc>"
        '<rect x="0.5" y="0.5" width="95" height="55" rx="6" fill="#f7f5ef" stroke="#d5d0c3"/>'
        '<path d="M48 8L48 48" fill="none" stroke="#6b6f76" stroke-width="2"'
        ' stroke-linecap="round"/>'
        '<rect data-last="0" x="10.8" y="10.8" width="34.4" height="34.4" rx="4" fill="#f5dd8c"/>'
        '<path data-square="0" data-player="0"'
        ' d="M16.8 16.8L39.2 39.2M16.8 39.2L39.2 16.8" fill="none" stroke="#0072b2"'
        ' stroke-width="5" stroke-linecap="round"/></svg>'
    )
