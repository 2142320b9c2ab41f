"""The sentences of the panel about a match, derived from the match alone."""

from typing import Final

from mctslab.boards.board import EMPTY, BoardStyle
from mctslab.boards.geometry import square_name
from mctslab.games.state import State
from mctslab.players import Proposal
from mctslab.widgets.match import Match, must_pass

NOTHING_SEARCHED: Final = (
    "Nothing has been searched yet. The result appears here after a player has searched, or after "
    "Hint."
)

TAKEN_BACK: Final = "The last search was of a position that has been taken back."

PREPARING: Final = "A search is being compiled for this board. This is needed only once."

SAME_PRIORS: Final = "All priors are the same, so this player has no favourites."


def headline(match: Match, is_human: tuple[bool, bool]) -> str:
    """Whose turn it is, or how the match ended, for the person at the panel."""
    if match.outcome is not None:
        return result(match)
    player = match.state.current_player
    name = match.state.player_names[player]
    if not is_human[player]:
        return f"{name} is to move"
    if must_pass(match.state):
        return f"{name} has to pass"
    return f"{name} to move" if all(is_human) else f"Your turn: {name}"


def result(match: Match) -> str:
    """How the match ended: `Black wins, 40 to 24`."""
    state, outcome = match.state, match.outcome
    if outcome is not None and outcome.on_time and outcome.winner is not None:
        return f"{state.player_names[outcome.winner]} wins on time"
    counts = disc_counts(state)
    score = "" if counts is None else f", {counts[0]} to {counts[1]}"
    return verdict(state.returns(), state.player_names) + score


def verdict(returns: tuple[float, float], player_names: tuple[str, str]) -> str:
    """Who has won a game.

    >>> verdict((1, -1), ("Black", "White")), verdict((0, 0), ("Black", "White"))
    ('Black wins', 'Draw')
    """
    first, second = returns
    return "Draw" if first == second else f"{player_names[0 if first > second else 1]} wins"


def disc_counts(state: State) -> tuple[int, int] | None:
    """The number of each player's discs, in a game that counts them, as Reversi does."""
    count = getattr(state, "disc_counts", None)
    return None if count is None else count()


# What happened, and what can be done


def explain_time_loss(match: Match) -> str:
    """Why the match is over although the game is not."""
    loser = match.state.player_names[match.state.current_player]
    return f"{loser} took longer than {match.limit_of_this_move or 0.0:g} s for this move."


def new_limit(match: Match) -> str:
    """The rule from now on, after the limit for a move was changed."""
    seconds = match.seconds_per_move
    if seconds is None:
        return "There is no limit for a move now."
    when = "" if match.limit_of_this_move == seconds else ", from the next move on"
    return f"Whoever takes longer than {seconds:g} s for a move loses{when}."


def new_random_sides(is_on: bool) -> str:
    """What will change with the next new game."""
    if is_on:
        return "In the next new game, it is decided at random who moves first."
    return "In the next new game, the players keep their sides."


def random_sides(state: State, labels: tuple[str, str]) -> str:
    """Who moves first, after this was decided at random; the label of a human is empty.

    >>> from mctslab.games import Gomoku
    >>> random_sides(Gomoku(), ("", "Level 1: random"))
    'Drawn at random: you are Black and move first.'
    >>> random_sides(Gomoku(), ("uct:2s", ""))
    'Drawn at random: you are White and move second.'
    """
    first = state.current_player
    if labels[first] and not labels[1 - first]:
        return f"Drawn at random: you are {state.player_names[1 - first]} and move second."
    who = f"{labels[first]} is" if labels[first] else "you are"
    moves = "moves" if labels[first] else "move"
    return f"Drawn at random: {who} {state.player_names[first]} and {moves} first."


def last_move(match: Match, is_human: tuple[bool, bool]) -> str:
    """The last move, if it was not made by the person at the panel."""
    if not match.moves:
        return ""
    move = match.moves[-1]
    if is_human[move.player] and not move.is_pass:
        return ""
    name = match.state.player_names[move.player]
    return (
        f"{name} had no legal move and passed."
        if move.is_pass
        else f"{name} played {move.notation}."
    )


def pass_needed(state: State) -> str:
    """What a human without a legal move must do."""
    return f"{state.player_names[state.current_player]} has no legal move: press Pass."


def refusal(match: Match, square: int, *, is_human: bool) -> str:
    """A gentle answer to a click on a square that can't be played now."""
    state, board = match.state, match.state.board()
    name = state.player_names[state.current_player]
    if match.outcome is not None:
        return "The game is over. Press New for another one."
    if not is_human:
        return f"It is {name}'s turn. Press Stop if you don't want to wait."
    if must_pass(state):
        return pass_needed(state)
    if board.style is BoardStyle.DROP:
        return "This column is full."
    if board.stones[square] != EMPTY:
        return f"{square_name(board, square)} is taken."
    return f"{name} can't play {square_name(board, square)}: the dots show where it can."


# Searches


def hint(state: State, proposal: Proposal) -> str:
    """What a search advises the player to move: `Hint: d3, win rate 56% in 86 simulations.`

    A draw counts as half a win there, so "which won 56%" would be wrong.
    """
    advice = f"Hint: {state.action_to_string(proposal.action)}"
    for child in proposal.result.children if proposal.result else ():
        if child.action == proposal.action and child.visit_count:
            rate = (1 + child.mean_value) / 2
            return f"{advice}, win rate {rate:.0%} in {child.visit_count:,} simulations."
    return f"{advice}."


def searched(state: State, proposal: Proposal) -> str:
    """What a search has found, and at what cost: `d3, after 1,204 simulations in 0.4 s`."""
    move = state.action_to_string(proposal.action)
    return f"{move}, after {proposal.num_simulations:,} simulations in {proposal.seconds:.1f} s"


def progress(state: State, proposal: Proposal) -> str:
    """What a player has found so far: `d3 so far, 1,204 simulations, 3,000/s`."""
    text = f"{state.action_to_string(proposal.action)} so far"
    return ", ".join(filter(None, (text, effort(proposal))))


def effort(proposal: Proposal) -> str:
    """How much a player has searched, and how fast; empty for one that doesn't search.

    >>> effort(Proposal(0, 1.0, num_simulations=602_113, seconds=1.003))
    '602,113 simulations, 600,000/s'
    """
    number = proposal.num_simulations or proposal.num_nodes
    what = "simulations" if proposal.num_simulations else "nodes"
    return ", ".join(filter(None, (f"{number:,} {what}", speed(proposal)))) if number else ""


def speed(proposal: Proposal) -> str:
    """How many simulations, or nodes, a second; empty for a player that doesn't search."""
    number = proposal.num_simulations or proposal.num_nodes
    return rate(number / proposal.seconds) if number and proposal.seconds else ""


def rate(a_second: float) -> str:
    """How many simulations or nodes a second, with two digits, because the third keeps changing.

    >>> rate(12.4), rate(2_796), rate(602_113), rate(1_234_567), rate(12_345_678)
    ('12/s', '2,800/s', '600,000/s', '1.2 M/s', '12 M/s')
    """
    rounded = float(f"{a_second:.1e}")
    if rounded < 10:
        return f"{rounded:g}/s"
    if rounded < 1e6:
        return f"{rounded:,.0f}/s"
    return f"{rounded / 1e6:.{1 if rounded < 1e7 else 0}f} M/s"
