"""House: a store with its command service, its people and its key."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from fourcard.house.actors import Actor, AnyCommand
from fourcard.house.commands import NotePassword
from fourcard.house.desk import Desk
from fourcard.house.events import HeadsSigned, HouseFounded, HouseRestored, StaffDismissed
from fourcard.house.gap import figures_of
from fourcard.house.guarded_clock import GuardedClock, clock_file
from fourcard.house.journal import HOUSE as HOUSE_CODEC
from fourcard.house.journal import house_record
from fourcard.house.outcome import HOUSE, STAFF, player_stream
from fourcard.house.ports import Clock, Entropy, SystemEntropy
from fourcard.house.records import Head
from fourcard.house.recovery import Evidence, note_state, recover, restore_ids
from fourcard.house.requests import Answer, Request
from fourcard.house.sign_in import SignIn
from fourcard.house.signing import Anchor, HouseKey, key_in, signed_heads
from fourcard.house.store.contract import Credential, PersonKind, Reading, Store, StoreError
from fourcard.house.store.house_files import file_of
from fourcard.house.store.sql import open_store
from fourcard.house.watermark import Watermark, is_behind
from fourcard.house.writer import Writer
from fourcard.refusals import Code, Refusal, RefusedError, refuse

MAKE_ONE = "make one with 'fourcard house new'"
SIGN_EVERY = 1_000
"""Commits after which the stream heads are signed again."""


class House:
    """Everything that a process needs to run a house, or a part of one."""

    def __init__(
        self,
        store: Store,
        key: HouseKey,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        key_file: Path | None = None,
    ) -> None:
        """Found the house in an empty store, or open one that was founded with this key.

        A watermark beside the key file detects a database that was rolled back.
        """
        self.store, self.key = store, key
        self.clock, self.entropy = clock or GuardedClock(), entropy or SystemEntropy()
        self.name = self._found()
        self.desk = Desk(store, self.clock, self.entropy)
        self.writer = Writer(self.desk, every=SIGN_EVERY, then=self.sign)
        self.sign_in = SignIn(store, self.clock, self.entropy, self.desk.security)
        self._signed: dict[str, int] | None = None
        """By stream, the sequence that was signed last; None until it is read."""
        self.recovered = None if key_file is None else self._check_watermark(key_file)
        """The recovery at this opening, if the database had been rolled back."""

    def _found(self) -> str:
        """Return the name of the house; the first start gives it one."""
        with self.store.writing() as writing:
            head = writing.heads([HOUSE])[HOUSE]
            founded = _founding(writing)
            if founded is None:
                founded = HouseFounded(self.entropy.draw(8).hex(), self.key.public)
                writing.append([house_record(head, founded, self.clock.now())])
        if founded.public_key != self.key.public:
            raise StoreError(f"The house in {self.store.name} was founded with another key.")
        return founded.house

    def _check_watermark(self, key: Path) -> HouseRestored | None:
        """Recover a house whose database is older than its watermark, and record its current state."""
        watermark = Watermark(key, self.name)
        seen, event = watermark.read(), None
        with self.store.reading() as reading:
            behind = seen is not None and is_behind(reading, restore_ids(reading), seen)
        if seen is not None and behind:
            with self.store.writing() as writing:
                writing.heads([HOUSE])
                # Another process may have recovered the house meanwhile.
                if is_behind(writing, restore_ids(writing), seen):
                    event = recover(writing, Evidence("rollback", seen), self.entropy, self.clock.now())
        with self.store.reading() as reading:
            note_state(watermark, reading, seen)
        self.desk.watermark = watermark
        return event

    def do(self, stream: str, command: AnyCommand, actor: Actor) -> Answer:
        """Execute a command in the next group commit; a dismissed person is signed out at once."""
        answer = self.writer.do(stream, command, actor)
        self.sign_out_dismissed(answer)
        return answer

    def set_password(self, kind: PersonKind, note: NotePassword, password: str, actor: Actor) -> None:
        """Set a person's password and note it in the journal in the same commit; every sign-in ends."""

        def keep(credential: Credential) -> None:
            stream = STAFF if kind == "staff" else player_stream(note.person)
            (reply,) = self.writer.replies([Request(stream, note, actor, password=credential.password)])
            if not isinstance(reply, Answer):
                raise RefusedError(reply) if isinstance(reply, Refusal) else reply

        refusal = self.sign_in.set_password(kind, note.person, password, keep)
        if refusal is not None:
            raise RefusedError(refusal)

    def sign_out_dismissed(self, answer: Answer) -> None:
        """Delete the password of a person whom a command dismissed, and end every sign-in."""
        for event in () if answer.repeated else answer.events:
            if isinstance(event, StaffDismissed):
                self.sign_in.forget("staff", event.person)

    def actor(self, token: str) -> Actor | Refusal:
        """Return the person of a token, in the person's current roles."""
        who = self.sign_in.who(token)
        if isinstance(who, Refusal):
            return who
        kind, person = who
        if kind == "player":
            return Actor(person, "player")
        return self.desk.staff().actor(person) or refuse(Code.TOKEN_INVALID)

    def sign(self) -> int:
        """Sign the heads that have moved since the last signature, and return how many."""
        record = None
        with self.store.writing() as writing:
            head = writing.heads([HOUSE])[HOUSE]
            known = _signed(writing) if self._signed is None else self._signed
            moved = {
                name: each
                for name, each in writing.streams().items()
                if name != HOUSE and known.get(name) != each.sequence
            }
            if moved:
                at, heads = self.clock.now(), signed_heads(moved)
                signed = HeadsSigned(heads, self.key.sign(self.name, at, heads))
                record = house_record(head, signed, at)
                writing.append([record])
        if record is not None:
            self.desk.note_heads({HOUSE: Head(record.sequence, record.hash)})
        self._signed = known | {name: each.sequence for name, each in moved.items()}
        return len(moved)

    def anchor(self) -> Anchor:
        """Return a signed anchor of all stream heads, to be stored elsewhere."""
        with self.store.reading() as reading:
            heads, figures = standing(reading.streams()), figures_of(reading)
            return self.key.anchor(self.name, self.clock.now(), heads, figures)

    def close(self) -> None:
        """Commit queued commands, sign moved heads, and close the store."""
        self.writer.close()
        try:
            self.desk.security.flush()
            self.sign()
        finally:
            if self.desk.watermark is not None:
                self.desk.watermark.close()
            self.store.close()

    def __enter__(self) -> Self:
        """Return the house itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the house."""
        self.close()


def standing(heads: Mapping[str, Head]) -> dict[str, Head]:
    """Return the streams that have events."""
    return {name: head for name, head in heads.items() if head.sequence}


def _founding(reading: Reading) -> HouseFounded | None:
    for record in reading.events(HOUSE):
        event = HOUSE_CODEC.decode(record)
        return event if isinstance(event, HouseFounded) else None
    return None


def _signed(reading: Reading) -> dict[str, int]:
    """Return, by stream, the sequence that was signed last."""
    events = (HOUSE_CODEC.decode(record) for record in reading.events(HOUSE))
    return {
        head.stream: head.sequence
        for event in events
        if isinstance(event, HeadsSigned)
        for head in event.heads
    }


def open_house(url: str, key: Path | None = None) -> House:
    """Open the house in a database, or found one there; its key is created with it and never again."""
    store = open_store(url)
    try:
        with store.reading() as reading:
            founded = _founding(reading) is not None
        file = key or key_beside(url)
        made = key_in(file, None if founded else SystemEntropy())
        return House(store, made, GuardedClock(clock_file(file)), key_file=file)
    except BaseException:
        store.close()
        raise


def open_founded(url: str, key: Path | None = None) -> House:
    """Open a founded house to give commands; never found a new one."""
    refuse_missing(url)
    store = open_store(url)
    try:
        with store.reading() as reading:
            refuse_unfounded(_founding(reading), store)
        file = key or key_beside(url)
        return House(store, key_in(file), GuardedClock(clock_file(file)), key_file=file)
    except BaseException:
        store.close()
        raise


def refuse_missing(url: str) -> None:
    """Refuse a missing file: only a new house creates one."""
    file = file_of(url)
    if file is not None and not file.exists():
        raise StoreError(f"There is no house in {file}; {MAKE_ONE}.")


def refuse_unfounded(founded: HouseFounded | None, store: Store) -> None:
    """Refuse a database without a founded house."""
    if founded is None:
        raise StoreError(f"There is no house in {store.name}; {MAKE_ONE}.")


def key_beside(url: str) -> Path:
    """Return the default path of the key: beside the SQLite file, or in the current folder."""
    if "://" in url and not url.startswith("sqlite"):
        return Path("house.key")
    file = Path(url.removeprefix("sqlite:///")).expanduser()
    return file.with_name(f"{file.name}.key")
