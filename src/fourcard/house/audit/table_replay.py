"""Table replay: decides every command again, and checks shuffles, deals, settlements and counterparts."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.cards import DECK_SET
from fourcard.house.audit.checkpoint import CommittedShuffle, TableProgress
from fourcard.house.audit.context import AuditContext, ExpectedPair
from fourcard.house.audit.new_rows import NewRows
from fourcard.house.audit.redecide import CommandFault, RecordedEvent, check_restored_table, meter_before
from fourcard.house.audit.replay import StreamReplay
from fourcard.house.audit.report import FindingKind, FindingPlace, format_time
from fourcard.house.decide_meter import (
    contributions_for,
    log_event_for,
    meter_terms,
    reversal_for,
    sign_adjustment_for,
)
from fourcard.house.decide_shuffle import CARD_EVENTS, missing_seeds, spent_shuffles
from fourcard.house.decision import meter_stream, player_stream
from fourcard.house.events import (
    AwardLogged,
    BoughtIn,
    CashedOut,
    ChipsBought,
    ChipsReturned,
    ContributionsAdded,
    RoundSealed,
    SecretRevealed,
    SeedsDiscarded,
    ShuffleCommitted,
    ShuffleDrawn,
    TableInstalled,
    TableLinked,
    TableRestored,
    TableUnlinked,
)
from fourcard.house.journal import JournalRecord
from fourcard.house.ledger import Posting
from fourcard.house.meter_state import MeterState
from fourcard.house.shuffle_algorithm import (
    ALGORITHM,
    FIRST_ALGORITHM,
    ShuffleInput,
    commitment_of,
    order_of,
)
from fourcard.house.state_cache import encode_table
from fourcard.house.table_state import AnyTable, HouseTable, UninstalledTable
from fourcard.meter import Meter, pay_meter_award
from fourcard.money import dollars
from fourcard.progressive.console import WinLogged
from fourcard.refusals import BadInputError, RefusedError
from fourcard.round.events import (
    AwardPaid,
    CardsDealt,
    FaceUpCardDiscarded,
    ProgressiveLocked,
    RoundEnded,
    RoundVoided,
    Stake,
)
from fourcard.round.evolve import showdown
from fourcard.round.state import RoundState
from fourcard.rules.plain_data import rulebook_hash
from fourcard.rules.rulebook import Rulebook
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.settling import MONEY_ACTS, split_by_source
from fourcard.table.events import DeckOrdered, RoundBegan, StepPrepared

PAIRED_EVENTS = frozenset(
    (TableInstalled, BoughtIn, CashedOut, RoundBegan, ProgressiveLocked, WinLogged, AwardPaid, RoundVoided)
)
"""Events that may have a counterpart in another stream, and the start of a round."""


class CounterpartCheck:
    """Checks the counterparts of one table's events."""

    def __init__(self, context: AuditContext) -> None:
        """Start before the first round."""
        self._context, self._pairs = context, context.pairs
        self.awards: list[Meter] = []
        """The meter before each award of the current round."""

    def check(self, table: AnyTable, record: JournalRecord, event: Any) -> None:
        """Check the counterpart of an event, given the table before it."""
        if isinstance(event, RoundBegan):
            self.awards = []
        elif isinstance(event, BoughtIn):
            self._chip_events(table, record, event, "chips_bought", ChipsBought(table.name, event.cents))
        elif isinstance(event, CashedOut):
            self._chip_events(table, record, event, "chips_returned", ChipsReturned(table.name, event.cents))
        elif isinstance(event, TableInstalled):
            self._link_events(table, record, event)
        elif table.meter and isinstance(table, HouseTable):
            self._meter_event(table, record, event, table.state.round_number)

    def _chip_events(
        self, table: AnyTable, record: JournalRecord, event: BoughtIn | CashedOut, kind: str, right: object
    ) -> None:
        account, sign = player_stream(event.player), (kind, record.at)
        self._pairs.match(account, table.name, record, sign, lambda _: right)

    def _link_events(self, house_table: AnyTable, record: JournalRecord, event: TableInstalled) -> None:
        """Check the link events of the meters when a table is installed."""
        table, match = house_table.name, self._pairs.match
        if house_table.meter and house_table.meter != event.meter:
            sign = "table_unlinked", record.at
            match(meter_stream(house_table.meter), table, record, sign, lambda _: TableUnlinked(table))
        if event.meter and event.meter != house_table.meter:
            sign = "table_linked", record.at
            match(meter_stream(event.meter), table, record, sign, lambda _: TableLinked(table))

    def _meter_event(self, house_table: HouseTable, record: JournalRecord, event: Any, number: int) -> None:
        stream, table, match = meter_stream(house_table.meter), house_table.name, self._pairs.match
        if isinstance(event, ProgressiveLocked) and event.stakes:
            sign, stakes = ("stakes_added", number), event.stakes
            added = partial(_expected_stakes, table, number, stakes)
            self._check_terms(house_table, record, meter_before(match(stream, table, record, sign, added)))
        elif isinstance(event, WinLogged):
            sign, at = ("award_logged", number), record.at
            right = partial(_expected_award, table, number, event, at)
            self.awards.append(meter_before(match(stream, table, record, sign, right)).amounts)
        elif isinstance(event, AwardPaid):
            sign = "award_taken", number
            match(
                stream,
                table,
                record,
                sign,
                lambda w: sign_adjustment_for(meter_before(w), table, number, event),
            )
        elif isinstance(event, RoundVoided) and (event.contributions or self.awards):
            sign = "round_taken_back", number
            match(stream, table, record, sign, lambda w: reversal_for(meter_before(w), table, number))

    def _check_terms(self, table: HouseTable, record: JournalRecord, meter: MeterState) -> None:
        """Report stakes of a table whose progressive terms differ from its meter's."""
        games = self._context.games
        if not games.has(meter.terms_game):
            return
        if meter_terms(table.state.game) != meter_terms(games.game(meter.terms_game)):
            self._context.add_finding(
                record, "meter", "The table's progressive terms are not those of its meter."
            )


def _expected_stakes(
    table: str, number: int, stakes: tuple[Stake, ...], found: ExpectedPair
) -> ContributionsAdded:
    return contributions_for(meter_before(found), table, number, stakes)


def _expected_award(table: str, number: int, win: WinLogged, at: int, found: ExpectedPair) -> AwardLogged:
    return log_event_for(meter_before(found), table, number, win, at)


SettlementFault = tuple[FindingKind, str]


def settlement_faults(
    over: RoundState, event: RoundEnded | RoundVoided, meters: Sequence[Meter]
) -> Iterator[SettlementFault]:
    """Yield what is wrong with the money of a round, given the meter before each of its awards."""
    if isinstance(event, RoundVoided):
        if any(over.nets.values()):
            yield "void", "The round is void, but somebody won or lost money in it."
        return
    try:
        right = _settle_again(over, meters)
    except RefusedError as error:
        yield "settlement", f"It cannot be settled: {error.refusal.message}"
        return
    must, done = _in_order(right, over), _in_order(over.steps, over)
    if must != done:
        yield "settlement", _step_difference(must, done)
    nets = dict.fromkeys(over.positions, 0)
    for step in right:
        nets[step.position] += step.amount if step.action == "pay" else -step.amount
    for position, net in sorted(nets.items()):
        recorded = dict(event.nets).get(position)
        if recorded != net or over.nets[position] != net:
            has = "nothing" if recorded is None else dollars(recorded)
            yield (
                "settlement",
                f"Position {position} has a net of {has}; by the rules it is {dollars(net)}.",
            )


def _in_order(steps: Sequence[SettlementStep], over: RoundState) -> list[SettlementStep]:
    """Return the steps in order, then those of positions that were abandoned, at any time (R108)."""
    gone = {position for position, place in over.positions.items() if place.abandoned}
    apart = (step for step in steps if step.position in gone)
    return [
        *(step for step in steps if step.position not in gone),
        *sorted(apart, key=lambda step: (step.position, step.wager)),
    ]


def _settle_again(over: RoundState, meters: Sequence[Meter]) -> tuple[SettlementStep, ...]:
    """Return every settlement step by the rules, each award priced at the meter at its turn (R58)."""
    settler, shown = over.rules.settler, showdown(over)
    dues, steps, left = settler.pending_steps(shown), list[SettlementStep](), iter(meters)
    for act, seat in settler.scheduled_acts(shown, money_only=True):
        for due in dues.due_at(act, seat):
            if not due.waits or due.second_person:
                steps.append(due.step)
                continue
            meter = next(left, Meter(amount=0, reset_amount=0))
            if due.meter_award is None:
                steps.append(due.step)
                continue
            _, payment = pay_meter_award(
                meter, due.meter_award.odds, due.meter_award.stake, due.meter_award.source
            )
            steps.extend(split_by_source(due.step, payment))
    for position, place in over.positions.items():
        if place.abandoned:
            steps = _with_earlier_steps(steps, over, position)
    return tuple(steps)


def _with_earlier_steps(
    steps: Sequence[SettlementStep], over: RoundState, position: int
) -> list[SettlementStep]:
    """Return the steps with those that an abandoned position had before: the rest of it is lost (R108)."""
    due = _steps_before_own_turn(over, position)
    own = (step for step in over.steps if step.position == position)
    earlier = [*takewhile(due.__contains__, own)]
    settled = {step.wager for step in earlier}
    later = (step for step in steps if step.position != position or step.wager not in settled)
    return [*earlier, *later]


def _steps_before_own_turn(over: RoundState, position: int) -> list[SettlementStep]:
    """Return what a position is due before its turn had it stayed: its forfeits, and Envy of others (R54)."""
    stayed = replace(over.positions[position], abandoned=False)
    settler = over.rules.settler
    shown = showdown(replace(over, positions={**over.positions, position: stayed}))
    dues = settler.pending_steps(shown)
    return [
        due.step
        for act, seat in settler.scheduled_acts(shown, money_only=True)
        if act in MONEY_ACTS and (seat is None or seat.position != position)
        for due in dues.due_at(act, seat)
        if due.step.position == position
    ]


def _step_difference(right: Sequence[SettlementStep], found: Sequence[SettlementStep]) -> str:
    for number, (must, has) in enumerate(zip(right, found, strict=False), 1):
        if must != has:
            return f"Step {number} is to {_describe_step(has)}; by the rules it is to {_describe_step(must)}."
    return f"The settlement has {len(found)} steps; by the rules it has {len(right)}."


def _describe_step(step: SettlementStep) -> str:
    return f"{step.action} {dollars(step.amount)} for {step.wager} at position {step.position}, {step.hand}"


class ShuffleCheck:
    """Checks the commitments, orders and revealed secrets of a table."""

    def __init__(self, context: AuditContext, table: str, stream: str, start: TableProgress | None) -> None:
        """Start before the first commitment, or at the checkpoint."""
        self.context, self.table, self.stream = context, table, stream
        self.open: dict[int, CommittedShuffle] = {} if start is None else dict(start.shuffles)
        """Shuffles whose secret is not revealed yet, by number."""
        self.drawn = 0 if start is None else start.drawn
        """The last shuffle that was drawn."""
        self.expected = None if start is None else start.expected
        """The shuffle and the deck whose order must come next."""
        self._discarded: int | None = None
        """The shuffle that is discarded and not revealed yet."""
        self._seen: object = None
        self._retiring: int | None = None
        """The unused shuffle that a restore must retire."""
        self._checks: dict[type, Callable[[HouseTable, JournalRecord, Any], None]] = {
            StepPrepared: self._check_shuffled_deck,
            DeckOrdered: self._check_drawn_deck,
            ShuffleCommitted: self._check_commitment,
            ShuffleDrawn: self._check_draw,
            RoundSealed: self._check_seal,
            SecretRevealed: self._check_reveal,
            TableRestored: self._on_restore,
            SeedsDiscarded: self._on_discard,
        }

    def check_event(self, table: AnyTable, record: JournalRecord, event: Any) -> None:
        """Check an event, given the table before it."""
        check = self._checks.get(type(event))
        if check is not None and isinstance(table, HouseTable):
            check(table, record, event)
        elif self.expected is not None:
            self._report_unused(record)

    def check_after_command(self, table: AnyTable, record: JournalRecord) -> None:
        """Check after a command that every spent shuffle is revealed."""
        if self._retiring is not None:
            self.context.add_finding(
                record, "shuffle", f"The restore did not retire shuffle {self._retiring}."
            )
            self._retiring = None
        if not isinstance(table, HouseTable):
            return
        now = (table.state.decks, table.state.round is None)
        if now == self._seen:
            return
        self._seen = now
        for number in spent_shuffles(table):
            self.context.add_finding(
                record, "shuffle", f"The secret of shuffle {number} had to be revealed by now."
            )

    def _report_unused(self, record: JournalRecord) -> None:
        """Report a shuffle that was drawn but not used."""
        if self.expected is not None:
            self.context.add_finding(record, "shuffle", f"Shuffle {self.expected[0]} gave no deck its order.")
            self.expected = None

    def _check_commitment(self, table: HouseTable, record: JournalRecord, event: ShuffleCommitted) -> None:
        """Check that commitments are one ahead, and without a gap."""
        self._report_unused(record)
        if event.shuffle != table.shuffle_number + 1 or event.shuffle != self.drawn + 1:
            wanted = f"shuffle {self.drawn + 1} is the next to be committed to"
            self.context.add_finding(record, "shuffle", f"It commits to shuffle {event.shuffle}; {wanted}.")
        if event.algorithm not in _FOLLOWING[table.algorithm]:
            sentence = f"A shuffle by {table.algorithm} is not followed by one by {event.algorithm}."
            self.context.add_finding(record, "shuffle", sentence)
        self.open[event.shuffle] = CommittedShuffle(event.commitment, event.algorithm, record.sequence)

    def _check_draw(self, table: HouseTable, record: JournalRecord, event: ShuffleDrawn) -> None:
        self._report_unused(record)
        known = self.open.get(event.shuffle)
        if known is None or known.drawn is not None or event.shuffle != table.shuffle_number:
            sentence = f"Shuffle {event.shuffle} is drawn without a commitment that was open."
            self.context.add_finding(record, "shuffle", sentence)
        if (event.round is None) != (table.algorithm == FIRST_ALGORITHM):
            self.context.add_finding(
                record, "shuffle", "The draw is of another algorithm than its commitment."
            )
        if (event.seeds, event.withheld) != _seeds_by_then(table, event):
            self.context.add_finding(
                record, "shuffle", "The seeds are not those that players had chosen by then."
            )
        if known is not None:
            known.drawn = record.sequence
            known.input = ShuffleInput(self.table, event.shuffle, event.seeds, event.round, event.withheld)
            self.context.tally["shuffles"] += 1
        self.drawn, self.expected = event.shuffle, (event.shuffle, event.deck)

    def _check_seal(self, table: HouseTable, record: JournalRecord, event: RoundSealed) -> None:
        """Check that a round whose cards are keyed in is sealed with the next secret."""
        self._report_unused(record)
        if event.number != table.shuffle_number + 1 or event.number != self.drawn + 1:
            sentence = f"It seals with secret {event.number}; secret {self.drawn + 1} is the next."
            self.context.add_finding(record, "shuffle", sentence)
        sealed = CommittedShuffle(event.commitment, ALGORITHM, record.sequence, drawn=record.sequence)
        self.open[event.number], self.drawn = sealed, event.number

    def _check_shuffled_deck(self, table: HouseTable, record: JournalRecord, event: StepPrepared) -> None:
        """Check that a shuffle gives the deck an order by the first algorithm only."""
        later = table.algorithm != FIRST_ALGORITHM and self.expected is None and event.order is None
        if (event.mixed is not None or event.order is not None) and not later:
            self._check_order(table, record, event)

    def _check_drawn_deck(self, table: HouseTable, record: JournalRecord, event: DeckOrdered) -> None:
        """Check that a deck gets its order from the shuffle that is drawn with its first card."""
        self._check_order(table, record, event)

    def _check_order(
        self, table: HouseTable, record: JournalRecord, event: StepPrepared | DeckOrdered
    ) -> None:
        """Check that a deck order comes from a shuffle; cards keyed in by a dealer have none."""
        expected, self.expected = self.expected, None
        if expected is None:
            if table.card_source == "built-in" or event.order is not None:
                self.context.add_finding(
                    record, "shuffle", "The deck got its order without a shuffle of the house."
                )
            return
        number, deck = expected
        if event.deck != deck or event.order is None:
            self.context.add_finding(
                record, "shuffle", f"Shuffle {number} was drawn for deck {deck} and its order."
            )
        if number in self.open:
            self.open[number].order = event.order

    def _on_restore(self, table: HouseTable, record: JournalRecord, event: TableRestored) -> None:
        """Expect the secret of the next shuffle to be revealed and never used (P38)."""
        del event
        self._report_unused(record)
        self._retiring = table.shuffle_number if table.commitment else None

    def _on_discard(self, table: HouseTable, record: JournalRecord, event: SeedsDiscarded) -> None:
        """Expect the secret of a shuffle whose seeds were called to be revealed and never used (P40)."""
        del table
        self._report_unused(record)
        self.drawn, self._discarded = event.shuffle, event.shuffle

    def _check_reveal(self, table: HouseTable, record: JournalRecord, event: SecretRevealed) -> None:
        known = self.open.pop(event.shuffle, None)
        if known is not None and known.drawn is None and event.shuffle in (self._retiring, self._discarded):
            if event.shuffle == self._retiring:
                self._retiring, self.drawn = None, event.shuffle
            self._discarded = None
            place = FindingPlace("events", record.stream, record.sequence)
            self._check_secret(known, event.shuffle, _secret_bytes(event), place, "shuffle")
            return
        if known is None or known.drawn is None:
            self.context.add_finding(record, "shuffle", f"Shuffle {event.shuffle} has nothing to reveal.")
            return
        if event.shuffle not in spent_shuffles(table):
            sentence = (
                f"The secret of shuffle {event.shuffle} is revealed while its cards can still be dealt."
            )
            self.context.add_finding(record, "shuffle", sentence)
        place = FindingPlace("events", record.stream, record.sequence)
        self._check_secret(known, event.shuffle, _secret_bytes(event), place, "shuffle")

    def _check_secret(
        self, known: CommittedShuffle, number: int, secret: bytes, place: FindingPlace, what: FindingKind
    ) -> None:
        """Compare a secret with its commitment, and the order of the deck with the secret."""
        findings = self.context.findings
        try:
            fits = commitment_of(secret) == known.commitment
            order = None if known.input is None else order_of(secret, known.input)
        except BadInputError as error:
            findings.add(place, what, str(error))
            return
        if not fits:
            sentence = f"It is not the secret that event {known.committed} committed to."
            findings.add(place, what, sentence)
        elif known.drawn is not None and order != known.order:
            sentence = f"Shuffle {number} gave the deck another order than its secret gives."
            findings.add(FindingPlace("events", self.stream, known.drawn), "shuffle", sentence)

    def end(self) -> None:
        """Compare the stored secrets with the shuffles that are not revealed."""
        for number, known in self.open.items():
            place = FindingPlace("secrets", self.stream, number)
            stored = (self.stream, number) in self.context.secrets
            secret = self.context.secrets.pop((self.stream, number), None)
            if stored and secret is None:
                if self.context.reading.key is not None:
                    sentence = "It cannot be opened with the key of the house."
                    self.context.findings.add(place, "altered", sentence)
            elif secret is None:
                sentence = f"Event {known.committed} committed to it; it was never revealed."
                self.context.findings.add(place, "missing", sentence)
            else:
                self.context.tally["secrets"] += 1
                self._check_secret(known, number, secret, place, "altered")


_FOLLOWING = {FIRST_ALGORITHM: (FIRST_ALGORITHM, ALGORITHM), ALGORITHM: (ALGORITHM,)}
"""The algorithms of a commitment that may follow one of each algorithm: never an older one."""


def _seeds_by_then(table: HouseTable, event: ShuffleDrawn) -> tuple[object, object]:
    """Return the seeds of a draw and those that were withheld, as the events before it have them."""
    if event.round is None:
        return tuple(sorted(table.seeds.items())), ()
    withheld = tuple((player, table.seed_hashes[player]) for player in missing_seeds(table))
    return tuple(sorted(table.revealed_seeds.items())), withheld


def _secret_bytes(event: SecretRevealed) -> bytes:
    """Return a secret as bytes; empty where its text is not hexadecimal."""
    try:
        return bytes.fromhex(event.secret)
    except ValueError:
        return b""


END_EVENTS = frozenset((RoundEnded, RoundVoided))
PLAYER_ACCOUNTS = ("chips/", "layout/")
"""Prefixes of accounts that can never be overdrawn."""


class TableReplay(StreamReplay):
    """Rebuilds the state of a table."""

    state: AnyTable

    def __init__(self, context: AuditContext, new: NewRows) -> None:
        """Start before the table is installed, or at the checkpoint."""
        super().__init__(context, new)
        start = None if self.start is None else self.start.table
        self._counterparts = CounterpartCheck(context)
        self._shuffles = ShuffleCheck(context, self.name, self.stream, start)
        self._index = context.index.table(new, start)
        self._round_snapshot: tuple[int, HouseTable | msgspec.Raw] | None = None
        """The sequence before the round under way, and the table there."""
        self._faulty = False
        """Whether something was wrong in the current round, so that the rest of it proves nothing."""
        self._unreplayable = self._sealed = False
        """Whether the table cannot be replayed at all, because its game is missing."""
        self._left: set[str] = set()
        """Layout accounts that were not empty after the last round."""
        if self.start is not None and start is not None:
            self._resume(self.start.rows.records.last, start)

    def _resume(self, sequence: int, start: TableProgress) -> None:
        """Go on from a checkpoint."""
        self._counterparts.awards = [*start.awards]
        self._round_snapshot = start.round_snapshot
        if start.effects is not None:
            self.context.index.meters[self.name, start.effects.round] = start.effects
        self.check_earlier_snapshots(sequence, start.round_snapshot)

    def progress(self) -> TableProgress | None:
        """Return what the checks of the table remember."""
        if not isinstance(self.state, HouseTable):
            return None
        state, before = self.state.state, self._round_snapshot
        if state.round is None or before is None:
            before = None
        elif isinstance(before[1], HouseTable):
            before = before[0], msgspec.Raw(encode_table(before[1]))
        return TableProgress(
            at=state.at,
            shuffles=self._shuffles.open,
            drawn=self._shuffles.drawn,
            expected=self._shuffles.expected,
            awards=tuple(self._counterparts.awards),
            round_snapshot=before,  # type: ignore[arg-type]
            hour=self._index.hour,
            effects=None
            if state.round is None
            else self.context.index.meters.get((self.name, state.round_number)),
        )

    def command(self, happened: list[RecordedEvent]) -> None:
        """Decide a command again, then replay its events."""
        self.context.check_author(happened[0][0])
        self._look_ahead(happened)
        if not self._unreplayable:
            super().command(happened)
            self._shuffles.check_after_command(self.state, happened[-1][0])
            return
        self.context.tally["commands"] += 1
        for record, _ in happened:
            self.context.ledger.accept(record)

    def _look_ahead(self, happened: list[RecordedEvent]) -> None:
        """Check whether a round begins, or the table cannot be replayed because its game is missing."""
        for record, event in happened:
            kind = type(event)
            if kind is RoundBegan:
                self._faulty = False
            elif kind is TableInstalled:
                self._faulty, self._unreplayable = False, not self.context.games.has(event.game)
                if not self._unreplayable:
                    self._note_unreleased(record, self.context.games.game(event.game).rulebook)
                else:
                    sentence = f"Nothing that follows can be replayed: game {event.game} is missing."
                    self.context.add_finding(record, "game", sentence)
        uninstalled = isinstance(self.state, UninstalledTable)
        if uninstalled and not self._unreplayable and type(happened[0][1]) is not TableInstalled:
            self._unreplayable = True
            sentence = "Nothing that follows can be replayed: the table was never installed."
            self.context.add_finding(happened[0][0], "rules", sentence)

    def _note_unreleased(self, record: JournalRecord, rulebook: Rulebook) -> None:
        """Name a rulebook that is not part of the release (P39)."""
        if not rulebook.released:
            where = f"{record.stream}, event {record.sequence}, {format_time(record.at)}"
            self.context.unreleased.append(f"{where}: {rulebook.id}, hash {rulebook_hash(rulebook)}")

    def skip(self, *, sealed: bool) -> None:
        """Go on after an event that cannot be read: what it moved is not known.

        After a sealed one, nothing else of the table can be compared.
        """
        self._index.give_up()
        self._sealed |= sealed

    def decide_again(self, happened: list[RecordedEvent]) -> CommandFault | None:
        """Decide a command again; after a fault, the rest of the round proves nothing."""
        if self._faulty:
            return None
        if isinstance(happened[0][1], TableRestored) and isinstance(self.state, HouseTable):
            fault = check_restored_table(self.context, self.state, happened)
        else:
            fault = super().decide_again(happened)
        self._faulty = fault is not None
        return fault

    def event(self, record: JournalRecord, event: Any) -> None:
        """Replay one event."""
        kind = type(event)
        if kind in CARD_EVENTS and not _names_cards(event):
            self.context.add_finding(record, "deal", "It names cards that do not exist.")
            self._faulty = True
            self._index.give_up()
            return
        if isinstance(event, TableRestored) and event.restore not in self.context.restores:
            self.context.add_finding(record, "inserted", f"The house records no restore {event.restore}.")
        self._shuffles.check_event(self.state, record, event)
        if kind in PAIRED_EVENTS:
            self._counterparts.check(self.state, record, event)
        before = self.state
        if kind is RoundBegan and isinstance(before, HouseTable):
            self._round_snapshot = record.sequence - 1, before
        moved = self.apply(record, event, quietly=self._faulty)
        if moved is None:
            self._faulty = True
            self._index.give_up()
            return
        self._index.add(before, self.state, record, (event, moved))
        if moved:
            self._check_overdrawn(record, moved)
        if kind in END_EVENTS:
            self._check_settlement(record, event)

    @property
    def game(self) -> str:
        """Return the hash of the pinned game."""
        return self.state.game_hash

    def _check_overdrawn(self, record: JournalRecord, moved: list[Posting]) -> None:
        for move in moved:
            if self.state.balances.get(move.giver, 0) < 0 and move.giver.startswith(PLAYER_ACCOUNTS):
                self.context.add_finding(record, "overdrawn", f"The account {move.giver} is overdrawn.")

    def _check_settlement(self, record: JournalRecord, event: RoundEnded | RoundVoided) -> None:
        """Settle a finished round again."""
        self.context.tally["rounds"] += 1
        self.context.tally["settlements"] += isinstance(event, RoundEnded)
        over = self.state.state.last_round if isinstance(self.state, HouseTable) else None
        try:
            found = [] if over is None else [*settlement_faults(over, event, self._counterparts.awards)]
        except Exception:  # noqa: BLE001  altered cards can break anything; report it
            found = [("settlement", "It cannot be settled again: its cards or its wagers are invalid.")]
        for what, sentence in found:
            self.context.add_finding(record, what, sentence)
        left = {name for name, units in self.state.balances.items() if units and name.startswith("layout/")}
        for name in sorted(left - self._left):
            self.context.add_finding(record, "settlement", f"The round is over, but {name} is not empty.")
        self._left = left

    def end(self) -> None:
        """Compare the final state with the stored secrets and snapshot."""
        if self._unreplayable or self._sealed:
            self.context.forget(self.stream, self.name)
            return
        super().end()
        self._shuffles.end()
        self._index.end()


def _names_cards(event: CardsDealt | FaceUpCardDiscarded) -> bool:
    cards = event.cards if isinstance(event, CardsDealt) else (event.card,)
    return DECK_SET.issuperset(cards)
