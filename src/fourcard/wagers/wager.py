"""What every wager has in common: what is due from and to a position, and what folding or leaving costs."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import ClassVar, Literal

import msgspec

from fourcard.money import Odds
from fourcard.rules.game import Game
from fourcard.rules.nodes import Paytable, TableWager, WagerName, cite
from fourcard.rules.rulebook import AwardSource, Limited, Wager
from fourcard.wagers.showdown import Seat, Showdown, Standing


class Phase(Enum):
    """When in a round something falls due."""

    FORFEIT = auto()
    """Before the dealer's hand is revealed, when forfeited wagers are collected."""
    TURN = auto()
    """When the position is settled."""
    LAST = auto()
    """After every position, for wagers that need all hands."""


class Due(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One thing due: a stake to be taken, or an award to be paid."""

    position: int
    wager: WagerName
    action: Literal["take", "pay"]
    amount: int | None
    """Cents; None where the award is a tier of the meter, whose price is known when its turn comes."""
    hand: str
    """The hand that decided, as files call it."""
    clauses: tuple[str, ...]
    source: AwardSource | Literal["player"] = "tray"
    phase: Phase = Phase.TURN
    row: str | None = None
    """The row of the table that was won."""
    odds: Odds | None = None
    stake: int = 0
    holder: int | None = None
    """The position whose hand won it, where that is another's; 0 is the dealer's."""


class WagerAtTable(ABC):
    """One wager as one game settles it; clauses and odds are gathered once."""

    name: ClassVar[WagerName]
    own_hand: ClassVar[bool] = False
    """Whether the player's own cards alone decide it, so that folded cards are kept for it (R3)."""

    def __init__(self, game: Game) -> None:
        """Read what the game says of this wager."""
        self.game = game
        self.rounding = game.rounding
        self.left_clauses = cite(game.rulebook.leaving_may_lose_wagers)
        rules = game.rulebook.wager(self.name)
        self.on_fold = rules.on_fold if isinstance(rules, Limited) else None

    @property
    def lives_after_fold(self) -> bool:
        """Say whether the wager stays in play when its player folds."""
        return self.on_fold is not None and self.on_fold.value == "live"

    @abstractmethod
    def dues(self, showdown: Showdown) -> Iterator[Due]:
        """Yield what falls due on this wager, position by position."""

    def forfeit(self, seat: Seat) -> Due | None:
        """Return the stake of a player who left, or who folded a wager that a fold loses; None if neither."""
        if seat.standing is Standing.LIVE:
            return None
        if seat.standing is Standing.LEFT:
            return self.take(seat, self.left_clauses, phase=Phase.FORFEIT)
        if self.lives_after_fold:
            return None
        return self.take(seat, cite(self.on_fold), phase=Phase.FORFEIT)

    def take(
        self, seat: Seat, clauses: tuple[str, ...], hand: str | None = None, phase: Phase = Phase.TURN
    ) -> Due:
        """Return the whole stake, due from the player."""
        return Due(
            position=seat.position,
            wager=self.name,
            action="take",
            amount=seat.wagers[self.name],
            source="player",
            hand=hand or seat.hand.category.text,
            clauses=clauses,
            phase=phase,
        )


class PaytableWager(WagerAtTable):
    """A wager that pays by a table and loses its stake where no row is won."""

    name: ClassVar[TableWager]
    pays_on: ClassVar[WagerName | None] = None
    """The wager whose stake the odds apply to, where it is not this one's own."""

    def __init__(self, game: Game) -> None:
        """Read table and rules."""
        super().__init__(game)
        rules = game.rulebook.wager(self.name)
        assert isinstance(rules, Wager)
        table = game.tables.get(self.name)
        self.pays = odds_by_row(table)
        self.regardless = rules.regardless_of_dealer is None or rules.regardless_of_dealer.value
        self.win_clauses = cite(table, rules.regardless_of_dealer)
        self.fold_clauses = cite(table, rules.on_fold)
        self.loss_clauses = cite(rules.lowest) or cite(table)

    def dues(self, showdown: Showdown) -> Iterator[Due]:
        """Yield the stake where it is lost, or the award of the best row won."""
        for seat in showdown.seats:
            if self.name in seat.wagers:
                yield self.forfeit(seat) or self.result(showdown, seat)

    def result(self, showdown: Showdown, seat: Seat) -> Due:
        """Return what the hand that decides leads to."""
        hand, rows = self.judged(showdown, seat)
        row = highest(self.pays, rows)
        if row is None or not (self.regardless or seat.hand >= showdown.dealer_hand):
            return self.take(seat, self.loss_clauses, hand)
        return self.award(seat, row, hand, self.fold_clauses if seat.folded else self.win_clauses)

    def judged(self, showdown: Showdown, seat: Seat) -> tuple[str, Sequence[str]]:
        """Return the hand that decides, and the rows it can win: the best four cards unless overridden."""
        del showdown
        return seat.hand.category.text, seat.hand.rows

    def award(self, seat: Seat, row: str, hand: str, clauses: tuple[str, ...]) -> Due:
        """Return what a row pays on the stake, which the player keeps."""
        odds, stake = self.pays[row], seat.wagers[self.pays_on or self.name]
        return Due(
            position=seat.position,
            wager=self.name,
            action="pay",
            amount=odds.pays(stake, self.rounding),
            hand=hand,
            clauses=clauses,
            row=row,
            odds=odds,
            stake=stake,
        )


def odds_by_row(table: Paytable | None) -> dict[str, Odds]:
    """Return what each row of a table pays, the best row first; nothing where there is no table."""
    return {} if table is None else {str(row): odds for row, odds in table.pays.items()}


def highest(pays: Mapping[str, Odds], rows: Iterable[str]) -> str | None:
    """Return the most special of a hand's rows that is paid: only that one is (MA-13a2, MD-12D2)."""
    for row in rows:
        if row in pays:
            return row
    return None
