"""The examples in the documents run, and print what stands below them."""

import contextlib
import io
import re

import pytest

from tests.support import ROOT

BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


def blocks(name: str) -> list[tuple[str, str]]:
    """Return the code of a document, and the text that it prints where that is told."""
    found = BLOCK.findall((ROOT / "docs" / name).read_text(encoding="utf-8"))
    pairs = []
    for number, (kind, text) in enumerate(found):
        if kind == "python":
            told = found[number + 1] if number + 1 < len(found) else ("", "")
            pairs.append((text, told[1] if told[0] == "text" else ""))
    return pairs


@pytest.mark.parametrize("name", ["developer/library.md"])
def test_the_examples_run_and_print_what_is_told(name: str) -> None:
    names: dict[str, object] = {}
    examples = blocks(name)
    assert len(examples) >= 3
    with contextlib.chdir(ROOT):
        for code, told in examples:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, name, "exec"), names)
            assert not told or printed.getvalue() == told


def test_the_round_in_ten_lines_has_no_more() -> None:
    code = next(code for code, _ in blocks("developer/library.md") if "play_round" in code)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
