"""Alpha-beta search of Reversi on a stack of its own, for `alphabeta.py`.

All values are for the player to move. As a pass is a ply here, too, the turns alternate from ply to
ply, and what a position is worth to one player is the negative of what it is worth to the other.

An iteration looks a number of plies ahead. What it finds is just what plain minimax would find with
the same horizon: the table answers only for as many plies, or where nothing was left to guess.
"""

from mctslab.fast.compile.primitives import bit_count, count_bits, trailing_zeros, uint64
from mctslab.fast.kernels.game import evaluate, legal_moves, play
from mctslab.games.rules import PASS
from mctslab.solvers.reversi_alphabeta import (
    BEGIN,
    DONE,
    MORE_THAN_ANY,
    NO_MOVE,
    PASS_SQUARE,
    WIN_VALUE,
)

SQUARE_BITS, RANK_SHIFT = uint64(127), uint64(7)
KILLER_RANK, MOBILITY_RANK = uint64(120), uint64(12)
IS_VALUE, AT_LEAST, AT_MOST = 0, 1, 2


def advance(ply, chunk, memory, options):
    """Search on for `chunk` positions; the ply at which to go on, DONE at the end.

    `ply` is BEGIN for a new iteration: of the position in `stack[0]`, `stack[0].depth` plies ahead,
    within its window from `alpha` to `beta`.
    """
    stack = memory.stack
    if ply == BEGIN:
        ply = 0
        enter(0, memory, options)
        chunk -= 1
    while ply != DONE and chunk > 0:
        frame = stack[ply]
        if frame.next_move < frame.num_moves and frame.alpha < frame.beta:
            put_child(ply, memory)
            ply += 1
            enter(ply, memory, options)
            chunk -= 1
        else:
            if options.table and frame.num_moves > 0:
                remember(frame, memory.table, options)
            ply -= 1
            if ply != DONE:
                take(ply, memory)
    return ply


def enter(ply, memory, options):
    """Look at a new position: judge it at the edge of the search, or list its moves."""
    frame = memory.stack[ply]
    memory.num_nodes[0] += 1
    frame.num_moves = frame.next_move = 0
    frame.best_move = frame.table_move = NO_MOVE
    frame.is_exact = True
    memory.line_lengths[ply] = 0
    moves = legal_moves((frame.own, frame.opponent, uint64(0)))
    if not moves and not legal_moves((frame.opponent, frame.own, uint64(0))):
        frame.value = final_value(frame)
    elif frame.depth == 0:
        frame.value = evaluate((frame.own, frame.opponent, uint64(0)), memory.weights)
        frame.is_exact = False
    else:
        frame.value = -MORE_THAN_ANY
        frame.first_alpha = frame.alpha
        if options.table and recall(frame, memory.table, ply):
            return
        list_moves(ply, moves, memory, options)


def final_value(frame):
    """What the end of the game is worth: won or lost, and by how many discs."""
    difference = count_bits(frame.own) - count_bits(frame.opponent)
    if difference > 0:
        return difference + WIN_VALUE
    if difference < 0:
        return difference - WIN_VALUE
    return difference


def put_child(ply, memory):
    """Put the position after the next move above that of `ply`."""
    frame, child = memory.stack[ply], memory.stack[ply + 1]
    move = memory.moves[ply, frame.next_move] & SQUARE_BITS
    frame.next_move += 1
    frame.move = move
    position = (frame.own, frame.opponent, uint64(0))
    child.own, child.opponent, _ = play(position, uint64(PASS) if move == PASS_SQUARE else move)
    child.depth = frame.depth - 1
    child.alpha, child.beta = -frame.beta, -frame.alpha
    child.is_on_last_line = frame.is_on_last_line and memory.last_line[ply] == move


def take(ply, memory):
    """Take up what was found out about the last child of the position at `ply`."""
    frame, child = memory.stack[ply], memory.stack[ply + 1]
    value = -child.value
    frame.is_exact = frame.is_exact and child.is_exact
    if ply == 0 and value > frame.alpha:
        memory.root_values[frame.move] = value
        memory.root_depths[frame.move] = frame.depth
    if value > frame.value:
        frame.value = value
        frame.best_move = frame.move
        note_line(ply, frame.move, memory)
    frame.alpha = max(frame.alpha, value)
    if frame.alpha >= frame.beta and memory.killers[ply, 0] != frame.move:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = frame.move


def note_line(ply, move, memory):
    """The line of play from `ply` on is `move` and then that of its child."""
    lines, lengths = memory.lines, memory.line_lengths
    lines[ply, 0] = move
    for place in range(lengths[ply + 1]):
        lines[ply, place + 1] = lines[ply + 1, place]
    lengths[ply] = lengths[ply + 1] + 1


# The order of the moves


def list_moves(ply, moves, memory, options):
    """List the legal moves: the most promising first, or as the squares are numbered.

    An entry is 128 times the rank of the move plus the number of the square.
    """
    frame, entries = memory.stack[ply], memory.moves[ply]
    if not moves:
        entries[0] = PASS_SQUARE
        frame.num_moves = 1
        return
    while moves:
        move = trailing_zeros(moves)
        moves &= moves - uint64(1)
        entry = move
        place = frame.num_moves
        if options.ordering:
            entry |= rank(ply, move, memory) << RANK_SHIFT
            while place > 0 and entries[place - 1] < entry:
                entries[place] = entries[place - 1]
                place -= 1
        entries[place] = entry
        frame.num_moves += 1


def rank(ply, move, memory):
    """How early to try `move`; the larger the earlier.

    First the move that an earlier iteration found best, then moves that were too good elsewhere at
    this ply; then by the square, and by how few moves the opponent is left with.
    """
    frame = memory.stack[ply]
    if frame.is_on_last_line and memory.last_line[ply] == move:
        return uint64(4000)
    if frame.table_move == move:
        return uint64(3000)
    found = memory.square_ranks[move]
    if memory.killers[ply, 0] == move or memory.killers[ply, 1] == move:
        found += KILLER_RANK
    if frame.depth > 1:
        after = play((frame.own, frame.opponent, uint64(0)), move)
        found += MOBILITY_RANK * (uint64(32) - bit_count(legal_moves(after)))
    return found


# The transposition table


def slot_of(own, opponent, num_slots):
    """The slot of a position in a table of `num_slots`, a power of two.

    Each board is multiplied by a large odd number; upper bits of a product depend on all lower
    ones, so their sum is folded and multiplied once more (Fibonacci hashing, Knuth).
    """
    mixed = own * uint64(0x9E3779B97F4A7C15) + opponent * uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> uint64(32)
    mixed *= uint64(0x9E3779B97F4A7C15)
    return mixed >> (uint64(64) - trailing_zeros(uint64(num_slots)))


def recall(frame, table, ply):
    """Decide a position by the table; whether it could. Else note the move that was best before."""
    entry = table[slot_of(frame.own, frame.opponent, len(table))]
    if entry.own != frame.own or entry.opponent != frame.opponent:
        return False
    frame.table_move = entry.best_move
    is_as_deep = entry.depth == frame.depth or (entry.is_exact and entry.depth <= frame.depth)
    if ply == 0 or not is_as_deep:
        return False
    if (
        entry.bound == IS_VALUE
        or (entry.bound == AT_LEAST and entry.value >= frame.beta)
        or (entry.bound == AT_MOST and entry.value <= frame.alpha)
    ):
        frame.value = entry.value
        frame.is_exact = entry.is_exact
        return True
    return False


def remember(frame, table, options):
    """Note what a search found out; deeper searches of the same iteration are not overwritten."""
    entry = table[slot_of(frame.own, frame.opponent, len(table))]
    if entry.iteration == options.iteration and entry.depth > frame.depth:
        return
    entry.own, entry.opponent = frame.own, frame.opponent
    entry.value = frame.value
    entry.depth = frame.depth
    entry.best_move = frame.best_move
    entry.is_exact = frame.is_exact
    entry.iteration = options.iteration
    if frame.value >= frame.beta:
        entry.bound = AT_LEAST
    elif frame.value <= frame.first_alpha:
        entry.bound = AT_MOST
    else:
        entry.bound = IS_VALUE


def recalled_move(own, opponent, depth, table):
    """The best move of a position that the table has decided at this depth; else NO_MOVE."""
    entry = table[slot_of(own, opponent, len(table))]
    if entry.own != own or entry.opponent != opponent or entry.bound != IS_VALUE:
        return NO_MOVE
    if entry.depth == depth or (entry.is_exact and entry.depth <= depth):
        return entry.best_move
    return NO_MOVE


def copy_table(table, larger):
    """Put all that `table` knows into a larger one, which is empty."""
    for place in range(len(table)):
        entry = table[place]
        if entry.own | entry.opponent:
            copy = larger[slot_of(entry.own, entry.opponent, len(larger))]
            copy.own, copy.opponent = entry.own, entry.opponent
            copy.value, copy.bound, copy.is_exact = entry.value, entry.bound, entry.is_exact
            copy.depth, copy.best_move = entry.depth, entry.best_move
            copy.iteration = entry.iteration
