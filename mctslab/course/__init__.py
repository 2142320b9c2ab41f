"""The course's machinery: exercises that know why an answer is wrong, and the student's progress.

In a notebook::

    from mctslab.course import exercises

    exercises.ucb1.check(ucb1)  # "not attempted", "wrong" and why, or "right"
    exercises.ucb1.hint()  # then hint(2), hint(3)
    exercises.ucb1.solution()

`mine("select")` returns the student's function `select` once its check has passed, in this notebook
or an earlier one, and the package's until then. `assemble` makes a search from four such functions.
`check_parts` checks all parts of a longer program and names the wrong ones.

`predict.number`, `predict.choice` and `predict.curve` let the student predict a result before it is
shown, and `after` holds back what would give an answer away. `budget` is a number of games or
simulations that is smaller in a short run, and `match` is an arena match whose games are stored
next to the notebook.

`recall` asks three questions about earlier notebooks, `quiz` twelve before and after the course,
and `gain` says what the course has changed.

`take_away` writes the program of notebook 13 into a file that does not need mctslab.

`climb` lets the student's own player play a short match at the end of a notebook, a rung of the
ladder that `ladder()` shows. `progress_map()`, the last line of a cell, shows the notebooks with
what is solved in each.

`TreeGame` is a game written out as a tree, small enough to work through by hand. `examine` takes a
whole search and finds the tiny game in which it goes wrong.

The exercises of the bug museum, `museum_...`, give the student a faulty function instead of a stub.
`show()` prints it with line numbers; `check` takes the corrected function, or the number
of a line.

`exercises_in` finds a teacher's own exercises, and `report` counts what a class got wrong.

In a notebook, the cell of an exercise has the tag `exercise:NAME`. It contains `exercise.stub` and,
below it, the call of `check`. A test compares the two.
"""

from mctslab.course import predict
from mctslab.course.class_report import report
from mctslab.course.climbing import climb, ladder
from mctslab.course.examiner import examine
from mctslab.course.experiments import assemble, budget, match
from mctslab.course.keeping.course_map import progress_map
from mctslab.course.keeping.parts import check_parts, mine
from mctslab.course.own_exercises import exercises_in
from mctslab.course.predict import Truth, after
from mctslab.course.quizzes import gain, quiz, recall
from mctslab.course.take_away import take_away
from mctslab.course.tree_game import Place, TreeGame, turn_of

__all__ = [
    "Place",
    "TreeGame",
    "Truth",
    "after",
    "assemble",
    "budget",
    "check_parts",
    "climb",
    "examine",
    "exercises_in",
    "gain",
    "ladder",
    "match",
    "mine",
    "predict",
    "progress_map",
    "quiz",
    "recall",
    "report",
    "take_away",
    "turn_of",
]
