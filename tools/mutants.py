"""Judges a run of mutmut over the settlement's code: enough alterations made, and nine in ten caught."""

import json
import sys

from tools.claims import ROOT

STATISTICS = ROOT / "mutants" / "mutmut-cicd-stats.json"
LEAST_MUTANTS = 1000
LEAST_CAUGHT = 0.9


def main() -> int:
    """Print how many alterations were caught, and fail where they are too few."""
    counted = json.loads(STATISTICS.read_text(encoding="utf-8"))
    total = counted["total"] - counted["skipped"]
    caught = counted["killed"] + counted["timeout"] + counted["segfault"]
    print(f"{total} alterations of code: {caught} caught ({caught / total:.1%}), {total - caught} survived")
    return 0 if total >= LEAST_MUTANTS and caught / total >= LEAST_CAUGHT else 1


if __name__ == "__main__":
    sys.exit(main())
