"""Cover All: the highest hand at the table, whoever holds it, by a table for the number of hands dealt.

The dealer's hand counts (MA-12b) and only the highest pays (MA-12g), in the order of the wager's own table,
where a royal flush stands above four of a kind (R25). The odds depend on the number of players (MA-12c): the
column is fixed when the hands are out, by the positions dealt in and the dealer (MA-12e.1, R5). A mucked hand
does not count (R43). Otherwise the settlement is the usual one (MA-12h).
"""

from collections.abc import Iterable, Iterator, Mapping

from fourcard.hands import Hand
from fourcard.money import Odds, OddsKind
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rules.cited import Paytable, clauses_of, is_set
from fourcard.rules.game import Game
from fourcard.settlers.showdown import DEALER, Seat, Showdown, Standing
from fourcard.settlers.wager_settler import (
    PendingStep,
    SettlementStep,
    SettlePhase,
    WagerSettler,
    odds_by_row,
)
from fourcard.wagers import WagerName


class CoverAllSettler(WagerSettler):
    """The wager on the best hand of the table."""

    def __init__(self, game: Game, name: WagerName) -> None:
        """Read the columns and what counts."""
        super().__init__(game, name)
        rules = game.rulebook.wagers.cover_all
        assert rules is not None
        self.rules = rules
        self.phase = SettlePhase.LAST if is_set(game.rulebook.settlement.cover_all_last) else SettlePhase.TURN

    def pending_steps(self, showdown: Showdown) -> Iterator[PendingStep]:
        """Yield the lost stake or the award of the highest hand at the table for every bettor."""
        seats = [seat for seat in showdown.seats if self.name in seat.wagers]
        if not seats:
            return
        column = self.column(showdown)
        row, hand, holder = self.best(odds_by_row(column), showdown)
        for seat in seats:
            if not self.lives(seat):
                yield self.forfeit(seat)
            elif row is None:
                yield self.take(seat, clauses_of(self.rules.lowest), hand, self.phase)
            else:
                if odds_by_row(column)[row].kind is OddsKind.FOR:
                    yield self.take(seat, clauses_of(column), hand, self.phase)
                yield self._award(seat, column, (row, hand, holder))

    def _award(self, seat: Seat, column: Paytable, best: tuple[str, str, int | None]) -> PendingStep:
        row, hand, holder = best
        odds = odds_by_row(column)[row]
        amount, clauses = (
            odds.pays(seat.wagers[self.name], self.rounding),
            clauses_of(column, self.rules.lowest),
        )
        paid = SettlementStep(
            seat.position, self.name, "pay", amount, "tray", hand, clauses, row, str(odds), holder
        )
        return PendingStep(paid, self.phase)

    def column(self, showdown: Showdown) -> Paytable:
        """Return the odds in force, or refuse a number of players without a column (R46)."""
        seats = showdown.seats if self.rules.counts_dealt.value else [*self.counted(showdown)]
        column = self.rules.column(len(seats))
        if column is None:
            most = max(int(number) for number in self.rules.columns) - self.rules.dealer_counts.value
            clauses = (*clauses_of(self.rules.choices), "R46")
            raise RefusedError(refuse(Code.COVER_ALL_COLUMN_MISSING, clauses, count=len(seats), most=most))
        return column

    def best(self, pays: Mapping[str, Odds], showdown: Showdown) -> tuple[str | None, str, int | None]:
        """Return the highest row at the table, its hand and the position that holds it."""
        hands: list[tuple[int, Hand]] = [(seat.position, seat.hand) for seat in self.counted(showdown)]
        if self.rules.dealer_hand.value:
            hands.append((DEALER, showdown.dealer_hand))
        for row in pays:
            paying = [(holder, hand) for holder, hand in hands if row in hand.rows]
            if paying:
                holder, hand = max(paying, key=lambda each: each[1])
                return row, hand.category.text, holder
        strongest = max(hand for _, hand in hands) if hands else showdown.dealer_hand
        return None, strongest.category.text, None

    def counted(self, showdown: Showdown) -> Iterable[Seat]:
        """Yield the seats whose hands are still on the table (R43)."""
        keepers = self.rules.folded_hands_of.value
        for seat in showdown.seats:
            kept = seat.standing is Standing.KEPT and any(name in seat.wagers for name in keepers)
            if seat.standing is Standing.LIVE or kept:
                yield seat
