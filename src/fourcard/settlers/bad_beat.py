"""Bad Beat Bonus: a hand of two pair or better is beaten, the player's or the dealer's.

It wins in either of two ways (SM-BB-3.0, WA-BB-2.0), and all else follows the game's own procedure (SM-BB-6,
WA-BB-4). The odds follow the hand beaten (SM-BB-3c): the player's own where the dealer is higher (SM-BB-3a,
WA-BB-2a), the dealer's where the player is (SM-BB-3b, WA-BB-2b). In a tie no hand is beaten (R40, a setting);
a fold ends the contest and loses (R39).
"""

from collections.abc import Sequence

from fourcard.hands import Hand
from fourcard.rules.cited import clauses_of
from fourcard.rules.game import Game
from fourcard.settlers.showdown import Seat, Showdown
from fourcard.settlers.wager_settler import PaytableSettler, PendingStep
from fourcard.wagers import WagerName


class BadBeatSettler(PaytableSettler):
    """The wager on a strong hand being beaten."""

    def __init__(self, game: Game, name: WagerName) -> None:
        """Cite the two ways to win with every award."""
        super().__init__(game, name)
        rules = game.rulebook.wagers.bad_beat
        assert rules is not None
        self.win_clauses = clauses_of(game.tables[self.name], rules.lowest)

    def result(self, showdown: Showdown, seat: Seat) -> PendingStep:
        """Return the result for the beaten hand; a ruling decides a tie (R40)."""
        due = super().result(showdown, seat)
        return due.with_clauses("R40") if seat.hand == showdown.dealer_hand else due

    def deciding_hand(self, showdown: Showdown, seat: Seat) -> tuple[str, Sequence[str]]:
        """Return the beaten hand and its rows; no row if no hand was beaten."""
        beaten = self._beaten(seat.hand, showdown.dealer_hand)
        if beaten is None:
            return seat.hand.category.text, ()
        return beaten.category.text, beaten.rows

    def _beaten(self, player: Hand, dealer: Hand) -> Hand | None:
        if player == dealer:
            return dealer if self.game.settings.get("bad_beat_tie") == "wins" else None
        return min(player, dealer)
