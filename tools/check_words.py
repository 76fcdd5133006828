"""Word check of `make lint`: no retired names in the code, no retired phrases in any text.

It also rejects open-work markers, host names of package registries, and class names that two modules of the
package share. `python -m tools.check_words` prints every problem and fails if it looked at too little.
"""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[1]
CODE_FOLDERS = ("src", "tests", "tools", "bench")
CODE_SUFFIXES = (".py", ".ts", ".svelte")
PACKAGE = Path("src", "fourcard")

RETIRED_MODULES: dict[str, str] = {
    "fourcard": "tallies codes script wording provenance lines",
    "fourcard.lines": "line answering dealt decoding placing repeats stream telling kit",
    "fourcard.settle_files": "line answering dealt decoding placing repeats stream telling kit",
    "fourcard.rules": "nodes misfits pinned checking duties exposure sign options consoles",
    "fourcard.round": "ask choosing delivering due paying performing trouble voiding wagering words rules",
    "fourcard.table": "agenda croupier legal preparing opening meters session telling",
    "fourcard.progressive": "deciding jackpots picturing croupier telling",
    "fourcard.house": (
        "actors ports at_table at_meter deciding table_book meter_book player_book meter_follow desk writer "
        "group writing library outcome requests submitted inventory postings finished rehearsal "
        "shuffling proof signing records auditing randomness win_page_facts win_page_words win_page_making"
    ),
    "fourcard.house.audit": (
        "asked beside books case counterparts deciding excluding others pairs pinned seals settlements "
        "wording"
    ),
    "fourcard.house.rng_tests": "decks exact measures streams sampling",
    "fourcard.house.reports": "showing effects founding tallying papers streams lines changes figures",
    "fourcard.house.reports.progressive": "papers streams lines changes figures",
    "fourcard.house.store": "contract copying failures faults locking migrating moves house_files",
    "fourcard.odds": (
        "apart asked choices classes contest counting deals figures holding lowering meter_cycle meter_year "
        "one_state printed printed_figures audit question rows sparse splitting spots states table tallying "
        "suits shares whole_files"
    ),
    "fourcard.odds.jackpot_sim": "course linked measured spread start",
    "fourcard.odds.par": "beside link measures side",
    "fourcard.odds.par_sheet": "beside link measures side",
    "fourcard.odds.simulation": "chance choosing deciding fan playing running seating sessions",
    "fourcard.server": (
        "doors guard gateway felt visitors staffing given documented serving faults own_house shared_house "
        "rates page pages reading"
    ),
    "fourcard.server.floor": "deeds crowd following watching minding pace seats dealer",
    "fourcard.server.api": (
        "asking keeping looking judging reasons expecting summaries histories grids law exporting odds_asked "
        "figures house_answers"
    ),
    "fourcard.cli": (
        "console_at console_driving console_fitting console_house console_lessons console_screen "
        "console_table house_keeping house_opening house_rehearsing manager_opening playing playing_choices "
        "playing_screen simulated simulated_meter solving"
    ),
    "bench": "heard raw_updates founding",
    "tests.storm": "besides reckoning weather witness",
}
"""Retired modules and subpackages, by the package in which the name is retired."""

RETIRED_CLASSES: dict[str, str] = {
    "": (
        "AwardTaken Chances Chosen Crew Deed Doors Dues Followed Goodbye Grown Holding Kept Library Look "
        "Lowered Meant MeterBesideTable Minding Moments Own Placing RoundTakenBack StakesAdded Taken Telling "
        "Till Told ActsAsRow"
    ),
    "fourcard": (
        "Asked Course Done Driver Due Following Lobby Recorded Seen Serving Signed Spots Waiting Watch You"
    ),
    "fourcard.house": "Answer Books Draft Group Head OpenRound Outcome Pairs Profile Standing Terms Win",
    "fourcard.house.audit": "Case",
    "fourcard.odds": "Contest",
    "fourcard.progressive": "Meters _At",
    "fourcard.server": "Moment Standing Trouble Wait",
    "fourcard.settlers": "Phase Tier",
}
"""Retired classes, by the package in which the name is retired."""

RETIRED_FUNCTIONS: dict[str, str] = {
    "": "kept_until kept_beside cannot_exclude",
    "fourcard": "told _told award_taken taken_back legible acting stamped cite booked parted",
    "fourcard.house.audit": "asked verdict hold",
    "fourcard.house.command_service": "_received _barred _done _tried _committed _brought",
    "fourcard.house.desk": "_received _barred _done _tried _committed _brought",
    "fourcard.house.fairness": "spent revealed committed",
    "fourcard.house.library": "bring look pin drop",
    "fourcard.house.meter_reactions": "followed started",
    "fourcard.house.request": "fault",
    "fourcard.house.shuffling": "spent revealed committed",
    "fourcard.house.state_cache": "bring look pin drop",
    "fourcard.house.store": "steady heads speak sentence sums",
    "fourcard.house.house": "standing",
    "fourcard.odds": "lower laid says names",
    "fourcard.odds.strategies": "title",
    "fourcard.rules": "holds ruled listed points sign ledger",
    "fourcard.rules.check": "check",
    "fourcard.rules.checking": "check",
    "fourcard.rules.differences": "title",
    "fourcard.server": "why whose",
    "fourcard.server.api": "held again",
    "fourcard.server.floor": "coming stack acted",
    "fourcard.settle_files": "tell",
    "fourcard.settling": "priced",
    "fourcard.table": "legal",
}
"""Retired functions and methods, by the package or module in which the name is retired."""

SAME_IDEA: frozenset[str] = frozenset()
"""Class names that several modules of the package may define, because they are one idea."""

EXEMPT_FROM_NAMES = ("tools/kit/",)
EXEMPT_FROM_PHRASES = (
    "LICENSE",
    "requirements/",
    "sources/",
    "src/fourcard/rulebooks/clauses.csv",
    "src/fourcard/rulebooks/quotations",
    "tests/tools/test_check_words.py",
    "tools/check_words.py",
    "tools/kit/",
)
KIT_FILE = re.compile(r"/kit-\d+\.jsonl$")
"""The laboratory's kits, which never change."""

_GAP = r"""(?:[ \t]+|[ \t]*["']?[ \t]*\n[ \t]*(?:[#*>]+|//)?[ \t]*(?:f?["'])?[ \t]*)"""
"""White space, or a line break with the quotes and comment signs around it."""
PHRASES = (
    re.compile(rf"\bunless{_GAP}told\b", re.IGNORECASE),
    re.compile(r"\banew\b", re.IGNORECASE),
    re.compile(rf"\bis{_GAP}no\b", re.IGNORECASE),
)
_THERE_BEFORE = re.compile(rf"\bthere{_GAP}\Z", re.IGNORECASE)
OPEN_WORK = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
REGISTRY = re.compile(r"py" + r"pi\.org|python" + r"hosted|registry\.np" + r"mjs|deb\.deb" + r"ian")


class SourceFile(msgspec.Struct, frozen=True):
    """One tracked text file."""

    name: str
    """The path from the root, with slashes."""
    text: str

    @property
    def is_python(self) -> bool:
        """Return whether this is a Python module of a code folder."""
        return self.name.endswith(".py") and self.name.split("/")[0] in CODE_FOLDERS

    @property
    def module(self) -> str:
        """Return the dotted name of a Python module."""
        parts = self.name.removeprefix("src/").removesuffix(".py").removesuffix("/__init__")
        return parts.replace("/", ".")


def main() -> int:
    """Check every tracked file and print every problem."""
    files = tracked_files(ROOT)
    problems = [*check_files(files), *check_floor(ROOT, files)]
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        modules = sum(each.is_python for each in files)
        print(f"words: {len(files)} files and {modules} modules in order")
    return 1 if problems else 0


def tracked_files(root: Path) -> list[SourceFile]:
    """Return the text files that git tracks or would add."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.decode()
    files = []
    for name in listed.splitlines():
        if (root / name).is_file():
            try:
                files.append(SourceFile(name, (root / name).read_text(encoding="utf-8")))
            except UnicodeDecodeError:
                continue
    return files


def check_floor(root: Path, files: list[SourceFile]) -> Iterator[str]:
    """Yield what shows that the check did not look at the whole project."""
    modules = [each for each in files if each.is_python]
    if not modules:
        yield "git lists no Python files"
    visited = {(root / each.name).parent for each in modules}
    for folder in sorted({path.parent for path in (root / PACKAGE).rglob("*.py")} - visited):
        yield f"{folder.relative_to(root)} was not checked"


def check_files(files: list[SourceFile]) -> Iterator[str]:
    """Yield every problem of some files."""
    trees = {each: ast.parse(each.text) for each in files if each.is_python}
    for file in files:
        yield from _text_problems(file)
        if file in trees and not file.name.startswith(EXEMPT_FROM_NAMES):
            yield from _name_problems(file, trees[file])
    yield from _shared_classes(trees)


def _text_problems(file: SourceFile) -> Iterator[str]:
    if file.name.endswith(CODE_SUFFIXES) and OPEN_WORK.search(file.text):
        yield f"{file.name} leaves work open"
    if REGISTRY.search(file.text):
        yield f"{file.name} names a registry's host"
    if file.name.startswith(EXEMPT_FROM_PHRASES) or KIT_FILE.search(file.name):
        return
    for phrase in PHRASES:
        for match in phrase.finditer(file.text):
            if not _THERE_BEFORE.search(file.text, max(0, match.start() - 80), match.start()):
                line = file.text.count("\n", 0, match.start()) + 1
                yield f"{file.name}:{line}: retired phrase '{' '.join(match[0].split())}'"


def _name_problems(file: SourceFile, tree: ast.Module) -> Iterator[str]:
    package, _, stem = file.module.rpartition(".")
    if stem in RETIRED_MODULES.get(package, "").split():
        yield f"{file.name}: the module name '{stem}' is retired"
    for node in _definitions(tree):
        kind, table = (
            ("class", RETIRED_CLASSES) if isinstance(node, ast.ClassDef) else ("function", RETIRED_FUNCTIONS)
        )
        if any(node.name in table.get(scope, "").split() for scope in _scopes(file.module)):
            yield f"{file.name}:{node.lineno}: the {kind} name '{node.name}' is retired"


def _definitions(tree: ast.Module) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the classes, functions and methods of a module, without functions inside functions."""
    bodies: list[list[ast.stmt]] = [tree.body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, ast.ClassDef):
                bodies.append(node.body)
                yield node
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node


def _scopes(module: str) -> Iterator[str]:
    """Yield the scopes of a module: everywhere, its packages, itself."""
    yield ""
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        yield ".".join(parts[:count])


def _shared_classes(trees: dict[SourceFile, ast.Module]) -> Iterator[str]:
    """Yield the class names that two modules of the package define."""
    places: dict[str, list[str]] = defaultdict(list)
    for file, tree in trees.items():
        if file.name.startswith("src/"):
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(file.name)
    for name, found in places.items():
        if len(found) > 1 and name not in SAME_IDEA:
            yield f"the class name '{name}' stands in {' and '.join(found)}"


if __name__ == "__main__":
    sys.exit(main())
