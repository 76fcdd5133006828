"""Answer to a line: the settled round or the refusal, as one JSON object with the fingerprint."""

import msgspec

from fourcard.cards import cards_text
from fourcard.hands import Hand, best_hand
from fourcard.lines.dealt import wagers_of
from fourcard.lines.line import LineId
from fourcard.lines.reading import Round, read_round
from fourcard.meter import UNITS_PER_CENT
from fourcard.provenance import fingerprint
from fourcard.refusals import PositionRefusedError, Refusal, RefusedError
from fourcard.rules.clauses import ledger
from fourcard.rules.nodes import WAGERS, WagerName
from fourcard.settling import MeterEntry, Settlement
from fourcard.wagers.showdown import Seat, Showdown
from fourcard.wagers.wager import Step

RETURNS = "return-wagers"


class HandAnswer(msgspec.Struct, frozen=True, gc=False):
    """The dealer's hand."""

    hand: str | None
    best: str | None


class SeatAnswer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Hand and result of one position."""

    position: int
    hand: str | None
    best: str | None
    net: dict[WagerName, int]
    could_have_set: str | None = None
    """The best four of a player who set a lower hand (R27)."""


class Returned(msgspec.Struct, frozen=True, gc=False):
    """Returned wager of a void round."""

    position: int
    wager: WagerName
    amount: int
    clauses: tuple[str, ...]


class MeterMove(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Meter change of one award, in cents."""

    position: int
    before: int
    paid: int
    after: int
    reset: int = 0
    shortfall: int = 0
    """Cents that the tray paid because the meter ran dry; a supervisor must know (R59)."""


class Answer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """Answer to a settled round."""

    id: LineId
    seats: tuple[SeatAnswer, ...]
    dealer: HandAnswer
    meter: int | None
    steps: tuple[Step, ...]
    fingerprint: str
    void: str | None = None
    returned: tuple[Returned, ...] = ()
    meter_moves: tuple[MeterMove, ...] = ()


class Reason(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Reason why a line is refused."""

    code: int
    name: str
    message: str
    clauses: tuple[str, ...]
    position: int | None = None


class Refused(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """Answer to a refused line."""

    id: LineId
    refused: Reason
    fingerprint: str
    line: int = 0


MOST_WORDS = 1_000
"""Maximum length of a message, which may repeat text of the line."""


class _Named(msgspec.Struct):
    """Id of a bad line, if readable."""

    id: LineId = None


def answer_line(text: bytes | str, number: int = 0) -> Answer | Refused:
    """Return the answer to one line of any content; a refusal carries the line number."""
    try:
        return settle_round(read_round(text))
    except RefusedError as error:
        position = error.position if isinstance(error, PositionRefusedError) else None
        return refused(error.refusal, name_of(text), number, position)


def refused(refusal: Refusal, name: LineId, number: int, position: int | None = None) -> Refused:
    """Return the answer to a line that is refused."""
    message = _one_line(refusal.message)
    reason = Reason(int(refusal.code), refusal.name, message, refusal.clauses, position)
    return Refused(id=name, refused=reason, fingerprint=fingerprint(), line=number)


def _one_line(message: str) -> str:
    """Return a message as one short printable line; it may repeat any text of the line."""
    short = message if len(message) <= MOST_WORDS else f"{message[: MOST_WORDS - 3]}..."
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in short)


def settle_round(played: Round) -> Answer:
    """Return the answer to a round."""
    if played.void is not None:
        return _void(played, played.void)
    assert played.showdown is not None
    settled = played.settler.settle(played.showdown, played.meter)
    return Answer(
        id=played.id,
        seats=_seats(played, played.showdown, settled),
        dealer=_hand(played.showdown.dealer_hand),
        meter=None if settled.meter is None else settled.meter.displayed,
        steps=settled.steps,
        fingerprint=fingerprint(),
        meter_moves=tuple(map(_move, settled.entries)),
    )


def _seats(played: Round, showdown: Showdown, settled: Settlement) -> tuple[SeatAnswer, ...]:
    """Return the seats in the order of the line."""
    nets = settled.nets([seat.position for seat in played.seats])
    hands = {seat.position: seat.hand for seat in showdown.seats}
    better = {} if not played.sets_hands else {seat.position: _better(seat) for seat in showdown.seats}
    return tuple(
        [
            SeatAnswer(
                place, hands[place].category.text, cards_text(hands[place].cards), net, better.get(place)
            )
            for place, net in nets.items()
        ]
    )


def _better(seat: Seat) -> str | None:
    """Return the better hand that a player did not set, for the record (R27)."""
    best = best_hand(seat.cards)
    return cards_text(best.cards) if best > seat.hand else None


def _hand(hand: Hand) -> HandAnswer:
    return HandAnswer(hand.category.text, cards_text(hand.cards))


def _move(entry: MeterEntry) -> MeterMove:
    payment = entry.payment
    return MeterMove(
        position=entry.position,
        before=entry.before,
        paid=payment.from_meter + payment.meter_to_tray,
        after=entry.after,
        reset=payment.seeded // UNITS_PER_CENT,
        shortfall=payment.shortfall,
    )


def _void(played: Round, clause: str) -> Answer:
    """Return every wager, forfeited ones too; nobody wins or loses (R69, MD-13D)."""
    showdown = played.showdown
    hands = {seat.position: _hand(seat.hand) for seat in showdown.seats} if showdown else {}
    nothing = HandAnswer(None, None)
    shown = [(seat.position, hands.get(seat.position, nothing)) for seat in played.seats]
    return Answer(
        id=played.id,
        seats=tuple(SeatAnswer(p, each.hand, each.best, dict.fromkeys(WAGERS, 0)) for p, each in shown),
        dealer=_hand(showdown.dealer_hand) if showdown else nothing,
        meter=None if played.meter is None else played.meter.displayed,
        steps=(),
        fingerprint=fingerprint(),
        void=clause,
        returned=tuple(
            Returned(seat.position, name, amount, returned_by(clause, name))
            for seat in played.seats
            for name, amount in wagers_of(seat).items()
        ),
    )


def returned_by(clause: str, wager: WagerName) -> tuple[str, ...]:
    """Return why a wager of a void round is returned: the clause, and a ruling if the clause is silent."""
    voided = ledger().get(clause)
    rulings = () if voided is not None and RETURNS in voided.params else ("R69",)
    return (clause, *rulings, *(("R66",) if wager == "progressive" else ()))


def name_of(text: bytes | str) -> LineId:
    """Return the id of a line that may be invalid otherwise."""
    try:
        return msgspec.json.decode(text, type=_Named).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def encoded(answer: Answer | Refused) -> bytes:
    """Return an answer as one line of JSON."""
    return _encoder.encode(answer) + b"\n"


_encoder = msgspec.json.Encoder()
