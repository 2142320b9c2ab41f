"""What a trace is made of: the events of a search as plain data.

Nothing here refers to a live tree or to the rules of a game. So a trace can be saved, loaded on
another machine and looked at there, also for a game whose code is not installed.

Nodes are numbered in the order in which the search came to them; the root is number 0.
"""

from dataclasses import dataclass

from mctslab.boards.board import Board


class TraceError(ValueError):
    """An event that cannot have happened now."""


@dataclass(frozen=True, slots=True)
class TracedGame:
    """What has to be known of a game to show its moves."""

    name: str
    title: str
    player_names: tuple[str, str]
    move_names: tuple[str, ...]
    """The notation of every action."""


@dataclass(frozen=True, slots=True)
class TracedNode:
    """A node of the tree, with all that stays the same while its statistics change."""

    parent: int | None
    action: int | None
    mover: int
    """Whose return is counted here, as in `Node.mover`."""
    prior: float
    board: Board
    player_to_move: int
    legal_actions: tuple[int, ...]
    returns: tuple[float, float] | None
    """The result where the game is over; None while it goes on."""
    first_visit_count: int
    """N when the trace first met the node; above 0 only in a tree from an earlier search."""
    first_total_value: float


@dataclass(frozen=True, slots=True)
class Considered:
    """One edge that selection looked at."""

    action: int
    terms: tuple[float, ...]
    """What its score is the sum of: exploitation and exploration; one number where a rule does
    not say its parts; none where the score is not known. Unvisited children may have `inf`."""

    @property
    def score(self) -> float | None:
        """The sum of the terms; None if there are none."""
        return sum(self.terms) if self.terms else None


@dataclass(frozen=True, slots=True)
class SelectionStep:
    """One step down the tree: all the edges that were compared, and the child that was taken."""

    node: int
    considered: tuple[Considered, ...]
    chosen: int
    """The number of the child."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a rollout, and what it changed on the board."""

    player: int
    action: int
    changes: tuple[tuple[int, int], ...]
    """(square, what lies there now: a player or EMPTY)."""


@dataclass(frozen=True, slots=True)
class TracedRollout:
    """One game from the leaf, usually to its end."""

    plies: tuple[Ply, ...]
    returns: tuple[float, float] | None
    """Its result; None if it was stopped before the end."""
    winning_squares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Update:
    """How the statistics of one node changed on the way back."""

    node: int
    old_visit_count: int
    old_total_value: float
    new_visit_count: int
    new_total_value: float


@dataclass(frozen=True, slots=True)
class Simulation:
    """The four phases of one simulation."""

    selection: tuple[SelectionStep, ...] | None
    """None where the leaf was added together with the one before, after the same walk down."""
    leaf: int
    is_new: bool
    """Whether the leaf was added now; false for a finished game that was met again."""
    rollouts: tuple[TracedRollout, ...]
    """None at all for a finished game, and for an evaluator that plays none."""
    returns: tuple[float, float]
    updates: tuple[Update, ...]
    """From the leaf up to the root."""
