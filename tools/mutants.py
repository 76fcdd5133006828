"""Mutation report: checks that a run of mutmut tried and caught enough mutants in each part of the code."""

import json
import sys
from collections import Counter

from tools.claims import ROOT

MUTANTS = ROOT / "mutants" / "src" / "fourcard"
PARTS: dict[str, tuple[tuple[str, ...], int, float]] = {
    "the settlement": (("wagers", "meter.py", "settling.py", "hands.py", "money.py"), 1000, 0.9),
    "the round and the table": (("round", "table", "dealing.py"), 4000, 0.85),
}
"""The paths of each part, the least number of mutants, and the share that must be caught."""
NOTED: dict[str, tuple[int | None, ...]] = {"survived": (0, 5, 33), "skipped": (34,), "untried": (None, 2)}
"""Exit codes of mutmut by result; any other code means caught. A mutant without tests counts as survived."""


def counted(places: tuple[str, ...]) -> Counter[str]:
    """Return how many mutants of a part were caught, survived, were skipped or never tried."""
    found: Counter[str] = Counter()
    for path in sorted(MUTANTS.rglob("*.meta")):
        if path.relative_to(MUTANTS).parts[0].removesuffix(".meta") not in places:
            continue
        for code in json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"].values():
            found[next((word for word, codes in NOTED.items() if code in codes), "caught")] += 1
    return found


def main() -> int:
    """Print how many mutants were caught; fail if they are too few or not all were tried."""
    right = True
    for name, (places, least, share) in PARTS.items():
        found = counted(places)
        tried = found["caught"] + found["survived"]
        rate, untried = found["caught"] / tried if tried else 0.0, found["untried"]
        print(f"{name}: {found['caught']} of {tried} mutants caught ({rate:.1%}), {untried} not tried")
        right = right and tried >= least and rate >= share and not untried
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
