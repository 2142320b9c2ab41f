"""How the scripts of a widget become one module."""

import hashlib
import re
from pathlib import Path

import pytest

from mctslab.widgets import front_end
from mctslab.widgets.front_end import STATIC, bundled

PREACT = "72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7"
"""SHA-256 of preact/standalone.module.js in version 3.1.1 of npm's package htm."""


def test_the_vendored_file_is_npms() -> None:
    content = (STATIC / "vendor" / "preact.js").read_bytes()
    assert hashlib.sha256(content).hexdigest() == PREACT


def test_no_name_of_a_file_leaks_into_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_end, "STATIC", tmp_path)
    (tmp_path / "one.js").write_text("const own = 1;\nexport const one = () => own;\n")
    (tmp_path / "two.js").write_text(
        'import { one } from "./one.js";\nconst own = 2;\n'
        "export function two() { return own + one(); }\n"
        "export { own as second };\n"
    )
    (tmp_path / "main.js").write_text(
        'import { two, second as other } from "./two.js";\nimport { one } from "./one.js";\n'
        "const own = 3;\nexport default { own, other, two, one };\n"
    )
    text = bundled("main.js")
    assert len(re.findall(r"^const own = ", text, re.M)) == 3
    assert text.count("modules['one.js'] = ") == 1
    assert "import" not in text
    assert text.index("modules['one.js'] =") < text.index("modules['two.js'] =")
    assert "return { two: two, second: own };" in text
    assert "const { two, second: other } = modules['two.js'];" in text
