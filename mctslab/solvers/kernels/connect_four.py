"""Alpha-beta search of Connect Four on a stack of its own, for `solver.py`.

A score counts for the player to move: 0 is a draw, positive a win, and the larger the earlier the
win comes. A game that is won by its last piece on a full board scores 1, two plies earlier 2, and
so on; a lost one the same below 0.
"""

from mctslab.fast.compile.primitives import bit_count, count_bits, trailing_zeros, uint64
from mctslab.fast.kernels.game import BOARD, BOTTOM, CENTRE_LAST, STEPS, legal_moves, play
from mctslab.solvers.connect_four import ANY_SCORE, BEGIN, DONE

NO_KEY = uint64(0)


def advance(depth, chunk, stack, moves, keys, bounds):
    """Search on for `chunk` positions; the depth at which to go on, DONE at the end.

    `depth` is BEGIN for a new search: of the position in `stack[0]`, within its window from
    `alpha` to `beta`. At the end `stack[0].alpha` holds the score; it is a bound where it lies on
    or outside of that window.
    """
    if depth == BEGIN:
        depth = 0
        enter(stack, 0, moves, keys, bounds)
        win_in_one(stack)
    while depth != DONE and chunk > 0:
        frame = stack[depth]
        if frame.num_moves > 0 and frame.alpha < frame.beta:
            put_child(stack, depth, moves)
            depth += 1
            enter(stack, depth, moves, keys, bounds)
            chunk -= 1
        else:
            remember(frame, keys, bounds)
            depth -= 1
            if depth != DONE:
                stack[depth].alpha = max(stack[depth].alpha, -frame.alpha)
    return depth


def win_in_one(stack):
    """Decide the first position if it is won at once; the search only meets others below it."""
    frame = stack[0]
    if threats(frame.own, frame.opponent) & landing(frame):
        decide(frame, (squares_left(frame) + 1) // 2)


def put_child(stack, depth, moves):
    """Put the position after the best move that is left above that of `depth`."""
    frame, child = stack[depth], stack[depth + 1]
    frame.num_moves -= 1
    move = moves[depth, frame.num_moves] & uint64(63)
    child.own, child.opponent, _ = play((frame.own, frame.opponent, uint64(0)), move)
    child.alpha, child.beta = -frame.beta, -frame.alpha


def enter(stack, depth, moves, keys, bounds):
    """Look at a new position: decide it, or narrow its window and list its moves.

    The player to move cannot win at once; otherwise the move before would not have been listed.
    """
    frame = stack[depth]
    left = squares_left(frame)
    candidates = moves_that_last(frame)
    if left == 0:
        decide(frame, 0)
    elif not candidates:
        decide(frame, -(left // 2))
    elif left <= 2:
        decide(frame, 0)
    else:
        narrow(frame, -((left - 2) // 2), (left - 1) // 2)
        recall(frame, keys, bounds)
        frame.num_moves = 0
        if frame.alpha < frame.beta:
            list_moves(frame, candidates, moves[depth])
        else:
            frame.key = NO_KEY


def decide(frame, score):
    """Give a position its score; nothing is left to search, nor to remember."""
    frame.alpha = score
    frame.num_moves = 0
    frame.key = NO_KEY


def narrow(frame, lower, upper):
    """Search no lower and no higher than the score can be; it is decided where alpha meets beta."""
    if upper <= frame.alpha:
        frame.alpha = frame.beta = upper
    else:
        frame.alpha = max(frame.alpha, lower)
        frame.beta = min(frame.beta, upper)


# Squares and moves


def squares_left(frame):
    """How many squares are free."""
    return count_bits(BOARD) - count_bits(frame.own | frame.opponent)


def landing(frame):
    """The squares that a piece can fall on."""
    return legal_moves((frame.own, frame.opponent, uint64(0)))


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


def moves_that_last(frame):
    """The moves after which the opponent cannot win at once; 0 where there is none."""
    candidates = landing(frame)
    danger = threats(frame.opponent, frame.own)
    forced = candidates & danger
    if forced:
        if forced & (forced - uint64(1)):
            return uint64(0)
        candidates = forced
    return candidates & ~(danger >> uint64(1))


def list_moves(frame, candidates, moves):
    """List `candidates`, the most promising last: by threats made, then the centre before the edge.

    An entry is 64 times the number of threats plus the number of the square.
    """
    for column in CENTRE_LAST:
        move = candidates & column
        if move:
            rank = bit_count(threats(frame.own | move, frame.opponent))
            place = frame.num_moves
            while place > 0 and moves[place - 1] >> uint64(6) > rank:
                moves[place] = moves[place - 1]
                place -= 1
            moves[place] = (rank << uint64(6)) | trailing_zeros(move)
            frame.num_moves += 1


# The transposition table


def recall(frame, keys, bounds):
    """Narrow the window by the table's entry for the position; store its key and its slot."""
    # In each column the player's own pieces, plus a one above all pieces: no two positions have the
    # same key, and none has NO_KEY, which is 0.
    frame.key = frame.own + (frame.own | frame.opponent) + BOTTOM
    frame.slot = slot_of(frame.key, len(keys))
    if keys[frame.slot] == frame.key:
        narrow(frame, bounds[frame.slot, 0], bounds[frame.slot, 1])


def slot_of(key, num_slots):
    """The slot of a key in a table of `num_slots`, a power of two, by Fibonacci hashing (Knuth).

    The upper bits of the product depend on all bits of the key, the lower ones only on lower ones.
    """
    return (key * uint64(0x9E3779B97F4A7C15)) >> (uint64(64) - trailing_zeros(uint64(num_slots)))


def remember(frame, keys, bounds):
    """Note what a search found out about a position; what stood in its slot is forgotten."""
    if frame.key == NO_KEY:
        return
    if keys[frame.slot] != frame.key:
        keys[frame.slot] = frame.key
        bounds[frame.slot, 0], bounds[frame.slot, 1] = -ANY_SCORE, ANY_SCORE
    if frame.alpha >= frame.beta:
        bounds[frame.slot, 0] = frame.alpha
    else:
        bounds[frame.slot, 1] = frame.alpha
