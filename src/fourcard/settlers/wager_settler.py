"""Wager settlers: the common base, pending steps, and the cost of folding or leaving."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Literal

import msgspec

from fourcard.hands import best_of
from fourcard.money import Odds, OddsKind
from fourcard.rules.cited import Paytable, clauses_of, is_set
from fourcard.rules.game import Game
from fourcard.rules.rulebook import AwardSource, EnvyWager, Limited, Wager
from fourcard.settlers.showdown import LIVE, Seat, Showdown, Standing
from fourcard.wagers import SPECIFICATIONS, WagerName


class SettlePhase(Enum):
    """Settlement phase in which a step is due."""

    FORFEIT = auto()
    """Before the dealer's hand is revealed, when forfeited wagers are collected."""
    TURN = auto()
    """When the position is settled."""
    HOLDERS_TURN = auto()
    """When the position whose hand wins it is settled."""
    LAST = auto()
    """After every position, for wagers that need all hands."""


class SettlementStep(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, rename={"source": "from"}):
    """Settlement step: one payment between a player and tray or meter."""

    position: int
    wager: WagerName
    action: Literal["take", "pay"]
    amount: int
    source: AwardSource | Literal["player"]
    hand: str
    """Deciding hand, by its name in files."""
    clauses: tuple[str, ...]
    row: str | None = None
    """Winning row of the paytable."""
    odds: str | None = None
    holder: int | None = None
    """The position whose hand won it, where that is another's; 0 is the dealer's."""


class MeterAward(msgspec.Struct, frozen=True, gc=False):
    """Meter award: its amount is known only when its turn comes."""

    odds: Odds
    stake: int
    source: AwardSource


class PendingStep(msgspec.Struct, frozen=True, gc=False):
    """Pending step: a stake to take or an award to pay at its time."""

    step: SettlementStep
    phase: SettlePhase = SettlePhase.TURN
    meter_award: MeterAward | None = None
    """Meter award that prices the step, if its amount is not known yet."""
    needs_confirmation: bool = False
    """Whether somebody must confirm the award at the console before it is paid (R61)."""
    second_person: bool = False
    """Whether a second person must confirm the award at the table, because of its amount (R61)."""

    @property
    def waits(self) -> bool:
        """Say whether the dealer must wait: the amount is unknown or unconfirmed."""
        return self.meter_award is not None or self.needs_confirmation or self.second_person

    def with_clauses(self, *rulings: str) -> "PendingStep":
        """Return the step with rulings added to its clauses."""
        step = msgspec.structs.replace(self.step, clauses=(*self.step.clauses, *rulings))
        return msgspec.structs.replace(self, step=step)


class WagerSettler(ABC):
    """Settler of one wager in one game; clauses and odds are collected once."""

    def __init__(self, game: Game, name: WagerName) -> None:
        """Read the rules of this wager."""
        self.game, self.name = game, name
        self.specification = SPECIFICATIONS[name]
        self.rounding = game.rounding
        self.left_clauses = clauses_of(game.rulebook.leaving_may_lose_wagers)
        rules = game.rulebook.wager(self.name)
        on_fold = rules.on_fold if isinstance(rules, Limited | EnvyWager) else None
        self.on_fold_clauses = clauses_of(on_fold)
        self.lives_after_fold = on_fold is not None and on_fold.value == "live"
        """Whether the wager stays in play when its player folds."""

    @abstractmethod
    def pending_steps(self, showdown: Showdown) -> Iterator[PendingStep]:
        """Yield the pending steps of this wager, position by position."""

    def forfeit(self, seat: Seat) -> PendingStep:
        """Return the forfeited stake of a player who left or folded."""
        clauses = self.left_clauses if seat.standing is Standing.LEFT else self.on_fold_clauses
        return self.take(seat, clauses, phase=SettlePhase.FORFEIT)

    def lives(self, seat: Seat) -> bool:
        """Say whether the wager is still in play at a seat."""
        return seat.standing is LIVE or (seat.folded and self.lives_after_fold)

    def take(
        self,
        seat: Seat,
        clauses: tuple[str, ...],
        hand: str | None = None,
        phase: SettlePhase = SettlePhase.TURN,
    ) -> PendingStep:
        """Return the whole stake as a pending loss."""
        stake, shown = seat.wagers[self.name], hand or seat.hand.category.text
        return PendingStep(
            SettlementStep(seat.position, self.name, "take", stake, "player", shown, clauses), phase
        )


class PaytableSettler(WagerSettler):
    """Settler of a wager with a paytable; the stake is lost if no row is won."""

    def __init__(self, game: Game, name: WagerName) -> None:
        """Read table and rules, such as whether all cards are judged (R27)."""
        super().__init__(game, name)
        rules = game.rulebook.wager(self.name)
        assert isinstance(rules, Wager)
        table = game.tables[self.name]
        self.pays = odds_by_row(table)
        self.regardless = rules.regardless_of_dealer is None or rules.regardless_of_dealer.value
        self.all_cards = is_set(rules.judges_all_cards)
        self.win_clauses = clauses_of(table, rules.regardless_of_dealer)
        self.fold_clauses = clauses_of(table, rules.on_fold)
        self.loss_clauses = clauses_of(rules.lowest, table)
        self.stake_clauses = clauses_of(table)

    def pending_steps(self, showdown: Showdown) -> Iterator[PendingStep]:
        """Yield the lost stake, or the award of the best row after a stake that is not returned."""
        for seat in showdown.seats:
            if self.name not in seat.wagers:
                continue
            due = self.result(showdown, seat) if self.lives(seat) else self.forfeit(seat)
            if due.step.action == "pay" and not self.returns_stake(str(due.step.row)):
                yield self.take(seat, self.stake_clauses, due.step.hand)
            yield due

    def returns_stake(self, row: str) -> bool:
        """Say whether the winner of a row keeps the stake; an award "for 1" includes it."""
        return self.pays[row].kind is not OddsKind.FOR

    def result(self, showdown: Showdown, seat: Seat) -> PendingStep:
        """Return the result of the deciding hand."""
        hand, rows = self.deciding_hand(showdown, seat)
        row = best_row(self.pays, rows)
        if row is None or not (self.regardless or seat.hand >= showdown.dealer_hand):
            return self.take(seat, self.loss_clauses, hand)
        return self.award(seat, row, hand, self.fold_clauses if seat.folded else self.win_clauses)

    def deciding_hand(self, showdown: Showdown, seat: Seat) -> tuple[str, Sequence[str]]:
        """Return the deciding hand and its rows, from all of a player's cards or the four presented (R27)."""
        del showdown
        if self.specification.rows_won is None:
            set_by_player = self.all_cards and seat.set_by_player
            hand = best_of(sorted(seat.cards, reverse=True)) if set_by_player else seat.hand
            return hand.category.text, hand.rows
        rows = self.specification.rows_won(seat.cards)
        return next(iter(rows), seat.hand.category.text), rows

    def award(self, seat: Seat, row: str, hand: str, clauses: tuple[str, ...]) -> PendingStep:
        """Return what a row pays on the stake."""
        odds, stake = self.pays[row], seat.wagers[self.specification.pays_on or self.name]
        amount = odds.pays(stake, self.rounding)
        return PendingStep(
            SettlementStep(seat.position, self.name, "pay", amount, "tray", hand, clauses, row, str(odds))
        )


def odds_by_row(table: Paytable) -> dict[str, Odds]:
    """Return what each row of a table pays, the best row first."""
    return {str(row): odds for row, odds in table.pays.items()}


def best_row(pays: Mapping[str, Odds], rows: Iterable[str]) -> str | None:
    """Return the first paid row of a hand; only that one is paid (MA-13a2, MD-12D2)."""
    for row in rows:
        if row in pays:
            return row
    return None
