"""Small trees for the alpha-beta stepper."""

from mctslab.course import Place, TreeGame, turn_of


def _written_out(numbers: object, player: int = 0) -> Place:
    if isinstance(numbers, list):
        return turn_of(player, *(_written_out(branch, 1 - player) for branch in numbers))
    assert isinstance(numbers, int | float)
    return Place(player, returns=(numbers, -numbers))


def small_trees() -> list[TreeGame]:
    """Three trees: even and uneven ones, with whole and broken values, for either player."""
    return [
        TreeGame(_written_out([[[1, 6], [4, 8]], [[-3, 2], [9, 5]], [[7, 3], [-1, 0]]])),
        TreeGame(_written_out([[0.5, -2], 3, [1, [4, -0.25]]])),
        TreeGame(_written_out([[-7, 7], [0, 1]], player=1)),
    ]
