"""Settlement of round lines: one answer or refusal for each line, alone or as a stream."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec

from fourcard.cards import cards_text
from fourcard.fingerprints import fingerprint
from fourcard.hands import Hand, best_hand
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusal_codes import Code
from fourcard.refusals import PositionRefusedError, Refusal, RefusedError, refuse
from fourcard.rules.clauses import clauses
from fourcard.settle_files.reader import FinishedRound, read_round, seat_wagers
from fourcard.settle_files.schema import LineId
from fourcard.settlers.showdown import Seat, Showdown
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.settling import MeterEntry, Settlement
from fourcard.wagers import WAGERS, WagerName

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


class ReturnedWager(msgspec.Struct, frozen=True, gc=False):
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


class SettleAnswer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """Answer to a settled round."""

    id: LineId
    seats: tuple[SeatAnswer, ...]
    dealer: HandAnswer
    meter: int | None
    steps: tuple[SettlementStep, ...]
    fingerprint: str
    void: str | None = None
    returned: tuple[ReturnedWager, ...] = ()
    meter_moves: tuple[MeterMove, ...] = ()


class RefusalReason(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Reason why a line is refused."""

    code: int
    name: str
    message: str
    clauses: tuple[str, ...]
    position: int | None = None


class SettleRefusal(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """Answer to a refused line."""

    id: LineId
    refused: RefusalReason
    fingerprint: str
    line: int = 0


MAX_WORDS = 1_000
"""Maximum length of a message, which may repeat text of the line."""


class _LineName(msgspec.Struct):
    """Id of a bad line, if readable."""

    id: LineId = None


def answer_line(text: bytes | str, number: int = 0) -> SettleAnswer | SettleRefusal:
    """Return the answer to one line of any content; a refusal carries the line number."""
    try:
        return settle_round(read_round(text))
    except RefusedError as error:
        position = error.position if isinstance(error, PositionRefusedError) else None
        return refusal_answer(error.refusal, line_id(text), number, position)


def refusal_answer(refusal: Refusal, name: LineId, number: int, position: int | None = None) -> SettleRefusal:
    """Return the answer to a line that is refused."""
    message = _one_line(refusal.message)
    reason = RefusalReason(int(refusal.code), refusal.name, message, refusal.clauses, position)
    return SettleRefusal(id=name, refused=reason, fingerprint=fingerprint(), line=number)


def _one_line(message: str) -> str:
    """Return a message as one short printable line; it may repeat any text of the line."""
    short = message if len(message) <= MAX_WORDS else f"{message[: MAX_WORDS - 3]}..."
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in short)


def settle_round(played: FinishedRound) -> SettleAnswer:
    """Return the answer to a round."""
    if played.void is not None:
        return _void(played, played.void)
    assert played.showdown is not None
    settled = played.settler.settle(played.showdown, played.meter)
    return SettleAnswer(
        id=played.id,
        seats=_seats(played, played.showdown, settled),
        dealer=_hand(played.showdown.dealer_hand),
        meter=None if settled.meter is None else settled.meter.whole_cents,
        steps=settled.steps,
        fingerprint=fingerprint(),
        meter_moves=tuple(map(_move, settled.entries)),
    )


def _seats(played: FinishedRound, showdown: Showdown, settled: Settlement) -> tuple[SeatAnswer, ...]:
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
        reset=payment.reset_units // UNITS_PER_CENT,
        shortfall=payment.shortfall,
    )


def _void(played: FinishedRound, clause: str) -> SettleAnswer:
    """Return every wager, forfeited ones too; nobody wins or loses (R69, MD-13D)."""
    showdown = played.showdown
    hands = {seat.position: _hand(seat.hand) for seat in showdown.seats} if showdown else {}
    nothing = HandAnswer(None, None)
    shown = [(seat.position, hands.get(seat.position, nothing)) for seat in played.seats]
    return SettleAnswer(
        id=played.id,
        seats=tuple(SeatAnswer(p, each.hand, each.best, dict.fromkeys(WAGERS, 0)) for p, each in shown),
        dealer=_hand(showdown.dealer_hand) if showdown else nothing,
        meter=None if played.meter is None else played.meter.whole_cents,
        steps=(),
        fingerprint=fingerprint(),
        void=clause,
        returned=tuple(
            ReturnedWager(seat.position, name, amount, return_clauses(clause, name))
            for seat in played.seats
            for name, amount in seat_wagers(seat).items()
        ),
    )


def return_clauses(clause: str, wager: WagerName) -> tuple[str, ...]:
    """Return why a wager of a void round is returned: the clause, and a ruling if the clause is silent."""
    voided = clauses().get(clause)
    rulings = () if voided is not None and RETURNS in voided.params else ("R69",)
    return (clause, *rulings, *(("R66",) if wager == "progressive" else ()))


def line_id(text: bytes | str) -> LineId:
    """Return the id of a line that may be invalid otherwise."""
    try:
        return msgspec.json.decode(text, type=_LineName).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def encode_answer(answer: SettleAnswer | SettleRefusal) -> bytes:
    """Return an answer as one line of JSON."""
    return _encoder.encode(answer) + b"\n"


_encoder = msgspec.json.Encoder()


MAX_BYTES = 1 << 20
"""Maximum length of a line; a round of seven seats has about two thousand bytes."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class AnsweredLine(msgspec.Struct, frozen=True, gc=False):
    """Answered line."""

    text: bytes
    """Answer as one line of JSON; empty for a blank line."""
    refused: bool
    read: int
    """Number of bytes of the line."""


def settle_stream(stream: BinaryIO) -> Iterator[AnsweredLine]:
    """Yield the answer to every line of a stream; skip blank lines."""
    for number, (line, read) in enumerate(read_lines(stream), 1):
        if line is None:
            yield AnsweredLine(encode_answer(refusal_answer(line_too_long(), None, number)), True, read)
        elif not line or line.isspace():
            yield AnsweredLine(b"", False, read)
        else:
            answer = answer_line(line, number)
            yield AnsweredLine(encode_answer(answer), isinstance(answer, SettleRefusal), read)


def settle_lines(lines: Iterable[bytes | str]) -> Iterator[SettleAnswer | SettleRefusal]:
    """Yield the answer to each of these lines; skip blank lines."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield answer_line(line, number)


def line_too_long() -> Refusal:
    """Return the refusal of a line that is too long."""
    return refuse(Code.LINE_TOO_LONG, most=f"{MAX_BYTES:,}")


def read_lines(stream: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    """Yield lines and their length in bytes; None stands for a line that is too long."""
    first = True
    while line := stream.readline(MAX_BYTES + 1):
        read = len(line)
        if read > MAX_BYTES and not line.endswith(b"\n"):
            while rest := stream.readline(MAX_BYTES):
                read += len(rest)
                if rest.endswith(b"\n"):
                    break
            yield None, read
        else:
            yield line.removeprefix(BYTE_ORDER_MARK) if first else line, read
        first = False
