"""Alpha-beta, compiled, and the solvers of Connect Four and of Reversi's endgame."""
