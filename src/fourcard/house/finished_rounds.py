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
from fourcard.house import table_state
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import table_stream
from fourcard.house.events import SecretRevealed
from fourcard.house.fairness.shuffle_proof import CARD_PLACES, DrawnCards, ShuffleProof
from fourcard.house.journal import TABLE_CODEC, JournalRecord
from fourcard.house.round_index import IndexedRound, decode_round, shuffle_in_play
from fourcard.house.shuffle_algorithm import ALGORITHM, FIRST_ALGORITHM
from fourcard.house.state_cache import BrokenStreamError, StateCache, decode_table
from fourcard.house.store.interface import ReadTransaction, Store
from fourcard.house.table_state import AnyTable, DrawnShuffle, GameLookup, HouseTable, UninstalledTable
from fourcard.meter import UNITS_PER_CENT, Meter
from fourcard.refusals import BadInputError
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded, RoundEnded, RoundVoided
from fourcard.round.state import RoundState
from fourcard.rules.line_options import options_of
from fourcard.settle_files.settle import SettleRefusal, answer_line
from fourcard.table.events import RoundBegan
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
    deck: DrawnShuffle | None
    """How its deck was shuffled and cut, if the house shuffled it."""
    drawn: tuple[DrawnCards, ...]
    proof: ShuffleProof | None = None


def finished_rounds(
    table: str, records: Iterable[JournalRecord], games: GameLookup
) -> Iterator[CompletedRound]:
    """Yield the finished rounds of a table; rounds without a revealed secret come last, without proof."""
    following, waiting = RoundCollector(UninstalledTable(table), games), deque[CompletedRound]()
    revealed: dict[int, str] = {}
    for record in records:
        ended = following.add(record)
        if ended is not None:
            waiting.append(ended)
        elif record.kind == REVEALED:
            shown = _revealed(record)
            revealed[shown.shuffle] = shown.secret
        while waiting and (waiting[0].shuffle is None or waiting[0].shuffle in revealed):
            first = waiting.popleft()
            yield with_proof(first, None if first.shuffle is None else revealed[first.shuffle])
    yield from waiting


REVEALED = "secret_revealed"


def _revealed(record: JournalRecord) -> SecretRevealed:
    event = TABLE_CODEC.decode(record)
    assert isinstance(event, SecretRevealed)
    return event


def is_proven(reading: ReadTransaction, found: IndexedRound) -> bool:
    """Return whether the secret of a round's shuffle is public: a store keeps only those that are not."""
    return found.shuffle is not None and reading.secret(table_stream(found.table), found.shuffle) is None


def revealed_secret(reading: ReadTransaction, found: IndexedRound) -> str | None:
    """Return the secret of a round's shuffle, which the journal reveals soon after the round, or None."""
    if not is_proven(reading, found):
        return None
    records = reading.events(table_stream(found.table), found.sequence)
    events = (_revealed(record) for record in records if record.kind == REVEALED)
    return next((each.secret for each in events if each.shuffle == found.shuffle), None)


def with_proof(ended: CompletedRound, secret: str | None) -> CompletedRound:
    """Return a round with the proof of its shuffle, if the house shuffled and revealed the secret."""
    if ended.shuffle is None or ended.deck is None or secret is None:
        return ended
    proof = ShuffleProof(
        algorithm=FIRST_ALGORITHM if ended.deck.round is None else ALGORITHM,
        round=ended.deck.round,
        withheld=ended.deck.withheld,
        table=ended.table,
        shuffle=ended.shuffle,
        commitment=ended.deck.commitment,
        secret=secret,
        seeds=ended.deck.seeds,
        cuts=ended.deck.cuts,
        drawn=ended.drawn,
    )
    return replace(ended, proof=proof)


class RoundCollector:
    """Reads one table's events, and collects what a proof needs."""

    def __init__(self, table: AnyTable, games: GameLookup, sequence: int = 0) -> None:
        """Start with a table before its first event, or between two rounds after a sequence."""
        self._table, self._games, self.sequence = table, games, sequence
        self._deck: DrawnShuffle | None = None
        """How the deck of the round under way was shuffled and cut."""
        self._drawn: list[DrawnCards] = []

    @property
    def table(self) -> HouseTable:
        """Return the table; it must be installed."""
        assert isinstance(self._table, HouseTable)
        return self._table

    def add(self, record: JournalRecord) -> CompletedRound | None:
        """Apply the next event, and return the round that it ended."""
        event, before = TABLE_CODEC.decode(record), self._table
        try:
            self._note(event)
            self._table, _ = table_state.evolve(before, event, self._games)
        except BadInputError:
            raise
        except Exception as error:
            fault = f"cannot be replayed at event {record.sequence}"
            raise BrokenStreamError(record.stream, fault) from error
        self.sequence = record.sequence
        state = self.table.state
        if not isinstance(event, RoundEnded | RoundVoided) or state.last_round is None:
            return None
        assert isinstance(before, HouseTable)
        return CompletedRound(
            table=self.table.name,
            number=state.round_number,
            at=record.at,
            state=state.last_round,
            shuffle=shuffle_in_play(before),
            deck=self._deck,
            drawn=tuple(self._drawn),
        )

    def _note(self, event: Any) -> None:
        """Record cards that an event, not applied yet, takes from the deck."""
        if isinstance(event, RoundBegan):
            self._drawn, self._deck = [], None
        elif isinstance(event, CardsDealt):
            self._draw(event.to, event.cards)
        elif isinstance(event, FaceUpCardDiscarded):
            self._draw(CARD_PLACES["discarded"], (event.card,))

    def _draw(self, to: int, cards: tuple[int, ...]) -> None:
        """Record cards that leave the deck; the first of them fixes its shuffle and cuts."""
        if not self._drawn:
            self._deck = self.table.drawn_shuffles.get(self.table.state.active)
        self._drawn.append(DrawnCards(PLACE_NAMES.get(to, to), cards_text(cards)))


def collector_before(reading: ReadTransaction, found: IndexedRound, games: GameLookup) -> RoundCollector:
    """Return a collector at the newest snapshot before a round, or before the table's first event."""
    kept = reading.snapshot(table_stream(found.table), found.sequence)
    table = None if kept is None else decode_table(kept.body, games)
    if kept is None or table is None:
        return RoundCollector(UninstalledTable(found.table), games)
    return RoundCollector(table, games, kept.sequence)


SettleLine = dict[str, Any]
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
        cache = StateCache(SystemEntropy())
        cache.use_reader(reading)
        for stream, records in _stream_events(reading, wanted, progress):
            for ended in finished_rounds(stream.partition("/")[2], records, cache.game):
                if since is not None and ended.at < since:
                    continue
                line = exported_line(ended, meter_of_round(reading, stream, ended.number), counted)
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


def meter_of_round(reading: ReadTransaction, stream: str, number: int) -> Meter | None:
    """Return the meter that a round was settled with; None without progressive wagers."""
    row = reading.round(stream, number)
    meter = None if row is None else decode_round(row).meter
    return None if meter is None else meter.amounts


def exported_line(ended: CompletedRound, meter: Meter | None, left_out: Counter[str]) -> SettleLine | None:
    """Return the line of a round that settles as it happened, or count why there is none."""
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
        "options": options_of(game),
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
