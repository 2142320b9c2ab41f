"""The reader's AlphaZero as one file, which needs NumPy and PyTorch and nothing of ours."""

import ast
import os
from pathlib import Path
from typing import Final

from mctslab.course.keeping.parts import find, own_source

PARTS: Final = (
    "select", "backpropagate", "puct", "noisy_priors", "encode", "forward", "loss", "train_step",
    "evaluate", "symmetries", "self_play_targets", "simulate_all", "think", "self_play",
    "alphazero",
)  # fmt: skip
"""Notebook 13's program, each function after those that it calls."""

_THERE: Final = frozenset(
    {"Node", "SelectionRule", "State", "exercise", "exercises", "search", *PARTS}
)
"""Names of mctslab for which the file has something of its own, or needs nothing."""


def take_away(file: str | os.PathLike[str]) -> None:
    """Write your AlphaZero of notebook 13 into a file that trains Tic-Tac-Toe when it is run.

    It has your functions that have passed their checks, with what they use, and the course's
    functions for the others; a comment above each part says which. It does not need mctslab.

        course.take_away("my_alphazero.py")

    Raises:
        FileExistsError: there is such a file.
        ValueError: a function of yours uses something of mctslab that such a file can't have, or
            two of them use different things under one name.
    """
    path = Path(file)
    if path.exists():
        raise FileExistsError(f"{path} is there already: give another name, or remove it.")
    before, after = _PROGRAM.split("# PARTS\n")
    text = "".join([before, *_pieces(), after])
    compile(text, str(path), "exec")
    path.write_text(text, "utf-8")
    print(f"{path}: run it with `python {path}`. It needs NumPy and PyTorch only.")


def _pieces() -> list[str]:
    """The source of all parts; what several of them use is there once."""
    from mctslab.course import exercises  # which take a while to load

    pieces: list[str] = []
    defined: dict[str, str] = {}
    for name in PARTS:
        part = find(name)
        source = part.source or own_source(exercises.__getattr__(name).model_answer)
        pieces.append(f"# {name}: {part.origin.partition(',')[0]}.\n\n")
        for statement in ast.parse(source).body:
            if not _is_ours(statement, name):
                text = ast.get_source_segment(source, statement) or ""  # without decorators
                names = _names(statement)
                if all(defined.get(each) == text for each in names):
                    continue
                if twice := next((each for each in names if each in defined), ""):
                    raise ValueError(
                        f"{name} uses `{twice}`, and another of your functions has something else "
                        "under this name: rename one of them, and run its check again."
                    )
                defined.update(dict.fromkeys(names, text))
                pieces.append(f"{text}\n\n")
    return pieces


def _is_ours(statement: ast.stmt, part: str) -> bool:
    """Whether a statement takes something from mctslab that the file has itself.

    Raises:
        ValueError: it does not have it.
    """
    if isinstance(statement, ast.Import | ast.ImportFrom):
        module = getattr(statement, "module", None) or ""
        for alias in statement.names:
            if (module or alias.name).partition(".")[0] == "mctslab":
                if (alias.asname or alias.name) not in _THERE:
                    raise ValueError(
                        f"{part} uses {alias.name} of mctslab, and the file has to work without: "
                        "write what you need of it into a cell, and run the check again."
                    )
                return True
    is_value = isinstance(statement, ast.Assign)
    names = {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)}
    return is_value and "exercises" in names  # `helper = exercises.NAME.model_answer`


def _names(statement: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    stored = (each for each in ast.walk(statement) if isinstance(each, ast.Name))
    return [each.id for each in stored if isinstance(each.ctx, ast.Store)]


_PROGRAM: Final = '''"""My AlphaZero: self-play, search and learning in one file, for Tic-Tac-Toe.

Run it: the net learns for 20 iterations, in about half a minute, and then plays 100 games against
random moves. Another game needs what TicTacToe has below. Written with mctslab, a course on Monte
Carlo Tree Search.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import nn

# The game

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """A position: the content of the nine squares, -1 where there is nothing; X is player 0."""

    game, num_actions = "tictactoe", 9

    def __init__(self, stones=(-1,) * 9, last_action=None):
        self.stones, self.last_action = stones, last_action
        self.current_player = (9 - stones.count(-1)) % 2
        won = any(stones[a] == stones[b] == stones[c] != -1 for a, b, c in LINES)
        self.winner = 1 - self.current_player if won else None
        self.is_terminal = won or -1 not in stones

    def legal_actions(self):
        return () if self.is_terminal else tuple(s for s in range(9) if self.stones[s] == -1)

    def child(self, action):
        stones = list(self.stones)
        stones[action] = self.current_player
        return TicTacToe(tuple(stones), action)

    def returns(self):
        return {None: (0.0, 0.0), 0: (1.0, -1.0), 1: (-1.0, 1.0)}[self.winner]

    def board(self):
        return SimpleNamespace(rows=3, cols=3, stones=self.stones, last_square=self.last_action)


class Node:
    """A position in a search tree; its numbers count for its mover, who moved into it."""

    def __init__(self, state=None, parent=None, action=None, prior=1.0):
        self.state = parent.state.child(action) if parent is not None else state
        self.parent, self.action, self.prior = parent, action, prior
        self.mover = (parent.state if parent is not None else state).current_player
        self.children, self.untried_actions = [], list(self.state.legal_actions())
        self.visit_count, self.total_value = 0, 0.0

    @property
    def is_fully_expanded(self):
        return not self.untried_actions

    @property
    def mean_value(self):
        return self.total_value / self.visit_count if self.visit_count else 0.0


State, SelectionRule, search = TicTacToe, Any, SimpleNamespace(Node=Node)

# The parts

# PARTS
# The program


class Block(nn.Module):
    """The layers of a residual block."""

    def __init__(self, width):
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(width)


class Net(nn.Module):
    """From planes [N, 4, rows, cols] to logits [N, A], and to values [N] for the player to move."""

    def __init__(self, game, width=32, num_blocks=2):
        super().__init__()
        numbers = 4 * game.board().rows * game.board().cols
        self.stem = nn.Conv2d(4, width, 3, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(width)
        self.tower = nn.ModuleList([Block(width) for _ in range(num_blocks)])
        self.policy_convolution = nn.Conv2d(width, 4, 1, bias=False)
        self.policy_norm = nn.BatchNorm2d(4)
        self.policy_linear = nn.Linear(numbers, game.num_actions)
        self.value_convolution = nn.Conv2d(width, 4, 1, bias=False)
        self.value_norm = nn.BatchNorm2d(4)
        self.value_hidden = nn.Linear(numbers, 32)
        self.value_linear = nn.Linear(32, 1)

    def forward(self, planes):
        return forward(self, planes)


class Rule:
    """The PUCT score, with the priors in `noise` at a root that has an entry there."""

    def __init__(self, noise):
        self.noise = noise

    def best_child(self, node):
        priors = self.noise.get(node, [child.prior for child in node.children])
        scores = [
            puct(child.total_value, child.visit_count, prior, node.visit_count, 1.25)
            for child, prior in zip(node.children, priors, strict=True)
        ]
        return node.children[scores.index(max(scores))]


def opening(game, num_plies, rng):
    """The position after some random moves; the one before, if they would end the game."""
    for _ in range(num_plies):
        after = game.child(int(rng.choice(game.legal_actions())))
        if after.is_terminal:
            break
        game = after
    return game


def samples_of(positions, visits):
    """Planes, policy and value of each position and of its mirror images."""
    samples, targets = [], self_play_targets(positions, visits)
    for state, (shares, value) in zip(positions[:-1], targets, strict=True):
        policy = np.zeros(state.num_actions)
        policy[list(shares)] = list(shares.values())
        samples += [(*image, value) for image in symmetries(encode(state), policy)]
    return samples


def visits_of(model, states, num_simulations, rng=None):
    """The visits of each action after a search with a net; with an `rng` it has noise."""

    def simulate(roots, noise):
        simulate_all(roots, Rule(noise), lambda leaves: evaluate(model, encode, leaves))

    return think(states, simulate, num_simulations, rng)


def train(game, num_iterations, seed=1, num_games=64, temperature_plies=4, num_simulations=32):
    """Train a net from random weights; yields it before any game, and after every iteration."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # small nets are faster on one thread
    rng, model, num_steps = np.random.default_rng(seed), Net(game), 60
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, num_iterations * num_steps)

    def play(model):
        openings = [opening(game, rng.integers(7), rng) for _ in range(num_games)]
        search_all = partial(visits_of, model, num_simulations=num_simulations, rng=rng)
        return self_play(openings, search_all, temperature_plies, rng)

    def learn(model, batch):
        columns = [np.array(column) for column in zip(*batch, strict=True)]
        tensors = [torch.tensor(column, dtype=torch.float32) for column in columns]
        train_step(model, optimizer, loss, *tensors)
        schedule.step()

    return alphazero(model, play, samples_of, learn, num_iterations, num_steps, 40_000, rng)


def lost_to_random(model, num_games=100, seed=2):
    """How many of these games the net loses, with 32 simulations a move, against random moves."""
    rng, lost = np.random.default_rng(seed), 0
    for number in range(num_games):
        state, own = TicTacToe(), number % 2
        while not state.is_terminal:
            if state.current_player == own:
                [visits] = visits_of(model, [state], 32)
                state = state.child(max(visits, key=visits.get))
            else:
                state = state.child(int(rng.choice(state.legal_actions())))
        lost += state.returns()[own] < 0
    return lost


if __name__ == "__main__":
    import sys

    num_iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for iteration, model in enumerate(train(TicTacToe(), num_iterations)):
        print(f"iteration {iteration}", flush=True)
    print(f"lost to random moves: {lost_to_random(model)} of 100 games")
'''
