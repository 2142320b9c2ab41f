"""A person who presses Ctrl-C."""

from mctslab.arena.running import Progress, Standing


def ctrl_c_after(num_games: int) -> Progress:
    """Follows the progress, and presses Ctrl-C when so many games are finished."""

    def progress(standing: Standing) -> None:
        if standing.num_played >= num_games and not standing.is_last:
            raise KeyboardInterrupt

    return progress
