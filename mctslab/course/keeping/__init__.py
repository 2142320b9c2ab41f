"""What is kept of a student's work: progress, predictions, and functions that passed their checks.

`parts.py` hands the functions out again, as `course.mine`, and makes programs of them;
`course_map.py` shows the progress as a list of the notebooks.
"""
