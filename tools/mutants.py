"""Judges a run of mutmut: in each part of the code enough alterations made, and enough caught."""

import json
import sys
from collections import Counter

from tools.claims import ROOT

MUTANTS = ROOT / "mutants" / "src" / "fourcard"
PARTS: dict[str, tuple[tuple[str, ...], int, float]] = {
    "the settlement": (("wagers", "meter.py", "settling.py", "hands.py", "money.py"), 1000, 0.9),
    "the round and the table": (("round", "table", "dealing.py"), 4000, 0.85),
}
"""Where each part lies, the fewest alterations it must have had, and the share that must be caught."""
NOTED: dict[str, tuple[int | None, ...]] = {"survived": (0, 5, 33), "skipped": (34,), "untried": (None, 2)}
"""What mutmut notes of an alteration; anything else means that it was caught, and no test is no catch."""


def counted(places: tuple[str, ...]) -> Counter[str]:
    """Return how many alterations of a part were caught, survived, were skipped or never tried."""
    found: Counter[str] = Counter()
    for path in sorted(MUTANTS.rglob("*.meta")):
        if path.relative_to(MUTANTS).parts[0].removesuffix(".meta") not in places:
            continue
        for code in json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"].values():
            found[next((word for word, codes in NOTED.items() if code in codes), "caught")] += 1
    return found


def main() -> int:
    """Print how many alterations were caught, and fail where they are too few or were not all tried."""
    right = True
    for name, (places, least, share) in PARTS.items():
        found = counted(places)
        tried = found["caught"] + found["survived"]
        rate, untried = found["caught"] / tried if tried else 0.0, found["untried"]
        print(f"{name}: {found['caught']} of {tried} alterations caught ({rate:.1%}), {untried} not tried")
        right = right and tried >= least and rate >= share and not untried
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
