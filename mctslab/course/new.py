"""A teacher's new notebook with an exercise, made from the files in the folder `template`."""

import keyword
import re
from pathlib import Path
from typing import Final

from mctslab.course.outline import homes

_TEMPLATE: Final = Path(__file__).with_name("template")
_NAME: Final = "17_my_topic"
_PLACES: Final = (f"{_NAME}.ipynb", f"exercises/{_NAME}.py", f"exercises/{_NAME}.md")


def new(name: str, folder: Path) -> list[Path]:
    """Write a notebook, an exercise and its prose; they work, and are there to be changed.

    Args:
        name: two digits and a topic in small letters: `17_my_topic`. The function to write gets
            the name of the topic.
        folder: where the notebook is written; the exercise goes into `exercises` in it.

    Returns:
        The three files.

    Raises:
        ValueError: the name cannot be used.
        FileExistsError: there is a file of that name; nothing is written.
    """
    match = re.fullmatch(r"(\d\d)_([a-z][a-z0-9_]*)", name)
    if match is None or keyword.iskeyword(match[2]):
        raise ValueError(
            f"{name!r} is no name of a notebook: two digits and a name in Python, in small "
            "letters, as in 17_my_topic"
        )
    number, topic = match.groups()
    if topic in homes():
        raise ValueError(f"the course has an exercise {topic!r}; choose another topic")
    made = {folder / place.replace(_NAME, name): _TEMPLATE / place for place in _PLACES}
    for path in made:
        if path.exists():
            raise FileExistsError(f"{path} is there already; choose another name")
    instead = {
        "17": number,
        "my_topic": topic,
        "My topic": topic.replace("_", " ").capitalize(),
        "my topic": topic.replace("_", " "),
    }
    for path, template in made.items():
        text = re.sub("|".join(instead), lambda at: instead[at[0]], template.read_text("utf-8"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    return [*made]
