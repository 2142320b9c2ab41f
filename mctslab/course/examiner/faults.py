"""The faults that the examiner can name, and the place of each in a search."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Fault(NamedTuple):
    """A fault of a search or of self-play."""

    place: str
    """One of the places in `PICTURE` or in `SELF_PLAY`."""
    explanation: str
    """Why it is wrong, and what to look at."""


PICTURE: Final = ("select", "expand", "simulate", "backpropagate", "choose the move")
"""The four phases, which are repeated, and what follows them."""

SELF_PLAY: Final = ("play", "label", "augment", "match")
"""The steps of self-play."""

FAULTS: Final[Mapping[str, Fault]] = {
    name: Fault(place, explanation)
    for place, names in {
        "": {
            "it does not return": "Is there a loop whose condition never becomes false?",
            "nothing is searched": "Its answer does not depend on any position.",
            "it fails": "The search raised this error.",
            "it returns something else": "Return an action, the visits of the actions by action, "
            "the root of the tree, whose children have `action` and `visit_count`, or a pair of an "
            "action and one of these.",
            "the position is changed": "The caller's position has changed after the search. Undo "
            "every move, or work on a copy.",
            "random numbers from another source": (
                "All random numbers must come from the `rng` that is passed in. Otherwise the "
                "same seed does not give the same search."
            ),
            "the number of simulations is wrong": "Each simulation counts one result. Look at the "
            "loop around the four phases.",
            "the time limit is not kept": "Check the clock before every simulation.",
            "the tree of an earlier search": "Statistics of another position were used. Begin "
            "with a new tree, or go to the node of the new "
            "position.",
        },
        "select": {
            "visits of parent and child exchanged": "The bonus must fall as the child's own visits "
            "grow: the logarithm of the parent's visits is divided by the child's.",
            "the exploration never fades": "The bonus must grow slowly with the parent's visits: "
            "by the logarithm in UCB1, by the square root in PUCT.",
            "no exploration": "Children that did badly once are never visited again. Is the bonus "
            "added, and is its constant above 0?",
            "virtual losses attract": "A virtual loss makes a child look worse, so that the next "
            "walk of the same batch goes elsewhere. Here walks follow each other.",
            "priors are not normalised": "The priors of the legal actions must sum to 1 after the "
            "illegal ones are left out. Otherwise the exploration shrinks.",
            "noise below the root": "Dirichlet noise belongs to the root alone, where it varies "
            "the moves that are played.",
        },
        "expand": {
            "untried children are not tried": "Some child of the root was never visited, although "
            "no other is better. A child without a visit has an infinite bonus in UCB1.",
            "a finished game is searched further": (
                "Where the game is over there is nothing to expand: count its result as it is."
            ),
            "an index is used as an action": "The index of an action in a list is not the action."
            " They are the same only if all actions from 0 on "
            "are legal.",
            "illegal actions are not masked": "The net gives every action of the game a prior. "
            "Leave out those that are illegal.",
            "the tree does not grow": "Below a certain depth, moves are chosen as if nothing were"
            " known. Are nodes added there, and is their depth limited?",
        },
        "simulate": {
            "rollouts start at the root": "The rollout must begin at the new leaf, because its "
            "result is counted for the nodes on the way to the leaf.",
            "rollouts are not random": "Each legal action must be possible in a rollout.",
            "the depth is limited": "A long game is stopped before its end and therefore has no "
            "result.",
            "draws have the wrong value": "A draw is halfway between a win and a loss: 0 "
            "between -1 and 1, or 0.5 between 0 and 1. Often it counts as a loss or as a win.",
            "the result of a finished game is ignored": "If the game is over at a node of the "
            "tree, the node's value is the result of "
            "the game.",
            "the result of a finished game has the wrong sign": "Rollouts are counted correctly, "
            "but the result of a node where the game is over is counted for the other player.",
            "the net's value is for the wrong player": "The results of finished games are counted "
            "correctly, but the value of a leaf is counted for the other player. A net's value "
            "is for the player to move at the leaf.",
            "the value of a leaf has the wrong sign": "The results of finished games in the tree "
            "are counted correctly, but those of rollouts for the other player.",
        },
        "backpropagate": {
            "the sign is never flipped": "A result that is good for one player is bad for the "
            "other. Every node counts it for the player who chose that node.",
            "the wrong player's result": "Every node must count the result for the player who "
            "chose it, which is the player to move at its parent. Here the best moves look worst.",
            "one player's result everywhere": "Every node must count the result for the player "
            "who chose it. Here all count it for the same player, whoever is to move at the root.",
            "turns are assumed to alternate": (
                "After a pass, or where a player moves twice, the sign must not flip. Compare "
                "the players instead of counting plies."
            ),
            "results do not reach the moves": "The visits do not depend on the results. Is every "
            "node on the way updated, with the result of this simulation?",
            "the results steer the search wrongly": "The visits follow the results in some "
            "positions and not in others, and no single "
            "fault that we know does this.",
            "virtual losses stay": "All results were draws, but the mean values of the moves are "
            "not. Take back every virtual loss when the result is counted.",
        },
        "choose the move": {
            "the wrong child is played": "The search visited the best move most, but played "
            "another. Play the most visited child of the root."
        },
        "label": {
            "values are for the wrong player": (
                "The value of a position is the result of the game for the player to move "
                "there: look at `current_player` instead of counting plies."
            ),
            "drawn games have wrong values": "The value of every position of a drawn game is "
            "halfway between those of a win and of a loss.",
            "policies are not normalised": "A policy is a probability for each action: none below "
            "0, and their sum is 1.",
            "policies contain illegal actions": "An action that is illegal has the probability 0.",
            "temperature in the policies": "The target is the share of visits. The temperature "
            "belongs to the choice of the move that is played.",
            "positions after the end": "Where the game is over there is nothing to choose, so "
            "such a position cannot teach a policy.",
        },
        "augment": {
            "the policy is not turned with the board": "When the board is rotated or mirrored, "
            "each probability must move with its "
            "square."
        },
        "match": {
            "noise in matches": "Noise varies the games of self-play. In a match it only makes "
            "the players worse, so the searches of a match must not use it."
        },
    }.items()
    for name, explanation in names.items()
}
