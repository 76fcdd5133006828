"""Refusals page: writes docs/reference/refusals.md from the closed list and checks that it is up to date."""

import sys

from fourcard.refusal_codes import Code
from tools.claims import ROOT

PAGE = ROOT / "docs" / "reference" / "refusals.md"
GROUPS = {
    1: "Files",
    2: "Wagers at the table",
    3: "Submissions",
    4: "Submissions, continued",
    5: "Questions",
    6: "Rounds in files",
    7: "Rounds under way",
    8: "Tables",
    9: "The house",
    10: "The progressive system",
    11: "Over the wire",
}


def page_text() -> str:
    """Return the page: every refusal with its number, name and sentence."""
    lines = [
        "# Refusals",
        "",
        "Every refusal: why the system rejects a command, a file or a request. A number never changes its",
        "meaning. Words in braces are filled in. The clauses of a refusal are those of the broken rulebook",
        "value.",
        "`make proofs` writes this page.",
    ]
    assert {code // 100 for code in Code} == set(GROUPS), "every refusal has a group"
    for hundred, title in GROUPS.items():
        lines += ["", f"## {title}", "", "| number | name | sentence |", "|---:|---|---|"]
        for code in Code:
            if code // 100 == hundred:
                lines.append(f"| {int(code)} | `{code.name.lower()}` | {code.sentence} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the page."""
    if "--write" in arguments:
        PAGE.write_text(page_text(), encoding="utf-8")
    if PAGE.read_text(encoding="utf-8") != page_text():
        print("docs/reference/refusals.md is out of date: run `make proofs`.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
