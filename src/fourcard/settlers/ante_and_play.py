"""Ante and Play: the contest of a player's best four cards with the dealer's.

Both pay even money where the player's hand is higher or equal, and both are lost where the dealer's is higher
(IA-INT-5, SM-W1-1, WA-W1-1, MA-10d.3). The dealer needs no hand to qualify. The Ante opens the contest
(SM-W1-3, WA-W1-3), and whoever stays in it after seeing the hand adds Play (MA-1-PLAY.1, MD-01B5). Folding
loses the Ante; there is then no Play.
"""

from collections.abc import Iterator

from fourcard.rules.cited import clauses_of
from fourcard.rules.game import Game
from fourcard.settlers.showdown import Seat, Showdown
from fourcard.settlers.wager_settler import PendingStep, SettlementStep, WagerSettler
from fourcard.wagers import WagerName


class DealerContestSettler(WagerSettler):
    """Settler of a wager on beating the dealer."""

    def __init__(self, game: Game, name: WagerName) -> None:
        """Read the rules for a win, a tie and a loss."""
        super().__init__(game, name)
        wagers = game.rulebook.wagers
        rules = wagers.ante if name == "ante" else wagers.play
        self.odds = rules.pays.value
        self.win_clauses = clauses_of(rules.pays)
        self.tie_clauses = clauses_of(rules.pays, wagers.ante.ties_win)
        self.ties_win = wagers.ante.ties_win.value
        self.taken_when_beaten = rules.taken_when_beaten.value
        self.loss_clauses = clauses_of(rules.taken_when_beaten)

    def pending_steps(self, showdown: Showdown) -> Iterator[PendingStep]:
        """Yield the lost stake or the winnings."""
        dealer = showdown.dealer_hand
        for seat in showdown.seats:
            if self.name not in seat.wagers:
                continue
            if not self.lives(seat):
                yield self.forfeit(seat)
            elif seat.hand < dealer or (not self.ties_win and seat.hand == dealer):
                if self.taken_when_beaten:
                    yield self.take(seat, self.loss_clauses)
            else:
                yield self._won(seat, self.tie_clauses if seat.hand == dealer else self.win_clauses)

    def _won(self, seat: Seat, clauses: tuple[str, ...]) -> PendingStep:
        amount = self.odds.pays(seat.wagers[self.name], self.rounding)
        hand = seat.hand.category.text
        return PendingStep(
            SettlementStep(
                seat.position, self.name, "pay", amount, "tray", hand, clauses, odds=str(self.odds)
            )
        )
