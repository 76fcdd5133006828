"""Win page: one logged win of the progressive as a sheet for accounting, built from the journal.

It prints as HTML or PDF (SM-PROG-9e.6, WA-PROG-8f.6, WA-NEX-8f.7), with the same facts on screen.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from fourcard.cards import RANKS, parse_cards, rank_of, suit_of
from fourcard.documents.blocks import (
    AwardBanner,
    CardFace,
    Columns,
    Document,
    DocumentPart,
    Facts,
    Pair,
    References,
    SignatureLine,
    Signatures,
)
from fourcard.documents.html import render_html
from fourcard.documents.pdf import render_pdf
from fourcard.house.auth.permissions import role_words
from fourcard.house.auth.staff import Employee
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import player_stream, table_stream
from fourcard.house.events import PlayerRegistered, TableInstalled
from fourcard.house.journal import PLAYER_CODEC, SEALED_KIND, JournalRecord
from fourcard.house.reports.event_scan import Progress, scan_events
from fourcard.house.reports.formats import exact_dollars, format_time
from fourcard.house.reports.house_status import current_staff, house_identity
from fourcard.house.reports.wins import WinEntry, adjustments, find_win
from fourcard.house.state_cache import StateCache
from fourcard.house.store.interface import ReadTransaction, StoreError
from fourcard.meter import Payment
from fourcard.money import dollars
from fourcard.progressive.console import ConsoleState, MotionDone, WinLogged, console_rules, new_console
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError, refuse
from fourcard.round.events import AwardAwaited, AwardPaid, DocumentCompleted, ProgressiveLocked
from fourcard.rules.cited import clauses_of
from fourcard.rules.game import Game
from fourcard.rules.rulebook import ConsoleKind
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.table.events import RoundBegan
from fourcard.version import __version__

RECORD_EVENT_KINDS = (
    "table_installed",
    "round_began",
    "progressive_locked",
    "award_awaited",
    "motion_done",
    "win_logged",
    "award_paid",
    "document_completed",
)


class WinRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The record of one win in its table's stream."""

    game: str
    """The hash of the game that was pinned."""
    stake: int
    step: SettlementStep
    """The awaited award: hand, odds and clauses."""
    win: WinLogged
    sequence: int
    hash: str
    pressed_by: str = ""
    """Who pressed CONFIRM, where the console has that button."""
    pressed_as: str = ""
    document_required: bool = False
    """Whether a document was required at the payment."""
    completed_at: int | None = None
    completed_by: str = ""
    completed_as: str = ""


def read_win_record(
    reading: ReadTransaction, table: str, number: int, position: int, progress: Progress | None = None
) -> WinRecord:
    """Return the table's record of the win of one position in one round."""
    reader = _WinRecordReader(number, position)
    for record, event in scan_events(reading, [table_stream(table)], RECORD_EVENT_KINDS, progress):
        if isinstance(event, TableInstalled):
            reader.game = event.game
        elif isinstance(event, RoundBegan):
            if reader.found is not None:
                break
            reader.in_round = event.number == number
        elif reader.in_round:
            reader.add(record, event)
    if reader.found is None:
        place = f"position {position} in round {number} of table '{table}'"
        end = deque(reading.records(table_stream(table)), maxlen=1)
        if reading.key is None and any(each.kind == SEALED_KIND for each in end):
            raise StoreError(
                f"The win of {place} is sealed until the round is over; give the key of the house."
            )
        raise StoreError(f"The journal has no win of {place}; run an audit.")
    return reader.found


class _WinRecordReader:
    """Reads one round, and collects what concerns one position."""

    def __init__(self, number: int, position: int) -> None:
        self.number, self.position = number, position
        self.in_round = False
        self.game = ""
        """The hash of the pinned game."""
        self.found: WinRecord | None = None
        self._stake = 0
        self._step: SettlementStep | None = None
        self._pressed: tuple[str, str] = ("", "")
        """Who pressed CONFIRM last, and the role."""

    def add(self, record: JournalRecord, event: Any) -> None:
        """Add one event of the round."""
        if isinstance(event, ProgressiveLocked):
            self._stake = dict(event.stakes).get(self.position, 0)
        elif isinstance(event, AwardAwaited):
            self._step = event.step
        elif event.position == self.position:
            self._add_position_event(record, event)

    def _add_position_event(self, record: JournalRecord, event: Any) -> None:
        if isinstance(event, MotionDone):
            if event.motion == "press_confirm":
                self._pressed = record.by, record.role
        elif isinstance(event, WinLogged):
            assert self._step is not None
            self.found = WinRecord(
                game=self.game,
                stake=self._stake,
                step=self._step,
                win=event,
                sequence=record.sequence,
                hash=record.hash.hex(),
                pressed_by=self._pressed[0],
                pressed_as=self._pressed[1],
            )
        elif isinstance(event, AwardPaid) and self.found is not None:
            self.found = replace(self.found, document_required=not event.documented)
        elif isinstance(event, DocumentCompleted) and self.found is not None:
            done = {"completed_at": record.at, "completed_by": record.by, "completed_as": record.role}
            self.found = replace(self.found, **done)


TITLE = "Progressive win"
SUITS = "♣♦♥♠"
RED_SUITS = (1, 2)
DocumentState = Literal["not asked for", "open", "completed"]
Reversal = Literal["", "adjustment", "void"]


class Signer(msgspec.Struct, frozen=True):
    """A person who took part in a win, and the role."""

    person: str
    name: str
    role: str


class JournalPosition(msgspec.Struct, frozen=True):
    """The position of an event in the journal."""

    stream: str
    sequence: int
    hash: str
    """Its SHA-256 in hexadecimal, which chains it to the events before."""


class PayoutDocument(msgspec.Struct, frozen=True):
    """The state of the paperwork of a payout."""

    state: DocumentState
    by: Signer | None = None
    at: int | None = None


class BackedOut(msgspec.Struct, frozen=True):
    """How a win was returned to the meter; ``by`` is empty while the win stands."""

    by: Reversal = ""
    at: int | None = None
    adjustment: int = 0
    """The number of the adjustment that did it."""
    reason: str = ""
    proposed: Signer | None = None
    """Who proposed the adjustment; None where the round was void."""
    approved: Signer | None = None


class WinPage(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that accounting needs about one win; amounts are cents except where units are named."""

    house: str
    operator: str
    game: str
    """The name of the submission."""
    game_hash: str
    rulebook: str
    edition: str
    console: ConsoleKind
    meter: str
    win: int
    """The number of the win on its meter, from 1."""
    table: str
    round: int
    at: int
    """When it was logged, in milliseconds since the epoch."""
    position: int
    player: str
    player_name: str
    cards: str
    hand: str
    row: str
    odds: str
    stake: int
    before: int
    """What the meter showed, less wins logged earlier."""
    after: int
    payment: Payment
    marked: Signer
    confirmed: Signer
    """Who logged the win: with J-POT on the keypad console, with a card on the touch console."""
    pressed: Signer | None
    """Who pressed CONFIRM on the touch console; None on the keypad console."""
    adjusted: int | None
    """When the meter was adjusted for it; None until then."""
    document: PayoutDocument
    backed_out: BackedOut
    clauses: tuple[str, ...]
    kept: tuple[JournalPosition, ...]
    """The events that logged it: the meter's first, then the table's."""
    amount: int
    """What the player is paid."""
    moment: str

    @property
    def seed(self) -> int:
        """Return the units of the new seed that the house paid, without those from the reserve."""
        return self.payment.reset_units - self.payment.reserve_units


def win_page_refusal(console: ConsoleState, game: Game) -> Refusal | None:
    """Refuse a page where the rulebook's console prints none (SM-PROG-9e.6, WA-PROG-8f.6, WA-NEX-8f.7)."""
    rule = console_rules(console, game).win_page
    if rule.value:
        return None
    return refuse(Code.WIN_PAGE_ABSENT, clauses_of(rule), rulebook=game.rulebook.name, console=console.kind)


def build_win_page(
    reading: ReadTransaction, meter: str, number: int, progress: Progress | None = None
) -> WinPage:
    """Build the page of a win from the journal; refuse a win that was never logged or has no page."""
    logged = find_win(reading, meter, number)
    papers = read_win_record(reading, logged.table, logged.round, logged.position, progress)
    cache = StateCache(SystemEntropy())
    cache.use_reader(reading)
    game = cache.game(papers.game)
    refusal = win_page_refusal(new_console(game), game)
    if refusal is not None:
        raise RefusedError(refusal)
    return _build_page(reading, logged, papers, game)


def _build_page(reading: ReadTransaction, logged: WinEntry, papers: WinRecord, game: Game) -> WinPage:
    people, founded = current_staff(reading).people, house_identity(reading)
    console = new_console(game)
    return WinPage(
        house=founded.house if founded is not None else "",
        operator=game.submission.operator.name,
        game=game.submission.name,
        game_hash=papers.game,
        rulebook=game.rulebook.name,
        edition=game.rulebook.edition,
        console=console.kind,
        meter=logged.meter,
        win=logged.number,
        table=logged.table,
        round=logged.round,
        at=logged.at,
        position=logged.position,
        player=logged.player,
        player_name=_player_name(reading, logged.player),
        cards=logged.cards,
        hand=papers.step.hand,
        row=logged.row,
        odds=papers.step.odds or "",
        stake=papers.stake,
        before=logged.before_cents,
        after=logged.after_cents,
        payment=papers.win.payment,
        marked=_signer(people, logged.marked_by, "dealer"),
        confirmed=_signer(people, logged.confirmed_by, logged.confirmed_as),
        pressed=_signer(people, papers.pressed_by, papers.pressed_as) if papers.pressed_by else None,
        adjusted=logged.adjusted_at,
        document=_payout_document(people, papers),
        backed_out=_backed_out(reading, people, logged),
        clauses=tuple(dict.fromkeys((*papers.step.clauses, *papers.win.clauses, *_console_clauses(game)))),
        kept=(
            JournalPosition(f"meter/{logged.meter}", logged.sequence, logged.hash),
            JournalPosition(f"table/{logged.table}", papers.sequence, papers.hash),
        ),
        amount=logged.amount_cents,
        moment=logged.moment,
    )


def _console_clauses(game: Game) -> tuple[str, ...]:
    rules = console_rules(new_console(game), game)
    return clauses_of(rules.verified, rules.adjusts_at, rules.win_page)


def _player_name(reading: ReadTransaction, player: str) -> str:
    """Return the name with which a player was registered."""
    for record in reading.events(player_stream(player)):
        event = PLAYER_CODEC.decode(record)
        if isinstance(event, PlayerRegistered):
            return event.name
    return ""


def _signer(people: Mapping[str, Employee], person: str, role: str) -> Signer:
    known = people.get(person)
    return Signer(person, known.name if known is not None else "", role)


def _payout_document(people: Mapping[str, Employee], papers: WinRecord) -> PayoutDocument:
    if papers.completed_at is not None:
        signer = _signer(people, papers.completed_by, papers.completed_as)
        return PayoutDocument("completed", signer, papers.completed_at)
    return PayoutDocument("open" if papers.document_required else "not asked for")


def _backed_out(reading: ReadTransaction, people: Mapping[str, Employee], logged: WinEntry) -> BackedOut:
    if logged.undone_at is None:
        return BackedOut()
    if not logged.adjustment:
        return BackedOut("void", logged.undone_at, reason=logged.reason)
    proposal = next(each for each in adjustments(reading, logged.meter) if each.number == logged.adjustment)
    return BackedOut(
        "adjustment",
        logged.undone_at,
        logged.adjustment,
        logged.reason,
        _signer(people, proposal.by, proposal.role),
        _signer(people, proposal.decided_by, proposal.decided_as),
    )


def win_page_html(page: WinPage) -> str:
    """Return the page as one HTML file that loads nothing."""
    return render_html(win_page_document(page))


def win_page_pdf(page: WinPage) -> bytes:
    """Return the page as one PDF file; characters that no font has are replaced and noted."""
    return render_pdf(win_page_document(page), replace_missing=True)


def win_page_document(page: WinPage) -> Document:
    """Return the page as a form of one sheet, with lines to sign on."""
    *groups, journal = win_page_facts(page)
    return Document(
        title=TITLE,
        subtitle=f"{page.operator}: meter {page.meter}, win {page.win:,}",
        footer=f"House {page.house}. Printed by fourcard {__version__} from the journal of the house.",
        layout="form",
        stamp=_stamp(page),
        parts=(
            DocumentPart(
                new_page=False,
                blocks=(
                    AwardBanner(
                        amount=dollars(page.amount),
                        text=describe_win(page),
                        cards=tuple(map(_card_face, parse_cards(page.cards))),
                        alt=page.cards,
                    ),
                    Columns(groups=tuple(groups)),
                    journal,
                    References(ids=page.clauses),
                    Signatures(lines=_signature_lines(page)),
                ),
            ),
        ),
    )


def win_page_facts(page: WinPage) -> tuple[Facts, ...]:
    """Return all facts of the page in groups; the last group is where the journal has them."""
    return (
        Facts(title="Where and when", pairs=tuple(_place_facts(page))),
        Facts(title="The hand", pairs=tuple(_hand_facts(page))),
        Facts(title="The meter", pairs=tuple(_meter_facts(page))),
        Facts(title="Dual control", pairs=tuple(_control_facts(page))),
        Facts(title="In the journal", pairs=tuple(_journal_facts(page)), code=True),
    )


def describe_win(page: WinPage) -> str:
    """Return the row of the paytable and what it pays."""
    return f"{_capitalized(page.row)}, {page.odds}"


def _signature_lines(page: WinPage) -> tuple[SignatureLine, ...]:
    did = "Confirmed" if page.pressed is None else "Card swiped"
    pressed = () if page.pressed in (None, page.confirmed) else (_signature("CONFIRM pressed", page.pressed),)
    return (
        SignatureLine("Dealer", _name(page.marked)),
        *pressed,
        _signature(did, page.confirmed),
        SignatureLine("Accounting", ""),
    )


def _signature(did: str, signer: Signer) -> SignatureLine:
    return SignatureLine(f"{did}, as {role_words(signer.role)}", _name(signer))


def _capitalized(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _stamp(page: WinPage) -> str:
    """Return what accounting must not overlook; empty where all is done."""
    if page.backed_out.by:
        return "Round void" if page.backed_out.by == "void" else "Backed out"
    if page.adjusted is None:
        return "Meter not adjusted yet"
    return "Not documented yet" if page.document.state == "open" else ""


def _card_face(card: int) -> CardFace:
    suit = suit_of(card)
    return CardFace(RANKS[rank_of(card)].replace("T", "10"), SUITS[suit], suit in RED_SUITS)


def _place_facts(page: WinPage) -> Iterator[Pair]:
    yield "Date and time", f"{page.moment} UTC"
    yield "Table, round", f"{page.table}, round {page.round:,}"
    yield "Position", f"{page.position}"
    yield "Player", _name_and_id(page.player, page.player_name)
    yield "Game", page.game
    yield "Rulebook", f"{page.rulebook}, edition {page.edition}"
    yield "Console", page.console


def _hand_facts(page: WinPage) -> Iterator[Pair]:
    yield "Cards", page.cards
    yield "Hand", _capitalized(page.hand)
    yield "Row of the paytable", _capitalized(page.row)
    yield "Pays", page.odds
    yield "Progressive wager", dollars(page.stake)
    yield "Award", dollars(page.amount)


def _meter_facts(page: WinPage) -> Iterator[Pair]:
    """Yield where the award came from, and what the meter showed before and after."""
    payment = page.payment
    yield "Showed before", dollars(page.before)
    yield "Paid from the meter", dollars(payment.from_meter)
    yield "Paid from the tray", dollars(payment.from_tray)
    if payment.meter_to_tray:
        yield "Meter to the tray", dollars(payment.meter_to_tray)
    if payment.shortfall:
        yield "Of it because the meter ran dry", dollars(payment.shortfall)
    if payment.whole_meter:
        yield "New seed from the house", exact_dollars(page.seed)
        yield "From the reserve", exact_dollars(payment.reserve_units)
    yield "Shows after", dollars(page.after)


def _control_facts(page: WinPage) -> Iterator[Pair]:
    """Yield who marked, confirmed and documented the win, and whether it was backed out."""
    yield "Marked by", _signed(page.marked)
    if page.pressed is None:
        yield "Confirmed by", _signed(page.confirmed)
    else:
        yield "CONFIRM pressed by", _signed(page.pressed)
        yield "Card swiped by", _signed(page.confirmed)
    yield "Meter adjusted", "not yet" if page.adjusted is None else f"{format_time(page.adjusted)} UTC"
    yield "Document", _document_text(page.document)
    yield "Backed out", _backed_out_text(page.backed_out)
    reversal = page.backed_out
    if reversal.proposed is not None and reversal.approved is not None:
        yield "Back-out proposed by", _signed(reversal.proposed)
        yield "Back-out approved by", _signed(reversal.approved)


def _document_text(document: PayoutDocument) -> str:
    if document.by is None or document.at is None:
        return document.state
    return f"{format_time(document.at)} UTC by {_signed(document.by)}"


def _backed_out_text(reversal: BackedOut) -> str:
    if reversal.at is None:
        return "no"
    if reversal.by == "void":
        return f"{format_time(reversal.at)} UTC, because the round is void"
    return f"{format_time(reversal.at)} UTC by adjustment {reversal.adjustment:,}: {reversal.reason}"


def _journal_facts(page: WinPage) -> Iterator[Pair]:
    for position in page.kept:
        yield f"{position.stream}, event {position.sequence:,}", position.hash
    yield "Game", page.game_hash


def _name(signer: Signer) -> str:
    return signer.name or signer.person


def _signed(signer: Signer) -> str:
    return f"{_name_and_id(signer.person, signer.name)}, {role_words(signer.role)}"


def _name_and_id(person: str, name: str) -> str:
    return f"{name} ({person})" if name and name != person else person
