"""State of a round: its rules, its positions, cards and money; a frozen struct built by events."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec
from msgspec import UNSET

from fourcard.cards import DECK
from fourcard.dealer_script import DealerTurn
from fourcard.dealing import DealPlan, deal_plan
from fourcard.round.events import IrregularityNoted, RoundVoided, Stake
from fourcard.rules.cited import Cited, clauses_of, is_set
from fourcard.rules.game import Game
from fourcard.rules.limits import BettingMoment
from fourcard.rules.procedures import (
    Consequence,
    Consequences,
    Dealing,
    DealingMethod,
    IrregularityKind,
    StepName,
    Steps,
)
from fourcard.rules.rulebook import DutyName, Role
from fourcard.settlers.wager_settler import PendingStep, SettlementStep
from fourcard.settling import Settler
from fourcard.wagers import WagerName

CitedStep = tuple[StepName, tuple[str, ...]]
"""A step and the clauses that order it."""
RoundPhase = Literal["betting", "dealing", "stub", "deciding", "settling", "over", "void"]
FINISHED_PHASES: tuple[RoundPhase, ...] = ("over", "void")
CHIP_STEPS: tuple[StepName, ...] = ("collect_chips", "count_chips", "put_chips_in_tray")
"""The steps with the progressive chips, in order; the last one of a table's books them to the tray (R104)."""


class RoundRules:
    """The rules of one game dealt by one method; built once and shared by all rounds of a table."""

    def __init__(self, game: Game, method: DealingMethod | None = None, *, by_hand: bool = False) -> None:
        """Read the game's rulebook; ``by_hand`` says that cards are shuffled by hand for now."""
        rulebook = game.rulebook
        self.game, self.shuffled_by_hand = game, by_hand
        self.method: DealingMethod = method or game.submission.dealing.method
        self.dealing = rulebook.dealing[self.method]
        self.settler = Settler(game)
        self.before_cards = _steps_before_cards(game, self.dealing)
        progressive = rulebook.wagers.progressive
        booked_later = UNSET if progressive is None else progressive.booked_when_collected
        self.stakes_booked_when_locked = not is_set(booked_later)
        """Whether locked stakes are in the tray at once: in games of before R104."""
        chip_steps = tuple(step for step, _ in self.before_cards if step in CHIP_STEPS)
        self.chips_to_tray_at = () if self.stakes_booked_when_locked else chip_steps[-1:]
        """The step that books them to the tray, where one does."""
        counted = rulebook.wagers.cover_all.counted_at if rulebook.wagers.cover_all is not None else UNSET
        counts_at = counted.value if counted else None
        after = steps_in_order(self.dealing.after_cards)
        idle = None if game.offers("cover_all") else counts_at
        self.after_cards = tuple(each for each in after if each[0] != idle)
        self.odds_shown_at = counts_at or self.after_cards[-1][0]
        """The step after the cards that shows the Cover All odds (MA-12e.1); the last one before R102."""
        self.look_steps = steps_in_order(rulebook.deciding.look)
        alone: tuple[WagerName, ...] = (
            ("cover_all",) if game.settings.get("cover_all_requires") == "nothing" else ()
        )
        self.dealt_in_wagers = frozenset[WagerName]((*self.dealing.dealt_in.value, *alone))
        """A position with one of these wagers is dealt in; Cover All where it may stand alone (R45)."""
        self.wagering, self.deciding = rulebook.wagering, rulebook.deciding
        self.decision_rule = rulebook.deciding.asked
        self.wagers_to_decide = frozenset[WagerName](self.decision_rule.value)
        """A position needs all of these wagers to get a decision."""
        self._plans: dict[tuple[int, ...], DealPlan] = {}

    def __eq__(self, other: object) -> bool:
        """Compare by game, method and shuffle: two tables of the same game have equal rules."""
        if not isinstance(other, RoundRules):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        """Hash by game, method and shuffle."""
        return hash(self._key())

    def _key(self) -> tuple[str, DealingMethod, bool]:
        return self.game.hash, self.method, self.shuffled_by_hand

    def plan(self, positions: Iterable[int]) -> DealPlan:
        """Return the deal plan for these positions."""
        key = tuple(sorted(positions))
        if key not in self._plans:
            self._plans[key] = deal_plan(self.game, key, self.method)
        return self._plans[key]

    @property
    def locks_by_step(self) -> bool:
        """Say whether the progressive is locked by its own step, not by the end of betting."""
        return "lock_out" in self.dealing.before_cards

    def irregularity(self, kind: IrregularityKind, phase: RoundPhase | None = None) -> Consequences | None:
        """Return the consequences of an irregularity, from the rulebook or the house's setting (R72).

        In a later phase another row may apply (R107).
        """
        described = self.game.rulebook.irregularities.get(kind)
        later = described.later if described is not None else UNSET
        row = later if later and phase in later.during else described
        setting = self.game.submission.settings.get(kind)
        if row is None or setting is None:
            return row
        words: tuple[Consequence, ...] = ("continue",) if setting == "play_on" else ("void", "reshuffle")
        return Consequences(value=words, during=row.during, clauses=row.clauses)

    def duty(self, name: DutyName) -> Cited[tuple[Role, ...]] | None:
        """Return the roles that have a duty, or None where the rulebook does not say."""
        return self.game.rulebook.roles.get(name)


def _steps_before_cards(game: Game, dealing: Dealing) -> tuple[CitedStep, ...]:
    """Return the steps before the first card; a house may verify the chips where no clause asks (R104)."""
    steps = steps_in_order(dealing.before_cards)
    if game.settings.get("verify_progressive_chips") is not True:
        return steps
    collected = dict(steps).get("collect_chips", ())
    before = tuple(each for each in steps if each[0] not in CHIP_STEPS)
    return (*before, *((step, (*collected, "R104")) for step in CHIP_STEPS))


def steps_in_order(steps: Steps) -> tuple[CitedStep, ...]:
    """Return the steps of a procedure in order, with their clauses."""
    ordered = sorted(steps, key=lambda name: steps[name].value)
    return tuple((name, clauses_of(steps[name])) for name in ordered)


class PositionState(msgspec.Struct, frozen=True, gc=False):
    """State of one position: its player, wagers, cards and decision."""

    position: int
    player: str
    wagers: Mapping[WagerName, int] = {}
    """All wagers of this round, Play included."""
    on_layout: Mapping[WagerName, int] = {}
    """The wagers that still lie on the layout."""
    unregistered: int = 0
    """The cents of a progressive chip that the system did not register."""
    cards: tuple[int, ...] = ()
    play_amount: int | None = None
    """The Play wager, 0 for a fold, None before the decision."""
    asked_if_folding: bool = False
    """Whether the dealer asked the player: stay or fold?"""
    abandoned: bool = False
    chosen_cards: tuple[int, ...] = ()
    face_up: bool = False
    racked: bool = False


class RoundState(msgspec.Struct, frozen=True, gc=False):
    """The complete state of a round."""

    rules: RoundRules
    positions: Mapping[int, PositionState]
    phase: RoundPhase = "betting"
    count_due: bool = False
    """Whether the stub must be counted in this round."""
    betting_stage: BettingMoment = "betting"
    steps_performed: int = 0
    """How many steps of the current procedure are done."""
    locked_stakes: tuple[Stake, ...] | None = None
    """The progressive wagers, once they are locked in."""
    chips_differ: tuple[int, int] | None = None
    """The counted chips and the accepted progressive wagers, where they differed (R65)."""
    plan: DealPlan | None = None
    move_index: int = 0
    dealer: tuple[int, ...] = ()
    up_card: int | None = None
    extra: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    burned: tuple[int, ...] = ()
    dealt_mask: int = 0
    """The cards that have left the deck, as a bit mask."""
    discarded: tuple[int, ...] = ()
    """Cards found face up in the deck."""
    wrong_count: int | None = None
    """A wrong stub count that the floor has not judged yet."""
    players_looked: bool = False
    dealer_turns: tuple[DealerTurn, ...] = ()
    turn_index: int = 0
    settled_in_turn: int = 0
    """How many settlement steps of the current turn are done, where an award interrupts it."""
    awaited_step: SettlementStep | None = None
    """The award that waits for its amount or its confirmation."""
    awaited_by: str = ""
    """Who would have paid it, where a second person confirms it at the table."""
    undocumented_positions: tuple[int, ...] = ()
    dealer_shown: bool = False
    bonus_shown: bool = False
    steps: tuple[SettlementStep, ...] = ()
    """All settlement steps so far."""
    rack: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """The hands in the discard rack, in the order in which they were put there."""
    irregularities: tuple[IrregularityNoted, ...] = ()
    voided: RoundVoided | None = None
    net_changes: Mapping[int, int] = {}
    """By position, the cents that the player has gained or spent since the round began."""
    tray_change: int = 0
    meter_change: int = 0

    @property
    def dealer_turn(self) -> DealerTurn:
        """Return what the dealer does now in the settlement."""
        return self.dealer_turns[self.turn_index]

    @property
    def pending_step(self) -> PendingStep:
        """Return the settlement step of the award that waits."""
        return self.dealer_turn.pending_steps[self.settled_in_turn]

    @property
    def awaited_win(self) -> SettlementStep | None:
        """Return the award that waits for the console, if one does."""
        return None if self.awaited_step is None or self.pending_step.second_person else self.awaited_step

    @property
    def awaited_at_table(self) -> SettlementStep | None:
        """Return the award that waits for a second person at the table, if one does (R61)."""
        return self.awaited_step if self.awaited_step is not None and self.awaited_win is None else None

    @property
    def layout(self) -> int:
        """Return the cents on the layout."""
        return sum(place.unregistered + sum(place.on_layout.values()) for place in self.positions.values())

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """Return the positions that are dealt in."""
        wagers = self.rules.dealt_in_wagers
        return tuple(sorted(p for p, place in self.positions.items() if not wagers.isdisjoint(place.wagers)))

    @property
    def dealt_cards(self) -> frozenset[int]:
        """Return the set of cards that have left the deck."""
        return frozenset(card for card in DECK if self.dealt_mask >> card & 1)

    def cards_out(self) -> Iterator[int]:
        """Yield every card on the table, place by place."""
        for place in self.positions.values():
            yield from place.cards
        for cards in (self.dealer, self.extra, self.bonus, self.burned, self.discarded):
            yield from cards

    @property
    def nets(self) -> dict[int, int]:
        """Return each position's net result so far; wagers on the layout still count as the player's own."""
        return {
            p: self.net_changes.get(p, 0) + place.unregistered + sum(place.on_layout.values())
            for p, place in self.positions.items()
        }


def new_round(
    rules: RoundRules, seats: Mapping[int, str] | None = None, *, count_due: bool = False
) -> RoundState:
    """Return a new round that is open for wagers."""
    places = {position: PositionState(position, player) for position, player in sorted((seats or {}).items())}
    return RoundState(rules, places, count_due=count_due)
