"""Clause proofs: writes which tests prove which clause, and the counts of proven.md; checks both.

`python -m tools.proofs` fails if either is out of date; `--write` updates them, but refuses if fewer clauses
of any source and kind are proven than before. Both refuse claims whose tests drive no surface.
"""

import csv
import io
import re
import sys
from collections import Counter
from pathlib import Path

from fourcard.rules.citations import PROOFS
from fourcard.rules.clauses import KINDS, clauses, proved_through, sources
from tools.claims import ROOT, collect_claims
from tools.surfaces import undriven

TABLE = ROOT / "src" / "fourcard" / "rulebooks" / PROOFS
PAGE = ROOT / "docs" / "reference" / "proven.md"
LEAST_CLAIMS = 1500
"""A check of fewer claims than this has not looked."""
Counts = dict[tuple[str, str], tuple[int, int]]


def proofs_text(claims: dict[str, list[str]]) -> str:
    """Return the CSV of ids and the test functions that claim them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for claim in sorted(claims):
        for test in sorted({name.split("[")[0] for name in claims[claim]}):
            writer.writerow((claim, test))
    return out.getvalue()


def count(claims: dict[str, list[str]]) -> Counts:
    """Return the numbers of proven and of all clauses, by source and kind."""
    proven = {clause for clause in clauses() if any(each in claims for each in proved_through(clause))}
    total = Counter((clause.source, clause.kind) for clause in clauses().values())
    done = Counter((clause.source, clause.kind) for clause in clauses().values() if clause.id in proven)
    return {
        (source, kind): (done[source, kind], total[source, kind]) for source in sources() for kind in KINDS
    }


def page_text(counts: Counts) -> str:
    """Return the page that shows how many clauses are proven."""
    lines = [
        "# Proven clauses",
        "",
        "Each cell is the number of clauses that tests prove, of all that the source has of that kind.",
        "`make proofs` writes this page from the tests; a check keeps it true and the numbers from falling.",
        "`fourcard clauses --unproven` lists what is left.",
        "",
        f"| source | {' | '.join(KINDS)} | all |",
        f"|---|{'---:|' * (len(KINDS) + 1)}",
    ]
    for source in sources():
        cells = [counts[source, kind] for kind in KINDS]
        cells.append((sum(done for done, _ in cells), sum(total for _, total in cells)))
        lines.append(f"| {source} | {' | '.join(f'{done}/{total}' for done, total in cells)} |")
    sums = [tuple(map(sum, zip(*(counts[s, kind] for s in sources()), strict=True))) for kind in KINDS]
    sums.append(tuple(map(sum, zip(*sums, strict=True))))
    lines.append(f"| **all** | {' | '.join(f'**{done}/{total}**' for done, total in sums)} |")
    return "\n".join(lines) + "\n"


def fallen(page: str, counts: Counts) -> list[str]:
    """Return the counts that are lower than on a page."""
    found = []
    for source in sources():
        row = re.search(rf"^\| {source} \| (.+) \| [^|]+ \|$", page, re.MULTILINE)
        if row is None:
            return [f"{PAGE.name} has no row for {source}"]
        for kind, cell in zip(KINDS, row[1].split(" | "), strict=True):
            before = int(cell.split("/")[0])
            if counts[source, kind][0] < before:
                found.append(f"{source} {kind}: {counts[source, kind][0]}, was {before}")
    return found


def main(arguments: list[str]) -> int:
    """Write or check the table and the page."""
    claims = collect_claims()
    checked, refused = undriven(claims)
    if refused:
        print("No surface is driven for", "; ".join(refused), file=sys.stderr)
        return 1
    if checked < LEAST_CLAIMS:
        print(f"Only {checked} claims were checked; there are more.", file=sys.stderr)
        return 1
    counts = count(claims)
    wanted: dict[Path, str] = {TABLE: proofs_text(claims), PAGE: page_text(counts)}
    lost = fallen(PAGE.read_text(encoding="utf-8"), counts) if PAGE.exists() else []
    if lost:
        print("Fewer clauses are proven than before:", "; ".join(lost), file=sys.stderr)
        return 1
    if "--write" in arguments:
        for path, text in wanted.items():
            path.write_text(text, encoding="utf-8")
    stale = [path.name for path, text in wanted.items() if path.read_text(encoding="utf-8") != text]
    if stale:
        print(f"{' and '.join(stale)} are out of date: run `make proofs`.", file=sys.stderr)
        return 1
    done = sum(proven for proven, _ in counts.values())
    tests = {test for found in claims.values() for test in found}
    print(f"{done} of {len(clauses())} clauses proven by {len(tests)} tests, {checked} claims at a surface")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
