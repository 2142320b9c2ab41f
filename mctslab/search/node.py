"""The node of a search tree: a position, and the statistics of the simulations through it."""

from collections.abc import Iterable

from mctslab.games.state import State, checked_child


class Node:
    """A position in the tree, with the statistics of the move that led to it.

    The statistics belong to the **mover**, the player who chose `action`: they are the N(s,a),
    W(s,a) and Q(s,a) of the papers, where s is the parent's position and a is `action`. So the
    parent compares its children with a plain maximum, whoever moves and whether or not turns
    alternate.
    """

    __slots__ = (
        "_state",
        "_untried_actions",
        "action",
        "children",
        "mover",
        "parent",
        "prior",
        "proven",
        "total_value",
        "visit_count",
    )

    action: int | None
    """The move that led here from the parent; None at a root."""
    mover: int
    """The player who made that move, and for whom the values here count; at a root the player to
    move."""
    parent: "Node | None"
    children: "list[Node]"
    """In the order in which they were expanded."""
    visit_count: int
    """N: simulations that passed through here."""
    total_value: float
    """W: the sum of their returns for the mover, each in [-1, 1]."""
    prior: float
    """P: how promising the move looked before any simulation. The priors of the legal actions
    of a position sum to 1; without better knowledge they are all the same."""
    proven: float | None
    """The game-theoretic value in [-1, 1], for the mover, once a search with `solver=True` has
    proven it; None until then. See `mctslab.search.solving`."""

    def __init__(
        self,
        state: State | None = None,
        *,
        parent: "Node | None" = None,
        action: int | None = None,
        prior: float = 1.0,
    ) -> None:
        self._state = state
        self._untried_actions: list[int] | None = None  # until the first use
        self.action = action
        self.parent = parent
        self.children = []
        self.visit_count = 0
        self.total_value = 0.0
        self.prior = prior
        self.proven = None
        self.mover = (self if parent is None else parent).state.current_player

    @property
    def state(self) -> State:
        """The position; derived from the parent's at the first use."""
        if self._state is None:
            missing = [self]  # a list instead of recursion, so that no tree is too deep
            while (above := missing[-1].parent) is not None and above._state is None:
                missing.append(above)
            for node in reversed(missing):
                assert node.parent is not None
                assert node.action is not None
                node._state = checked_child(node.parent.state, node.action)
        assert self._state is not None
        return self._state

    @property
    def path(self) -> "list[Node]":
        """The nodes from the root down to this one."""
        path = [self]
        while (above := path[-1].parent) is not None:
            path.append(above)
        return path[::-1]

    @property
    def untried_actions(self) -> list[int]:
        """The legal actions that have no child yet."""
        if self._untried_actions is None:
            tried = {child.action for child in self.children}
            legal = self.state.legal_actions()
            self._untried_actions = [each for each in legal if each not in tried]
        return self._untried_actions

    @untried_actions.setter
    def untried_actions(self, actions: Iterable[int]) -> None:
        self._untried_actions = list(actions)

    @property
    def is_fully_expanded(self) -> bool:
        """Whether every legal action has a child; true at the end of a game."""
        return not self.untried_actions

    @property
    def mean_value(self) -> float:
        """Q = W / N in [-1, 1], for the mover; 0 while unvisited."""
        return self.total_value / self.visit_count if self.visit_count else 0.0

    def __repr__(self) -> str:
        move = "root" if self.action is None else f"action {self.action}"
        return f"<Node: {move}, N={self.visit_count}, Q={self.mean_value:+.3f}>"
