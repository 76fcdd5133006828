"""Envy: what a progressive bettor gets for a qualifying hand of another person at the table.

The receiver must have made the progressive wager; the holder need not (R50). Each progressive wager earns one
Envy a qualifying hand of a different person (R52, R53), priced by the receiver's own stake; never for the
dealer's hand, nor for a folded one (R51), nor for a hand at another table of the same meter (WA-PROG-9a.5,
WA-NEX-9a.5). The paytable says which hands qualify (MD-01B3). The right is kept after a fold and lost by
leaving. It is paid from the tray (R96), at the end of the round or when the qualifying hand is settled (R54).
"""

from collections.abc import Iterator

import msgspec

from fourcard.bonus_hands import best_five
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.game import Game
from fourcard.settlers.progressive import FIVE_CARDS
from fourcard.settlers.showdown import DEALER, LIVE, Seat, Showdown
from fourcard.settlers.wager_settler import (
    PendingStep,
    SettlementStep,
    SettlePhase,
    WagerSettler,
    best_row,
    odds_by_row,
)
from fourcard.wagers import WagerName


class QualifyingHand(msgspec.Struct, frozen=True, gc=False):
    """Qualifying hand: wins Envy for others."""

    holder: int
    player: str | None
    hand: str
    row: str


class EnvySettler(WagerSettler):
    """The bonus for other people's hands."""

    def __init__(self, game: Game, name: WagerName) -> None:
        """Read who receives and what counts."""
        super().__init__(game, name)
        rules = game.rulebook.wagers.envy
        assert rules is not None
        self.rules, self.paid_on = rules, self.specification.pays_on or name
        least = game.envy_for(min(game.envy))
        self.rows, self.five_cards = odds_by_row(least), least.cards == FIVE_CARDS
        last = is_set(game.rulebook.settlement.envy_last)
        self.phase = SettlePhase.LAST if last else SettlePhase.TURN
        if is_set(rules.paid_in_holders_turn):
            self.phase = SettlePhase.HOLDERS_TURN
        self.clauses = (*clauses_of(rules.bettors_only, rules.several, rules.paid_in_holders_turn), "R96")

    def pending_steps(self, showdown: Showdown) -> Iterator[PendingStep]:
        """Yield one award for each qualifying hand of another person."""
        found = self.qualifying(showdown)
        for seat in showdown.seats if found else ():
            if self._receives(seat):
                yield from self._awards(seat, [each for each in found if self._is_anothers(each, seat)])

    def qualifying(self, showdown: Showdown) -> list[QualifyingHand]:
        """Return every qualifying hand in the order of the schedule."""
        pays, five, found = self.rows, self.five_cards, []
        for seat in showdown.seats:
            if seat.standing is LIVE or (seat.folded and self.rules.folded_hands.value):
                rows = best_five(seat.cards).rows if five else seat.hand.rows
                if row := best_row(pays, rows):
                    found.append(QualifyingHand(seat.position, seat.player, rows[-1], row))
        if self.rules.dealer_hand.value:
            rows = best_five(showdown.dealer).rows if five else showdown.dealer_hand.rows
            if row := best_row(pays, rows):
                found.append(QualifyingHand(DEALER, None, rows[-1], row))
        return sorted(found, key=lambda each: [*pays].index(each.row))

    def _receives(self, seat: Seat) -> bool:
        return self.lives(seat) and (self.paid_on in seat.wagers or not self.rules.bettors_only.value)

    def _is_anothers(self, hand: QualifyingHand, seat: Seat) -> bool:
        if self.rules.own_hands.value:
            return hand.holder != seat.position
        return hand.player != seat.player

    def _awards(self, seat: Seat, hands: list[QualifyingHand]) -> Iterator[PendingStep]:
        stake = seat.wagers.get(self.paid_on, min(self.game.envy))
        schedule = self.game.envy_for(stake)
        pays = odds_by_row(schedule)
        for each in hands if self.rules.several.value else hands[:1]:
            odds = pays[each.row]
            amount, clauses = odds.pays(stake, self.rounding), (*clauses_of(schedule), *self.clauses)
            paid = SettlementStep(
                seat.position,
                self.name,
                "pay",
                amount,
                "tray",
                each.hand,
                clauses,
                each.row,
                str(odds),
                each.holder,
            )
            yield PendingStep(paid, self.phase)
