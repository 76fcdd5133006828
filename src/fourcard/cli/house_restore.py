"""Restore: the `house restore` command continues from a backup after making it safe (P38)."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_keeping import copied_text, copying
from fourcard.cli.house_opening import DATABASE, Database, Key, reading_house
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.events import HouseFounded, HouseRestored, LostEvents
    from fourcard.house.recovery import Evidence
    from fourcard.house.signing import Anchor
    from fourcard.house.store.contract import Reading

FromFile = Annotated[Path, typer.Argument(help="A file written by 'fourcard house backup'.")]
Anchors = Annotated[
    list[Path] | None,
    typer.Option(
        "--anchor",
        metavar="FILE",
        help="An anchor taken after the backup, to list the lost events; repeat for more.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
PLAN = (
    "Every secret of a future shuffle is revealed and never used; new secrets are committed.",
    "Every round in progress is void, and its wagers are returned.",
    "Every table is closed, and every sign-in ends.",
    (
        "Every meter waits: enter what its signs showed last with 'fourcard manager reading', and have "
        "another person approve it. Its tables open only then."
    ),
    "The journal, the security log and every later audit name this restore.",
)
NO_GAP = "It is not known what came after the backup; give the anchors taken since with --anchor."


def restore(
    file: FromFile,
    database: Database = DATABASE,
    key: Key = None,
    anchor: Anchors = None,
    yes: Yes = False,
) -> None:
    """Copy a backup into an empty database and continue from it; prints the plan and asks first."""
    from fourcard.house.guarded_clock import clock_for_reading
    from fourcard.house.house import key_beside
    from fourcard.house.reports.founding import founding

    place = key or key_beside(database)
    with reading_house(str(file)) as reading:
        founded = founding(reading)
        assert founded is not None
        evidence = _evidence(founded, place, anchor or [])
        _print_plan(file, _lost_events(reading, evidence))
    if not yes:
        _confirm_restore()
    event, copied = _copy_and_recover(str(file), database, evidence, clock_for_reading(place).now())
    print(f"The house of {file} can continue: {copied}.")
    print(_restore_summary(event))
    if not place.exists():
        print(f"Copy its key to {place} before you open it.")


def _evidence(founded: "HouseFounded", key: Path, files: list[Path]) -> "Evidence":
    """Return what is known about the lost state, or refuse an anchor that is not genuine."""
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
        raise BadInputError(f"The anchor {path} belongs to another house than the backup.")
    if not is_genuine(anchor):
        raise BadInputError(f"The anchor {path} was changed: its signature is invalid.")


def _lost_events(reading: "Reading", evidence: "Evidence") -> "tuple[LostEvents, ...]":
    from fourcard.house.gap import gap_of

    return gap_of(reading, evidence.seen, evidence.anchors)


def _confirm_restore() -> None:
    """Continue only after a clear yes."""
    try:
        agreed = typer.confirm("Restore it?", default=False, err=True)
    except typer.Abort:
        agreed = False
    if not agreed:
        raise BadInputError("Nothing was restored. Answer y, or use --yes.")


def _print_plan(file: Path, lost: "tuple[LostEvents, ...]") -> None:
    from fourcard.house.gap import describe_gap

    print(f"This restores the house of {file}:")
    for line in PLAN:
        print(f"- {line}")
    print("Lost, because it came after the backup:" if lost else NO_GAP)
    for line in describe_gap(lost):
        print(f"- {line}")


def _copy_and_recover(
    source: str, target: str, evidence: "Evidence", now: int
) -> "tuple[HouseRestored, str]":
    """Copy and recover in one transaction, so that nobody can open the copy before it is recovered."""
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
    return done[0], copied_text(copied)


def _restore_summary(event: "HouseRestored") -> str:
    rounds = ", ".join(f"round {number} at {table}" for table, number in event.voided) or "no round"
    return f"Restore {event.restore} is recorded: {rounds} void, {event.signed_out} sign-ins ended."
