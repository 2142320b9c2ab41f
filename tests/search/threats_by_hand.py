"""Threats in Gomoku found stone by stone, by their definitions: the bitboards' independent check.

A board is a dict of stones by (row, column), 1 for the player whose threats are asked for and -1
for the other; a line is a direction (rows, columns). Everything is tried by putting stones down.
"""

from collections import defaultdict

from mctslab.games import Gomoku

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Square = tuple[int, int]


class Board:
    """Stones that can be put down and taken back."""

    def __init__(self, state: Gomoku, player: int) -> None:
        self.size = state.size
        self.in_a_row = state.in_a_row
        self.exactly = state.exactly_five
        stones = state.board().stones
        self.stones = {
            divmod(square, self.size): 1 if stone == player else -1
            for square, stone in enumerate(stones)
            if stone >= 0
        }

    def empty(self) -> list[Square]:
        """The squares of the board without a stone."""
        squares = [(row, col) for row in range(self.size) for col in range(self.size)]
        return [square for square in squares if square not in self.stones]

    def is_empty(self, square: Square) -> bool:
        row, col = square
        return 0 <= row < self.size and 0 <= col < self.size and square not in self.stones

    def run(self, square: Square, direction: Square) -> list[Square]:
        """The own stones next to each other along a line, from end to end, `square` among them."""
        row, col = square
        rows, cols = direction
        while self.stones.get((row - rows, col - cols)) == 1:
            row, col = row - rows, col - cols
        found = []
        while self.stones.get((row, col)) == 1:
            found.append((row, col))
            row, col = row + rows, col + cols
        return found

    def wins(self, square: Square, direction: Square) -> bool:
        """Whether the own stone on `square` is in a row that wins."""
        length = len(self.run(square, direction))
        return length == self.in_a_row if self.exactly else length >= self.in_a_row

    def completing(self, square: Square, direction: Square) -> list[Square]:
        """Along a line, where a further stone would win, in a row with the one on `square`."""
        found = []
        for other in around(square, direction, self.in_a_row - 1):
            if self.is_empty(other):
                self.stones[other] = 1
                run = self.run(other, direction)
                wins = self.wins(other, direction)
                distance = max(abs(other[0] - square[0]), abs(other[1] - square[1]))
                if wins and square in run and distance < self.in_a_row:
                    found.append(other)
                del self.stones[other]
        return found

    def is_open_four(self, square: Square, direction: Square) -> bool:
        """Whether the own stone on `square` is in a row one short, that either end completes."""
        run = self.run(square, direction)
        ends = [
            (run[0][0] - direction[0], run[0][1] - direction[1]),
            (run[-1][0] + direction[0], run[-1][1] + direction[1]),
        ]
        completing = self.completing(square, direction)
        return len(run) == self.in_a_row - 1 and all(end in completing for end in ends)

    def is_open_three(self, square: Square, direction: Square) -> bool:
        """Whether a further stone would make the one on `square` part of an open four."""
        for other in around(square, direction, self.in_a_row - 1):
            if self.is_empty(other):
                self.stones[other] = 1
                made = self.is_open_four(other, direction)
                made = made and square in self.run(other, direction)
                del self.stones[other]
                if made:
                    return True
        return False


def around(square: Square, direction: Square, distance: int) -> list[Square]:
    """The squares along a line up to `distance` away, to both sides, on the board or not."""
    return [
        (square[0] + direction[0] * i, square[1] + direction[1] * i)
        for i in range(-distance, distance + 1)
        if i
    ]


def threats(state: Gomoku, player: int) -> dict[str, set[Square]]:
    """For each kind of threat the squares on which a stone of `player` makes one."""
    board = Board(state, player)
    found: dict[str, set[Square]] = defaultdict(set)
    for square in board.empty():
        board.stones[square] = 1
        fours = {each: board.completing(square, each) for each in DIRECTIONS}
        threes = [each for each in DIRECTIONS if board.is_open_three(square, each)]
        made = {
            "five": any(board.wins(square, each) for each in DIRECTIONS),
            "open_four": any(board.is_open_four(square, each) for each in DIRECTIONS),
            "double_four": sum(map(len, fours.values())) >= 2,
            "four": any(fours.values()),
            "four_three": any(
                fours[one] and one != three for one in DIRECTIONS for three in threes
            ),
            "double_three": len(threes) >= 2,
            "open_three": len(threes) >= 1,
        }
        del board.stones[square]
        for name, is_made in made.items():
            found[name] |= {square} if is_made else set()
    return dict(found)
