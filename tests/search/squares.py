"""Reversi square by square, as a beginner would write it: what the bitboards are compared with.

A board is a dict of discs by (row, column), 1 for the player to move and -1 for the opponent.
"""

STEPS = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))
AXES = ((0, 1), (1, 0), (1, 1), (1, -1))

Square = tuple[int, int]
Discs = dict[Square, int]


def discs_of(position: tuple[int, ...], size: int) -> Discs:
    """The discs on two bitboards."""
    own, opponent = position[:2]
    bits = {(bit // size, bit % size): 1 << bit for bit in range(size * size)}
    discs = {square: 1 for square, bit in bits.items() if own & bit}
    return discs | {square: -1 for square, bit in bits.items() if opponent & bit}


def all_squares(size: int) -> list[Square]:
    return [(row, col) for row in range(size) for col in range(size)]


def beside(square: Square, size: int) -> list[Square]:
    """The neighbours of a square, up to eight."""
    squares = [(square[0] + r, square[1] + c) for r, c in STEPS]
    return [(r, c) for r, c in squares if 0 <= r < size and 0 <= c < size]


def regions(discs: Discs, size: int) -> list[int]:
    """How many squares each region of empty squares has, those that touch belonging together."""
    waiting = {square for square in all_squares(size) if square not in discs}
    sizes = []
    while waiting:
        reached = [waiting.pop()]
        for square in reached:
            found = waiting.intersection(beside(square, size))
            waiting -= found
            reached += found
        sizes.append(len(reached))
    return sizes


def stable(discs: Discs, player: int, size: int) -> set[Square]:
    """The discs of `player` that are safe along all four lines, more and more of them."""
    own = {square for square, disc in discs.items() if disc == player}
    found: set[Square] = set()
    while True:
        new = {
            square
            for square in own - found
            if all(_is_held(square, axis, discs, found, size) for axis in AXES)
        }
        if not new:
            return found
        found |= new


def _is_held(square: Square, axis: Square, discs: Discs, found: set[Square], size: int) -> bool:
    line, ends = [square], []
    for sign in (1, -1):
        here = (square[0] + sign * axis[0], square[1] + sign * axis[1])
        ends.append(here)
        while 0 <= here[0] < size and 0 <= here[1] < size:
            line.append(here)
            here = (here[0] + sign * axis[0], here[1] + sign * axis[1])
    is_full = all(each in discs for each in line)
    return is_full or any(end in found or end not in line for end in ends)
