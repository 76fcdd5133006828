"""Finished rounds: read from a table's journal with shuffle proofs, and exported as settle lines.

An exported round has the meter at its settlement and, if the house shuffled and revealed the secret, the
proof. Every line is settled before it is yielded, and must give what happened at the table. Rounds that a
line cannot describe are left out and counted, by the name of the reason:

- ``void_unknown``: a round called off before its first card, or void by one of our policies (P19, P24);
  ``fourcard settle`` takes a void only by a clause or a ruling.
- ``seats_missing``: a void round in which no position had a wager that cards are dealt to.
- ``settled_otherwise``: a shared meter moved between two awards of the round; a line has one meter.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.cards import cards_text
from fourcard.house import meter_state, table_state
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.events import (
    AwardLogged,
    ContributionsAdded,
    SecretRevealed,
    ShuffleCommitted,
    ShuffleDrawn,
)
from fourcard.house.fairness.shuffle_algorithm import Seed
from fourcard.house.fairness.shuffle_proof import CARD_PLACES, DrawnCards, ShuffleProof
from fourcard.house.journal import METER_CODEC, TABLE_CODEC, JournalRecord
from fourcard.house.meter_state import MeterState
from fourcard.house.state_cache import BrokenStreamError, StateCache
from fourcard.house.store.interface import ReadTransaction, Store
from fourcard.house.table_state import AnyTable, GameLookup, HouseTable, UninstalledTable
from fourcard.meter import UNITS_PER_CENT, Meter
from fourcard.refusals import BadInputError
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded, RoundEnded, RoundVoided
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.settle_files.settle import SettleRefusal, answer_line
from fourcard.table.deck_preparation import cut_depth_step
from fourcard.table.events import RoundBegan, StepPrepared
from fourcard.wagers import WagerName

PLACE_NAMES = {place: name for name, place in CARD_PLACES.items()}


class CompletedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over or void, and where its cards came from."""

    table: str
    number: int
    at: int
    """When it ended."""
    state: RoundState
    shuffle: int | None
    """The shuffle of its deck; None if cards were keyed in, or no card was dealt."""
    cuts: tuple[int, ...]
    drawn: tuple[DrawnCards, ...]
    proof: ShuffleProof | None = None


class TableCheckpoint(msgspec.Struct, frozen=True):
    """A checkpoint: a table at one event, from which reading can continue."""

    sequence: int = 0
    """The last event that is included."""
    table: AnyTable = UninstalledTable("")
    cuts: Mapping[int, tuple[int, ...]] = {}


def finished_rounds(
    table: str, records: Iterable[JournalRecord], games: GameLookup
) -> Iterator[CompletedRound]:
    """Yield the finished rounds of a table; rounds without a revealed secret come last, without proof."""
    following, waiting = RoundCollector(table, games), deque[CompletedRound]()
    shuffles = following.shuffles
    for record in records:
        ended = following.add(record)
        if ended is not None:
            waiting.append(ended)
        while waiting and (waiting[0].shuffle is None or waiting[0].shuffle in shuffles.revealed):
            yield shuffles.with_proof(waiting.popleft())
    yield from waiting


class ShuffleLog:
    """The shuffles of a table's journal: commitments, seeds and revealed secrets."""

    def __init__(self) -> None:
        """Start empty."""
        self.commitments: dict[int, str] = {}
        """By shuffle number, like the next two."""
        self.revealed: dict[int, str] = {}
        """The secrets that are public."""
        self._seeds: dict[int, tuple[Seed, ...]] = {}

    def note(self, event: object) -> None:
        """Record what an event says about a shuffle."""
        if isinstance(event, ShuffleCommitted):
            self.commitments[event.shuffle] = event.commitment
        elif isinstance(event, ShuffleDrawn):
            self._seeds[event.shuffle] = event.seeds
        elif isinstance(event, SecretRevealed):
            self.revealed[event.shuffle] = event.secret

    def with_proof(self, ended: CompletedRound) -> CompletedRound:
        """Return a round with the proof of its shuffle, if the house shuffled and revealed the secret."""
        number = ended.shuffle
        if number is None or number not in self.revealed:
            return ended
        proof = ShuffleProof(
            table=ended.table,
            shuffle=number,
            commitment=self.commitments[number],
            secret=self.revealed[number],
            seeds=self._seeds[number],
            cuts=ended.cuts,
            drawn=ended.drawn,
        )
        return replace(ended, proof=proof)


class RoundCollector:
    """Reads one table's events, and collects what a proof needs."""

    def __init__(self, table: str, games: GameLookup, mark: TableCheckpoint | None = None) -> None:
        """Start with an uninstalled table, or at a checkpoint."""
        known = TableCheckpoint(table=UninstalledTable(table)) if mark is None else mark
        self._table, self.games = known.table, games
        self.sequence = known.sequence
        self.shuffles = ShuffleLog()
        self._cuts = dict(known.cuts)
        """By deck, the depths of the cuts since its shuffle."""
        self._shuffle: tuple[int | None, tuple[int, ...]] = (None, ())
        """The shuffle and the cuts of the deck in the round under way."""
        self._drawn: list[DrawnCards] = []

    @property
    def table(self) -> HouseTable:
        """Return the table; it must be installed."""
        assert isinstance(self._table, HouseTable)
        return self._table

    def checkpoint(self) -> TableCheckpoint:
        """Return a checkpoint of the table; it is incomplete during a round."""
        return TableCheckpoint(self.sequence, self._table, dict(self._cuts))

    def add(self, record: JournalRecord) -> CompletedRound | None:
        """Apply the next event, and return the round that it ended."""
        event = TABLE_CODEC.decode(record)
        try:
            self.note(event)
            self._table, _ = table_state.evolve(self._table, event, self.games)
        except BadInputError:
            raise
        except Exception as error:
            fault = f"cannot be replayed at event {record.sequence}"
            raise BrokenStreamError(record.stream, fault) from error
        self.sequence = record.sequence
        state = self.table.state
        if not isinstance(event, RoundEnded | RoundVoided) or state.last_round is None:
            return None
        shuffle, cuts = self._shuffle
        return CompletedRound(
            table=self.table.name,
            number=state.round_number,
            at=record.at,
            state=state.last_round,
            shuffle=shuffle,
            cuts=cuts,
            drawn=tuple(self._drawn),
        )

    def note(self, event: Any) -> None:
        """Record what an event, not applied yet, says about a shuffle or about drawn cards."""
        self.shuffles.note(event)
        if isinstance(event, ShuffleDrawn):
            self._cuts[event.deck] = ()
        elif isinstance(event, StepPrepared):
            self._cut(event)
        elif isinstance(event, RoundBegan):
            self._drawn, self._shuffle = [], (None, ())
        elif isinstance(event, CardsDealt):
            self._draw(event.to, event.cards)
        elif isinstance(event, FaceUpCardDiscarded):
            self._draw(CARD_PLACES["discarded"], (event.card,))

    def _cut(self, event: StepPrepared) -> None:
        cutting = self.table.state.game.rulebook.cutting
        if cutting is not None and event.step == cut_depth_step(cutting) and event.depth is not None:
            self._cuts[event.deck] = (*self._cuts.get(event.deck, ()), event.depth)

    def _draw(self, to: int, cards: tuple[int, ...]) -> None:
        """Record cards that leave the deck; the first of them fixes the deck's shuffle and cuts."""
        state = self.table.state
        if not self._drawn:
            self._shuffle = self.table.unrevealed_shuffles.get(state.active), self._cuts.get(state.active, ())
        self._drawn.append(DrawnCards(PLACE_NAMES.get(to, to), cards_text(cards)))


SettleLine = dict[str, Any]
RoundId = tuple[str, int]
"""A table and a round number."""
ExportProgress = Callable[[int, int], None]
"""Gets the number of events done, and their total."""
SETTLED_OTHERWISE = "settled_otherwise"
PROGRESS_EVERY = 1_000


def export_rounds(
    store: Store,
    table: str | None = None,
    since: int | None = None,
    left_out: Counter[str] | None = None,
    progress: ExportProgress | None = None,
) -> Iterator[SettleLine]:
    """Yield the finished rounds of one table or all as lines; ``since`` leaves out earlier rounds.

    Rounds that a line cannot describe are counted in ``left_out``, by the reason.
    """
    counted = Counter[str]() if left_out is None else left_out
    with store.reading() as reading:
        streams = [each for each in reading.journal_streams() if each.startswith("table/")]
        wanted = [each for each in streams if table is None or each == f"table/{table}"]
        if table is not None and not wanted:
            raise BadInputError(f"There is no table '{table}' in {store.name}.")
        cache, meters = StateCache(SystemEntropy()), meters_of_rounds(reading)
        cache.use_reader(reading)
        for stream, records in _stream_events(reading, wanted, progress):
            for ended in finished_rounds(stream.partition("/")[2], records, cache.game):
                line = exported_line(ended, meters, counted) if since is None or ended.at >= since else None
                if line is not None:
                    yield line


def _stream_events(
    reading: ReadTransaction, streams: list[str], progress: ExportProgress | None
) -> Iterator[tuple[str, Iterator[JournalRecord]]]:
    """Yield streams with their events, and report the progress."""
    heads, done = reading.streams(), 0
    total = sum(heads[each].sequence for each in streams if each in heads)

    def told(stream: str) -> Iterator[JournalRecord]:
        nonlocal done
        for record in reading.events(stream):
            done += 1
            if progress is not None and done % PROGRESS_EVERY == 0:
                progress(done, total)
            yield record

    for stream in streams:
        yield stream, told(stream)


def meters_of_rounds(reading: ReadTransaction) -> dict[RoundId, Meter]:
    """Return the meter of every round with stakes: at its first award, or after its own stakes."""
    found: dict[RoundId, Meter] = {}
    for stream in reading.journal_streams():
        if stream.startswith("meter/"):
            found |= _meters_in(reading, stream)
    return found


def _meters_in(reading: ReadTransaction, stream: str) -> dict[RoundId, Meter]:
    meter, found, awarded = MeterState(stream.partition("/")[2]), dict[RoundId, Meter](), set[RoundId]()
    for record in reading.events(stream):
        event, before = METER_CODEC.decode(record), meter
        meter, _ = meter_state.evolve(meter, event)
        if isinstance(event, ContributionsAdded):
            found[event.table, event.round] = meter.amounts
        elif isinstance(event, AwardLogged) and (event.table, event.round) not in awarded:
            awarded.add((event.table, event.round))
            found[event.table, event.round] = before.amounts
    return found


def exported_line(
    ended: CompletedRound, meters: Mapping[RoundId, Meter], left_out: Counter[str]
) -> SettleLine | None:
    """Return the line of a round that settles as it happened, or count why there is none."""
    meter = meters.get((ended.table, ended.number))
    line: SettleLine = {"id": f"{ended.table}/{ended.number}", **settle_line_of(ended.state, meter)}
    if ended.proof is not None:
        line["proof"] = msgspec.to_builtins(ended.proof)
    reason = _left_out_reason(line, ended.state)
    if reason is None:
        return line
    left_out[reason] += 1
    return None


def _left_out_reason(line: SettleLine, over: RoundState) -> str | None:
    """Return why a line cannot describe a round, or None."""
    answer = answer_line(msgspec.json.encode(line))
    if isinstance(answer, SettleRefusal):
        return answer.refused.name
    return None if over.voided is not None or answer.steps == over.steps else SETTLED_OTHERWISE


def settle_line_of(state: RoundState, meter: Meter | None) -> SettleLine:
    """Return a finished round as a settle line, with the meter when its settlement began."""
    game = state.rules.game
    line: SettleLine = {
        "rulebook": game.rulebook.id,
        "options": _settle_options(game),
        "settings": dict(game.submission.settings),
        "seats": [_seat_fields(state, position) for position in state.dealt_in],
        "dealer": cards_text(state.dealer),
    }
    if game.rulebook.edition is not None:
        line["edition"] = game.rulebook.edition
    if state.bonus and game.rulebook.wagers.six_card is not None:
        line["bonus_card"] = cards_text(state.bonus)
    if state.voided is not None:
        line["void"] = state.voided.clauses[0]
    elif meter is not None and game.offers("progressive"):
        line["meter"], line["reset"] = meter.whole_cents, _reset_cents(meter)
    return line


def _reset_cents(meter: Meter) -> int:
    """Return what the meter shows after its first whole award: seed, reserve and fractions of a cent."""
    units = meter.amount % UNITS_PER_CENT + (meter.reset_amount or 0) * UNITS_PER_CENT + meter.reserve
    return units // UNITS_PER_CENT


def _settle_options(game: Game) -> SettleLine:
    """Return the submission's choices that settling needs."""
    submitted, choice = game.submission, game.submission.progressive
    options: SettleLine = {
        name: table if isinstance(table, str) else {row: str(odds) for row, odds in table.items()}
        for name, table in submitted.wagers.items()
    }
    options["chip"] = int(submitted.chip)
    if submitted.settlement.routine is not None:
        options["routine"] = submitted.settlement.routine
    if submitted.settlement.order:
        options["order"] = list(submitted.settlement.order)
    if choice is not None:
        options |= {"fixed_awards": choice.fixed_awards} | ({"envy": choice.envy} if choice.envy else {})
    return options


def _seat_fields(state: RoundState, position: int) -> SettleLine:
    place = state.positions[position]
    wagers: Mapping[WagerName, int] = place.wagers
    seat: SettleLine = {
        "position": position,
        "player": place.player,
        "cards": cards_text(place.cards),
        "wagers": {name: amount for name, amount in wagers.items() if name != "play"},
    }
    if place.play_amount is not None:
        seat["play"] = place.play_amount
    if place.abandoned:
        seat["left"] = True
    if place.chosen_cards:
        seat["presented"] = cards_text(place.chosen_cards)
    return seat
