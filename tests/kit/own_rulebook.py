"""A sixth rulebook in a folder of its own: Nevada, which is Catfish Bend's law dealt by hand.

Aces Up is optional there, and the posted maximum binds Play too. It has rows of its own in a clause table.
"""

import csv
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from fourcard.rulebooks import CLAUSE_TABLE, FOLDER_VARIABLE, read_text
from tests.kit.commands import PASSWORD
from tests.kit.waiting import PROCESS_PATIENCE

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


class OwnRulebooks:
    """Commands with a folder of rulebooks of one's own."""

    def __init__(self, folder: Path, change: Change = lambda text: text, **environment: str) -> None:
        """Write the folder."""
        self.folder = write_nevada(folder, change)
        self.environment = {FOLDER_VARIABLE: str(folder), **environment}
        self.with_aces_up, self.plain = (
            str(self.folder / "submissions" / f"{name}.toml") for name in ("with-aces-up", "plain")
        )

    def run(self, *arguments: object, given: str = "", status: int = 0) -> str:
        """Run a command, which must end with a status, and return what it printed."""
        done = subprocess.run(
            [str(Path(sys.executable).parent / "fourcard"), *map(str, arguments)],
            input=given,
            text=True,
            capture_output=True,
            cwd=self.folder,
            env={**os.environ, **self.environment, "COLUMNS": "200"},
            timeout=2 * PROCESS_PATIENCE,  # the first command may have to compile
            check=False,
        )
        assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr + done.stdout
        return done.stdout if status == 0 else done.stderr or done.stdout

    def full_hash(self) -> str:
        """Return the hash that a check prints."""
        said = self.run("check", self.with_aces_up, "--json")
        (found,) = re.findall(r"full hash is ([0-9a-f]{64})", said)
        return str(found)

    def hire(self, database: Path, *people: str) -> None:
        """Hire administrators."""
        password = self.folder / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        for person in people:
            self.run(
                "house", "hire", person, "--name", person.title(), "--role", "administrator",
                "--password-file", password, "--database", database,
            )  # fmt: skip

    def install(self, database: Path, *options: object, status: int = 0) -> str:
        """Install the table of the rulebook."""
        where = ("--database", database, "--password-file", self.folder / "password")
        return self.run("house", "install", NEVADA, self.with_aces_up, *where, *options, status=status)
