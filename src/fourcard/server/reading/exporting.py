"""Export of finished rounds as lines for `fourcard settle` and `fourcard verify-shuffle`."""

from collections import Counter
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import msgspec

from fourcard.house.export import exported_line, line_of, meters_of_rounds
from fourcard.house.finished import Finished
from fourcard.house.proof import Proof
from fourcard.house.store.contract import Reading
from fourcard.round.state import RoundState
from fourcard.round.view import Viewer, sees
from fourcard.rules.nodes import WagerName
from fourcard.rules.rulings import SettingValue
from fourcard.server.reading.histories import Histories, TableHistory
from fourcard.server.reading.replaying import again
from fourcard.server.reading.summaries import RoundKept

IN_MEMORY = 4_000_000
"""Bytes of an export kept in memory; a longer one goes to a temporary file."""
CHUNK = 64 * 1024
Wanted = tuple[TableHistory, tuple[RoundKept, ...]]
"""Rounds of a table."""


class LineSeat(msgspec.Struct, frozen=True):
    """One position of an exported round."""

    position: int
    player: str
    cards: str
    wagers: dict[WagerName, int]
    play: int | msgspec.UnsetType = msgspec.UNSET
    left: bool | msgspec.UnsetType = msgspec.UNSET
    presented: str | msgspec.UnsetType = msgspec.UNSET


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round with its shuffle proof."""

    id: str
    rulebook: str
    options: dict[str, Any]
    settings: dict[str, SettingValue]
    seats: list[LineSeat]
    dealer: str
    edition: str | msgspec.UnsetType = msgspec.UNSET
    bonus_card: str | msgspec.UnsetType = msgspec.UNSET
    void: str | msgspec.UnsetType = msgspec.UNSET
    proof: Proof


def proof_line(ended: Finished) -> Line | None:
    """Return a round as `fourcard verify-shuffle` reads it, if its shuffle secret is public."""
    if ended.proof is None:
        return None
    line = {"id": f"{ended.table}/{ended.number}", **line_of(ended.state, None)}
    return msgspec.convert({**line, "proof": msgspec.to_builtins(ended.proof)}, Line)


def open_to(ended: Finished, player: str) -> bool:
    """Return whether a player may export a round: it has their wager and no hidden card."""
    state = ended.state
    played = any(place.player == player and place.wagers for place in state.places.values())
    return played and (ended.proof is not None or _saw_all_cards(state, Viewer("seat", player)))


def _saw_all_cards(state: RoundState, viewer: Viewer) -> bool:
    """Return whether a viewer saw every card of the line."""
    hands = all(sees(state, place, viewer) for place in state.places.values() if place.cards)
    return hands and (state.dealer_shown or not state.dealer) and (state.bonus_shown or not state.bonus)


def exported(histories: Histories, table: str | None, player: str | None) -> IO[bytes]:
    """Return a file of JSON lines: the rounds of one table or all, for a player or for staff (None)."""
    wanted = [(history, tuple(history.of(player))) for history in histories.tables(player, table)]
    file: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  closed after sending
    try:
        with histories.store.reading() as reading:
            for line in _lines(reading, wanted, player):
                file.write(msgspec.json.encode(line) + b"\n")
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


def _lines(reading: Reading, wanted: list[Wanted], player: str | None) -> Iterator[dict[str, Any]]:
    meters, left_out = meters_of_rounds(reading), Counter[str]()
    for history, rounds in wanted:
        for ended in again(reading, history, rounds):
            if player is None or open_to(ended, player):
                line = exported_line(ended, meters, left_out)
                if line is not None:
                    yield line


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield a file in chunks, then close it."""
    with file:
        while piece := file.read(CHUNK):
            yield piece
