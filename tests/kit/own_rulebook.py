"""A sixth rulebook in a folder of its own: Nevada, which is Catfish Bend's law dealt by hand.

Aces Up is optional there, and the posted maximum binds Play too. It has rows of its own in a clause table.
"""

import csv
import re
from collections.abc import Callable
from pathlib import Path

from fourcard.rulebooks import CLAUSE_TABLE, read_text

NEVADA = "nevada"
SUBMISSION = """
name = "Sagebrush Casino, pit 1"
rulebook = "nevada"
chip = "$1"

[operator]
name = "Sagebrush Casino"

[wagers]
automatic_bonus = "standard"
{aces_up}
[limits.posted.ante]
least = "$5"
most = "$100"
{aces_up_limits}
[positions]
at_table = 7
per_player = 2

[dealing]
method = "manual"

[settlement]
routine = "by-player"
"""
ACES_UP_LIMITS = """
[limits.posted.aces_up]
least = "$3"
most = "$30"
"""
Change = Callable[[str], str]


def nevada_text() -> str:
    """Return the rulebook: Catfish Bend's, with clauses of its own and two points changed."""
    text = read_text("catfish_bend.toml").replace('"IA', '"NV').replace("catfish-bend", NEVADA)
    text = text.replace('name = "Catfish Bend"', 'name = "Nevada"')
    text = re.sub(r"\[dealing\.automated\].*?(?=\[dealing\.manual\])", "", text, flags=re.DOTALL)
    changed = text.replace(
        'offered = { value = "always", clauses = ["NV-INT-8"] }',
        'offered = { value = "optional", clauses = ["NV-INT-8"] }',
    ).replace("posted_maximum_binds = { value = false,", "posted_maximum_binds = { value = true,")
    assert changed.count("optional") == text.count("optional") + 1
    assert "posted_maximum_binds = { value = true," in changed
    return changed


def write_nevada(folder: Path, change: Change = lambda text: text) -> Path:
    """Write the rulebook, changed on purpose, its clauses and two submissions; return the folder."""
    folder.mkdir(exist_ok=True)
    (folder / "nevada.toml").write_text(change(nevada_text()), encoding="utf-8")
    header, *rows = csv.reader(read_text(CLAUSE_TABLE).splitlines())
    with (folder / CLAUSE_TABLE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(["NV" + row[0][2:], "NV", *row[2:]] for row in rows if row[1] == "IA")
    offered = {"aces_up": 'aces_up = "standard"', "aces_up_limits": ACES_UP_LIMITS}
    plain = dict.fromkeys(offered, "")
    submissions = folder / "submissions"
    submissions.mkdir(exist_ok=True)
    for name, choices in (("with-aces-up", offered), ("plain", plain)):
        (submissions / f"{name}.toml").write_text(SUBMISSION.format(**choices), encoding="utf-8")
    return folder
