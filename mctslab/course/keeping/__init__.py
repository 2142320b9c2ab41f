"""What is kept of a student's work: progress, predictions, and functions that passed their checks.

`parts.py` stores the functions and hands them out again, as `course.mine`; `course_map.py` shows
the progress as a list of the notebooks.
"""
