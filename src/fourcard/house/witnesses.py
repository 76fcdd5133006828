"""Witnesses of a house: which ones it has, by its journal, and what sends them its heads.

A statement is built when a witness can take it, from the heads of that moment. So one that was unreachable
for an hour gets a single statement, whose heads cover the hour; nothing is queued, and play never waits.
"""

import logging
import threading
from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from fourcard.house.auth.identity import Actor, printable
from fourcard.house.commands import is_name
from fourcard.house.decision import HOUSE
from fourcard.house.events import WitnessAdded, WitnessRemoved
from fourcard.house.head_signatures import signed_heads
from fourcard.house.house import House, streams_with_events
from fourcard.house.journal import HOUSE_CODEC, StreamHead
from fourcard.house.reports.formats import format_time
from fourcard.house.running_totals import HOUR
from fourcard.house.store.interface import ReadTransaction
from fourcard.house.witness_statements import (
    STATEMENT_FORMAT,
    WitnessError,
    WitnessPosition,
    WitnessStatement,
    check_address,
    open_witness,
    sign_statement,
    statement_digest,
)
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, RefusedError, refuse

WHOLE_EVERY = HOUR
"""Milliseconds after which a statement lists every stream again."""
FAILURES_TO_ALERT = 3
"""Failed attempts in a row until staff are alerted."""
MAX_WITNESSES = 10
ALERT = "The witness '{name}' has taken no statement since {since} UTC. The security log says why."
WITNESS_AUTHOR, WITNESS_SUBJECT = "house", "witness"
"""Author and subject of its notes in the security log."""
_log = logging.getLogger(__name__)


class WitnessEntry(msgspec.Struct, frozen=True):
    """A witness as the journal has it."""

    name: str
    address: str
    at: int
    moment: str
    by: str


class WitnessList:
    """The current witnesses of a house, read from its own stream."""

    def __init__(self) -> None:
        """Start before the first event."""
        self.by_name: dict[str, WitnessEntry] = {}
        self._sequence = 0

    def catch_up(self, reading: ReadTransaction) -> None:
        """Read what is new."""
        for record in reading.events(HOUSE, self._sequence):
            event = HOUSE_CODEC.decode(record)
            if isinstance(event, WitnessAdded):
                self.by_name[event.name] = WitnessEntry(
                    event.name, event.address, record.at, format_time(record.at), event.by
                )
            elif isinstance(event, WitnessRemoved):
                self.by_name.pop(event.name, None)
            self._sequence = record.sequence


def current_witnesses(reading: ReadTransaction) -> dict[str, WitnessEntry]:
    """Return the current witnesses of a house by name."""
    found = WitnessList()
    found.catch_up(reading)
    return found.by_name


def add_witness(house: House, name: str, address: str, actor: Actor) -> WitnessAdded:
    """Add a witness by a person, or refuse it."""
    _check_administrator(actor, "add witness")
    if not is_name(name):
        raise RefusedError(refuse(Code.ID_UNFIT, what="witness", name=printable(name)))
    event = WitnessAdded(name, check_address(address), actor.person)

    def decide(reading: ReadTransaction) -> WitnessAdded:
        known = current_witnesses(reading)
        same = [each.name for each in known.values() if each.address == event.address]
        if name in known:
            raise BadInputError(f"There is already a witness '{name}'.")
        if same:
            raise BadInputError(f"{event.address} is already the witness '{same[0]}'.")
        if len(known) >= MAX_WITNESSES:
            raise BadInputError(f"A house has at most {MAX_WITNESSES} witnesses.")
        return event

    house.append_event(decide)
    return event


def remove_witness(house: House, name: str, actor: Actor) -> None:
    """Remove a witness by a person; what it holds stays as it is."""
    _check_administrator(actor, "remove witness")

    def decide(reading: ReadTransaction) -> WitnessRemoved:
        if name not in current_witnesses(reading):
            raise BadInputError(f"There is no witness '{printable(name)}'.")
        return WitnessRemoved(name, actor.person)

    house.append_event(decide)


def _check_administrator(actor: Actor, what: str) -> None:
    if "administrator" not in actor.roles:
        role = actor.roles[0] if actor.roles else "nobody"
        raise RefusedError(refuse(Code.NOT_PERMITTED, ("P25",), what=what, who="administrator", role=role))


class _Delivery(msgspec.Struct, frozen=True):
    """What this process knows of one witness."""

    position: WitnessPosition = WitnessPosition()
    """The last statement that it took from here."""
    heads: Mapping[str, int] = {}
    """By stream, the sequence that it knows."""
    whole_at: int = 0
    """When it got every stream."""
    failures: int = 0
    failing_since: int = 0


class WitnessSender:
    """Sends the heads of a house to its witnesses; one process of a house does it."""

    def __init__(self, house: House, leads: Callable[[], bool]) -> None:
        """Take the house, and what says whether this process is the one that sends."""
        self._house, self._leads = house, leads
        self._known = WitnessList()
        self._deliveries: dict[str, _Delivery] = {}
        self._sending = threading.Lock()

    @property
    def alerts(self) -> tuple[str, ...]:
        """Return a sentence for each witness that fails for some time."""
        return tuple(
            ALERT.format(name=name, since=format_time(each.failing_since))
            for name, each in [*self._deliveries.items()]
            if each.failures >= FAILURES_TO_ALERT
        )

    @property
    def leads(self) -> bool:
        """Say whether this process sends."""
        return self._leads()

    def send_if_leading(self) -> None:
        """Send what is new, if this process is the one that sends."""
        if self.leads:
            self.send()
        else:
            self._deliveries.clear()

    def send(self) -> None:
        """Send what is new to every witness; a failure is noted and tried again at the next call."""
        with self._sending:
            with self._house.store.reading() as reading:
                self._known.catch_up(reading)
                if not self._known.by_name:
                    self._deliveries.clear()
                    return
                at, heads = self._house.clock.now(), streams_with_events(reading.streams())
            for name in [*self._deliveries]:
                if name not in self._known.by_name:
                    del self._deliveries[name]
            for witness in self._known.by_name.values():
                self._try_send(witness, at, heads)

    def _try_send(self, witness: WitnessEntry, at: int, heads: Mapping[str, StreamHead]) -> None:
        before = self._deliveries.get(witness.name, _Delivery())
        try:
            after = self._send_to(witness, before, at, heads)
        except WitnessError as error:
            failures, since = before.failures + 1, before.failing_since or at
            after = replace(before, failures=failures, failing_since=since)
            if failures == 1:
                _log.warning("The witness '%s' took no statement: %s", witness.name, error)
            if failures == FAILURES_TO_ALERT:
                self._note(f"{witness.name}: {error}")
        else:
            if before.failures >= FAILURES_TO_ALERT:
                self._note(f"{witness.name}: takes statements again")
        self._deliveries[witness.name] = after

    def _note(self, reason: str) -> None:
        self._house.service.security.note(WITNESS_AUTHOR, WITNESS_SUBJECT, reason)

    def _send_to(
        self, witness: WitnessEntry, before: _Delivery, at: int, heads: Mapping[str, StreamHead]
    ) -> _Delivery:
        """Send what a witness does not know yet, after the last statement that it has."""
        sequences = {stream: head.sequence for stream, head in heads.items()}
        if sequences == before.heads:
            return before
        place = open_witness(witness.address)
        position = place.last()
        if position.number < before.position.number:
            raise WitnessError(
                f"It ends with statement {position.number}, and took {before.position.number} before."
            )
        whole = position != before.position or at - before.whole_at >= WHOLE_EVERY
        changed = {
            stream: head
            for stream, head in heads.items()
            if whole or before.heads.get(stream) != head.sequence
        }
        key, house = self._house.key, self._house.name
        statement = WitnessStatement(
            format=STATEMENT_FORMAT,
            house=house,
            public_key=key.public,
            witness=witness.name,
            number=position.number + 1,
            previous=position.digest,
            at=at,
            whole=whole,
            heads=signed_heads(changed),
            rotations=self._house.rotations,
        )
        line = sign_statement(statement, key.signer(house))
        place.append(line)
        taken = WitnessPosition(statement.number, statement_digest(line))
        return _Delivery(taken, sequences, at if whole else before.whole_at)
