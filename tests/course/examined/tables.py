"""A search without nodes: dictionaries by position, and a board on which moves are made and undone.

Rewards lie between 0 and 1. It returns the visits of the moves.
"""

import math
from collections import defaultdict


class Board:
    def __init__(self, state):
        self.states = [state]

    def legal_moves(self):
        return list(self.states[-1].legal_actions())

    @property
    def turn(self):
        return self.states[-1].current_player

    def push(self, move):
        self.states.append(self.states[-1].child(move))

    def pop(self):
        self.states.pop()

    def is_over(self):
        return self.states[-1].is_terminal

    def winner(self):
        first, second = self.states[-1].returns() if self.is_over() else (0, 0)
        return None if first == second else int(second > first)

    def key(self):
        return self.states[-1].path


def search(state, num_simulations, rng):
    board = Board(state)
    visits, wins, known = defaultdict(int), defaultdict(float), {board.key()}
    done = 0
    while done < num_simulations:
        simulation(board, visits, wins, known, rng)
        done += 1
    return {move: visits[board.key(), move] for move in board.legal_moves()}


def simulation(board, visits, wins, known, rng):
    path = []
    # selection
    while not board.is_over() and board.key() in known:
        moves = board.legal_moves()
        fresh = [move for move in moves if visits[board.key(), move] == 0]
        move = fresh[rng.integers(len(fresh))] if fresh else best(board, visits, wins)
        path.append((board.key(), board.turn, move))
        board.push(move)
    # expansion
    known.add(board.key())
    # simulation
    depth = len(path)
    while not board.is_over():
        moves = board.legal_moves()
        board.push(moves[rng.integers(len(moves))])
        depth += 1
    winner = board.winner()
    for _ in range(depth):
        board.pop()
    # backpropagation
    for key, player, move in path:
        visits[key, move] += 1
        wins[key, move] += reward(winner, player)


def reward(winner, player):
    if winner is None:
        return 0.5
    return 1.0 if winner == player else 0.0


def best(board, visits, wins):
    key = board.key()
    total = sum(visits[key, move] for move in board.legal_moves())

    def bound(move):
        n = visits[key, move]
        return wins[key, move] / n + math.sqrt(2 * math.log(total) / n)

    return max(board.legal_moves(), key=bound)
