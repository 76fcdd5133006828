"""House: a store with its command service, its people, its key and its clock watch (P37)."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from fourcard.house.auth.identity import Actor, AnyCommand, with_author
from fourcard.house.auth.security import Token
from fourcard.house.auth.sign_in import SignIn, token_hash
from fourcard.house.auth.staff import StaffState
from fourcard.house.clock_entropy import (
    TOLERANCE,
    Clock,
    ClockJump,
    Entropy,
    GuardedClock,
    SystemEntropy,
    clock_file,
)
from fourcard.house.command_service import CommandService
from fourcard.house.commands import ConfirmClock, NotePassword, PersonKind
from fourcard.house.decision import HOUSE, STAFF, player_stream
from fourcard.house.events import (
    HeadsSigned,
    HouseEvent,
    HouseFounded,
    HouseRestored,
    KeyRotated,
    SigningBegan,
    StaffDismissed,
)
from fourcard.house.group_commit import GroupCommit
from fourcard.house.head_signatures import Anchor, HouseIdentity, HouseKey, read_key, signed_heads
from fourcard.house.journal import GENESIS, HOUSE_CODEC, StreamHead, chain_hash, house_record
from fourcard.house.key_rotation import current_key, finish_rotation
from fourcard.house.recovery import (
    RestoreEvidence,
    Watermark,
    WatermarkState,
    figures_of,
    is_behind,
    note_state,
    recover,
    restore_ids,
)
from fourcard.house.reports.house_status import house_identity
from fourcard.house.route_command import CommandResult, Request, gate_refusal
from fourcard.house.segments import DayCloser
from fourcard.house.shuffle_algorithm import SECRET_BYTES
from fourcard.house.store.address import open_store, sqlite_path_of
from fourcard.house.store.interface import (
    Credential,
    ReadTransaction,
    Store,
    StoreError,
    WriteTransaction,
    key_of,
)
from fourcard.house.store.sealing import StoreKey
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError, refuse

FindIdentity = Callable[[ReadTransaction], HouseIdentity | None]
"""Returns the identity of a house, or None where there is none."""
FOUND_HINT = "make one with 'fourcard house new'"
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
        """Found the house in an empty store, or open one that has this key now.

        A watermark beside the key file detects a database that was rolled back.
        """
        self.store, self.key = store, key
        self.clock, self.entropy = clock or GuardedClock(), entropy or SystemEntropy()
        store.key = StoreKey(key.secret)
        self.rotations: tuple[KeyRotated, ...] = ()
        self.name = self._found_or_open()
        watermark = None if key_file is None else Watermark(key_file, self.name)
        _begin_signing(store, self.clock, None if watermark is None else watermark.read())
        self.service = CommandService(store, self.clock, self.entropy)
        self.group_commit = GroupCommit(self.service, task_interval=SIGN_EVERY, task=self.sign)
        self.sign_in = SignIn(self.service, self.service.security)
        self._signed: dict[str, int] | None = None
        """By stream, the sequence that was signed last; None until it is read."""
        self.recovered = None if watermark is None else self._check_watermark(watermark)
        """The recovery at this opening, if the database had been rolled back."""

    def _found_or_open(self) -> str:
        """Return the name of the house; the first start gives it one."""
        with self.store.writing() as writing:
            head = writing.lock_exclusive([HOUSE])[HOUSE]
            identity = house_identity(writing)
            if identity is None:
                founded = HouseFounded(self.entropy.draw(8).hex(), self.key.public, signs=True)
                writing.append([house_record(head, founded, self.clock.now())])
                return founded.house
            self.rotations = identity.rotations
            identity.refuse_old_key(self.key.public)
            if identity.public_key != self.key.public:
                raise StoreError(
                    f"The house in {self.store.name} has another key. If the database is older than the last "
                    "rotation of the key, restore it with the key of that time."
                )
            _seal_plain_secrets(writing)
        return identity.house

    def _check_watermark(self, watermark: Watermark) -> HouseRestored | None:
        """Recover a house whose database is older than its watermark, and record its current state."""
        seen, event = watermark.read(), None
        with self.store.reading() as reading:
            behind = seen is not None and is_behind(reading, restore_ids(reading), seen)
        if seen is not None and behind:
            with self.store.writing() as writing:
                writing.lock_exclusive([HOUSE])
                # Another process may have recovered the house meanwhile.
                if is_behind(writing, restore_ids(writing), seen):
                    event = recover(
                        writing, RestoreEvidence("rollback", seen), self.entropy, self.clock.now()
                    )
        with self.store.reading() as reading:
            note_state(watermark, reading, seen)
        self.service.watermark = watermark
        return event

    def do(self, stream: str, command: AnyCommand, actor: Actor) -> CommandResult:
        """Execute a command in the next group commit; a dismissed person is signed out at once."""
        answer = self.group_commit.do(stream, command, actor)
        self.sign_out_dismissed(answer)
        return answer

    def set_password(self, kind: PersonKind, note: NotePassword, password: str, actor: Actor) -> None:
        """Set a person's password and note it in the journal in the same commit; every sign-in ends."""

        def keep(credential: Credential) -> None:
            stream = STAFF if kind == "staff" else player_stream(note.person)
            (reply,) = self.group_commit.submit_and_wait(
                [Request(stream, note, actor, password=credential.password)]
            )
            if not isinstance(reply, CommandResult):
                raise RefusedError(reply) if isinstance(reply, Refusal) else reply

        refusal = self.sign_in.set_password(kind, note.person, password, keep)
        if refusal is not None:
            raise RefusedError(refusal)

    def sign_out_dismissed(self, answer: CommandResult) -> None:
        """Note that a person whom a command dismissed has no password and no sign-in any more."""
        for event in () if answer.repeated else answer.events:
            if isinstance(event, StaffDismissed):
                self.sign_in.note_dismissal("staff", event.person)

    def actor(self, token: str) -> Actor | Refusal:
        """Return the person of a token, in the person's current roles."""
        key = token_hash(token)
        return self.holders(self.sign_in.valid_tokens((key,))).get(key) or refuse(Code.TOKEN_INVALID)

    def holders(self, tokens: Mapping[str, Token]) -> dict[str, Actor]:
        """Return, by hash, the people of stored tokens in their current roles, without dismissed people."""
        kinds = {each.kind for each in tokens.values()}
        staff = self.service.staff() if "staff" in kinds else StaffState()
        found = {
            key: Actor(each.person, "player") if each.kind == "player" else staff.actor(each.person)
            for key, each in tokens.items()
        }
        return {key: actor for key, actor in found.items() if actor is not None}

    def sign(self) -> int:
        """Sign the heads that have moved since the last signature, and return how many."""
        record = None
        with self.store.writing() as writing:
            head = writing.lock_exclusive([HOUSE])[HOUSE]
            known = _signed_sequences(writing) if self._signed is None else self._signed
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
            self.service.note_heads({HOUSE: StreamHead(record.sequence, record.hash)})
        self._signed = known | {name: each.sequence for name, each in moved.items()}
        return len(moved)

    def day_closer(self, keep_days: int, *, rest: float = 0.0) -> DayCloser:
        """Return what closes the days of this house."""
        signer = self.key.signer(self.name)
        return DayCloser(self.store, signer, self.clock.now, keep_days=keep_days, rest=rest)

    def anchor(self) -> Anchor:
        """Return a signed anchor of all stream heads, to be stored elsewhere."""
        with self.store.reading() as reading:
            heads, figures = streams_with_events(reading.streams()), figures_of(reading)
            return self.key.anchor(self.name, self.clock.now(), heads, figures)

    def append_event(self, decide: Callable[[ReadTransaction], HouseEvent]) -> None:
        """Append an event to the house's own stream; it is decided under the lock of the stream."""
        with self.store.writing() as writing:
            head = writing.lock_exclusive([HOUSE])[HOUSE]
            record = house_record(head, decide(writing), self.clock.now())
            writing.append([record])
        self.service.note_heads({HOUSE: StreamHead(record.sequence, record.hash)})

    def close(self, before_end: Callable[[], None] | None = None) -> None:
        """Commit queued commands, sign moved heads, and close the store; a callback sees the last heads."""
        self.group_commit.close()
        try:
            self.service.security.flush()
            self.sign()
            if before_end is not None:
                before_end()
        finally:
            if self.service.watermark is not None:
                self.service.watermark.close()
            self.store.close()

    def __enter__(self) -> Self:
        """Return the house itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the house."""
        self.close()


def streams_with_events(heads: Mapping[str, StreamHead]) -> dict[str, StreamHead]:
    """Return the streams that have events."""
    return {name: head for name, head in heads.items() if head.sequence}


def _seal_plain_secrets(writing: WriteTransaction) -> None:
    """Seal the secrets of shuffles that an older version of the program stored as they are."""
    plain = {place: secret for place, secret in writing.secrets().items() if len(secret) == SECRET_BYTES}
    if plain:
        key = key_of(writing)
        writing.forget_secrets(plain)
        writing.keep_secrets({place: key.seal(*place, secret) for place, secret in plain.items()})


def _begin_signing(store: Store, clock: Clock, seen: WatermarkState | None) -> None:
    """Verify the chains of a house that an older version of the program wrote, and sign their heads.

    A stream that is broken stays unsigned, so it takes no commands.
    """
    with store.reading() as reading:
        if next(reading.commits(), None) is not None:
            return
    if seen is not None and seen.signed:
        raise StoreError(
            f"{store.name} has lost the signatures of its commits: somebody deleted them. Nothing is done; "
            "run an audit, and restore a backup."
        )
    with store.writing() as writing:
        heads = writing.lock_exclusive(writing.streams())
        if next(writing.commits(), None) is None:
            chained = [name for name, head in heads.items() if _is_chained(writing, name, head)]
            writing.sign_heads({name: heads[name] for name in chained})
            at = max(clock.now(), *(record.at for record in writing.records(HOUSE)))
            writing.append([house_record(heads[HOUSE], SigningBegan(len(heads)), at)])


def _is_chained(reading: ReadTransaction, stream: str, head: StreamHead) -> bool:
    """Say whether the records of a stream are chained from the first to the head."""
    hash_, last = GENESIS, 0
    for record in reading.records(stream):
        hash_, chained = record.hash, chain_hash(hash_, record) == record.hash
        if record.first_sequence != last + 1 or not chained:
            return False
        last = record.sequence
    return StreamHead(last, hash_) == head


def _signed_sequences(reading: ReadTransaction) -> dict[str, int]:
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
            identity = house_identity(reading)
        file = key or key_beside(url)
        made = read_key(file, SystemEntropy()) if identity is None else _opening_key(identity, file)
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
            identity = refuse_unfounded(house_identity(reading), store)
        file = key or key_beside(url)
        return House(store, _opening_key(identity, file), GuardedClock(clock_file(file)), key_file=file)
    except BaseException:
        store.close()
        raise


def _opening_key(identity: HouseIdentity, file: Path) -> HouseKey:
    """Return the key in a file, after the end of a rotation that a crash interrupted."""
    key = current_key(file, identity.public_key)
    finish_rotation(file, key)
    return key


def use_key(store: Store, file: Path, find_identity: FindIdentity = house_identity) -> HouseKey | None:
    """Let a store open what is sealed, and return the key of the house, if it is at hand."""
    if not file.exists():
        return None
    with store.reading() as reading:
        identity = find_identity(reading)
    key = None if identity is None else current_key(file, identity.public_key)
    if key is None or identity is None or key.public != identity.public_key:
        return None
    store.key = StoreKey(key.secret)
    return key


def refuse_missing(url: str) -> None:
    """Refuse a missing file: only a new house creates one."""
    file = sqlite_path_of(url)
    if file is not None and not file.exists():
        raise StoreError(f"There is no house in {file}; {FOUND_HINT}.")


def refuse_unfounded(identity: HouseIdentity | None, store: Store) -> HouseIdentity:
    """Return the identity of a founded house; refuse a database without one."""
    if identity is None:
        raise StoreError(f"There is no house in {store.name}; {FOUND_HINT}.")
    return identity


def key_beside(url: str) -> Path:
    """Return the default path of the key: beside the SQLite file, or in the current folder."""
    if "://" in url and not url.startswith("sqlite"):
        return Path("house.key")
    file = Path(url.removeprefix("sqlite:///")).expanduser()
    return file.with_name(f"{file.name}.key")


CLOCK_ALERT = (
    "The machine's clock jumped {how_far}. Time is counted on from before the jump until an executive or "
    "administrator confirms the new time, or somebody corrects the clock."
)
CLOCK_AUTHOR, CLOCK_SUBJECT = "house", "clock jump"
"""Author and subject of its notes in the security log."""
_log = logging.getLogger(__name__)
TimestampsMoved = Callable[[int], None]


class ClockWatch:
    """Watches the clock of a house, and calls back when timestamps move."""

    def __init__(self, house: House, moved: TimestampsMoved | None = None) -> None:
        """Take a house, and a callback that gets the milliseconds by which timestamps move."""
        self._house, self._moved = house, moved
        self._clock = house.clock if isinstance(house.clock, GuardedClock) else None
        self._noted = False

    @property
    def jump(self) -> ClockJump | None:
        """Return how far the clock has jumped, or None while it is trusted."""
        return None if self._clock is None else self._clock.jump

    @property
    def alert(self) -> str:
        """Return the warning for the staff, or an empty text."""
        jump = self.jump
        return "" if jump is None else CLOCK_ALERT.format(how_far=jump.how_far)

    def check(self) -> None:
        """Check the clock: log a jump or its end once, and adopt what another process confirmed."""
        if self._clock is None:
            return
        self._notify_moved(self._clock.synchronize())
        jump = self._clock.jump
        if jump is not None and not self._noted:
            _log.error("%s", CLOCK_ALERT.format(how_far=jump.how_far))
            self._house.service.security.note(CLOCK_AUTHOR, CLOCK_SUBJECT, jump.how_far)
        elif jump is None and self._noted:
            _log.warning("The machine's clock is trusted again.")
            self._house.service.security.note(CLOCK_AUTHOR, CLOCK_SUBJECT, "over")
        self._noted = jump is not None

    def refusal(self, command: ConfirmClock, actor: Actor) -> Refusal | None:
        """Refuse to confirm a jump that does not exist; the command service checks the permission."""
        if gate_refusal(actor, STAFF, with_author(actor, command)) is not None:
            return None
        jump = self.jump
        if jump is None:
            return refuse(Code.CLOCK_NOT_JUMPED, ("P37",))
        if abs(jump.ahead - command.ahead) > TOLERANCE:
            given = ClockJump(command.ahead)
            return refuse(Code.CLOCK_JUMP_DIFFERS, ("P37",), now=jump.how_far, given=given.how_far)
        return None

    def apply_confirmation(self, answer: CommandResult) -> None:
        """Use the machine's clock once the confirmation is committed."""
        if self._clock is not None and not answer.repeated:
            self._notify_moved(self._clock.confirm())
            self.check()

    def confirm(self, actor: Actor) -> ClockJump:
        """Confirm the clock as it is now, and return how far it had jumped."""
        jump = self.jump or ClockJump(0)
        command = ConfirmClock(ahead=jump.ahead)
        refusal = self.refusal(command, actor)
        if refusal is not None:
            raise RefusedError(refusal)
        self.apply_confirmation(self._house.do(STAFF, command, actor))
        return jump

    def _notify_moved(self, by: int) -> None:
        if by and self._moved is not None:
            self._moved(by)
