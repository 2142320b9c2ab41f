"""What notebook 04 says is so."""

from mctslab import games
from mctslab.course import exercises
from mctslab.course.result import Outcome


def test_a_test_that_calls_itself_passes_and_no_game_is_too_deep_for_it():
    def is_sound(node):
        if node.state.is_terminal:
            return not node.children
        moves = [child.action for child in node.children]
        visits = sum(child.visit_count for child in node.children)
        return (
            sorted([*moves, *node.untried_actions]) == sorted(node.state.legal_actions())
            and all(child.state == node.state.child(child.action) for child in node.children)
            and node.visit_count == visits + (node.parent is not None)
            and all(is_sound(child) for child in node.children)
        )

    assert exercises.is_sound.check(is_sound).outcome is Outcome.RIGHT
    assert games.Gomoku().num_actions == 225, "the longest game of the course"
