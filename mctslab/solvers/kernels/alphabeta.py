"""Alpha-beta search of Reversi, for `solvers/reversi_alphabeta.py` and `solvers/endgame.py`.

All values are for the player to move. A pass is a ply here, too, so the turns alternate from ply to
ply, and the value of a position for one player is the negative of its value for the other.

A search looks a number of plies ahead, or to the end of the game. With a horizon it finds what
plain minimax would find with the same one, because the table only answers for the same number of
plies, or if nothing was estimated.
"""

import numpy as np

from mctslab.fast.compile.primitives import bit_count, count_bits, trailing_zeros, uint64
from mctslab.fast.kernels.game import BOARD, evaluate, legal_moves, play
from mctslab.games.rules import PASS
from mctslab.solvers.kernels.table import FACTOR, OTHER_FACTOR, slot_of_folded
from mctslab.solvers.reversi_alphabeta import (
    FEW,
    MORE_THAN_ANY,
    NO_MOVE,
    PASS_SQUARE,
    TO_THE_END,
    WIN_VALUE,
)

SQUARE_BITS, RANK_SHIFT = uint64(127), uint64(7)
LAST_LINE_RANK, TABLE_RANK = uint64(40_000), uint64(30_000)
KILLER_RANK, MOBILITY_RANK, LATE_MOBILITY_RANK = uint64(120), uint64(12), uint64(600)
IS_VALUE, AT_LEAST, AT_MOST = 0, 1, 2


def search(own, opponent, alpha, beta, memories, table, is_stopped):
    """Search to the depth `memories[0].depth`; returns the value that was found.

    It is only a bound if it is not between `alpha` and `beta`. Other fields show what else was
    found.
    """
    memory = memories[0]
    memory.is_over = False
    # Numba finds a function that calls itself in its cache only if no argument is a literal.
    ply, is_on_last_line = np.int64(0), np.bool_(True)
    memory.value, memory.is_exact = value_of(
        own, opponent, memory.depth, (alpha, beta), ply, is_on_last_line, memory, table, is_stopped
    )
    return memory.value


def value_of(own, opponent, depth, window, ply, is_on_last_line, memory, table, is_stopped):
    """The value of a position, and whether it is exact: no evaluation has contributed to it.

    Args:
        depth: the number of plies down to the horizon, or TO_THE_END.
        window: a value outside of it can be a bound.
        ply: the number of plies from the root.
        is_on_last_line: whether all moves were those of the last iteration's principal variation.
        is_stopped: [1], set when the search must end. `memory.is_over` is set when it does, also
            for want of nodes. From then on the values mean nothing, except that of the root, which
            is the value of the best move so far.
    """
    if is_stopped[0] or memory.num_nodes == memory.most_nodes:
        memory.is_over = True
        return -MORE_THAN_ANY, False  # no move has been searched
    memory.line_lengths[ply] = 0
    empty = BOARD & ~(own | opponent)
    # The root is never played out, because its best move would be missing.
    if depth == TO_THE_END and ply > 0 and count_bits(empty) <= FEW:
        return play_out(own, opponent, empty, window, memory), True
    memory.num_nodes += 1
    moves = legal_moves((own, opponent, uint64(0)))
    if not moves and not legal_moves((opponent, own, uint64(0))):
        return final_value(own, opponent), True
    if depth == 0:
        return evaluate((own, opponent, uint64(0)), memory.weights), False
    depth_below = depth if depth == TO_THE_END else depth - 1
    alpha, beta = window
    entry = table[slot_of_folded(own * FACTOR + opponent * OTHER_FACTOR, len(table))]
    table_move = uint64(NO_MOVE)
    if memory.has_table and entry.own == own and entry.opponent == opponent:
        table_move = uint64(entry.best_move)
        if ply > 0 and decides(entry, depth, alpha, beta):
            return np.int64(entry.value), entry.is_exact
    entries = memory.moves[ply]
    number = list_moves(own, opponent, moves, depth, ply, is_on_last_line, table_move, memory)
    value, is_exact, best_move = -MORE_THAN_ANY, True, uint64(NO_MOVE)
    for place in range(number):
        move = entries[place] & SQUARE_BITS
        theirs, ours, _ = play(
            (own, opponent, uint64(0)), uint64(PASS) if move == PASS_SQUARE else move
        )
        is_on_line = is_on_last_line and memory.last_line[ply] == move
        answer, is_known = value_of(
            theirs, ours, depth_below, (-beta, -max(alpha, value)), ply + 1, is_on_line, memory,
            table, is_stopped,
        )  # fmt: skip
        if memory.is_over:
            return value, is_exact
        is_exact = is_exact and is_known
        if -answer > value:
            value, best_move = -answer, move
            note_line(ply, move, memory)
        if value >= beta:
            note_killer(ply, move, memory)
            break
    if memory.has_table:
        remember(entry, own, opponent, depth, window, value, is_exact, best_move, memory)
    return value, is_exact


def play_out(own, opponent, empty, window, memory):
    """The value of a position with few `empty` squares, by plain alpha-beta to the end of the game.

    Moves are not listed, sorted or stored here, because that takes longer than it saves. (Trying
    first the squares of quarters of the board with an odd number of empty squares saved 3%, and was
    left out.)

    A move is legal if playing it flips something.
    """
    memory.num_nodes += 1
    alpha, beta = window
    for sign in (1, -1):  # the second time for the opponent, if the player has to pass
        value = -MORE_THAN_ANY
        untried = empty
        while untried and value < beta:
            square = trailing_zeros(untried)
            untried &= untried - uint64(1)
            theirs, ours, _ = play((own, opponent, uint64(0)), square)
            if theirs != opponent:
                rest = empty ^ (uint64(1) << square)
                window_below = -beta, -max(alpha, value)
                value = max(value, -play_out(theirs, ours, rest, window_below, memory))
        if value != -MORE_THAN_ANY:
            return sign * value
        own, opponent = opponent, own
        alpha, beta = -beta, -alpha
    return final_value(own, opponent)


def final_value(own, opponent):
    """The value of a game that is over: won or lost, and by how many discs."""
    difference = count_bits(own) - count_bits(opponent)
    return difference + WIN_VALUE * ((difference > 0) - (difference < 0))


def note_line(ply, move, memory):
    """The best line of play from `ply` on is `move` and then the line of its child."""
    lines, lengths = memory.lines, memory.line_lengths
    lines[ply, 0] = move
    for place in range(lengths[ply + 1]):
        lines[ply, place + 1] = lines[ply + 1, place]
    lengths[ply] = lengths[ply + 1] + 1


def note_killer(ply, move, memory):
    """Remember a move that was too good to be allowed, for other positions at this ply."""
    killers = memory.killers
    if killers[ply, 0] != move:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = move


# The order of moves


def list_moves(own, opponent, moves, depth, ply, is_on_last_line, table_move, memory):
    """List the legal moves, the most promising first, or in the order of squares.

    An entry is 128 times the rank of the move plus the number of the square. Returns the number of
    moves.
    """
    entries = memory.moves[ply]
    if not moves:
        entries[0] = PASS_SQUARE
        return 1
    number = 0
    while moves:
        move = trailing_zeros(moves)
        moves &= moves - uint64(1)
        entry = move
        place = number
        if memory.has_ordering:
            found = rank(own, opponent, move, depth, ply, is_on_last_line, table_move, memory)
            entry |= found << RANK_SHIFT
            while place > 0 and entries[place - 1] < entry:
                entries[place] = entries[place - 1]
                place -= 1
        entries[place] = entry
        number += 1
    return number


def rank(own, opponent, move, depth, ply, is_on_last_line, table_move, memory):
    """How early to try `move`: the larger, the earlier.

    First come the moves that an earlier iteration found best. The others are sorted by their
    square, by whether they were too good elsewhere at this ply, and by how few moves they leave to
    the opponent. To the end of the game this last number decides ("fastest-first"), and the others
    only where it is equal.
    """
    if is_on_last_line and memory.last_line[ply] == move:
        return LAST_LINE_RANK
    if table_move == move:
        return TABLE_RANK
    found = memory.square_ranks[move]
    if memory.killers[ply, 0] == move or memory.killers[ply, 1] == move:
        found += KILLER_RANK
    if depth > 1:
        after = play((own, opponent, uint64(0)), move)
        weight = LATE_MOBILITY_RANK if depth == TO_THE_END else MOBILITY_RANK
        found += weight * (uint64(32) - bit_count(legal_moves(after)))
    return found


# The transposition table


def decides(entry, depth, alpha, beta):
    """Whether an entry for a position answers a search of it with this depth and window."""
    is_as_deep = entry.depth == depth or (entry.is_exact and entry.depth <= depth)
    return is_as_deep and (
        entry.bound == IS_VALUE
        or (entry.bound == AT_LEAST and entry.value >= beta)
        or (entry.bound == AT_MOST and entry.value <= alpha)
    )


def remember(entry, own, opponent, depth, window, value, is_exact, best_move, memory):
    """Store what a search found out; deeper searches of the same iteration are not overwritten."""
    if entry.iteration == memory.depth and entry.depth > depth:
        return
    entry.own, entry.opponent = own, opponent
    entry.value, entry.depth, entry.best_move = value, depth, best_move
    entry.is_exact, entry.iteration = is_exact, memory.depth
    alpha, beta = window
    if value >= beta:
        entry.bound = AT_LEAST
    elif value <= alpha:
        entry.bound = AT_MOST
    else:
        entry.bound = IS_VALUE


def copy_table(table, larger):
    """Copy all entries of `table` into a larger one, which is empty."""
    for place in range(len(table)):
        entry = table[place]
        if entry.own | entry.opponent:
            mixed = entry.own * FACTOR + entry.opponent * OTHER_FACTOR
            larger[slot_of_folded(mixed, len(larger))] = entry
