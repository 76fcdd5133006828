"""What a win page tells: one logged win with everything that accounting asks of it."""

from typing import Literal

import msgspec

from fourcard.cards import cards_text
from fourcard.house.reports.showing import moment
from fourcard.meter import Payment
from fourcard.progressive.console import Console, rules_of
from fourcard.refusals import Code, Refusal, refuse
from fourcard.rules.consoles import Console as ConsoleKind
from fourcard.rules.game import Game
from fourcard.rules.nodes import cite

Paper = Literal["not asked for", "open", "completed"]
Undoing = Literal["", "adjustment", "void"]


class Signer(msgspec.Struct, frozen=True):
    """A person who had a part in a win, and in which role."""

    person: str
    name: str
    role: str


class Kept(msgspec.Struct, frozen=True):
    """Where an event stands in the journal."""

    stream: str
    sequence: int
    hash: str
    """Its SHA-256 in hexadecimal, which chains it to the events before."""


class Document(msgspec.Struct, frozen=True):
    """What became of the paperwork of a payout."""

    state: Paper
    by: Signer | None = None
    at: int | None = None


class BackedOut(msgspec.Struct, frozen=True):
    """How a win was returned to the meter; by nothing while it stands."""

    by: Undoing = ""
    at: int | None = None
    adjustment: int = 0
    """The number of the adjustment that did it."""
    reason: str = ""
    proposed: Signer | None = None
    """Who proposed the adjustment; None where the round was void."""
    approved: Signer | None = None


class WinPage(msgspec.Struct, frozen=True, kw_only=True):
    """One win of the progressive, as its page tells it; amounts are cents but where units are named."""

    house: str
    operator: str
    game: str
    """What the submission is called."""
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
    cards: tuple[int, ...]
    hand: str
    row: str
    odds: str
    stake: int
    before: int
    """What the meter showed, wins that were logged before taken off."""
    after: int
    payment: Payment
    marked: Signer
    confirmed: Signer
    adjusted: int | None
    """When the meter was adjusted for it; None while it was not."""
    document: Document
    backed_out: BackedOut
    clauses: tuple[str, ...]
    kept: tuple[Kept, ...]
    """The events that logged it: the meter's first, then the table's."""

    @property
    def amount(self) -> int:
        """Return the cents that the player is paid."""
        return self.payment.amount

    @property
    def seed(self) -> int:
        """Return the units that the house put into the meter anew, without those of the reserve."""
        return self.payment.seeded - self.payment.from_reserve

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it."""
        told = {"amount": self.amount, "moment": moment(self.at), "cards": cards_text(self.cards)}
        return {**msgspec.to_builtins(self), **told}


def win_page_refusal(console: Console, game: Game) -> Refusal | None:
    """Refuse a page where the rulebook's console prints none (SM-PROG-9e.6, WA-PROG-8f.6, WA-NEX-8f.7)."""
    rule = rules_of(console, game).win_page
    if rule.value:
        return None
    return refuse(Code.WIN_PAGE_ABSENT, cite(rule), rulebook=game.rulebook.name, console=console.kind)
