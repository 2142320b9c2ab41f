"""Reversi once more, by walking over the squares: slow, and written without bitboards."""

BLACK, WHITE = 0, 1
CORNERS = {0, 7, 56, 63}
EIGHT = [(rows, cols) for rows in (-1, 0, 1) for cols in (-1, 0, 1) if rows or cols]


def square(name):
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def named(squares):
    return {"abcdefgh"[each % 8] + str(each // 8 + 1) for each in squares}


def neighbours(place):
    row, col = divmod(place, 8)
    return {8 * (row + r) + col + c for r, c in EIGHT if 0 <= row + r < 8 and 0 <= col + c < 8}


def run(stones, player, place, rows, cols):
    """The discs that a new disc of `player` on `place` turns in one direction."""
    row, col, found = place // 8 + rows, place % 8 + cols, []
    while 0 <= row < 8 and 0 <= col < 8 and stones[8 * row + col] == 1 - player:
        found.append(8 * row + col)
        row, col = row + rows, col + cols
    closed = 0 <= row < 8 and 0 <= col < 8 and stones[8 * row + col] == player
    return found if closed else []


def turned(stones, player, place):
    """The discs that turn when `player` plays on `place`; none where that is not legal."""
    if stones[place] >= 0:
        return set()
    return {disc for step in EIGHT for disc in run(stones, player, place, *step)}


def moves(state, player):
    """Where `player` could move now, whoever's turn it is."""
    stones = state.board().stones
    return {place for place in range(64) if turned(stones, player, place)}


def of(state, player):
    return {place for place, stone in enumerate(state.board().stones) if stone == player}


def empty(state):
    return of(state, -1)


def frontier(state, player):
    return {disc for disc in of(state, player) if neighbours(disc) & empty(state)}


def play(state, *moves):
    for name in moves:
        state = state.child(square(name))
    return state
