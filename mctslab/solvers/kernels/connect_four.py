"""Alpha-beta search of Connect Four, for `solvers/connect_four.py`.

A score counts for the player to move: 0 is a draw, positive a win, and the larger the earlier the
win comes. A game that is won by its last piece on a full board scores 1, two plies earlier 2, and
so on. A loss has the same score below 0.
"""

from mctslab.fast.compile.primitives import bit_count, count_bits, trailing_zeros, uint64
from mctslab.fast.kernels.game import BOARD, BOTTOM, CENTRE_LAST, STEPS, legal_moves, play
from mctslab.solvers.connect_four import ANY_SCORE
from mctslab.solvers.kernels.table import slot_of


def search(own, opponent, alpha, beta, moves, keys, bounds, is_stopped):
    """The score of any position; only a bound if it is not between `alpha` and `beta`."""
    if threats(own, opponent) & legal_moves((own, opponent, uint64(0))):
        return (squares_left(own, opponent) + 1) // 2
    return score(own, opponent, alpha, beta, moves, keys, bounds, is_stopped)


def score(own, opponent, alpha, beta, moves, keys, bounds, is_stopped):
    """The score of a position that cannot be won at once; the search reaches no other below it.

    `moves` has a row for each number of free squares. Once another thread has set `is_stopped[0]`,
    the answer means nothing, and nothing is stored.
    """
    left = squares_left(own, opponent)
    candidates = moves_that_last(own, opponent)
    if left == 0:
        return 0
    if not candidates:
        return -(left // 2)
    if left <= 2:
        return 0
    # In each column the player's own pieces, plus a one above all pieces: no two positions have the
    # same key, and none has the key 0 of an empty slot.
    key = own + (own | opponent) + BOTTOM
    slot = slot_of(key, len(keys))
    lowest, highest = -((left - 2) // 2), (left - 1) // 2
    if keys[slot] == key:
        lowest, highest = max(lowest, bounds[slot, 0]), min(highest, bounds[slot, 1])
    if highest <= alpha:
        return highest
    alpha, beta = max(alpha, lowest), min(beta, highest)
    if alpha >= beta:
        return alpha
    place = list_moves(own, opponent, candidates, moves[left])
    while place > 0 and alpha < beta:
        place -= 1
        theirs, ours, _ = play((own, opponent, uint64(0)), moves[left, place] & uint64(63))
        alpha = max(alpha, -score(theirs, ours, -beta, -alpha, moves, keys, bounds, is_stopped))
        if is_stopped[0]:
            return 0
    if keys[slot] != key:  # what was in the slot is forgotten
        keys[slot] = key
        bounds[slot, 0], bounds[slot, 1] = -ANY_SCORE, ANY_SCORE
    bounds[slot, 0 if alpha >= beta else 1] = alpha
    return alpha


# Squares and moves


def squares_left(own, opponent):
    """The number of free squares."""
    return count_bits(BOARD) - count_bits(own | opponent)


def threats(stones, others):
    """The free squares, in reach or not, that would complete four in a row of `stones`."""
    found = uint64(0)
    for step in STEPS:
        two, three = step + step, step + step + step
        pairs = (stones << step) & (stones << two)
        found |= pairs & ((stones << three) | (stones >> step))
        pairs = (stones >> step) & (stones >> two)
        found |= pairs & ((stones >> three) | (stones << step))
    return found & BOARD & ~(stones | others)


def moves_that_last(own, opponent):
    """The moves after which the opponent cannot win at once; 0 if there is none."""
    candidates = legal_moves((own, opponent, uint64(0)))
    danger = threats(opponent, own)
    forced = candidates & danger
    if forced:
        if forced & (forced - uint64(1)):
            return uint64(0)
        candidates = forced
    return candidates & ~(danger >> uint64(1))


def list_moves(own, opponent, candidates, moves):
    """List `candidates`, the most promising last; returns their number.

    Moves that make more threats are more promising, then those nearer to the centre. An entry is 64
    times the number of threats plus the number of the square.
    """
    number = 0
    for column in CENTRE_LAST:
        move = candidates & column
        if move:
            rank = bit_count(threats(own | move, opponent))
            place = number
            while place > 0 and moves[place - 1] >> uint64(6) > rank:
                moves[place] = moves[place - 1]
                place -= 1
            moves[place] = (rank << uint64(6)) | trailing_zeros(move)
            number += 1
    return number
