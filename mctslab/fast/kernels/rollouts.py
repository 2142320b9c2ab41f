"""Phase 3, simulate: the result of a leaf where the game is over, or the mean of its rollouts."""

from mctslab.fast.compile.primitives import next_53_bits, place_of, uint64
from mctslab.fast.kernels.game import DRAWN, OPEN, WON, outcome
from mctslab.fast.kernels.moves import count, legal, move_to, nth_move, preferred
from mctslab.fast.kernels.positions import note_moves
from mctslab.fast.nodes import ENDLESS, UNKNOWN
from mctslab.games.rules import MAX_PLIES, PASS


def simulate(nodes, leaf, position, words, spare, classes, num_rollouts, random_state):
    """Phase 3: the value of the leaf for player 0: its result, or the mean of its rollouts.

    Returns ENDLESS if one of them does not end.
    """
    moves = legal(position, words)
    result = outcome(position, moves)
    if nodes[leaf].num_untried == UNKNOWN:
        note_moves(nodes, leaf, moves, result)
    if result != OPEN:
        return float(value_of(result, position[-1]))
    if num_rollouts == 1:
        return float(rollout(position, moves, words, classes, random_state))
    total = 0
    for _ in range(num_rollouts):
        copy_words(words, spare)
        value = rollout(position, moves, spare, classes, random_state)
        if value == ENDLESS:
            return float(ENDLESS)
        total += value
    return total / num_rollouts


def rollout(position, moves, words, classes, random_state):
    """Play at random to the end of the game. Returns its value for player 0, or ENDLESS."""
    result = uint64(OPEN)
    for _ in range(MAX_PLIES):
        drawn = next_53_bits(random_state)
        if moves:
            candidates = preferred(moves, classes) if len(classes) else moves
            move = nth_move(candidates, words, place_of(drawn, count(candidates)))
        else:
            move = uint64(PASS)
        position = move_to(position, move, words)
        moves = legal(position, words)
        result = outcome(position, moves)
        if result != OPEN:
            return value_of(result, position[-1])
    return ENDLESS


def value_of(result, player):
    """The value for player 0 of an outcome, which is WON or LOST for `player`."""
    value = 0
    if result != DRAWN:
        value = 1 if (result == WON) == (player == uint64(0)) else -1
    return value


def copy_words(source, target):
    """As `target[:] = source`, of which Numba makes ten times as much code."""
    for index in range(len(source)):
        target[index] = source[index]
