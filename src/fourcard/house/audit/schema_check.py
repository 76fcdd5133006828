"""Schema check: compares what a database holds besides rows with what a house of this version has."""

from itertools import takewhile

from fourcard.house.audit.report import MAX_LENGTH, FindingKind, FindingPlace, Findings
from fourcard.house.store.interface import ReadTransaction

WORDS_AROUND = 3
"""How many words before and after a difference a finding shows."""


class SchemaCheck:
    """Compares every table, index, trigger and other object of a database by its definition."""

    def __init__(self, reading: ReadTransaction, findings: Findings) -> None:
        """Start with nothing compared."""
        self.reading, self.findings, self.count = reading, findings, 0

    def run(self) -> None:
        """Report each object that is missing, altered or nobody's; a store in memory has none."""
        objects = self.reading.schema_objects()
        if objects is None:
            return
        names = sorted({*objects.expected, *objects.found})
        self.count = len(names)
        for name in names:
            self._compare(name, objects.expected.get(name), objects.found.get(name))

    def _compare(self, name: str, expected: str | None, found: str | None) -> None:
        if found is None:
            self._note(name, "missing", "A house has it, and this database does not.")
        elif expected is None:
            shown = f": {_cut(found)}" if found else ""
            self._note(name, "inserted", f"A house has no such thing{shown}.")
        elif found != expected:
            has, wanted = difference(found, expected)
            self._note(name, "altered", f"It has '{_cut(has)}' in place of '{_cut(wanted)}'.")

    def _note(self, name: str, what: FindingKind, sentence: str) -> None:
        self.findings.add(FindingPlace("schema", name), what, sentence)


def difference(found: str, expected: str) -> tuple[str, str]:
    """Return the parts in which two definitions differ, with some words around them."""
    one, other = found.split(" "), expected.split(" ")
    start = _count_same(one, other)
    end = _count_same(one[start:][::-1], other[start:][::-1])
    first = max(0, start - WORDS_AROUND)
    last = max(0, end - WORDS_AROUND)
    return " ".join(one[first : len(one) - last]), " ".join(other[first : len(other) - last])


def _count_same(one: list[str], other: list[str]) -> int:
    """Return how many words two lists begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 3]}..."
