"""Procedure schema: opening, shuffle, cut, deal, stub and devices as frozen data.

A procedure is a table of steps numbered from 1. The step names are a closed list; each rulebook chooses its
steps, their order and clauses. An irregularity is a row: what goes wrong, and the consequence.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from msgspec import UNSET, UnsetType

from fourcard.rules.cited import Cited, CitedNode, FrozenData
from fourcard.wagers import Instrument, WagerName

DealingMethod = Literal["shoe", "hand", "automated", "manual"]
ShufflerStanding = Literal["optional", "recommended", "required"]
DealerFirst = Literal["never", "with-reshuffling-shoe", "always"]
Side = Literal["dealer-right", "dealer-left"]
Recipient = Literal["players", "dealer", "extra", "bonus"]
"""Recipients of a machine's stacks: players, dealer, extra stack, bonus box."""
UpCard = Literal["last-card", "top-of-extra-stack", "bottom-of-extra-stack", "bottom-of-dealer-stack"]
Mixing = Literal["by-hand", "by-machine", "preshuffled"]
Spread = Literal["face-up", "face-down"]
StepName = Literal[
    "inspect_cards",
    "verify_inspection",
    "spread_face_up",
    "show_first_player",
    "turn_face_down",
    "wash",
    "stack",
    "shuffle_by_hand",
    "riffle_first",
    "riffle_second",
    "strip",
    "riffle_third",
    "put_in_shuffler",
    "press_shuffle",
    "shuffle_by_machine",
    "square_stack",
    "lay_cover_card",
    "insert_cover_card",
    "cut",
    "place_rest_on_top",
    "rack_cover_card",
    "put_in_shoe",
    "take_in_hand",
    "put_in_machine",
    "announce_no_more_bets",
    "lock_out",
    "collect_chips",
    "count_chips",
    "put_chips_in_tray",
    "remove_stub",
    "count_stub",
    "discard_stub",
    "press_green_button",
    "let_players_look",
    "look_and_lay_face_down",
    "clear_shoe_and_rack",
    "spread_cards",
    "turn_face_up",
    "consult_guide",
    "switch_off",
    "unplug",
    "put_backup_in_place",
    "connect",
    "switch_on",
    "call_manufacturer",
    "resume_play",
    "remove_device",
    "cover_device",
    "mark_device",
]
"""Steps at a table before and after the deal."""
Steps = Mapping[StepName, Cited[int]]
"""Steps with their number, from 1."""
NO_STEPS: Steps = MappingProxyType({})
IrregularityKind = Literal[
    "one_face_up_card",
    "more_face_up_cards",
    "card_drawn_in_error",
    "wrong_number_of_cards",
    "dealer_card_exposed",
    "player_card_exposed",
    "shuffler_failure",
    "shoe_failure",
    "cards_on_play_without_chips",
]
Consequence = Literal[
    "continue",
    "discard-card",
    "use-as-next",
    "ask",
    "void",
    "void-if-dealt",
    "return-wagers",
    "reshuffle",
    "reshuffle-all",
    "remove-deck",
]
Stage = Literal["betting", "dealing", "stub", "deciding", "settling"]
"""Stages of a round in which something can go wrong."""


class RulebookSection(FrozenData, frozen=True, kw_only=True):
    """A section of a rulebook."""


class Opening(RulebookSection, frozen=True, kw_only=True):
    """How a deck that arrives at the table is made ready for its first shuffle or cut."""

    steps: Steps = NO_STEPS
    preshuffled_exempt: Cited[bool] | None = None
    """Whether a deck that came inspected and shuffled skips the steps."""
    per_deck: Cited[bool] | None = None
    """Whether each of two decks goes through every step by itself."""


class Shuffling(RulebookSection, frozen=True, kw_only=True):
    """Decks, shufflers and their use."""

    decks: Cited[int]
    second_deck_needs_shuffler: Cited[bool] | None = None
    backs_differ: Cited[bool] | None = None
    shuffled_while_other_in_play: Cited[bool] | None = None
    alternate: Cited[bool] | None = None
    """Whether two decks serve in turn, each every other round."""
    rack_holds_decks: Cited[int] | None = None
    """Of how many decks the discard rack may hold cards at once."""
    shuffler: Cited[ShufflerStanding]
    maker: Cited[str] | None = None
    modes: Mapping[str, Cited[tuple[str, ...]]] = {}
    """The modes that a machine of a certain model may be set to."""
    direct_load: Cited[bool] | None = None
    reshuffling_device: Cited[bool] | None = None
    reshuffling_waives: Cited[tuple[Literal["cut", "idle-spread"], ...]] | None = None
    """Steps that a device that reshuffles by itself makes unnecessary."""
    local_failure_procedure: Cited[bool]
    waived_for_preshuffled: Cited[bool]
    """Whether a deck that came shuffled needs no shuffle before play starts."""
    before_play: Cited[bool]
    """Whether a deck must be shuffled before the first round that it serves in."""
    every_round: Cited[bool]
    by_hand: Steps = NO_STEPS
    strips: Cited[int] | None = None
    """How often the deck is stripped where stripping is a step."""
    by_machine: Steps
    wrong_machine_count: Cited[tuple[Consequence, ...]] | None = None
    """What follows when a shuffler that counts reports another number than 52."""


class Cutting(RulebookSection, frozen=True, kw_only=True):
    """When and how the cards are cut."""

    after: Cited[tuple[Mixing, ...]]
    least: Cited[int]
    most: Cited[int]
    about: Cited[int] | None = None
    """The depth that the dealer aims for."""
    steps: Steps


class Counting(RulebookSection, frozen=True, kw_only=True):
    """When the stub is counted, and what follows from what is found."""

    every: Cited[int] | None = None
    """The most rounds from one count to the next, where counting is a duty."""
    waived_by_counting_shuffler: Cited[bool] | None = None
    right: Cited[tuple[Consequence, ...]]
    misdeal: Cited[tuple[Consequence, ...]]
    """A hand of the wrong size, and all 52 cards are there."""
    wrong_deck: Cited[tuple[Consequence, ...]]
    """Every hand is right, and the deck is not."""
    both: Cited[tuple[Consequence, ...]]

    def __post_init__(self) -> None:
        """Reject a count that is due more often than every round."""
        super().__post_init__()
        if self.every is not None and self.every.value < 1:
            raise ValueError("a count cannot be due more often than every round")


class Dealing(RulebookSection, frozen=True, kw_only=True):
    """Dealing method: the deal plan and the steps around it."""

    allowed: Cited[bool]
    needs_shuffler: Cited[bool] | None = None
    dealer_first: Cited[DealerFirst] | None = None
    start: Cited[Side]
    """Which player is served first; the deal goes on round the table to the other side."""
    dealt_in: Cited[tuple[WagerName, ...]]
    """The wagers of which a position needs one to be dealt in."""
    player_cards: Cited[int]
    dealer_down: Cited[int]
    dealer_up: Cited[int]
    up_card: Cited[UpCard]
    cards_a_pass: Cited[int] | None = None
    """How many cards each hand gets in a pass, where cards are not dealt in stacks."""
    dealer_together: Cited[int] | None = None
    """How many of the dealer's last cards come off one after the other."""
    stack: Cited[int] | None = None
    order: Cited[tuple[Recipient, ...]] | None = None
    """Whose stacks a machine dispenses when."""
    dealer_stack: Cited[int] | None = None
    extra_stack: Cited[int] | None = None
    extra_spread: Cited[bool] | None = None
    """Whether the extra stack is spread before its card is turned up."""
    burned: Cited[int] | None = None
    """How many cards of the extra stack are discarded unseen."""
    bonus_cards: Cited[int] | None = None
    hands_verified: Cited[int] | None = None
    """How many cards a delivered stack is spread to be counted as."""
    rest_verified: Cited[int] | None = None
    """How many cards must be left of the extra stack."""
    drawing_hand: Cited[bool] | None = None
    """Whether cards are drawn with one hand only: that next to the shoe, or the one without the deck."""
    load: Steps = NO_STEPS
    before_cards: Steps = NO_STEPS
    after_cards: Steps
    stub_exposed: Cited[bool]
    counting: Counting
    change_hours: Cited[int] | None = None
    """After how many hours a deck must be changed."""

    def __post_init__(self) -> None:
        """Reject a pass without cards."""
        super().__post_init__()
        if any(rule is not None and rule.value < 1 for rule in (self.cards_a_pass, self.dealer_together)):
            raise ValueError("at least one card must come off the deck at a time")


class Idle(RulebookSection, frozen=True, kw_only=True):
    """Cards of an open table without players."""

    spread: Cited[tuple[Spread, ...]]
    """How the cards may lie, the usual way first."""
    on_request: Cited[Spread] | None = None
    """How they lie if a player asks for it."""
    steps: Steps
    arrival: Steps
    """What happens when the first player arrives."""


class Devices(RulebookSection, frozen=True, kw_only=True):
    """Handling of a failed shuffler or shoe."""

    trouble: Steps = NO_STEPS
    """Steps to try first."""
    swap: Steps = NO_STEPS
    swap_from: Cited[int] | None = None
    """From which failure on a machine is swapped."""
    before_other_method: Cited[tuple[StepName, ...]] | None = None
    """Steps of which one is required before another method is used."""
    fallback: Cited[DealingMethod] | None = None


class Wagering(RulebookSection, frozen=True, kw_only=True):
    """Who may wager, and with what."""

    seated: Cited[bool]
    stay_seated: Cited[bool]
    """Whether a player with a wager and cards must stay until the round ends."""
    instruments: Cited[tuple[Instrument, ...]] | None = None
    verbal_cash: Cited[bool] | None = None
    between_players: Cited[bool] | None = None
    chip_unregistered: Cited[Literal["returned"]] | None = None
    """Handling of a progressive chip that the system did not accept."""


class Deciding(RulebookSection, frozen=True, kw_only=True):
    """How players decide."""

    look: Steps
    start: Cited[Side]
    """Who decides first; the others follow in order towards the other side."""
    asked: Cited[tuple[WagerName, ...]]
    """Wagers that a position needs, all of them, to be asked for a decision."""


class Consequences(CitedNode, frozen=True, kw_only=True):
    """What follows when something goes wrong, and the stages in which it applies."""

    value: tuple[Consequence, ...]
    during: tuple[Stage, ...] = ("betting", "dealing", "stub", "deciding", "settling")


class Irregularity(Consequences, frozen=True, kw_only=True):
    """Irregularity: what follows, in some stages by another rule."""

    later: Consequences | UnsetType = UNSET
    """What follows in later stages, where that is another rule; games stored without it stay as they are."""


Irregularities = Mapping[IrregularityKind, Irregularity]
