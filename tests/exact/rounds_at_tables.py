"""Random rounds played at a table, command by command."""

from random import Random

from fourcard.cards import DECK
from fourcard.dealing import cut_deck
from fourcard.meter import UNITS_PER_CENT, Meter
from fourcard.round.commands import Fold, PlaceWager, Play, ReportIrregularity, SetHand, TreatAsAbandoned
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.table.deck_preparation import CUT_STEPS
from fourcard.table.table_driver import Table
from fourcard.wagers import LIMITED_WAGERS, WagerName
from tests.kit.decks import strong_deck


class RandomTableRound:
    """One random round, played to its end or void."""

    def __init__(self, game: Game, chance: Random) -> None:
        """Seat players, some of them at two positions, and play."""
        self.chance = chance
        choice = game.submission.progressive
        reset = None if choice is None else choice.reset
        cents = chance.choice((0, 7, 250, 99_999, chance.randrange(10**7)))
        amount = cents * UNITS_PER_CENT + chance.choice((0, 0, 9_999))
        self.table = Table(game, self._shuffle, Meter(amount=amount, reset_amount=reset))
        self.meter = self.table.local_meter.meter
        """The meter when the settlement begins."""
        self._seat(game)
        self.table.begin()
        self._wager(game)
        self._play()
        over = self.table.state.last_round
        assert over is not None
        self.round: RoundState = over

    def _shuffle(self) -> tuple[int, ...]:
        """Shuffle a deck, more than half of the time with strong hands for the seated players."""
        if self.chance.random() < 0.4:
            return tuple(self.chance.sample(DECK, 52))
        state = self.table.state
        order = strong_deck(self.table.game, state.seats, self.chance)
        return cut_deck(order, 26) if any(step in CUT_STEPS for step, _ in state.agenda) else order

    def _seat(self, game: Game) -> None:
        most, several = game.submission.positions.at_table, game.positions_per_player > 1
        before = (0, "")
        for position in sorted(self.chance.sample(range(1, most + 1), self.chance.randint(1, most))):
            again = several and before[0] == position - 1 and self.chance.random() < 0.4
            player = before[1] if again and before[1] else f"p{position}"
            self.table.seat(position, player)
            before = (position, "" if again else player)

    def _wager(self, game: Game) -> None:
        """Place the Ante, Aces Up or both at every position, and most other allowed wagers."""
        for position in self.table.state.seats:
            base: tuple[WagerName, ...] = self.chance.choice(
                (("ante",), ("aces_up",), ("ante", "aces_up"), ("ante", "aces_up"))
            )
            for wager in (*base, "bad_beat", "six_card", "cover_all", "progressive"):
                placed = PlaceWager(position=position, wager=wager, amount=self._stake(game, wager))
                if self.table.may(placed) is None and (wager in base or self.chance.random() < 0.8):
                    self.table.do(placed)

    def _stake(self, game: Game, wager: WagerName) -> int:
        choice, limits = game.submission.progressive, game.submission.limits.posted
        if wager == "progressive":
            return 0 if choice is None else int(self.chance.choice(choice.stakes))
        posted = next((limits[name] for name in LIMITED_WAGERS if name == wager and name in limits), None)
        return self.chance.randrange(posted.least, posted.most + 1, game.submission.chip) if posted else 0

    def _play(self) -> None:
        """Play to the end; occasionally a player leaves or a hand has too many cards."""
        void = self.chance.random() < 0.04
        while (state := self.table.state.round) is not None:
            if void and state.phase == "stub":
                self.table.do(ReportIrregularity(irregularity="wrong_number_of_cards", count=7))
                continue
            if state.phase == "settling" and not state.turn_index:
                self.meter = self.table.local_meter.meter
            act = self.table.next_command()
            if act is not None:
                self.table.do(act)
            else:
                self._decide(state)

    def _decide(self, state: RoundState) -> None:
        position, chance = positions_to_decide(state)[0], self.chance
        ante = state.positions[position].wagers["ante"]
        present = SetHand(position=position, cards=tuple(chance.sample(state.positions[position].cards, 4)))
        if chance.random() < 0.5 and self.table.may(present) is None:
            self.table.do(present)
        leaves = TreatAsAbandoned(position=position, role="supervisor")
        if chance.random() < 0.1 and self.table.may(leaves) is None:
            self.table.do(leaves)
            return
        chip = state.rules.game.submission.chip
        amount = chance.choice((ante, 2 * ante, 3 * ante, chance.randrange(ante, 3 * ante + 1, chip)))
        play = Play(position=position, amount=amount)
        folds = chance.random() < 0.2 or self.table.may(play) is not None
        self.table.do(Fold(position=position) if folds else play)
