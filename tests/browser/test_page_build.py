"""Page build: the served page is built from web/, it is small, and build errors are clear."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from tests.kit.support import ROOT
from tools import page

LOADED = re.compile(r"""(?:src|href)=["']?(?:https?:)?//|url\(["']?(?:https?:)?//|@import""")


def copied(folder: Path) -> Path:
    """Copy the page's sources and its build script to a folder."""
    shutil.copytree(ROOT / "web", folder / "web", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(page.PAGE, folder / page.PAGE.relative_to(ROOT))
    (folder / "tools").mkdir()
    return Path(shutil.copy(ROOT / "tools" / "page.py", folder / "tools"))


def run(script: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def test_the_page_is_made_from_what_lies_in_web() -> None:
    assert page.is_up_to_date(), "the page is older than web/; `make test` builds it first"


def test_no_file_of_the_page_loads_anything_from_outside() -> None:
    texts = [path for path in page.PAGE.rglob("*") if path.suffix in {".html", ".css", ".svg"}]
    assert len(texts) >= 3
    assert not [path.name for path in texts if LOADED.search(path.read_text(encoding="utf-8"))]


def test_a_page_that_is_up_to_date_needs_no_node(tmp_path: Path) -> None:
    done = run(copied(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (tmp_path / "web" / "node_modules").exists()


def test_parts_that_cannot_be_fetched_are_told_in_a_sentence_that_names_no_host(tmp_path: Path) -> None:
    script = copied(tmp_path)
    (tmp_path / "web" / "src" / "main.ts").write_text("// changed\n", encoding="utf-8")
    nowhere = {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_fetch_retries": "0"}
    done = run(script, npm_config_cache=str(tmp_path / "cache"), **nowhere)
    assert done.returncode == 2
    assert done.stderr.startswith("The page's packages could not be installed (")
    assert done.stderr.count("\n") == 1
    assert "127.0.0.1" not in done.stderr + done.stdout


def test_a_fault_in_the_page_is_told_with_its_place(tmp_path: Path) -> None:
    script = copied(tmp_path)
    (tmp_path / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    (tmp_path / "web" / "src" / "main.ts").write_text("imprt x;\n", encoding="utf-8")
    done = run(script)
    assert done.returncode == 2
    assert done.stderr.startswith("The page could not be built:\n")
    assert "src/main.ts:1" in done.stderr
    assert "\x1b" not in done.stderr


def test_a_wheel_carries_the_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    carried = {name for name in ZipFile(wheel).namelist() if "server/page/" in name}
    on_disk = {path.relative_to(ROOT / "src").as_posix() for path in page.PAGE.rglob("*") if path.is_file()}
    assert carried == on_disk
