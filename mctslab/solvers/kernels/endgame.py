"""Alpha-beta search of Reversi to the end of the game, on a stack of its own, for `endgame.py`.

A value is the difference of discs at the end, the player's to move minus the other's. A search does
not look for it, but answers one question: is it at least `bound`? That is alpha-beta with a window
so narrow that nothing lies inside, and a line of play is left as soon as it decides the answer. The
answer is a number nevertheless: where it is `bound` or more, the value is at least that number,
and else at most ("fail-soft", Fishburn 1983).
"""

from mctslab.fast.compile.primitives import bit_count, count_bits, trailing_zeros, uint64
from mctslab.fast.kernels.game import BOARD, CORNERS, legal_moves, play
from mctslab.games.rules import PASS
from mctslab.solvers.connect_four import BEGIN, DONE
from mctslab.solvers.endgame import ANY_VALUE, FEW, NO_VALUE


def advance(depth, chunk, stack, moves, keys, bounds, num_positions):
    """Search on for `chunk` positions; the depth at which to go on, DONE at the end.

    `depth` is BEGIN for a new search, of the position in `stack[0]` with its `bound`. At the end
    `stack[0].best` holds the answer.
    """
    if depth == BEGIN:
        depth = 0
        enter(stack, 0, moves, keys, bounds, num_positions)
    while depth != DONE and chunk > 0:
        frame = stack[depth]
        if frame.num_moves > 0 and frame.best < frame.bound:
            put_child(stack, depth, moves)
            depth += 1
            enter(stack, depth, moves, keys, bounds, num_positions)
            chunk -= 1
        else:
            remember(frame, keys, bounds)
            depth -= 1
            if depth != DONE:
                stack[depth].best = max(stack[depth].best, -frame.best)
    return depth


def put_child(stack, depth, moves):
    """Put the position after the best move that is left above that of `depth`.

    Its value is not the mover's but the other player's, who denies the mover `bound` with anything
    above -bound.
    """
    frame, child = stack[depth], stack[depth + 1]
    frame.num_moves -= 1
    move = moves[depth, frame.num_moves] & uint64(PASS)
    child.own, child.opponent, _ = play((frame.own, frame.opponent, uint64(0)), move)
    child.bound = 1 - frame.bound


def enter(stack, depth, moves, keys, bounds, num_positions):
    """Look at a new position: find its value if little is left, or list its moves."""
    frame = stack[depth]
    frame.num_moves = 0
    frame.best = NO_VALUE
    frame.to_be_kept = False
    empty = empty_squares(frame.own, frame.opponent)
    if count_bits(empty) <= FEW:
        frame.best = play_out(frame.own, frame.opponent, empty, frame.bound, num_positions)
        return
    num_positions[0] += 1
    recall(frame, keys, bounds)
    if frame.best == NO_VALUE:
        frame.to_be_kept = True
        list_moves(frame, moves[depth])


def empty_squares(own, opponent):
    """The squares without a disc."""
    return BOARD & ~(own | opponent)


def difference(own, opponent):
    """How many discs more the player to move has."""
    return count_bits(own) - count_bits(opponent)


# Few squares left


def play_out(own, opponent, empty, bound, num_positions):
    """The answer for a position with few `empty` squares, by plain alpha-beta.

    Nothing is listed, sorted or kept here, as that takes longer than it saves: with 14 empty
    squares the whole search is three times as quick for it. (To begin where an odd number of
    squares are left in a quarter of the board gained 3%, and was left out.)

    Whether a move is legal shows when it is played: it flips something. The function calls itself,
    never deeper than there are empty squares.
    """
    num_positions[0] += 1
    for sign in (1, -1):  # the second time for the opponent, where the player has to pass
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


# The order of moves


def list_moves(frame, moves):
    """List the moves, the most promising last; at the end of the game, note the value.

    An entry is the move plus, from bit 12 on, how much it leaves to the opponent.
    """
    candidates = legal_moves((frame.own, frame.opponent, uint64(0)))
    if not candidates:
        if legal_moves((frame.opponent, frame.own, uint64(0))):
            moves[0] = uint64(PASS)
            frame.num_moves = 1
        else:
            frame.best = difference(frame.own, frame.opponent)
    while candidates:
        move = trailing_zeros(candidates)
        candidates &= candidates - uint64(1)
        left = replies_to(frame, move)
        place = frame.num_moves
        while place > 0 and moves[place - 1] >> uint64(12) < left:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = (left << uint64(12)) | move
        frame.num_moves += 1


def replies_to(frame, move):
    """How many moves the opponent has after `move`, corners counted twice.

    To try first what leaves the fewest is called fastest-first: the trees of such moves are the
    smallest, and they tend to be good. With 14 empty squares, an order by the number of the square
    takes five times as long; a corner that counts once, 7% longer. (To take a corner oneself first
    of all costs half as much again: better moves come later then.)
    """
    theirs, ours, _ = play((frame.own, frame.opponent, uint64(0)), move)
    replies = legal_moves((theirs, ours, uint64(0)))
    return bit_count(replies) + bit_count(replies & CORNERS)


# The transposition table


def recall(frame, keys, bounds):
    """Note the slot of a position, and the answer if it follows from what is known."""
    frame.slot = slot_of(frame.own, frame.opponent, len(keys))
    at_least, at_most = bounds[frame.slot, 0], bounds[frame.slot, 1]
    if keys[frame.slot, 0] == frame.own and keys[frame.slot, 1] == frame.opponent:
        if at_least >= frame.bound:
            frame.best = at_least
        elif at_most < frame.bound:
            frame.best = at_most


def slot_of(own, opponent, num_slots):
    """The slot of a position in a table of `num_slots`, a power of two: Fibonacci hashing (Knuth).

    The upper bits of a product depend on all bits of its factors, the lower ones only on lower
    ones; so the upper half is laid over the lower one before the second product.
    """
    mixed = (own * uint64(0x9E3779B97F4A7C15)) ^ (opponent * uint64(0xC2B2AE3D27D4EB4F))
    mixed ^= mixed >> uint64(32)
    return (mixed * uint64(0x9E3779B97F4A7C15)) >> (uint64(64) - trailing_zeros(uint64(num_slots)))


def remember(frame, keys, bounds):
    """Note what a search found out about a position; what stood in its slot is forgotten."""
    if not frame.to_be_kept:
        return
    if keys[frame.slot, 0] != frame.own or keys[frame.slot, 1] != frame.opponent:
        keys[frame.slot, 0], keys[frame.slot, 1] = frame.own, frame.opponent
        bounds[frame.slot, 0], bounds[frame.slot, 1] = -ANY_VALUE, ANY_VALUE
    if frame.best >= frame.bound:
        bounds[frame.slot, 0] = frame.best
    else:
        bounds[frame.slot, 1] = frame.best
