"""Automatic Bonus: certain hands win on the Ante, even where they lose to the dealer (IA-INT-3).

It is not a separate wager: it comes with Ante and Play, and a fold loses it (R32). It is computed on the Ante
(SM-W1-11, WA-W1-11, IA-DEF-5.2) and paid with it (MD-11D4cii.2), and nothing is taken for it.
"""

from collections.abc import Iterator

from fourcard.rules.game import Game
from fourcard.settlers.showdown import Showdown
from fourcard.settlers.wager_settler import PaytableSettler, PendingStep, best_row
from fourcard.wagers import WagerName


class AutomaticBonusSettler(PaytableSettler):
    """The bonus on the Ante."""

    def __init__(self, game: Game, name: WagerName) -> None:
        """Read which wager it comes with: Play, which needs the Ante."""
        super().__init__(game, name)
        needed = game.rulebook.wagers.automatic_bonus.requires_all
        self.required = frozenset(() if needed is None else needed.value)

    def pending_steps(self, showdown: Showdown) -> Iterator[PendingStep]:
        """Yield the bonus of every qualifying hand."""
        for seat in showdown.seats:
            if self.required - seat.wagers.keys():
                continue
            row = best_row(self.pays, seat.hand.rows)
            if row is not None and (self.regardless or seat.hand >= showdown.dealer_hand):
                yield self.award(seat, row, seat.hand.category.text, self.win_clauses)
