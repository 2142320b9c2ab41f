"""Alpha-beta search of Reversi to the end of the game, for `solvers/endgame.py`.

A value is the difference of discs at the end: those of the player to move minus the opponent's. A
search does not determine it, but answers one question: is it at least `bound`? This is alpha-beta
with a window so narrow that nothing lies inside, and a line of play is left as soon as it decides
the answer. Nevertheless the answer is a number: if it is `bound` or more, the value is at least
that number, and otherwise at most ("fail-soft", Fishburn 1983).
"""

import numpy as np

from mctslab.fast.compile.primitives import bit_count, count_bits, trailing_zeros, uint64
from mctslab.fast.kernels.game import BOARD, CORNERS, legal_moves, play
from mctslab.solvers.endgame import ANY_VALUE, FEW, NO_VALUE
from mctslab.solvers.kernels.table import FACTOR, OTHER_FACTOR, slot_of_folded


def search(own, opponent, bound, moves, keys, bounds, num_positions, is_stopped):
    """Whether a position is worth `bound` or more, as the number described above.

    `moves` has a row for each number of empty squares. Once another thread has set `is_stopped[0]`,
    the answer means nothing, and nothing is stored.
    """
    if is_stopped[0]:
        return 0
    empty = BOARD & ~(own | opponent)
    if count_bits(empty) <= FEW:
        return play_out(own, opponent, empty, bound, num_positions)
    num_positions[0] += 1
    slot = slot_of_folded((own * FACTOR) ^ (opponent * OTHER_FACTOR), len(keys))
    is_known = keys[slot, 0] == own and keys[slot, 1] == opponent
    at_least, at_most = np.int64(bounds[slot, 0]), np.int64(bounds[slot, 1])
    if is_known and at_least >= bound:
        return at_least
    if is_known and at_most < bound:
        return at_most
    candidates = legal_moves((own, opponent, uint64(0)))
    best = NO_VALUE
    if candidates:
        listed = moves[count_bits(empty)]
        place = list_moves(own, opponent, candidates, listed)
        while place > 0 and best < bound:
            place -= 1
            theirs, ours, _ = play((own, opponent, uint64(0)), listed[place] & uint64(63))
            # Any value above -bound for the opponent denies the player `bound`.
            answer = search(theirs, ours, 1 - bound, moves, keys, bounds, num_positions, is_stopped)
            best = max(best, -answer)
    elif legal_moves((opponent, own, uint64(0))):
        best = -search(opponent, own, 1 - bound, moves, keys, bounds, num_positions, is_stopped)
    else:
        return difference(own, opponent)
    if is_stopped[0]:
        return 0
    if keys[slot, 0] != own or keys[slot, 1] != opponent:  # what was in the slot is forgotten
        keys[slot, 0], keys[slot, 1] = own, opponent
        bounds[slot, 0], bounds[slot, 1] = -ANY_VALUE, ANY_VALUE
    bounds[slot, 0 if best >= bound else 1] = best
    return best


def difference(own, opponent):
    """The discs of the player to move minus those of the opponent."""
    return count_bits(own) - count_bits(opponent)


def play_out(own, opponent, empty, bound, num_positions):
    """The answer for a position with few `empty` squares, by plain alpha-beta.

    Moves are not listed, sorted or stored here, because that takes longer than it saves: with 14
    empty squares the whole search is three times as fast without. (Trying first the squares of
    quarters of the board with an odd number of empty squares saved 3%, and was left out.)

    A move is legal if playing it flips something.
    """
    num_positions[0] += 1
    for sign in (1, -1):  # the second time for the opponent, if the player has to pass
        best = NO_VALUE
        untried = empty
        while untried and best < bound:
            square = trailing_zeros(untried)
            untried &= untried - uint64(1)
            theirs, ours, _ = play((own, opponent, uint64(0)), square)
            if theirs != opponent:
                rest = empty ^ (uint64(1) << square)
                best = max(best, -play_out(theirs, ours, rest, 1 - bound, num_positions))
        if best != NO_VALUE:
            return sign * best
        own, opponent = opponent, own
        bound = 1 - bound
    return difference(own, opponent)


def list_moves(own, opponent, candidates, moves):
    """List the moves, the most promising last; returns their number.

    An entry is 64 times the replies that the move leaves, plus the number of the square.
    """
    number = 0
    while candidates:
        move = trailing_zeros(candidates)
        candidates &= candidates - uint64(1)
        left = replies_to(own, opponent, move)
        place = number
        while place > 0 and moves[place - 1] >> uint64(6) < left:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = (left << uint64(6)) | move
        number += 1
    return number


def replies_to(own, opponent, move):
    """The number of moves that the opponent has after `move`; corners count twice.

    To try first the move that leaves the fewest is called fastest-first: its tree is the smallest,
    and it tends to be good. With 14 empty squares, the order of the squares' numbers takes five
    times as long, and counting corners once 7% longer. (Taking a corner first takes half as long
    again, because better moves are tried later.)
    """
    theirs, ours, _ = play((own, opponent, uint64(0)), move)
    replies = legal_moves((theirs, ours, uint64(0)))
    return bit_count(replies) + bit_count(replies & CORNERS)
