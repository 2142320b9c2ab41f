"""The course's machinery: exercises that know why an answer is wrong, and the student's progress.

In a notebook::

    from mctslab.course import exercises

    exercises.ucb1.check(ucb1)  # "not attempted", "wrong" and why, or "right"
    exercises.ucb1.hint()  # then hint(2), hint(3)
    exercises.ucb1.solution()

`progress_map()`, the last line of a cell, shows the notebooks with what is solved in each.

The exercises, with the signatures of the functions to write:

== ====================================================================================
01 `line_up_returns(squares)` -> the returns of a finished game of Tic-Tac-Toe
01 `minimax(state, memo)` -> the value of a position to each player
02 `playout(state, rng)` -> the returns of a game played on at random
02 `estimate(results)` -> mean, low, high: a 95 % interval
03 `ucb1(win_rate, visit_count, parent_visit_count, c)` -> the score of a child
03 `select(root, rule)` -> the node at which the walk down the tree ends
04 `expand(node, rng)` -> the new child; the node itself where the game is over
05 `rollout(state, policy, rng)` -> the returns of a game played on by a policy
06 `backpropagate(leaf, returns)` -> nothing; counts a result from the leaf to the root
06 `uct(state, num_simulations, rng)` -> the root of the tree, node for node the package's
06 `museum_reward(winner, player)` -> what a game was worth, also after a draw
06 `museum_simulation(root, rng)` -> nothing; one simulation whose rollout starts at the leaf
06 `museum_children(state, player)` -> a dictionary a child, with whose turn it is there
06 `museum_backpropagate(leaf, value)` -> nothing; a change of sign where movers differ
07 `anytime(think, num_simulations, seconds, stop, clock)` -> the best move when a budget is spent
07 `reuse_tree(root, state)` -> the node of a position in an old tree, made a root
07 `museum_result(squares, lines)` -> the returns of a game, also when the last piece wins
07 `museum_best_move(player, moves, c)` -> the move that either player follows down the tree
07 `museum_labels(players, winner)` -> what each position of a game was worth, whoever won
08 `mobility(own, opponent)` -> how many legal moves, on bitboards
08 `frontier(own, opponent)` -> how many discs beside an empty square, on bitboards
08 `roxanne_move(state, classes, rng)` -> a random square of the best class
08 `museum_flips(line)` -> how many discs turn on a line, if it is closed
08 `museum_next_player(player, num_moves)` -> who is to move, also after a pass
09 `match_score(wins, draws, losses)` -> the score of a match, and its 95 % interval
09 `games_needed(half_width, score)` -> how many games it takes for such an interval
09 `bias_and_variance(playouts, exact)` -> by how much playouts err, and how much they scatter
09 `museum_gate(wins, draws, losses, threshold)` -> whether a new player takes over
10 `alphabeta(state, depth, evaluate, alpha, beta)` -> what a position is worth to player 0
10 `deepen(think, legal_actions, seconds, clock)` -> the move when the time is up
10 `museum_negamax(state, depth, evaluate)` -> the value, also where a player moves twice
10 `museum_table(state, depth, evaluate, alpha, beta, table)` -> the value, with a sound table
11 `puct(total_value, visit_count, prior, parent_visit_count, c)` -> the score of a child
11 `noisy_priors(node, alpha, weight, rng)` -> the priors of its children, with noise at the root
11 `gather(root, rule, number)` -> leaves for one batch, found with virtual losses
11 `museum_expand(node, priors, alpha, weight, rng)` -> a prior for each child, noisy at the root
11 `museum_virtual_loss(path)` -> nothing; a loss at every node of a walk
11 `museum_probabilities(visits, temperature)` -> the probability of each move
12 `encode(state)` -> the planes of a position, own stones first
12 `symmetries(planes, policy)` -> the eight samples that a board turns and mirrors into
12 `loss(policy_logits, values, policies, returns)` -> the value's part and the policy's
12 `museum_mirror(planes, policy)` -> a sample of Connect Four and its mirror image
12 `museum_legal_priors(logits, is_legal)` -> a softmax over the legal moves
13 `self_play_targets(positions, visits)` -> what a net learns from a game: policies and values
13 `play_move(visits, ply, temperature_plies, rng)` -> a drawn move at first, then the best
13 `promotion_gate(champion, candidate, play, num_games, threshold)` -> who goes on playing
13 `museum_values(positions)` -> what each position was worth to its player to move
13 `museum_play(state, choose)` -> the returns of a game, also when the last square wins
14 `misjudges(returns, priors, state, proven, solutions)` -> whether winner and move are wrong
14 `misjudged_position(evaluator, state, prove, rng)` -> the moves to where a net is wrong
14 `museum_match_move(think, ply, is_match, rng)` -> the move, without noise in a match
== ====================================================================================

Those of the bug museum, `museum_...`, give the student a faulty function instead of a stub.
`show()` prints it with line numbers; `check` takes the corrected function, or the number
of a line.

In a notebook, the cell of an exercise carries the tag `exercise:NAME`. It holds `exercise.stub`
and, below it, the call of `check`. A test keeps the two alike.
"""

from mctslab.course.course_map import progress_map

__all__ = ["progress_map"]
