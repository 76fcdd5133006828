"""Rulebook schema: one authority's law in one edition, as frozen data.

Every field that is a node carries its clauses; a field that is None is a point on which the source is
silent. The files are read by ``fourcard.rules.loading``.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import UNSET, UnsetType

from fourcard.hands import CategoryName
from fourcard.money import Odds
from fourcard.rules.cited import Cents, Cited, CitedNode, Paytable, walk_nodes
from fourcard.rules.procedures import (
    Cutting,
    Dealing,
    DealingMethod,
    Deciding,
    Devices,
    Idle,
    Irregularities,
    Opening,
    RulebookSection,
    Shuffling,
    Side,
    StepName,
    Steps,
    Wagering,
)
from fourcard.wagers import WAGERS, Instrument, RowName, TableWager, WagerName

ConsoleKind = Literal["keypad", "touch"]
StartButton = Literal["coin_in", "start_game"]
EndButton = Literal["game_over", "end_game"]
ConsoleMotion = Literal[
    "select_spot",
    "press_hand",
    "turn_to_jph",
    "press_j_pot",
    "turn_to_run",
    "press_confirm",
    "swipe_card",
]
"""Operator motions on a console between a win and its payment."""


class ConsoleRules(RulebookSection, frozen=True, kw_only=True):
    """Rules of one console: lights, buttons, and the motions that log a win and adjust the meter."""

    own_sensor: Cited[bool]
    """Whether a chip counts only on the sensor of its own position."""
    lights_placed: Cited[bool]
    """Whether a sensor lights when a chip is placed on it."""
    starts: Cited[StartButton]
    """Button that registers the wagers and locks out later ones."""
    lights_registered: Cited[bool]
    """Whether lights then mark the registered wagers."""
    cycle: Mapping[ConsoleMotion, Cited[int]]
    """The motions of one winner's confirmation in their order, counted from 1."""
    hand_toggles: Cited[bool]
    """Whether the same hand button pressed again cancels."""
    verified: Cited[bool]
    """Whether a win is verified against the cards before anybody confirms it."""
    light_verified: Cited[bool] | None = None
    """Whether the winner's light is checked too."""
    logs_at: Cited[ConsoleMotion]
    """The motion that records the win in the Game Manager."""
    final_at: Cited[ConsoleMotion]
    """The motion after which no button undoes it."""
    adjusts_at: Cited[ConsoleMotion]
    """The motion that adjusts the meter for the prize."""
    run_restores: Cited[bool] | None = None
    """Whether the table is out of normal operation until the key is back."""
    monitor: Cited[bool]
    """Whether a monitor shows the amount due."""
    win_page: Cited[bool]
    """Whether a page of the win can be printed."""
    ends: Cited[EndButton]
    """The button that resets the system for the next hand."""
    manual_adjustment: Cited[bool]
    """Whether a logged win is backed out by a manual adjustment."""


Offer = Literal["always", "optional"]
OwnTables = Literal["never", "floors", "free"]
Routine = Literal["by-procedure", "by-player", "lay-and-pay", "pick-and-pay"]
AwardSource = Literal["tray", "meter"]
ComponentRole = Literal["manager", "controller", "sensor", "display"]
ApprovalCase = Literal[
    "always",
    "shoe",
    "automated",
    "shuffler",
    "reshuffling-device",
    "other-tip-box-place",
    "progressive",
    "commercial",
    "tribal",
]
Closing = Literal["no-more-bets", "lock-out", "first-card"]
"""When a wager closes; the lock-out is the progressive's, or the first card without one (R95)."""
FoldEffect = Literal["lost", "live"]
Act = Literal[
    "collect_forfeits",
    "muck_hands",
    "reveal_dealer",
    "announce_dealer",
    "lay_unused_behind",
    "bring_hand",
    "reveal_hand",
    "choose_hand",
    "settle",
    "take",
    "pay",
    "rack_hand",
    "rack_dealer",
]
"""Dealer acts while settling: a closed list; each rulebook gives their order and clauses."""
Procedure = Mapping[Act, Cited[int]]
"""Acts with their number, from 1."""
DutyName = Literal[
    "verifies_inspection",
    "orders_shuffle",
    "cuts",
    "orders_recut",
    "judges_wrong_count",
    "may_touch_cards",
    "chooses_best_hand",
    "validates_jackpot",
    "confirms_large_jackpot",
]
Role = Literal[
    "player",
    "owner",
    "dealer",
    "floorperson",
    "floorperson-or-above",
    "supervisor",
    "casino-supervisor",
    "executive",
]


class Positions(RulebookSection, frozen=True, kw_only=True):
    """Betting positions: how many there are and how many one player may hold."""

    at_table: Cited[int]
    several: Cited[bool]
    """Whether one player may bet at more than one position at all."""
    per_player: Cited[int] | None = None
    per_player_declared: Cited[bool] | None = None
    adjacent: Cited[bool] | None = None


class Limited(RulebookSection, frozen=True, kw_only=True):
    """A wager of free size: its limits, when it closes, and what a fold does to it."""

    posted_limits: Cited[bool] | None = None
    legal_limit: Cited[bool] | None = None
    closes: Cited[Closing] | None = None
    instruments: Cited[tuple[Instrument, ...]] | UnsetType = UNSET
    """What it is placed with, where the rulebook says so for this wager (R103)."""
    on_fold: Cited[FoldEffect] | None = None


class AnteWager(Limited, frozen=True, kw_only=True):
    """Ante: opens the contest with the dealer."""

    pays: Cited[Odds]
    ties_win: Cited[bool]
    taken_when_beaten: Cited[bool]


class Wager(Limited, frozen=True, kw_only=True):
    """Rules of one wager with a paytable."""

    offered: Cited[Offer]
    requires_all: Cited[tuple[WagerName, ...]] | None = None
    requires_any: Cited[tuple[WagerName, ...]] | None = None
    lowest: Cited[RowName] | None = None
    """The lowest hand that a table for this wager pays, and must pay."""
    regardless_of_dealer: Cited[bool] | None = None
    """Whether a winning hand is paid even where the dealer's is higher."""
    judges_all_cards: Cited[bool] | UnsetType = UNSET
    """Whether it is judged on all of the player's cards, even where the player presents four of them."""
    choices: Cited[tuple[str, ...]] | None = None
    own_tables: Cited[OwnTables] | None = None
    """Whether an operator may submit a table of its own: never, above a printed one, or freely."""
    same_number_as: Cited[TableWager] | None = None
    tables_of: Cited[str] | None = None
    """The rulebook whose printed tables serve where this one prints none."""
    paytables: Mapping[str, Paytable] = {}


class PlayWager(RulebookSection, frozen=True, kw_only=True):
    """How large a Play wager may be, in Antes."""

    pays: Cited[Odds]
    taken_when_beaten: Cited[bool]
    least: Cited[int]
    most: Cited[int]
    whole_multiples: Cited[bool]
    legal_limit: Cited[bool] | None = None
    posted_maximum_binds: Cited[bool]


class SixCardWager(Wager, frozen=True, kw_only=True):
    """The Six Card Bonus, which needs a bonus card and so a machine that deals it."""

    dealing: Cited[tuple[DealingMethod, ...]]


class CoverAllWager(Wager, frozen=True, kw_only=True):
    """Cover All: one column of odds for each number of hands, the dealer's included."""

    device: Cited[str]
    mode: Cited[str]
    dealer_hand: Cited[bool]
    """Whether the dealer's hand can be the highest at the table."""
    counts_dealt: Cited[bool]
    """Whether the column follows the positions dealt in, however many fold afterwards."""
    odds_displayed: Cited[bool]
    """Whether the odds in force are shown once the hands are counted."""
    counted_at: Cited[StepName] | UnsetType = UNSET
    """The step after the cards at which the shuffler fixes the player count; only with this wager."""
    highest_left_exposed: Cited[bool]
    """Whether the highest hand so far stays exposed while others are settled."""
    exposed_from: Cited[CategoryName] | UnsetType = UNSET
    """The lowest hand that stays exposed; without it, the lowest that pays."""
    folded_hands_of: Cited[tuple[WagerName, ...]]
    """The wagers that keep a folded hand on the table, so that it counts."""
    dealing: Cited[tuple[DealingMethod, ...]]
    dealer_counts: Cited[bool]
    columns: Mapping[str, Paytable]

    def column(self, players: int) -> Paytable | None:
        """Return the odds for so many players dealt in, or None where no column is printed (R5, R46)."""
        return self.columns.get(str(players + self.dealer_counts.value))


class Component(CitedNode, frozen=True, kw_only=True):
    """One approved part of a progressive system and its version."""

    role: ComponentRole
    version: str = ""
    or_higher: bool = False


class Recommendations(RulebookSection, frozen=True, kw_only=True):
    """The manufacturer's advice on a meter, which a check repeats as warnings."""

    most_rate_all_from_meter: Cited[Fraction]
    growth_rate_all_from_meter: Cited[Fraction]
    only_lower_preset_rate: Cited[bool]
    reserve: Cited[bool]
    seed_beside_reserve: Cited[bool]
    preset_seed: Cited[bool]
    seed_covers_largest_fixed_award: Cited[bool]
    no_zero_seed: Cited[bool]


class ProgressiveWager(Wager, frozen=True, kw_only=True):
    """The progressive wager and its meter."""

    stakes: Cited[tuple[Cents, ...]] | None = None
    stake_unit: Cited[Cents] | None = None
    rate_declared: Cited[bool] | None = None
    meter_declared: Cited[bool] | None = None
    least_meter: Mapping[str, Cited[Cents]] = {}
    preset_seed: Mapping[str, Cited[Cents]] = {}
    preset_seed_scales: Cited[bool] | None = None
    stake_returned: Cited[bool]
    """Whether a winner gets the stake back with the award."""
    booked_when_collected: Cited[bool] | UnsetType = UNSET
    """Whether stakes reach the tray when the dealer puts the chips there, not when they are locked in."""
    cards_stay_until_documented: Cited[bool]
    """Whether the cards of a payout that the tray does not make stay on the table until it is documented."""
    shares_from: Cited[AwardSource]
    """What pays a share of the meter."""
    fixed_awards: Cited[tuple[AwardSource, ...]]
    winner_order_by_internal_controls: Cited[bool]
    executive_threshold: Cited[ConsoleKind] | None = None
    components: Mapping[ConsoleKind, Mapping[str, Component]] = {}
    recommendations: Recommendations | None = None


class EnvyWager(RulebookSection, frozen=True, kw_only=True):
    """Envy: what a progressive bettor gets for another player's hand, by the bettor's own stake."""

    declared: Cited[bool] | None = None
    paired: Cited[bool] | None = None
    bettors_only: Cited[bool]
    """Whether only players with a progressive wager receive Envy."""
    own_hands: Cited[bool]
    """Whether a hand of the receiving person counts."""
    dealer_hand: Cited[bool]
    """Whether the dealer's hand counts."""
    several: Cited[bool]
    """Whether each of several qualifying hands pays, or only the best."""
    folded_hands: Cited[bool]
    """Whether the hand of a player who folded counts."""
    on_fold: Cited[FoldEffect]
    """What folding does to the right to receive."""
    paid_in_holders_turn: Cited[bool] | UnsetType = UNSET
    """Whether Envy is paid when the position with the qualifying hand is settled."""
    left_face_up: Cited[bool] | None = None
    """Whether a qualifying hand stays face up until Envy is paid."""
    linear: Cited[bool]
    """Whether amounts grow with the stake from the one printed, or are printed for each stake."""
    other_readings: Mapping[str, Cited[str]] = {}
    """Schedules that read a doubtful printed one in another way, by id; the value is the printed one's id."""
    paytables: Mapping[str, Mapping[str, Paytable]]


class KnownWagers(RulebookSection, frozen=True, kw_only=True):
    """Wagers that the rulebooks of the release describe."""

    ante: AnteWager
    play: PlayWager
    automatic_bonus: Wager
    aces_up: Wager
    bad_beat: Wager | None = None
    six_card: SixCardWager | None = None
    cover_all: CoverAllWager | None = None
    progressive: ProgressiveWager | None = None
    envy: EnvyWager | None = None


if TYPE_CHECKING:
    Wagers = KnownWagers
else:
    Wagers = msgspec.defstruct(
        "Wagers",
        [(name, Wager | UnsetType, UNSET) for name in WAGERS if name not in KnownWagers.__struct_fields__],
        bases=(KnownWagers,),
        module=__name__,
        frozen=True,
        kw_only=True,
    )
"""Every wager that the rulebook describes.

A further wager has the rules of a `Wager`. Where it is not described it is unset, which is not stored: the
hashes of rulebooks and games stay as they are when a wager is added.
"""


class SettlementRules(RulebookSection, frozen=True, kw_only=True):
    """Settlement rules: routines, order and procedures."""

    routines: Cited[tuple[Routine, ...]]
    routine_declared: Cited[bool] | None = None
    start: Cited[Side]
    """Side where settling begins."""
    order: Cited[tuple[WagerName, ...]]
    """The wagers of one player in the order of settling."""
    house_order: Cited[bool]
    envy_last: Cited[bool] | None = None
    cover_all_last: Cited[bool] | None = None
    opening: Procedure
    by_routine: Mapping[Routine, Procedure]
    closing: Procedure


class Layout(RulebookSection, frozen=True, kw_only=True):
    """What the cloth shows."""

    areas: Cited[tuple[WagerName, ...]]
    progressive_area: Cited[bool]
    six_card_area: Cited[bool] | None = None
    sign_in_place_of_layout: Cited[bool]


class RulesOfPlay(RulebookSection, frozen=True, kw_only=True):
    """The approved text that the game must follow."""

    date: Cited[str]
    changes_may_affect_approval: Cited[bool]


class Rulebook(RulebookSection, frozen=True, kw_only=True):
    """Rulebook: one authority's rules in one edition, every value with its clause."""

    id: str
    name: str
    source: str
    """The letters of its source in the clause table."""
    authority: str
    document: str
    editions: tuple[str, ...]
    default_edition: str
    legal_reference: str = ""
    """Reference for the legal limit, if the source does not print it."""
    edition: str = ""
    released: bool = True
    """Whether the rulebook is part of the release, and not of a folder of one's own."""
    positions: Positions
    leaving_may_lose_wagers: Cited[bool]
    settlement: SettlementRules
    opening: Opening = Opening()
    shuffling: Shuffling
    cutting: Cutting | None = None
    idle: Idle | None = None
    wagering: Wagering
    dealing: Mapping[DealingMethod, Dealing]
    deciding: Deciding
    irregularities: Irregularities
    devices: Devices
    wagers: Wagers
    approvals: Mapping[str, Cited[ApprovalCase]] = {}
    consoles: Mapping[ConsoleKind, ConsoleRules] = {}
    layout: Layout | None = None
    rules_of_play: RulesOfPlay | None = None
    roles: Mapping[DutyName, Cited[tuple[Role, ...]]] = {}

    def nodes(self) -> Iterator[tuple[str, CitedNode]]:
        """Yield every cited value with its place in the rulebook."""
        return walk_nodes(self)

    def step_tables(self) -> Iterator[tuple[str, Steps]]:
        """Yield every dealer procedure with its place."""
        yield "opening.steps", self.opening.steps
        yield "shuffling.by_hand", self.shuffling.by_hand
        yield "shuffling.by_machine", self.shuffling.by_machine
        if self.cutting is not None:
            yield "cutting.steps", self.cutting.steps
        if self.idle is not None:
            yield "idle.steps", self.idle.steps
            yield "idle.arrival", self.idle.arrival
        for method, dealing in self.dealing.items():
            yield f"dealing.{method}.load", dealing.load
            yield f"dealing.{method}.before_cards", dealing.before_cards
            yield f"dealing.{method}.after_cards", dealing.after_cards
        yield "deciding.look", self.deciding.look
        yield "devices.trouble", self.devices.trouble
        yield "devices.swap", self.devices.swap

    @property
    def offer_clauses(self) -> tuple[str, ...]:
        """Return the clauses that say which wagers the rulebook offers."""
        described = (getattr(self.wagers, name) for name in self.wagers.__struct_fields__)
        clauses = (clause for each in described if isinstance(each, Wager) for clause in each.offered.clauses)
        return tuple(dict.fromkeys(clauses))

    def wager(self, name: WagerName) -> Limited | PlayWager | EnvyWager | None:
        """Return the rules of a wager, or None if the rulebook does not describe it."""
        found: Limited | PlayWager | EnvyWager | UnsetType | None = getattr(self.wagers, name)
        return None if found is UNSET else found
