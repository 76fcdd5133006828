"""Memory transaction: the rows of one moment, and the changes on top of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NoReturn

from fourcard.house.accounts import Transfer
from fourcard.house.records import Head, Recorded
from fourcard.house.store.contract import (
    Credential,
    PersonKind,
    SecurityNote,
    SequenceTakenError,
    Snapshot,
    StoreError,
    Token,
)
from fourcard.house.store.memory_tables import Kept, Layer
from fourcard.house.store.moves import follow, refuse_too_much, sums

_NOWHERE = Head()


class MemorySession:
    """Reads what was committed when it began, and its own changes."""

    def __init__(self, kept: Kept) -> None:
        """Start at this moment."""
        self._kept = kept
        self._heads = Layer(kept.heads)
        self._balances = Layer(kept.balances)
        self._games = Layer(kept.games)
        self._secrets = Layer(kept.secrets)
        self._snapshots = Layer(kept.snapshots)
        self._credentials = Layer(kept.credentials)
        self._tokens = Layer(kept.tokens)
        self._known_transfers = len(kept.transfers)
        self._known_notes = len(kept.notes)
        self._new_events: dict[str, list[Recorded]] = {}
        self._new_keys: dict[tuple[str, str], Recorded] = {}
        self._new_transfers: list[Transfer] = []
        self._new_places: set[tuple[str, int, int]] = set()
        self._new_notes: list[SecurityNote] = []
        self._failed = False

    def commit(self, kept: Kept) -> None:
        """Commit all changes."""
        kept.heads.apply(self._heads.changes)
        kept.balances.apply(self._balances.changes)
        kept.games.apply(self._games.changes)
        kept.secrets.apply(self._secrets.changes)
        kept.snapshots.apply(self._snapshots.changes)
        kept.credentials.apply(self._credentials.changes)
        kept.tokens.apply(self._tokens.changes)
        for stream, events in self._new_events.items():
            kept.events.setdefault(stream, []).extend(events)
        kept.keys.update(self._new_keys)
        kept.transfers.extend(self._new_transfers)
        kept.places.update(self._new_places)
        kept.notes.extend(self._new_notes)

    def refuse_after_failure(self) -> None:
        """Refuse to commit after a refused write, even if somebody caught its error."""
        if self._failed:
            raise StoreError("A write in this transaction was refused, so nothing was stored.")

    def _fail(self, error: StoreError) -> NoReturn:
        self._failed = True
        raise error

    def streams(self, names: Iterable[str] | None = None) -> Mapping[str, Head]:
        """Return the head of every stream with events, or of the named ones."""
        if names is None:
            return self._heads.all()
        return {name: head for name in sorted({*names}) if (head := self._heads.get(name))}

    def events(self, stream: str, after: int = 0) -> Iterator[Recorded]:
        """Yield the events of a stream after a sequence, in order."""
        new = self._new_events.get(stream, [])
        known = (self._heads.get(stream) or _NOWHERE).sequence - len(new)
        yield from self._kept.events.get(stream, [])[after:known]
        yield from new[max(after - known, 0) :]

    def journal_streams(self) -> Sequence[str]:
        """Return every stream with an event in the journal."""
        return list(self._heads.all())

    def tally_kinds(self, kinds: Iterable[str]) -> Mapping[tuple[str, str], int]:
        """Return, by stream and kind, the number of events of some kinds."""
        wanted = {*kinds}
        places = ((stream, event.kind) for stream in self._heads.all() for event in self.events(stream))
        return Counter(place for place in places if place[1] in wanted)

    def answered(self, keys: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], Recorded]:
        """Return, by stream and key, the first event of each command that was done."""
        return {place: event for place in keys if place[1] and (event := self._answered(place))}

    def _answered(self, place: tuple[str, str]) -> Recorded | None:
        event = self._new_keys.get(place) or self._kept.keys.get(place)
        known = self._heads.get(place[0]) or _NOWHERE
        return event if event and event.sequence <= known.sequence else None

    def games(self) -> Mapping[str, bytes]:
        """Return every pinned game by its hash, in JSON."""
        return self._games.all()

    def game(self, hash_: str) -> bytes | None:
        """Return one pinned game, or None."""
        return self._games.get(hash_)

    def secret(self, stream: str, number: int) -> bytes | None:
        """Return a shuffle's secret that is not revealed yet, or None."""
        return self._secrets.get((stream, number))

    def secrets(self) -> Mapping[tuple[str, int], bytes]:
        """Return every secret that is not revealed yet."""
        return self._secrets.all()

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the newest snapshot of a stream, or None."""
        return self._snapshots.get(stream)

    def snapshots(self) -> Sequence[Snapshot]:
        """Return the newest snapshot of every stream, sorted by stream."""
        return list(self._snapshots.all().values())

    def transfers(self, account: str | None = None) -> Iterator[Transfer]:
        """Yield the transfers of one account or all, sorted by stream, sequence and number."""
        rows = self._kept.transfers[: self._known_transfers] + self._new_transfers
        mine = [row for row in rows if account is None or account in (row.giver, row.taker)]
        yield from sorted(mine, key=lambda row: (row.stream, row.sequence, row.number))

    def balances(self) -> Mapping[str, int]:
        """Return the units in every account; empty accounts are left out."""
        return {account: units for account, units in self._balances.all().items() if units}

    def credential(self, kind: PersonKind, person: str) -> Credential | None:
        """Return a person's credential, or None."""
        return self._credentials.get((kind, person))

    def credentials(self) -> Sequence[Credential]:
        """Return all credentials, sorted by kind and person."""
        return list(self._credentials.all().values())

    def token(self, hash_: str) -> Token | None:
        """Return a token by its hash, or None."""
        return self._tokens.get(hash_)

    def tokens(self) -> Sequence[Token]:
        """Return every token, sorted by hash."""
        return list(self._tokens.all().values())

    def security_notes(self, last: int = 100) -> Sequence[SecurityNote]:
        """Return the newest notes of the security log, the newest first."""
        notes = self._kept.notes[: self._known_notes] + self._new_notes
        return notes[: -last - 1 : -1] if last else []

    def heads(self, streams: Iterable[str]) -> Mapping[str, Head]:
        """Return the heads of streams; nobody else writes during this transaction."""
        return {stream: self._heads.get(stream) or _NOWHERE for stream in sorted(set(streams))}

    def steady(self, streams: Iterable[str]) -> Mapping[str, Head]:
        """Return the heads of streams; nobody else writes during this transaction."""
        return self.heads(streams)

    def append(self, events: Sequence[Recorded]) -> None:
        """Append events to their streams and move the heads; a taken sequence is refused."""
        keys = {(event.stream, event.key): event for event in events if event.key}
        try:
            moved = follow(self.heads(event.stream for event in events), events)
            self._check_keys(keys, sum(1 for event in events if event.key))
        except StoreError as error:
            self._fail(error)
        for event in events:
            self._new_events.setdefault(event.stream, []).append(event)
        self._new_keys.update(keys)
        for stream, head in moved.items():
            self._heads.put(stream, head)

    def _check_keys(self, keys: Mapping[tuple[str, str], Recorded], count: int) -> None:
        taken = self._kept.keys.keys() & keys.keys() or self._new_keys.keys() & keys.keys()
        if taken or len(keys) != count:
            raise SequenceTakenError("A command with the same key has been done already.")

    def rewrite_head(self, stream: str) -> None:
        """Do nothing: memory can always be written."""

    def post(self, transfers: Sequence[Transfer]) -> None:
        """Add transfers to the ledger and to the balances."""
        places = {(transfer.stream, transfer.sequence, transfer.number) for transfer in transfers}
        if len(places) != len(transfers) or places & self._kept.places or places & self._new_places:
            self._fail(SequenceTakenError("The ledger already has a transfer of the same event and number."))
        try:
            balances = {
                account: (self._balances.get(account) or 0) + s for account, s in sums(transfers).items()
            }
            for account, units in balances.items():
                refuse_too_much(account, units)
        except StoreError as error:
            self._fail(error)
        for account, units in balances.items():
            self._balances.put(account, units)
        self._new_transfers.extend(transfers)
        self._new_places.update(places)

    def keep_game(self, hash_: str, body: bytes) -> None:
        """Store a pinned game; an existing one stays."""
        if self._games.get(hash_) is None:
            self._games.put(hash_, body)

    def keep_secret(self, stream: str, number: int, secret: bytes) -> None:
        """Store a shuffle's secret until it is revealed."""
        if self._secrets.get((stream, number)) is not None:
            self._fail(SequenceTakenError(f"The secret of shuffle {number} of {stream} is stored already."))
        self._secrets.put((stream, number), secret)

    def forget_secret(self, stream: str, number: int) -> None:
        """Delete a secret that the journal has revealed."""
        self._secrets.put((stream, number), None)

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot, replacing the one before."""
        self._snapshots.put(snapshot.stream, snapshot)

    def put_credential(self, credential: Credential) -> None:
        """Store a person's credential, replacing the one before."""
        self._credentials.put((credential.kind, credential.person), credential)

    def put_token(self, token: Token) -> None:
        """Store a token, replacing the same one."""
        self._tokens.put(token.hash, token)

    def revoke_tokens(self, kind: PersonKind, person: str, at: int) -> int:
        """Revoke every token of a person that is not revoked yet, and return how many."""
        mine = [token for token in self.tokens() if (token.kind, token.person) == (kind, person)]
        held = [token for token in mine if not token.revoked]
        for token in held:
            self.put_token(Token(token.hash, kind, person, token.issued, token.ends, at))
        return len(held)

    def note_security(self, note: SecurityNote) -> None:
        """Add a note to the security log."""
        self._new_notes.append(note)
