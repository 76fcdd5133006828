"""Six Card Bonus: the player's five cards and the bonus card, best five of the six (MD-07E5.1, MD-06F.0).

All six in a royal sequence of one suit are a Super Royal, which replaces the royal flush and pays a fixed
amount by suit whatever the stake, which the player keeps (MD-06F8, MD-07E5b, R93).
"""

from collections.abc import Sequence

from fourcard.bonus_hands import rows_of_six
from fourcard.rules.game import Game
from fourcard.settlers.showdown import Seat, Showdown
from fourcard.settlers.wager_settler import PaytableSettler, PendingStep
from fourcard.wagers import WagerName

SUPER_ROYAL = "super_royal"


class SixCardSettler(PaytableSettler):
    """The wager on five of six cards."""

    def __init__(self, game: Game, name: WagerName) -> None:
        """Read whether five to ace is a straight (R28)."""
        super().__init__(game, name)
        self.low_ace = game.settings.get("six_card_low_ace") is not False

    def result(self, showdown: Showdown, seat: Seat) -> PendingStep:
        """Return the result of the best five; a Super Royal cites its ruling (R93)."""
        due = super().result(showdown, seat)
        row = due.step.row
        return due.with_clauses("R93") if row is not None and row.startswith(SUPER_ROYAL) else due

    def deciding_hand(self, showdown: Showdown, seat: Seat) -> tuple[str, Sequence[str]]:
        """Return the best five-card hand with the bonus card, a Super Royal first."""
        assert showdown.bonus_card is not None
        rows = rows_of_six((*seat.cards, showdown.bonus_card), low_ace=self.low_ace)
        return rows[0], rows
