"""Outcome of sabotage: how many alterations were tried and caught by clause, as `fourcard clauses` shows."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from tools.claims import ROOT

Part = Literal["data", "code"]


def chosen_by(places: Sequence[str], line: str) -> bool:
    """Say whether the line of an alteration contains one of some texts; without any, all are chosen."""
    return not places or any(place in line for place in places)


class ClauseCounts:
    """The alterations tried and caught, by clause."""

    def __init__(self) -> None:
        """Start with none."""
        self.tried, self.caught = Counter[str](), Counter[str]()

    def add(self, clause: str, *, caught: bool) -> None:
        """Count one alteration."""
        self.tried[clause] += 1
        self.caught[clause] += caught


def write_outcome(part: Part, counts: ClauseCounts) -> None:
    """Store the counts of one part for everything that is proven; those of the other part stay."""
    # Imported here, because the code part instruments what is imported later.
    from fourcard.rules.citations import proven_by
    from fourcard.rules.clauses import clauses, rulings
    from fourcard.rules.sabotage_results import COLUMNS, SABOTAGE

    table = ROOT / "src" / "fourcard" / "rulebooks" / SABOTAGE
    stored = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    before = {row["id"]: row for row in stored}
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for address in (*clauses(), *rulings()):
        if proven_by(address):
            row = {**before.get(address, {}), "id": address, f"{part}_tried": "", f"{part}_caught": ""}
            if counts.tried[address]:
                row |= {f"{part}_tried": str(counts.tried[address])}
                row |= {f"{part}_caught": str(counts.caught[address])}
            writer.writerow(row)
    table.write_text(out.getvalue(), encoding="utf-8")
