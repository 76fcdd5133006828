"""The plan of the house where no linter keeps it: short files, nothing left open, no registry named."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_LINES = 500
# The kinds of code, each with the least number of files that a look at everything must find.
CODE = {".py": 400, ".ts": 5, ".svelte": 10}
OPEN_WORK = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
REGISTRY = re.compile(r"py" + r"pi\.org|python" + r"hosted|registry\.np" + r"mjs|deb\.deb" + r"ian")


def main() -> int:
    """Check every tracked file; prove that there was something to check."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    paths = [ROOT / name for name in listed.stdout.decode().splitlines() if (ROOT / name).is_file()]
    problems = [problem for path in paths for problem in _problems(path)]
    seen = Counter(path.suffix for path in paths)
    few = [
        f"only {seen[kind]} files {kind} were looked at" for kind, least in CODE.items() if seen[kind] < least
    ]
    problems.extend(few)
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"house: {len(paths)} files in order")
    return 1 if problems else 0


def _problems(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    name, found = path.relative_to(ROOT), []
    if path.suffix in CODE:
        if (lines := text.count("\n")) > MOST_LINES:
            found.append(f"{name} has {lines} lines; {MOST_LINES} at most")
        if OPEN_WORK.search(text):
            found.append(f"{name} leaves work open")
    if REGISTRY.search(text):
        found.append(f"{name} names a registry's host")
    return found


if __name__ == "__main__":
    sys.exit(main())
