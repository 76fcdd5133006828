"""Schema files: what a new house holds besides rows in each kind of database, for audits to compare with."""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from fourcard.house.store.address import open_store
from fourcard.house.store.schema_objects import SCHEMA_FILES, Dialect
from tests.kit.postgres import server
from tools.claims import ROOT

FOLDER = ROOT / "src" / "fourcard" / "house" / "store"
STALE = "src/fourcard/house/store/{file} differs from what the migrations make: run `make schema`."


@contextmanager
def new_address(dialect: Dialect) -> Iterator[str]:
    """Return the address of an empty database."""
    if dialect == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "house.db")
    else:
        with server(durable=False) as running:
            yield running.fresh()


def objects_of(address: str) -> Mapping[str, str]:
    """Return the objects of a database, which is migrated first."""
    store = open_store(address)
    try:
        with store.reading() as reading:
            objects = reading.schema_objects()
    finally:
        store.close()
    assert objects is not None, "a database has a schema"
    return objects.found


def file_text(objects: Mapping[str, str]) -> str:
    """Return the content of a schema file."""
    return msgspec.json.format(msgspec.json.encode(objects, order="sorted"), indent=1).decode() + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the files."""
    stale = False
    for dialect, file in SCHEMA_FILES.items():
        with new_address(dialect) as address:
            made = file_text(objects_of(address))
        if "--write" in arguments:
            (FOLDER / file).write_text(made, encoding="utf-8")
        if (FOLDER / file).read_text(encoding="utf-8") != made:
            print(STALE.format(file=file), file=sys.stderr)
            stale = True
    return int(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
