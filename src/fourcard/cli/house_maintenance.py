"""House maintenance: creation, anchors, backups, the key, upgrades, repairs, security log and clock."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_connect import (
    CONSOLE_ROLES,
    DATABASE,
    Database,
    HouseOptions,
    PasswordFile,
    ReadOptions,
    citing_refusals,
    console_actor,
    new_password,
    open_house,
    open_house_for_reading,
    set_password,
    with_options,
)
from fourcard.cli.output import (
    Json,
    console,
    escape_text,
    event_progress,
    print_json,
    print_rows,
    struct_table,
    terminal_status,
)
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.house.commands import HireStaff
    from fourcard.house.events import HouseRestored, LostEvents
    from fourcard.house.head_signatures import Anchor, HouseIdentity, HouseKey
    from fourcard.house.house import House
    from fourcard.house.rebuild import Repaired
    from fourcard.house.recovery import RestoreEvidence
    from fourcard.house.reports.house_status import SecurityEntry
    from fourcard.house.store.backup import CopyCounts, CopyProgress
    from fourcard.house.store.interface import ReadTransaction, Store

Administrator = Annotated[
    str, typer.Option(metavar="PERSON", help="The id with which the first administrator signs in.")
]
Name = Annotated[str, typer.Option(help="The administrator's name.")]


@with_options
def new(
    administrator: Administrator,
    name: Name = "",
    password_file: PasswordFile = None,
    *,
    at: HouseOptions,
    json: Json = False,
) -> None:
    """Create a house: its database, its key, and its first administrator."""
    from fourcard.house.house import key_beside

    file = at.key or key_beside(at.database)
    with citing_refusals(), ExitStack() as stack:
        first = _first_hires(administrator, name or administrator)
        password = new_password(administrator, password_file)
        house = stack.enter_context(_create_house(at.database, file))
        _hire_first(house, first)
        set_password(house, "staff", administrator, password)
    answer = {
        "house": house.name,
        "database": house.store.name,
        "key": str(file),
        "public_key": house.key.public,
        "administrator": administrator,
    }
    if json:
        print_json(answer)
        return
    for what, text in answer.items():
        console().print(f"[bold]{what.replace('_', ' '):<14}[/]{escape_text(text)}", soft_wrap=True)
    console().print("[dim]Keep a copy of the key elsewhere: without it the house cannot continue.[/]")


def _first_hires(administrator: str, name: str) -> "list[HireStaff]":
    """Return the commands that hire the first staff, or refuse before anything is created."""
    from fourcard.house.auth.identity import CONSOLE
    from fourcard.house.auth.staff import StaffState, decide, evolve
    from fourcard.house.commands import HireStaff
    from fourcard.refusals import Refusal, RefusedError

    hires = [
        HireStaff(person=CONSOLE, name="Console of the house", roles=CONSOLE_ROLES),
        HireStaff(person=administrator, name=name, roles=("administrator",)),
    ]
    state = StaffState()
    for hire in hires:
        decided = decide(state, hire)
        if isinstance(decided, Refusal):
            raise RefusedError(decided)
        for event in decided:
            state = evolve(state, event)
    return hires


def _create_house(database: str, key: Path) -> "House":
    """Create a house in an empty database; on failure, delete a database file that is new."""
    from fourcard.house.clock_entropy import SystemEntropy
    from fourcard.house.head_signatures import read_key
    from fourcard.house.house import House
    from fourcard.house.store.address import create_private_file, open_store, sqlite_path_of

    file = sqlite_path_of(database)
    is_new = file is not None and not file.exists()
    create_private_file(file)
    store = open_store(database)
    try:
        _refuse_existing(store)
        return House(store, read_key(key, SystemEntropy()))
    except BaseException:
        store.close()
        if file is not None and is_new:
            file.unlink(missing_ok=True)
        raise


def _refuse_existing(store: "Store") -> None:
    from fourcard.house.decision import STAFF

    with store.reading() as reading:
        if STAFF in reading.streams():
            raise BadInputError(f"{store.name} already holds a house.")


def _hire_first(house: "House", hires: "list[HireStaff]") -> None:
    """Hire the first staff in one commit, so that no house has only half of it."""
    from fourcard.house.auth.identity import CONSOLE, Actor
    from fourcard.house.decision import STAFF
    from fourcard.house.route_command import CommandResult, Request
    from fourcard.refusals import Refusal, RefusedError

    actor = Actor(CONSOLE, "staff", CONSOLE_ROLES)
    for reply in house.service.execute([Request(STAFF, hire, actor) for hire in hires]):
        if isinstance(reply, Refusal):
            raise RefusedError(reply)
        if not isinstance(reply, CommandResult):
            raise reply


LAST, MOST = 50, 1_000_000
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the anchor to a new file.")]
Last = Annotated[int, typer.Option(min=1, max=MOST, help="Number of entries, newest first.")]
PreviousFile = Annotated[
    Path | None,
    typer.Option(
        "--previous",
        metavar="FILE",
        help="An earlier backup of this house, which stays as it is: only what came since is read.",
    ),
]
ToFile = Annotated[Path, typer.Argument(help="The file of the backup; it must not exist yet.")]


@with_options
def anchor(output: Output = None, *, at: HouseOptions) -> None:
    """Sign the current head of every stream, to be stored where nobody at the house can change it."""
    import msgspec

    from fourcard.documents.files import check_new_file, save_file
    from fourcard.house.clock_entropy import clock_for_reading
    from fourcard.house.house import key_beside, streams_with_events
    from fourcard.house.key_rotation import current_key
    from fourcard.house.recovery import figures_of
    from fourcard.house.reports.house_status import house_identity

    if output is not None:
        check_new_file(output, "an anchor")
    with open_house_for_reading(at.database) as reading:
        identity, place = house_identity(reading), at.key or key_beside(at.database)
        assert identity is not None
        signer = current_key(place, identity.public_key)
        identity.refuse_old_key(signer.public)
        if identity.public_key != signer.public:
            raise BadInputError("This is not the key of the house. Give its own key with --key.")
        now = clock_for_reading(place).now()
        heads, figures = streams_with_events(reading.streams()), figures_of(reading)
        signed = signer.anchor(identity.house, now, heads, figures)
    text = msgspec.json.encode(signed) + b"\n"
    if output is None:
        print(text.decode(), end="")
        return
    save_file(output, [text])
    print(f"{output} holds the heads of {len(signed.heads):,} streams.")


def backup(file: ToFile, database: Database = DATABASE, previous: PreviousFile = None) -> None:
    """Copy a house into a new file as it is at one moment, even while it runs; its key is not included."""
    part = _partial_file(file)
    try:
        copied = _copy(database, part, previous)
        part.replace(file)
    finally:
        for suffix in ("", "-wal", "-shm"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)
    print(f"{file} holds the house: {copied_text(copied)}.")


def _partial_file(file: Path) -> Path:
    """Return the temporary file of a backup, or refuse to overwrite an existing file."""
    from fourcard.documents.files import check_new_file

    check_new_file(file, "a backup")
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    return part


def _copy(source: str, target: Path, previous: Path | None) -> "CopyCounts":
    """Copy a consistent snapshot into a new file; with a previous backup, read only what came since."""
    from fourcard.house.store.backup import copy_house
    from fourcard.house.store.sqlite import copy_sqlite_file

    if previous is not None:
        if not previous.is_file():
            raise BadInputError(f"There is no backup {previous}.")
        copy_sqlite_file(previous, target)
    with copying(source, str(target)) as (house, copy, progress):
        return copy_house(house, copy, progress, onto_earlier=previous is not None)


@contextmanager
def copying(source: str, target: str) -> "Iterator[tuple[Store, Store, CopyProgress]]":
    """Open a house and an empty database to copy it to; only the owner can read a new file."""
    from fourcard.house.store.address import create_private_file, open_store, sqlite_path_of

    with ExitStack() as stack:
        house = open_store(source, writing=False)
        stack.callback(house.close)
        create_private_file(sqlite_path_of(target))
        copy = open_store(target)
        stack.callback(copy.close)
        show = stack.enter_context(terminal_status("Copying ..."))
        yield house, copy, lambda what, done: show(f"Copying: {done:,} {what}")


def copied_text(copied: "CopyCounts") -> str:
    """Return how much was copied."""
    return f"{copied.streams:,} streams, {copied.events:,} events, {copied.transfers:,} transfers"


@with_options
def rotate_key(*, at: HouseOptions) -> None:
    """Give a house a new key, and keep the old one beside it; no server may use the house meanwhile."""
    from fourcard.house import key_rotation
    from fourcard.house.clock_entropy import SystemEntropy
    from fourcard.house.house import key_beside
    from fourcard.house.store.address import open_store

    file = at.key or key_beside(at.database)
    with open_house(at.database, file) as house:
        now = house.clock.now()
    store = open_store(at.database)
    try:
        new = key_rotation.rotate_key(store, file, SystemEntropy(), now)
    finally:
        store.close()
    print(f"{file} holds the new key of the house: {new.public}")
    print("Keep a copy of it elsewhere, and the old one as long as backups of its time.")


@with_options
def upgrade(*, at: HouseOptions) -> None:
    """Migrate the database of a house to this version of the program; make a backup first."""
    with open_house(at.database, at.key) as house:
        print(f"{house.store.name} is up to date.")


def repair(database: Database = DATABASE, json: Json = False) -> None:
    """Write totals, the index of rounds and snapshots again from the journal, and show what was wrong.

    The journal and the money stay as they are. No server may use the database meanwhile.
    """
    from fourcard.house.house import key_beside, refuse_missing, refuse_unfounded, use_key
    from fourcard.house.rebuild import repair as repair_derived
    from fourcard.house.reports.house_status import house_identity
    from fourcard.house.store.address import open_store

    refuse_missing(database)
    store = open_store(database)
    try:
        use_key(store, key_beside(database))
        with event_progress("Reading the journal") as progress, store.writing() as writing:
            refuse_unfounded(house_identity(writing), store)
            found = repair_derived(writing, progress)
    finally:
        store.close()
    print_rows(list(found), _show_repaired, json=json)


def _show_repaired(found: "list[Repaired]") -> None:
    if not found:
        print("Nothing was wrong.")
        return
    columns = "stream", ("what", "kind"), (">was missing", "missing"), (">was altered", "altered")
    console().print(struct_table(found, *columns, (">did not belong", "inserted")))
    print("It is repaired: run an audit.")


@with_options
def security(last: Last = LAST, *, at: ReadOptions) -> None:
    """Show the security log, newest first: refused commands, sign-ins and failures."""
    from fourcard.house.reports.house_status import security_log

    with open_house_for_reading(at.database) as reading:
        print_rows(security_log(reading, last), _show_security, json=at.json)


def _show_security(notes: "list[SecurityEntry]") -> None:
    heads = ("time (UTC)", "moment"), ("who", "by"), "what", ("why", "reason")
    repeated = (">repeated", lambda note: f"{note.repeated:,}" if note.repeated else "")
    console().print(struct_table(notes, *heads, repeated))


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


@with_options
def restore(file: FromFile, *, at: HouseOptions, anchor: Anchors = None, yes: Yes = False) -> None:
    """Copy a backup into an empty database and continue from it; prints the plan and asks first."""
    from fourcard.house.clock_entropy import clock_for_reading
    from fourcard.house.head_signatures import read_key
    from fourcard.house.house import key_beside
    from fourcard.house.reports.house_status import house_identity

    place = at.key or key_beside(at.database)
    if not place.exists():
        raise BadInputError(f"Restoring needs the key of the house: copy it to {place} first.")
    key = read_key(place)
    with open_house_for_reading(str(file)) as reading:
        identity = house_identity(reading)
        assert identity is not None
        identity.refuse_old_key(key.public)
        if identity.public_key != key.public:
            raise BadInputError(
                f"{place} is the key of another house than the one of the backup, or the key was rotated "
                "since: then give the key of that time with --key."
            )
        evidence = _evidence(identity, place, anchor or [])
        _print_plan(file, _lost_events(reading, evidence))
    if not yes:
        _confirm_restore()
    event, copied = _copy_and_recover((str(file), at.database), key, evidence, clock_for_reading(place).now())
    print(f"The house of {file} can continue: {copied}.")
    print(_restore_summary(event))


def _evidence(identity: "HouseIdentity", key: Path, files: list[Path]) -> "RestoreEvidence":
    """Return what is known about the lost state, or refuse an anchor that is not genuine."""
    from fourcard.house.head_signatures import read_anchor
    from fourcard.house.recovery import RestoreEvidence, Watermark

    anchors = {path: read_anchor(path) for path in files}
    for path, anchor in anchors.items():
        _refuse_foreign(path, anchor, identity)
    return RestoreEvidence("restore", Watermark(key, identity.house).read(), tuple(anchors.values()))


def _refuse_foreign(path: Path, anchor: "Anchor", identity: "HouseIdentity") -> None:
    from fourcard.house.head_signatures import is_genuine

    if anchor.house != identity.house or anchor.public_key not in identity.public_keys:
        raise BadInputError(f"The anchor {path} belongs to another house than the backup.")
    if not is_genuine(anchor):
        raise BadInputError(f"The anchor {path} was changed: its signature is invalid.")


def _lost_events(reading: "ReadTransaction", evidence: "RestoreEvidence") -> "tuple[LostEvents, ...]":
    from fourcard.house.recovery import gap_of

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
    from fourcard.house.recovery import describe_gap

    print(f"This restores the house of {file}:")
    for line in PLAN:
        print(f"- {line}")
    print("Lost, because it came after the backup:" if lost else NO_GAP)
    for line in describe_gap(lost):
        print(f"- {line}")


def _copy_and_recover(
    places: tuple[str, str], key: "HouseKey", evidence: "RestoreEvidence", now: int
) -> "tuple[HouseRestored, str]":
    """Copy and recover in one transaction, so that nobody can open the copy before it is recovered."""
    from fourcard.house.clock_entropy import SystemEntropy
    from fourcard.house.recovery import recover
    from fourcard.house.store.backup import copy_house
    from fourcard.house.store.sealing import StoreKey

    done: list[HouseRestored] = []
    with copying(*places) as (house, copy, progress):
        copy.key = StoreKey(key.secret)
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


Confirm = Annotated[bool, typer.Option("--confirm", help="Use the machine's clock from now on: it is right.")]


@with_options
def clock(confirm: Confirm = False, *, at: HouseOptions, json: Json = False) -> None:
    """Show the house's time and whether the machine's clock jumped; confirm the clock after a jump."""
    from fourcard.house.clock_entropy import clock_for_reading
    from fourcard.house.house import ClockWatch, key_beside
    from fourcard.house.reports.house_status import clock_report

    confirmed = None
    if confirm:
        with open_house(at.database, at.key) as house:
            confirmed = ClockWatch(house).confirm(console_actor(house))
    with open_house_for_reading(at.database):
        guarded = clock_for_reading(at.key or key_beside(at.database))
        stamped, jump = guarded.now(), guarded.jump
    told = (
        "" if jump is None else f"The clock jumped {jump.how_far}. Correct it, or confirm it with --confirm."
    )
    report = clock_report(stamped, 0 if jump is None else jump.ahead, told)
    if json:
        print_json(report)
        return
    if confirmed is not None:
        print(f"The clock is confirmed: the house's time moves {confirmed.how_far}.")
    print(f"house's time    {report.stamped_moment} UTC")
    print(f"machine's clock {report.shown_moment} UTC")
    if report.alert:
        print(report.alert)
