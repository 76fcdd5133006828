"""`fourcard house restore`: go on from a backup, with everything made safe that players saw since (P38)."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_keeping import amount_of, copying
from fourcard.cli.house_opening import DATABASE, Database, Key, reading_house
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.events import HouseFounded, HouseRestored, LostEvents
    from fourcard.house.recovery import Evidence
    from fourcard.house.signing import Anchor
    from fourcard.house.store.contract import Reading

FromFile = Annotated[Path, typer.Argument(help="A file that 'fourcard house backup' has written.")]
Anchors = Annotated[
    list[Path] | None,
    typer.Option(
        "--anchor", metavar="FILE", help="An anchor taken after the backup, to list the gap; again for more."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before it starts.")]
PLAN = (
    "Every secret of a shuffle to come is shown and never used; new ones are committed to.",
    "Every round under way is void, and every wager in it goes back.",
    "Every table is closed, and every sign-in ends.",
    (
        "Every meter waits: enter what its signs showed last with 'fourcard manager reading', and have "
        "another person approve it. Its tables open only then."
    ),
    "The journal, the security log and every audit from now on name this restore.",
)
NO_GAP = "Nothing tells what came after the backup; give the anchors that were taken since, with --anchor."


def restore(
    file: FromFile,
    database: Database = DATABASE,
    key: Key = None,
    anchor: Anchors = None,
    yes: Yes = False,
) -> None:
    """Copy a backup into an empty database, where the house goes on closed: it says how, and asks first."""
    from fourcard.house.guarded_clock import clock_for_reading
    from fourcard.house.house import key_beside
    from fourcard.house.reports.founding import founding

    place = key or key_beside(database)
    with reading_house(str(file)) as reading:
        founded = founding(reading)
        assert founded is not None
        evidence = _evidence(founded, place, anchor or [])
        _tell_plan(file, _gap(reading, evidence))
    if not yes:
        _ask()
    event, copied = _restored(str(file), database, evidence, clock_for_reading(place).now())
    print(f"The house of {file} can go on: {copied}.")
    print(_outcome(event))
    if not place.exists():
        print(f"Bring its key to {place} before it is opened.")


def _evidence(founded: "HouseFounded", key: Path, files: list[Path]) -> "Evidence":
    """Return what is known of the state that was lost, or refuse an anchor that proves nothing."""
    from fourcard.house.recovery import Evidence
    from fourcard.house.signing import read_anchor
    from fourcard.house.watermark import Watermark

    anchors = {path: read_anchor(path) for path in files}
    for path, anchor in anchors.items():
        _refuse_foreign(path, anchor, founded)
    return Evidence("restore", Watermark(key, founded.house).read(), tuple(anchors.values()))


def _refuse_foreign(path: Path, anchor: "Anchor", founded: "HouseFounded") -> None:
    from fourcard.house.signing import is_genuine

    if (anchor.house, anchor.public_key) != (founded.house, founded.public_key):
        raise BadInputError(f"The anchor {path} is of another house than the backup.")
    if not is_genuine(anchor):
        raise BadInputError(f"The anchor {path} was changed: its signature does not fit.")


def _gap(reading: "Reading", evidence: "Evidence") -> "tuple[LostEvents, ...]":
    from fourcard.house.gap import gap_of

    return gap_of(reading, evidence.seen, evidence.anchors)


def _ask() -> None:
    """Go on only with a clear yes; without anybody to ask, --yes says it."""
    try:
        agreed = typer.confirm("Restore it?", default=False, err=True)
    except typer.Abort:
        agreed = False
    if not agreed:
        raise BadInputError("Nothing was restored. Answer with y, or give --yes.")


def _tell_plan(file: Path, lost: "tuple[LostEvents, ...]") -> None:
    from fourcard.house.gap import describe_gap

    print(f"This restores the house of {file}:")
    for line in PLAN:
        print(f"- {line}")
    print("What came after the backup and is lost:" if lost else NO_GAP)
    for line in describe_gap(lost):
        print(f"- {line}")


def _restored(source: str, target: str, evidence: "Evidence", now: int) -> "tuple[HouseRestored, str]":
    """Copy and recover in one transaction: no state is ever there that somebody could open as it was."""
    from fourcard.house.ports import SystemEntropy
    from fourcard.house.recovery import recover
    from fourcard.house.store.copying import copy_house

    done: list[HouseRestored] = []
    with copying(source, target) as (house, copy, progress):
        copied = copy_house(
            house,
            copy,
            progress,
            lambda writing: done.append(recover(writing, evidence, SystemEntropy(), now)),
        )
    return done[0], amount_of(copied)


def _outcome(event: "HouseRestored") -> str:
    rounds = ", ".join(f"round {number} at {table}" for table, number in event.voided) or "no round"
    return f"Restore {event.restore} is recorded: {rounds} void, {event.signed_out} sign-ins ended."
