"""`fourcard verify-install` on a real installation: every change of a file is found and named."""

import compileall
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.kit.built_wheel import BuiltWheel, Installed, build_wheel, install
from tests.kit.commands import run_with_bytes
from tests.kit.support import ROOT

pytestmark = pytest.mark.xdist_group("verify_install")
RULEBOOKS = {"catfish-bend", "maryland", "massachusetts", "shuffle-master", "washington"}
Findings = set[tuple[str, str]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltWheel:
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def untouched(built: BuiltWheel, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(built.wheel, tmp_path_factory.mktemp("installed") / "venv")


@pytest.fixture
def installed(untouched: Installed, tmp_path: Path) -> Installed:
    """Return a copy of the installation that a test may change."""
    return Installed(Path(shutil.copytree(untouched.folder, tmp_path / "venv", symlinks=True)))


def found(report: dict[str, list[dict[str, str]]]) -> Findings:
    return {(each["what"], each["where"]) for each in report["findings"]}


def replace_in(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def test_a_clean_installation_says_what_was_looked_at(built: BuiltWheel, untouched: Installed) -> None:
    report = untouched.verify()
    assert report["findings"] == []
    assert report["files"] > 400
    assert report["compiled"] > 320
    assert {each["id"] for each in report["rulebooks"] if each["released"]} == RULEBOOKS
    assert len({each["sha256"] for each in report["rulebooks"]}) == len(RULEBOOKS)
    needed = report["dependencies"]
    assert needed["packages"] >= 55
    assert needed["files"] > 6000
    assert needed["other_packages"] == []
    assert report["list_sha256"] == hashlib.sha256(built.list.read_bytes()).hexdigest()
    assert len(report["cannot_detect"]) == 4


def test_the_list_has_every_file_of_the_wheel(built: BuiltWheel) -> None:
    listed = re.findall(r"^([0-9a-f]{64})  (.+)$", built.list.read_text(encoding="utf-8"), re.MULTILINE)
    with ZipFile(built.wheel) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith("fourcard/")}
        assert wheel.read("fourcard/files.sha256") == built.list.read_bytes()
        assert {name: hashlib.sha256(wheel.read(name)).hexdigest() for _, name in listed} == {
            name: digest for digest, name in listed
        }
    assert {name for _, name in listed} == packed - {"fourcard/files.sha256"}
    assert {"fourcard/requirements.txt", "fourcard/examples/maryland.toml"} <= packed


def test_another_program_verifies_with_the_same_list(built: BuiltWheel, installed: Installed) -> None:
    command = ["sha256sum", "--check", "--strict", "--quiet", str(built.list)]
    assert subprocess.run(command, cwd=installed.site, check=False, capture_output=True).returncode == 0
    (installed.site / "fourcard" / "cards.py").write_text("", encoding="utf-8")
    done = subprocess.run(command, cwd=installed.site, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "fourcard/cards.py: FAILED\n")


def _change_data(site: Path) -> None:
    path = site / "fourcard" / "settle_files" / "kit-2.jsonl"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _change_compiled(site: Path) -> None:
    """Replace a compiled module by that of another source, as Python would still run it."""
    source = site / "fourcard" / "hands.py"
    before, times = source.read_text(encoding="utf-8"), (source.stat().st_atime, source.stat().st_mtime)
    source.write_text(before.replace(" + ", " - ", 1), encoding="utf-8")
    os.utime(source, times)
    assert compileall.compile_file(source, quiet=1, force=True)
    source.write_text(before, encoding="utf-8")
    os.utime(source, times)


def compiled(source: str) -> str:
    """Return the name of the compiled file of a module of the package."""
    folder, _, name = source.rpartition("/")
    return f"{folder}/__pycache__/{Path(cache_from_source(name)).name}"


Alteration = Callable[[Path], object]
HANDS, METER = compiled("fourcard/hands.py"), compiled("fourcard/meter.py")
GHOST, STYLE = compiled("fourcard/ghost.py"), "fourcard/documents/form.css"
ALTERATIONS: list[dict[Alteration, Findings]] = [
    {
        _change_data: {("changed", "fourcard/settle_files/kit-2.jsonl")},
        lambda site: (site / STYLE).unlink(): {("missing", STYLE)},
        lambda site: (site / "fourcard/odds/more.py").touch(): {("added", "fourcard/odds/more.py")},
        lambda site: (site / "fourcard/py.typed").write_text("x"): {("changed", "fourcard/py.typed")},
        lambda site: (site / "fourcard/link").symlink_to("nowhere"): {("added", "fourcard/link")},
        lambda site: replace_in(site / "fourcard/hands.py", " + ", " - "): {
            ("changed", "fourcard/hands.py"),
            ("compiled", HANDS),
        },
    },
    {
        _change_compiled: {("compiled", HANDS)},
        lambda site: (site / METER).write_bytes(b""): {("compiled", METER)},
        lambda site: shutil.copy(site / METER, site / GHOST): {("added", GHOST)},
        lambda site: (site / "fourcard/hands.pyc").write_bytes(b""): {("added", "fourcard/hands.pyc")},
    },
]


@pytest.mark.parametrize("alterations", ALTERATIONS, ids=["files", "compiled files"])
def test_each_change_is_found_and_named(
    installed: Installed, alterations: dict[Alteration, Findings]
) -> None:
    for alter in alterations:
        alter(installed.site)
    report = installed.verify("--no-dependencies")
    assert found(report) == set().union(*alterations.values())
    assert report["dependencies"] is None


def test_rulebooks_are_named_by_their_id(installed: Installed) -> None:
    folder = installed.site / "fourcard" / "rulebooks"
    replace_in(folder / "maryland.toml", "1 to 1", "2 to 1")
    shutil.copy(folder / "washington.toml", folder / "nevada.toml")
    (folder / "catfish_bend.toml").unlink()
    report = installed.verify("--no-dependencies")
    assert {(each["what"], each["rulebook"], each["sentence"]) for each in report["findings"]} == {
        ("changed", "maryland", "The rulebook 'maryland' differs from the release."),
        ("added", "nevada", "The rulebook 'nevada' is not part of the release."),
        ("missing", "catfish-bend", "The rulebook 'catfish-bend' is missing."),
    }
    assert {each["id"] for each in report["rulebooks"] if not each["released"]} == {"maryland", "nevada"}


def test_people_read_one_line_for_each_difference(installed: Installed, tmp_path: Path) -> None:
    replace_in(installed.site / "fourcard" / "rulebooks" / "maryland.toml", "1 to 1", "2 to 1")
    (installed.site / "fourcard" / "odds" / f"{'long' * 50}.py").touch()
    own = tmp_path / "own"
    own.mkdir()
    done = installed.run("verify-install", "--no-dependencies", FOURCARD_RULEBOOKS=str(own))
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    where = "fourcard/rulebooks/maryland.toml"
    assert f"changed {where}: The rulebook 'maryland' differs from the release." in lines
    assert f"added fourcard/odds/{'long' * 50}.py: The file is not part of the release." in lines
    assert "Findings: 2 found." in lines
    assert f"rulebooks of {own}: not part of the release, not checked" in lines
    assert sum(line.startswith("rulebook ") for line in lines) == 5


def test_an_edited_list_shows(built: BuiltWheel, installed: Installed) -> None:
    own = installed.site / "fourcard" / "files.sha256"
    lines = own.read_text(encoding="utf-8").splitlines()
    left_out = next(line for line in lines if line.endswith("fourcard/cards.py"))
    other = next(line for line in lines if line.endswith("fourcard/money.py"))
    text = "\n".join(line for line in lines if line != left_out).replace(other[:64], "0" * 64)
    own.write_text(text, encoding="utf-8")
    expected = {("added", "fourcard/cards.py"), ("changed", "fourcard/money.py")}
    report = installed.verify("--no-dependencies")
    assert {each for each in found(report) if "__pycache__" not in each[1]} == expected
    assert report["list_sha256"] != hashlib.sha256(built.list.read_bytes()).hexdigest()
    assert found(installed.verify("--no-dependencies", "--list", built.list)) == set()


def test_a_list_that_follows_the_files_is_only_seen_from_elsewhere(
    built: BuiltWheel, installed: Installed
) -> None:
    own, changed = installed.site / "fourcard" / "files.sha256", installed.site / "fourcard" / "py.typed"
    before = hashlib.sha256(changed.read_bytes()).hexdigest()
    changed.write_text("changed", encoding="utf-8")
    replace_in(
        own, f"{before}  fourcard/py.typed", f"{hashlib.sha256(b'changed').hexdigest()}  fourcard/py.typed"
    )
    report = installed.verify("--no-dependencies")
    assert report["findings"] == []
    assert "--list" in report["cannot_detect"][0]
    kept = installed.verify("--no-dependencies", "--list", built.list)
    assert found(kept) == {("changed", "fourcard/py.typed")}
    assert report["list_sha256"] != kept["list_sha256"] == hashlib.sha256(built.list.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is not a list of files"),
        (b"\xff\xfe", "it is not a list of files"),
        (b"hello\n", "its first line does not name the release, such as '# fourcard 0.2.0'"),
        (b"# fourcard 0.2.0\n", "it lists no files"),
        (b"# fourcard 0.2.0\nabc  fourcard/cards.py\n", "line 2 is not a SHA-256 and a file of the package"),
        (
            b"# fourcard 0.2.0\n" + b"0" * 64 + b"  fourcard/../../etc/passwd\n",
            "line 2 is not a SHA-256 and a file of the package",
        ),
        (b"# fourcard 0.2.0\n" + 2 * (b"0" * 64 + b"  fourcard/a.py\n"), "line 3 repeats fourcard/a.py"),
    ],
)  # fmt: skip
def test_an_unfit_list_gets_one_sentence(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "list"
    file.write_bytes(content)
    done = run_with_bytes("verify-install", "--list", file)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"fourcard: {file} cannot be read: {reason}.\n"


def test_a_missing_list_gets_one_sentence(installed: Installed, tmp_path: Path) -> None:
    done = installed.run("verify-install", "--list", tmp_path / "none")
    assert done.stderr == f"fourcard: {tmp_path / 'none'} cannot be read: No such file or directory.\n"
    (installed.site / "fourcard" / "files.sha256").unlink()
    own = installed.run("verify-install")
    assert (done.returncode, own.returncode) == (2, 2)
    assert own.stderr.endswith(
        "is incomplete and has no list of its files; give the list of the release with --list.\n"
    )


def test_the_list_of_another_release_shows(built: BuiltWheel, untouched: Installed, tmp_path: Path) -> None:
    other = tmp_path / "list"
    other.write_text(
        re.sub("^# fourcard .*", "# fourcard 9.9", built.list.read_text(encoding="utf-8")), encoding="utf-8"
    )
    (finding,) = untouched.verify("--no-dependencies", "--list", other)["findings"]
    assert (finding["what"], finding["expected"]) == ("version", "9.9")


def test_a_clone_is_verified_with_the_list_of_the_release(built: BuiltWheel) -> None:
    command = [str(Path(sys.executable).parent / "fourcard"), "verify-install"]
    bare = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (bare.returncode, bare.stdout) == (2, "")
    assert bare.stderr == (
        f"fourcard: {ROOT} is a clone of the source code and has no list of its files; "
        "give the list of the release with --list.\n"
    )
    given = [*command, "--no-dependencies", "--list", str(built.list)]
    done = subprocess.run(given, capture_output=True, text=True, check=False)
    differences = [line for line in done.stdout.splitlines() if re.match("(changed|missing|added) ", line)]
    # A clone in use may hold compiled files of modules that are gone.
    assert [line for line in differences if "__pycache__" not in line] == []
    assert "a clone of the source code" in done.stdout


def test_changes_of_dependencies_are_found(installed: Installed) -> None:
    site = installed.site
    for name in ("mdurl/_parse.py", "mdurl-0.1.2.dist-info/METADATA"):
        link = site / name
        content = link.read_bytes()
        link.unlink()
        link.write_bytes(content.replace(b"Version: 0.1.2", b"Version: 0.1.3") + b"\n# more\n")
    (site / "h11" / "_util.py").unlink()
    (site / "idna" / "more.py").touch()
    for each in site.glob("sniffio*"):
        shutil.rmtree(each)
    (site / "sitecustomize.py").touch()
    (site / "start.pth").touch()
    (installed.folder / "bin" / "msgspec2.py").touch()
    with (installed.folder / "bin" / "fourcard").open("a", encoding="utf-8") as script:
        script.write("# more\n")
    with (site / "fourcard" / "requirements.txt").open("a", encoding="utf-8") as pins:
        pins.write("!!\n")
    report = installed.verify()
    last = len((site / "fourcard" / "requirements.txt").read_text(encoding="utf-8").splitlines())
    assert found(report) == {
        ("changed", "fourcard/requirements.txt"),
        ("unreadable", "fourcard/requirements.txt"),
        ("version", "mdurl"),
        ("changed", "mdurl/_parse.py"),
        ("changed", "mdurl-0.1.2.dist-info/METADATA"),
        ("missing", "h11/_util.py"),
        ("added", "idna/more.py"),
        ("missing", "sniffio"),
        ("added", "sitecustomize.py"),
        ("added", "start.pth"),
        ("added", "msgspec2.py"),
        ("changed", "../../../bin/fourcard"),
    }
    sentences = {each["where"]: each["sentence"] for each in report["findings"]}
    assert sentences["mdurl"] == "Version 0.1.3 is installed, and the release is pinned to 0.1.2."
    assert sentences["sniffio"] == "The package is not installed."
    assert sentences["fourcard/requirements.txt"] == f"Line {last} pins no package."
    assert str(site) in sentences["start.pth"]
