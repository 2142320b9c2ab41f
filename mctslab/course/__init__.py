"""The course's machinery: exercises that know why an answer is wrong, and the student's progress.

In a notebook::

    from mctslab.course import exercises

    exercises.ucb1.check(ucb1)  # "not attempted", "wrong" and why, or "right"
    exercises.ucb1.hint()  # then hint(2), hint(3)
    exercises.ucb1.solution()

The exercises, with the signatures of the functions to write:

== ===========================================================================
01 `line_up_returns(squares)` -> the returns of a finished game of Tic-Tac-Toe
01 `minimax(state, memo)` -> the value of a position to each player
02 `playout(state, rng)` -> the returns of a game played on at random
02 `estimate(results)` -> mean, low, high: a 95 % interval
03 `ucb1(win_rate, visit_count, parent_visit_count, c)` -> the score of a child
03 `select(root, rule)` -> the node at which the walk down the tree ends
== ===========================================================================

In a notebook, the cell of an exercise carries the tag `exercise:NAME`. It holds `exercise.stub`
and, below it, the call of `check`. A test keeps the two alike.
"""
