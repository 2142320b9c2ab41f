"""The terms of the evaluation of Reversi, compiled on their own; see test_alphabeta.py."""

# ruff: noqa: F821 (the terms of the evaluation are in the generated module)


def counts(position):
    """What all terms say of a position."""
    return (
        corners(position),
        x_squares(position),
        c_squares(position),
        mobility(position),
        frontier(position),
        parity(position),
        stability(position),
    )
