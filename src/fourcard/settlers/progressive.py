"""The progressive wager: the player's own hand against a table whose top awards are shares of the meter.

Each wager beside it is as optional as it is itself (SM-PROG-5.2, WA-PROG-4.2, WA-NEX-4.2). A "for 1" award
and a share of the meter are the whole payout, so the stake is also taken (MA-13a1.2, SM-PROG-3.1, WA-PAY-R).
Tables A, B, 1 and 2 judge the best four of the player's five cards (R49), table C all five (R8). Only the
highest hand is paid (MA-13a2, MD-12D2). A fold loses the wager (MD-11C3.1; R48, a setting). An award that
comes off the meter is confirmed before it is paid, elsewhere every win or a large one (R61, MD-11D10c).
"""

from collections.abc import Sequence

from fourcard.bonus_hands import rank_five
from fourcard.money import Odds, OddsKind
from fourcard.rules.cited import clauses_of
from fourcard.rules.game import Game
from fourcard.rules.rulebook import AwardSource
from fourcard.settlers.showdown import Seat, Showdown
from fourcard.settlers.wager_settler import MeterAward, PaytableSettler, PendingStep, SettlementStep
from fourcard.wagers import WagerName

FIVE_CARDS = 5


class ProgressiveSettler(PaytableSettler):
    """The wager on the meter."""

    def __init__(self, game: Game, name: WagerName) -> None:
        """Read the paytable and the source of each award."""
        super().__init__(game, name)
        rules, choice = game.rulebook.wagers.progressive, game.submission.progressive
        assert rules is not None
        assert choice is not None
        self.five_cards = game.tables[self.name].cards == FIVE_CARDS
        self.fixed_from = choice.fixed_awards
        self.fixed_clauses = clauses_of(rules.fixed_awards)
        self.stake_returned = rules.stake_returned.value
        self.stake_clauses = clauses_of(game.tables[self.name], rules.stake_returned)
        self.shares_from = rules.shares_from.value
        self.share_clauses = clauses_of(rules.shares_from)
        formerly = game.settings.get("supervisor_confirms", "every_win")
        self.confirms_every_win = game.settings.get("confirm", formerly) == "every_win"
        on_fold = game.settings.get("progressive_on_fold")
        if on_fold is not None:
            self.lives_after_fold = on_fold == "live"
            self.on_fold_clauses = ("R48",)
            self.fold_clauses = (*self.fold_clauses, "R48")

    def deciding_hand(self, showdown: Showdown, seat: Seat) -> tuple[str, Sequence[str]]:
        """Return the best four cards, or all five for a table of five-card hands."""
        if not self.five_cards:
            return super().deciding_hand(showdown, seat)
        rows = rank_five(seat.cards).rows
        return rows[0], rows

    def returns_stake(self, row: str) -> bool:
        """Say whether a winner gets the stake back, as the rulebook says for every award."""
        del row
        return self.stake_returned

    def award(self, seat: Seat, row: str, hand: str, clauses: tuple[str, ...]) -> PendingStep:
        """Return a fixed award, or one off the meter: a share (R60), or any award by choice (R59)."""
        odds, stake = self.pays[row], seat.wagers[self.name]
        if odds.kind is OddsKind.METER:
            source, amount, clauses = self._share_from(odds), 0, (*clauses, *self.share_clauses)
        else:
            source, amount = self.fixed_from, odds.pays(stake, self.rounding)
            clauses = (*clauses, *self.fixed_clauses)
        paid = SettlementStep(seat.position, self.name, "pay", amount, source, hand, clauses, row, str(odds))
        of_meter = odds.kind is OddsKind.METER or source == "meter"
        return PendingStep(
            paid,
            meter_award=MeterAward(odds, stake, source) if of_meter else None,
            needs_confirmation=self.confirms_every_win or self.game.needs_second_person(amount),
        )

    def _share_from(self, odds: Odds) -> AwardSource:
        """Return the source of a share: the meter for the whole (R58), or the tray by a setting (R60)."""
        if odds.value == 1:
            return "meter"
        return "tray" if self.game.settings.get("part_share_from") == "tray" else self.shares_from
