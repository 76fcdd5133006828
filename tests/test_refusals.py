"""Refusal messages: docs/reference/refusals.md is the one table of their verbatim text."""

import re

import pytest

from fourcard.refusal_codes import Code
from tests.kit.support import ROOT

TABLE = (ROOT / "docs" / "reference" / "refusals.md").read_text(encoding="utf-8")
ROWS = {
    int(number): (name, message)
    for number, name, message in re.findall(r"^\| (\d+) \| `(\w+)` \| (.+) \|$", TABLE, re.MULTILINE)
}
UNCLEAR = re.compile(
    r"unless (?:told)|\banew\b|may not be|(?<!here )\bis no\b|so that|own hand|by right|\bbesides\b"
)


def test_the_table_lists_every_refusal_once() -> None:
    assert sorted(ROWS) == sorted(map(int, Code))
    assert len(ROWS) > 300


@pytest.mark.parametrize("code", Code, ids=lambda code: code.name.lower())
def test_a_refusal_has_the_name_and_message_of_the_table(code: Code) -> None:
    assert ROWS[code] == (code.name.lower(), code.sentence)


@pytest.mark.parametrize("code", Code, ids=lambda code: code.name.lower())
def test_a_message_is_a_plain_line(code: Code) -> None:
    assert code.sentence[0].isupper() or code.sentence[0] in "{'"
    assert code.sentence.endswith((".", "{hint}"))
    assert "\n" not in code.sentence
    assert not UNCLEAR.search(code.sentence)
