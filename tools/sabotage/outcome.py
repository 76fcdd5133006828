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
    """The alterations tried and caught, by clause and place: the rulebooks, or a module of the code."""

    def __init__(self) -> None:
        """Start with none."""
        self.tried, self.caught = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        self.whole = set[str]()
        """The places in which everything was altered."""

    def add(self, clause: str, place: str, *, caught: bool) -> None:
        """Count one alteration."""
        self.tried[clause, place] += 1
        self.caught[clause, place] += caught


def write_outcome(counts: ClauseCounts) -> None:
    """Store the counts of the places that were altered as a whole; those of other places stay."""
    # Imported here, because the code part instruments what is imported later.
    from fourcard.rules.citations import proven_by
    from fourcard.rules.clauses import clauses, rulings
    from fourcard.rules.sabotage_results import COLUMNS, SABOTAGE

    table = ROOT / "src" / "fourcard" / "rulebooks" / SABOTAGE
    stored = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    rows = {
        (row["id"], row["place"]): (row["tried"], row["caught"])
        for row in stored
        if row["place"] not in counts.whole
    }
    tried = (key for key in counts.tried if key[1] in counts.whole)
    rows |= {key: (str(counts.tried[key]), str(counts.caught[key])) for key in tried}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    order = {address: n for n, address in enumerate((*clauses(), *rulings())) if proven_by(address)}
    for address, place in sorted((key for key in rows if key[0] in order), key=lambda k: (order[k[0]], k[1])):
        writer.writerow((address, place, *rows[address, place]))
    table.write_text(out.getvalue(), encoding="utf-8")
