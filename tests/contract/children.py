"""What the tests of failures run in processes of their own, each an act with the address of a store."""

import os
import resource
import signal
import sys
from pathlib import Path

from fourcard.house.store.address import open_store
from fourcard.house.store.interface import StoreError
from tests.contract.records import add, contents, run

NOBODY = 65534


def main() -> None:
    """Do one act."""
    ACTS[sys.argv[1]](sys.argv[2])


def say(words: str) -> None:
    """Tell the test."""
    print(words, flush=True)


def hold(address: str) -> None:
    """Open a store for writing, and hold it until the process is ended."""
    _store = open_store(address)
    say("open")
    sys.stdin.read()


def commit_and_die(address: str) -> None:
    """Die by force at the moment when a commit has returned."""
    add(open_store(address), run("a", 50))
    os.kill(os.getpid(), signal.SIGKILL)


def die_inside(address: str) -> None:
    """Die by force in the middle of a transaction, with something committed before."""
    store = open_store(address)
    add(store, run("a", 3))
    with store.writing() as writing:
        writing.append(run("b", 2000))
        os.kill(os.getpid(), signal.SIGKILL)


def no_room(address: str) -> None:
    """Write to a file that may not grow, and again when it may."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = open_store(address)
    add(store, run("a", 5))
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    size = max(path.stat().st_size for path in Path(address).parent.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50_000, most))
    try:
        add(store, run("b", 20_000))
    except StoreError as error:
        say(str(error))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    say(str(list(contents(store)["streams"])))  # type: ignore[call-overload]
    add(store, run("b", 20_000))
    say(str(list(contents(store)["streams"])))  # type: ignore[call-overload]


def no_right_to_file(address: str) -> None:
    """Open a file as a user who may only read it, in a folder that may be written to."""
    _without_right(address, 0o444, 0o777)


def no_right_to_folder(address: str) -> None:
    """Open a file that may be written to, in a folder that may only be read."""
    _without_right(address, 0o666, 0o555)


def _without_right(address: str, file: int, folder: int) -> None:
    store = open_store(address)
    add(store, run("a", 5))
    store.close()
    Path(address).chmod(file)
    Path(address).parent.chmod(folder)
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    try:
        open_store(address)
    except StoreError as error:
        say(str(error))
    say(str(list(contents(open_store(address, writing=False))["streams"])))  # type: ignore[call-overload]
    say(str(sorted(path.name for path in Path(address).parent.iterdir())))


def modules(address: str) -> None:
    """Open a store and tell which of the slow modules that took."""
    open_store(address).close()
    say(str(sorted({"alembic", "psycopg"} & set(sys.modules))))


ACTS = {
    "hold": hold,
    "commit_and_die": commit_and_die,
    "die_inside": die_inside,
    "no_room": no_room,
    "no_right_to_file": no_right_to_file,
    "no_right_to_folder": no_right_to_folder,
    "modules": modules,
}

if __name__ == "__main__":
    main()
