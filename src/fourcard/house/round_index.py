"""Round index: a summary of every finished round, stored in the commit that ends it.

Lists, results and exports read it instead of the journal; the audit works it out again.
"""

from collections.abc import Mapping

import msgspec

from fourcard.house.journal import JournalRecord
from fourcard.house.meter_state import RoundMeterEffects
from fourcard.house.store.interface import PlayerRound, RoundRow, StoreError
from fourcard.house.table_state import HouseTable
from fourcard.meter import Meter
from fourcard.round.state import PositionState, RoundState
from fourcard.wagers import WagerName

END_KINDS = frozenset(("round_ended", "round_voided"))
SEEN_BY_PLAYER, SEEN_BY_SURVEILLANCE = 1, 2


class IndexedPosition(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One position with wagers in a finished round."""

    position: int
    player: str
    wagers: Mapping[WagerName, int]
    """All wagers, including Play."""
    net: int
    cards: tuple[int, ...]
    decision: int | None
    """The Play wager; 0 for a fold, None without a decision."""
    chips: int | None
    """The player's chips at the decision in cents, without those on the layout."""
    seen: int
    """Who saw these cards: the player 1, surveillance (turned up, or in the rack) 2, both 3."""

    @property
    def wagered(self) -> int:
        """Return the sum of all wagers, in cents."""
        return sum(self.wagers.values())


class IndexedMeter(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The meter of a round with progressive wagers."""

    shown: int
    """The cents on the signs once its wagers were added."""
    amount: int
    """Units in the meter before its first win, or else once its wagers were added; like the next two."""
    reserve: int
    reset_amount: int | None

    @property
    def amounts(self) -> Meter:
        """Return the meter that the round was settled with."""
        return Meter(amount=self.amount, reserve=self.reserve, reset_amount=self.reset_amount)


class IndexedRound(msgspec.Struct, frozen=True, gc=False):
    """One finished round."""

    table: str
    number: int
    at: int
    """When it ended."""
    sequence: int
    """The event that ended it."""
    game: str
    """Hash of its game."""
    shuffle: int | None
    void: tuple[str, ...]
    up: int | None
    dealt_in: int
    """How many positions were dealt in."""
    meter: IndexedMeter | None
    places: tuple[IndexedPosition, ...]

    def positions_of(self, player: str | None) -> tuple[IndexedPosition, ...]:
        """Return the positions of a player, or all."""
        return self.places if player is None else tuple(each for each in self.places if each.player == player)


_STORED = ("void", "up", "dealt_in", "meter", "places")
"""The fields of a round that are its body, in order; the others are columns."""
RoundBody = tuple[tuple[str, ...], int | None, int, IndexedMeter | None, tuple[IndexedPosition, ...]]
_encoder, _decoder = msgspec.json.Encoder(), msgspec.json.Decoder(RoundBody)


def shuffle_in_play(table: HouseTable) -> int | None:
    """Return the shuffle of the deck of the round under way, once a card was dealt; None for keyed cards."""
    state = table.state
    dealt = table.card_source == "built-in" and state.round is not None and state.round.dealt_mask
    return table.unrevealed_shuffles.get(state.active) if dealt else None


def index_round(
    before: HouseTable, after: HouseTable, record: JournalRecord, meter: RoundMeterEffects | None
) -> IndexedRound:
    """Return the summary of a round that an event ended, given the table before and after it."""
    over = after.state.last_round
    assert over is not None
    racked = {position for position, _ in over.rack}
    nets = over.nets
    return IndexedRound(
        table=after.name,
        number=after.state.round_number,
        at=record.at,
        sequence=record.sequence,
        game=over.rules.game.hash,
        shuffle=shuffle_in_play(before),
        void=() if over.voided is None else over.voided.clauses,
        up=over.up_card,
        dealt_in=len(over.dealt_in),
        meter=_indexed_meter(meter, after.state.round_number),
        places=tuple(
            _indexed_position(over, place, nets[position], after, racked=position in racked)
            for position, place in sorted(over.positions.items())
            if place.wagers
        ),
    )


def _indexed_meter(effects: RoundMeterEffects | None, number: int) -> IndexedMeter | None:
    if effects is None or effects.round != number or effects.meter is None:
        return None
    meter = effects.meter
    return IndexedMeter(effects.shown, meter.amount, meter.reserve, meter.reset_amount)


def _indexed_position(
    over: RoundState, place: PositionState, net: int, table: HouseTable, *, racked: bool
) -> IndexedPosition:
    by_player = place.face_up or over.players_looked
    return IndexedPosition(
        position=place.position,
        player=place.player,
        wagers=place.wagers,
        net=net,
        cards=place.cards,
        decision=place.play_amount,
        chips=table.decision_chips.get(place.position),
        seen=SEEN_BY_PLAYER * by_player + SEEN_BY_SURVEILLANCE * (place.face_up or racked),
    )


def round_row(found: IndexedRound) -> RoundRow:
    """Return a round as it is stored."""
    body = _encoder.encode([getattr(found, name) for name in _STORED])
    stream = f"table/{found.table}"
    return RoundRow(stream, found.number, found.at, found.sequence, found.game, found.shuffle, body)


def player_rows(found: IndexedRound) -> list[PlayerRound]:
    """Return the rows by which the players of a round find it."""
    stream = f"table/{found.table}"
    players = sorted({place.player for place in found.places})
    return [PlayerRound(player, found.at, stream, found.number) for player in players]


def decode_round(row: RoundRow) -> IndexedRound:
    """Return a stored round; fail where it cannot be read."""
    try:
        body = _decoder.decode(row.body)
    except (msgspec.MsgspecError, UnicodeError) as error:
        place = f"round {row.number} of {row.stream}"
        raise StoreError(f"The index of {place} cannot be read ({error}); run an audit.") from None
    table = row.stream.partition("/")[2]
    return IndexedRound(table, row.number, row.at, row.sequence, row.game, row.shuffle, *body)
