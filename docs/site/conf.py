"""Sphinx's settings for the book; build.py writes its pages and calls it."""

import sys
from pathlib import Path

from mctslab.widgets.front_end import STATIC

sys.path.insert(0, str(Path(__file__).parent))

project = "mctslab"
author = "the mctslab authors"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_parts"]

myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]
myst_dmath_double_inline = True  # a formula between $$ in the middle of a paragraph
myst_heading_anchors = 4
myst_update_mathjax = False
nb_execution_mode = "off"
nb_merge_streams = True
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
nb_ipywidgets_js: dict[str, str] = {}  # it would load scripts from elsewhere

html_theme = "furo"
templates_path = ["templates"]
html_title = "mctslab"
html_static_path = [str(Path(__file__).parent / "static"), str(STATIC / "model.js")]
html_favicon = str(Path(__file__).parent / "static" / "icon.svg")
html_css_files = ["site.css"]
html_js_files = [("live.js", {"type": "module"})]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b5cad",
        "color-brand-content": "#0b5cad",
        **{"mctslab-right": "#00734f", "mctslab-wrong": "#b34700", "mctslab-next": "#1f6aa8"},
    },
    "dark_css_variables": {
        "color-brand-primary": "#7db7f5",
        "color-brand-content": "#7db7f5",
        **{"mctslab-right": "#4fc79b", "mctslab-wrong": "#ff9a5c", "mctslab-next": "#7db7f5"},
    },
}
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
add_module_names = False
suppress_warnings = ["ref.python"]  # a word in a docstring that two members have as their name
