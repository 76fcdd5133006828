"""What stands on a win page, whatever draws it: the PDF and the HTML are two renderings of these words."""

from collections.abc import Iterator

import msgspec

from fourcard.cards import RANKS, card_text, cards_text, rank_of, suit_of
from fourcard.house.permissions import spoken
from fourcard.house.reports.showing import exact_dollars, moment
from fourcard.house.win_page_facts import Document, Signer, WinPage
from fourcard.money import dollars
from fourcard.version import __version__

SIGNS = "♣♦♥♠"
RED = (1, 2)
TITLE = "Progressive win"
Pair = tuple[str, str]


class Face(msgspec.Struct, frozen=True):
    """A card as it is drawn."""

    rank: str
    sign: str
    red: bool
    text: str
    """Its two characters."""


class Group(msgspec.Struct, frozen=True):
    """Facts that belong together."""

    title: str
    pairs: tuple[Pair, ...]


class Line(msgspec.Struct, frozen=True):
    """A line to sign on: whose, and the name where it is known."""

    title: str
    name: str


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The whole page."""

    title: str
    under: str
    stamp: str
    """What must not be overlooked, in capitals; empty where all is done."""
    amount: str
    won: str
    """With what it was won, beside the amount."""
    cards: tuple[Face, ...]
    cards_text: str
    groups: tuple[Group, ...]
    journal: Group
    clauses: tuple[str, ...]
    lines: tuple[Line, ...]
    foot: str


def sheet_of(page: WinPage) -> Sheet:
    """Return what stands on the page of a win."""
    return Sheet(
        title=TITLE,
        under=f"{page.operator}: meter {page.meter}, win {page.win:,}",
        stamp=_stamp(page),
        amount=dollars(page.amount),
        won=f"{spaced(page.row)}, {page.odds}",
        cards=tuple(map(_face, page.cards)),
        cards_text=cards_text(page.cards),
        groups=(
            Group("Where and when", tuple(_where(page))),
            Group("The hand", tuple(_hand(page))),
            Group("The meter", tuple(_meter(page))),
            Group("Dual control", tuple(_control(page))),
        ),
        journal=Group("In the journal", tuple(_journal(page))),
        clauses=page.clauses,
        lines=(
            Line("Dealer", _named(page.marked)),
            Line(f"Confirmed, as {spoken(page.confirmed.role)}", _named(page.confirmed)),
            Line("Accounting", ""),
        ),
        foot=f"House {page.house}. Printed by fourcard {__version__} from the journal of the house.",
    )


def spaced(name: str) -> str:
    """Return the name of a row or a hand as a person reads it."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _stamp(page: WinPage) -> str:
    if page.backed_out.by:
        return "Round void" if page.backed_out.by == "void" else "Backed out"
    if page.adjusted is None:
        return "Meter not adjusted yet"
    return "Not documented yet" if page.document.state == "open" else ""


def _face(card: int) -> Face:
    suit = suit_of(card)
    rank = RANKS[rank_of(card)].replace("T", "10")
    return Face(rank, SIGNS[suit], suit in RED, card_text(card))


def _where(page: WinPage) -> Iterator[Pair]:
    yield "Date and time", f"{moment(page.at)} UTC"
    yield "Table, round", f"{page.table}, round {page.round:,}"
    yield "Position", f"{page.position}"
    yield "Player", _called(page.player, page.player_name)
    yield "Game", page.game
    yield "Rulebook", f"{page.rulebook}, edition {page.edition}"
    yield "Console", page.console


def _hand(page: WinPage) -> Iterator[Pair]:
    yield "Cards", cards_text(page.cards)
    yield "Hand", spaced(page.hand)
    yield "Row of the paytable", spaced(page.row)
    yield "Pays", page.odds
    yield "Progressive wager", dollars(page.stake)
    yield "Award", dollars(page.amount)


def _meter(page: WinPage) -> Iterator[Pair]:
    """Yield where the award came from, and what became of the meter."""
    payment = page.payment
    yield "Showed before", dollars(page.before)
    yield "Paid from the meter", dollars(payment.from_meter)
    yield "Paid from the tray", dollars(payment.from_tray)
    if payment.meter_to_tray:
        yield "Meter to the tray", dollars(payment.meter_to_tray)
    if payment.shortfall:
        yield "Of it because the meter ran dry", dollars(payment.shortfall)
    if payment.whole:
        yield "Seed put in anew", exact_dollars(page.seed)
        yield "From the reserve", exact_dollars(payment.from_reserve)
    yield "Shows after", dollars(page.after)


def _control(page: WinPage) -> Iterator[Pair]:
    """Yield who saw to the win, and what became of it."""
    yield "Marked by", _acted(page.marked)
    yield "Confirmed by", _acted(page.confirmed)
    yield "Meter adjusted", "not yet" if page.adjusted is None else f"{moment(page.adjusted)} UTC"
    yield "Document", _document(page.document)
    yield "Backed out", _backed_out(page)
    undone = page.backed_out
    if undone.proposed is not None and undone.approved is not None:
        yield "Back-out proposed by", _acted(undone.proposed)
        yield "Back-out approved by", _acted(undone.approved)


def _document(document: Document) -> str:
    if document.by is None or document.at is None:
        return document.state
    return f"{moment(document.at)} UTC by {_acted(document.by)}"


def _backed_out(page: WinPage) -> str:
    undone = page.backed_out
    if undone.at is None:
        return "no"
    if undone.by == "void":
        return f"{moment(undone.at)} UTC, the round being void"
    return f"{moment(undone.at)} UTC by adjustment {undone.adjustment:,}: {undone.reason}"


def _journal(page: WinPage) -> Iterator[Pair]:
    for kept in page.kept:
        yield f"{kept.stream}, event {kept.sequence:,}", kept.hash
    yield "Game", page.game_hash


def _named(signer: Signer) -> str:
    return signer.name or signer.person


def _acted(signer: Signer) -> str:
    return f"{_called(signer.person, signer.name)}, {spoken(signer.role)}"


def _called(person: str, name: str) -> str:
    return f"{name} ({person})" if name and name != person else person
