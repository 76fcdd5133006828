"""The examples in the documents run, and print what stands below them."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from tests.kit.support import ROOT

BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


def blocks(name: str) -> list[tuple[str, str]]:
    """Return the code of a document, and the text that it prints where that is told."""
    found = BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))
    pairs = []
    for number, (kind, text) in enumerate(found):
        if kind == "python":
            told = found[number + 1] if number + 1 < len(found) else ("", "")
            pairs.append((text, told[1] if told[0] == "text" else ""))
    return pairs


@pytest.mark.parametrize(("name", "count"), [("docs/developer/library.md", 4), ("README.md", 1)])
def test_the_examples_run_and_print_what_is_told(name: str, count: int) -> None:
    names: dict[str, object] = {}
    examples = blocks(name)
    assert len(examples) == count
    with contextlib.chdir(ROOT):
        for code, told in examples:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, name, "exec"), names)
            assert not told or printed.getvalue() == told


def test_the_round_in_ten_lines_has_no_more() -> None:
    code = next(code for code, _ in blocks("docs/developer/library.md") if "play_round" in code)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
FENCED = re.compile(r"```.*?```", re.DOTALL)
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def anchors(page: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub writes them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_document_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), f"{target}#{anchor}"


def test_the_index_lists_every_document() -> None:
    folder = ROOT / "docs"
    listed = {target for target, _ in LINK.findall((folder / "README.md").read_text(encoding="utf-8"))}
    pages = {str(page.relative_to(folder)) for page in folder.rglob("*.md")} - {"README.md"}
    assert len(pages) > 20
    assert pages <= listed
