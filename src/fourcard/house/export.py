"""Round export: finished rounds as lines for ``fourcard settle``, each with the proof of its shuffle.

A round is written once it is over or void, with the meter at its settlement and, if the house shuffled and
revealed the secret, the proof. Every line is settled before it is yielded, and must give what happened at the
table. Rounds that a line cannot describe are left out and counted, by the name of the reason:

- ``void_unknown``: a round called off before its first card, or void by one of our policies (P19, P24);
``fourcard settle`` takes a void only by a clause or a ruling.
- ``seats_missing``: a void round in which no position had a wager that cards are dealt to.
- ``settled_otherwise``: a shared meter moved between two awards of the round; a line has one meter.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from fourcard.cards import cards_text
from fourcard.errors import BadInputError
from fourcard.house import meter_book
from fourcard.house.finished import Finished, finished_rounds
from fourcard.house.journal import METERS
from fourcard.house.library import Library
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_events import AwardLogged, StakesAdded
from fourcard.house.ports import SystemEntropy
from fourcard.house.records import Recorded
from fourcard.house.store.contract import Reading, Store
from fourcard.lines.answering import Refused, answer_line
from fourcard.meter import UNITS_PER_CENT, Meter
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.rules.nodes import WagerName

Line = dict[str, Any]
RoundId = tuple[str, int]
"""A table and a round number."""
Progress = Callable[[int, int], None]
"""Gets the number of events done, and their total."""
OTHERWISE = "settled_otherwise"
EVERY = 1_000


def rounds(
    store: Store,
    table: str | None = None,
    since: int | None = None,
    left_out: Counter[str] | None = None,
    progress: Progress | None = None,
) -> Iterator[Line]:
    """Yield the finished rounds of one table or all as lines; ``since`` leaves out earlier rounds.

    Rounds that a line cannot describe are counted in ``left_out``, by the reason.
    """
    counted = Counter[str]() if left_out is None else left_out
    with store.reading() as reading:
        streams = [each for each in reading.journal_streams() if each.startswith("table/")]
        wanted = [each for each in streams if table is None or each == f"table/{table}"]
        if table is not None and not wanted:
            raise BadInputError(f"There is no table '{table}' in {store.name}.")
        library, meters = Library(SystemEntropy()), meters_of_rounds(reading)
        library.look(reading)
        for stream, records in _read(reading, wanted, progress):
            for ended in finished_rounds(stream.partition("/")[2], records, library.game):
                line = exported_line(ended, meters, counted) if since is None or ended.at >= since else None
                if line is not None:
                    yield line


def _read(
    reading: Reading, streams: list[str], progress: Progress | None
) -> Iterator[tuple[str, Iterator[Recorded]]]:
    """Yield streams with their events, and report the progress."""
    heads, done = reading.streams(), 0
    total = sum(heads[each].sequence for each in streams if each in heads)

    def told(stream: str) -> Iterator[Recorded]:
        nonlocal done
        for record in reading.events(stream):
            done += 1
            if progress is not None and done % EVERY == 0:
                progress(done, total)
            yield record

    for stream in streams:
        yield stream, told(stream)


def meters_of_rounds(reading: Reading) -> dict[RoundId, Meter]:
    """Return the meter of every round with stakes: at its first award, or after its own stakes."""
    found: dict[RoundId, Meter] = {}
    for stream in reading.journal_streams():
        if stream.startswith("meter/"):
            found |= _meters_in(reading, stream)
    return found


def _meters_in(reading: Reading, stream: str) -> dict[RoundId, Meter]:
    book, found, awarded = MeterBook(stream.partition("/")[2]), dict[RoundId, Meter](), set[RoundId]()
    for record in reading.events(stream):
        event, before = METERS.decode(record), book
        book, _ = meter_book.evolve(book, event)
        if isinstance(event, StakesAdded):
            found[event.table, event.round] = book.meter
        elif isinstance(event, AwardLogged) and (event.table, event.round) not in awarded:
            awarded.add((event.table, event.round))
            found[event.table, event.round] = before.meter
    return found


def exported_line(ended: Finished, meters: Mapping[RoundId, Meter], left_out: Counter[str]) -> Line | None:
    """Return the line of a round that settles as it happened, or count why there is none."""
    meter = meters.get((ended.table, ended.number))
    line: Line = {"id": f"{ended.table}/{ended.number}", **line_of(ended.state, meter)}
    if ended.proof is not None:
        line["proof"] = msgspec.to_builtins(ended.proof)
    reason = _unsettled(line, ended.state)
    if reason is None:
        return line
    left_out[reason] += 1
    return None


def _unsettled(line: Line, over: RoundState) -> str | None:
    """Return why a line cannot describe a round, or None."""
    answer = answer_line(msgspec.json.encode(line))
    if isinstance(answer, Refused):
        return answer.refused.name
    return None if over.voided is not None or answer.steps == over.steps else OTHERWISE


def line_of(state: RoundState, meter: Meter | None) -> Line:
    """Return a finished round as a settle line, with the meter when its settlement began."""
    game = state.rules.game
    line: Line = {
        "rulebook": game.rulebook.id,
        "options": _options(game),
        "settings": dict(game.submission.settings),
        "seats": [_seat(state, position) for position in state.dealt_in],
        "dealer": cards_text(state.dealer),
    }
    if game.rulebook.edition is not None:
        line["edition"] = game.rulebook.edition
    if state.bonus and game.rulebook.wagers.six_card is not None:
        line["bonus_card"] = cards_text(state.bonus)
    if state.voided is not None:
        line["void"] = state.voided.clauses[0]
    elif meter is not None and game.offers("progressive"):
        line["meter"], line["reset"] = meter.displayed, _reset(meter)
    return line


def _reset(meter: Meter) -> int:
    """Return what the meter shows after its first whole award: seed, reserve and fractions of a cent."""
    units = meter.amount % UNITS_PER_CENT + (meter.seed or 0) * UNITS_PER_CENT + meter.reserve
    return units // UNITS_PER_CENT


def _options(game: Game) -> Line:
    """Return the submission's choices that settling needs."""
    submitted, choice = game.submission, game.submission.progressive
    options: Line = {
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


def _seat(state: RoundState, position: int) -> Line:
    place = state.places[position]
    wagers: Mapping[WagerName, int] = place.wagers
    seat: Line = {
        "position": position,
        "player": place.player,
        "cards": cards_text(place.cards),
        "wagers": {name: amount for name, amount in wagers.items() if name != "play"},
    }
    if place.decision is not None:
        seat["play"] = place.decision
    if place.abandoned:
        seat["left"] = True
    if place.presented:
        seat["presented"] = cards_text(place.presented)
    return seat
