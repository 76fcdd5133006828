"""Preparing a deck: each step in order, cuts within their limits, shuffles with their new order."""

from fourcard.cards import DECK_SIZE
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import duty_refusal, told, words
from fourcard.round.rules import DueStep
from fourcard.rules.nodes import cite
from fourcard.rules.procedures import Cutting, StepName
from fourcard.rules.rulebook import DutyName
from fourcard.table.agenda import CUTS, LOADING, MIXING, ends_mixing, mixing
from fourcard.table.commands import OrderRecut, OrderShuffle, Prepare
from fourcard.table.events import Decided, DeckRemoved, RecutOrdered, ShuffleOrdered, StepPrepared, TableEvent
from fourcard.table.state import Deck, TableState, is_deck

DUTIES: dict[StepName, DutyName] = {
    "verify_inspection": "verifies_inspection",
    "insert_cover_card": "cuts",
    "cut": "cuts",
}


def prepare(state: TableState, command: Prepare) -> Decided:
    """Perform the next step of a deck's agenda."""
    number = deck_meant(state, command)
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    if not 0 <= number < len(state.decks):
        return refuse(Code.DECK_UNKNOWN, deck=number)
    deck = state.decks[number]
    if not deck.agenda:
        return refuse(Code.NOTHING_DUE, step=words(command.step))
    step, clauses = deck.agenda[0]
    if command.step != step:
        return refuse(Code.STEP_NOT_DUE, clauses, step=words(command.step), due=words(step))
    refusal = (
        _role_refusal(state, command, step, clauses)
        or _first_player_refusal(state, step, clauses)
        or _resting_deck_refusal(state, number, step)
        or _order_refusal(command, deck)
        or _cut_refusal(state, command)
        or _detail_refusal(state, command, number, clauses)
    )
    return refusal or _prepared_events(state, command, number, (step, clauses))


def deck_meant(state: TableState, command: Prepare) -> int:
    """Return the deck of a step: the given one, or the first with open steps, the active deck first."""
    if command.deck is not None:
        return command.deck
    order = [state.active, *(n for n in range(len(state.decks)) if n != state.active)]
    return next((n for n in order if state.decks[n].agenda), state.active) if state.decks else 0


def _role_refusal(
    state: TableState, command: Prepare, step: StepName, clauses: tuple[str, ...]
) -> Refusal | None:
    """Refuse the wrong role: a floorperson verifies, any staff handles devices, the dealer does the rest."""
    duty = DUTIES.get(step)
    rule = state.rules.duty(duty) if duty is not None else None
    if rule is not None:
        return duty_refusal(command, words(step), rule, "dealer")
    devices = state.game.rulebook.devices
    staff = step in devices.trouble or step in devices.swap
    if command.role == "dealer" or (staff and command.role != "player"):
        return None
    return refuse(Code.NOT_YOUR_DUTY, clauses, what=words(step), who="dealer", role=command.role)


def _first_player_refusal(state: TableState, step: StepName, clauses: tuple[str, ...]) -> Refusal | None:
    """Refuse to show the cards before the first player is seated (MA-4c.1, MD-04C.0)."""
    waits = step == "show_first_player" and not state.seats
    return refuse(Code.FIRST_PLAYER_MISSING, clauses) if waits else None


def _resting_deck_refusal(state: TableState, number: int, step: StepName) -> Refusal | None:
    """Allow only machine shuffling for the deck that is not in play (MA-2b3, MA-2b5)."""
    if state.round is None or number == state.active:
        return None
    rules = state.game.rulebook.shuffling
    allowed = rules.shuffled_while_other_in_play is not None and rules.shuffled_while_other_in_play.value
    if allowed and step in (*MIXING, "square_stack"):
        return None
    return refuse(Code.ROUND_UNDER_WAY, cite(rules.shuffled_while_other_in_play, rules.rack_holds_decks))


def _order_refusal(command: Prepare, deck: Deck) -> Refusal | None:
    """Refuse a new order that does not end a shuffle, or is not a complete deck."""
    if command.order is None:
        return None
    if not ends_mixing(deck.agenda) or not is_deck(command.order):
        return refuse(Code.ORDER_UNFIT, deck.agenda[0][1])
    return None


def _cut_refusal(state: TableState, command: Prepare) -> Refusal | None:
    """Refuse a cut outside the least and the most cards (MA-5c1ii, MD-05D.0, R37)."""
    rules = state.game.rulebook.cutting
    if rules is None or command.step != cut_step(rules):
        return None
    most = min(rules.most.value, int(state.game.submission.settings.get("cut_most", rules.most.value)))
    if command.depth is not None and rules.least.value <= command.depth <= most:
        return None
    clauses = cite(rules.least, rules.most)
    depth = "no" if command.depth is None else command.depth
    figures = {"depth": depth, "least": rules.least.value, "most": most}
    return refuse(Code.CUT_UNFIT, clauses, **figures)


def cut_step(rules: Cutting) -> StepName:
    """Return the step that fixes the depth of the cut: the cover card where one is used (MD-05D.0)."""
    return "insert_cover_card" if "insert_cover_card" in rules.steps else "cut"


def _detail_refusal(
    state: TableState, command: Prepare, number: int, clauses: tuple[str, ...]
) -> Refusal | None:
    """Refuse a missing or wrong detail: strips, the shuffler's card count, the holding hand."""
    rules = state.game.rulebook.shuffling
    if command.step == "strip" and rules.strips is not None and command.count != rules.strips.value:
        figures = {"step": "strip", "wanted": f"{rules.strips.value} strips", "count": told(command.count)}
        return refuse(Code.NUMBER_UNFIT, cite(rules.strips), **figures)
    if command.count is None and _machine_counts(state) and ends_mixing(state.decks[number].agenda):
        figures = {
            "step": words(command.step),
            "wanted": "the number of cards that it counted",
            "count": "nothing",
        }
        return refuse(Code.NUMBER_UNFIT, cite(rules.wrong_machine_count), **figures)
    if command.step == "take_in_hand" and command.hand is None:
        figures = {"step": "take in hand", "wanted": "the left or the right hand", "count": "neither"}
        return refuse(Code.NUMBER_UNFIT, clauses, **figures)
    return None


def _prepared_events(state: TableState, command: Prepare, number: int, due: DueStep) -> list[TableEvent]:
    step, clauses = due
    deck = state.decks[number]
    ends = step in MIXING and ends_mixing(deck.agenda)
    done = StepPrepared(
        number,
        step,
        clauses,
        order=command.order,
        depth=command.depth,
        count=command.count,
        hand=command.hand,
        mixed=mixing(state) if ends else None,
    )
    removal = _removal_events(state, command, number) if ends else []
    return [done, *removal]


def _removal_events(state: TableState, command: Prepare, number: int) -> list[TableEvent]:
    """Remove a deck that a counting shuffler counts wrong (MA-7f.2, MD-05B.2)."""
    rule = state.game.rulebook.shuffling.wrong_machine_count
    wrong = _machine_counts(state) and command.count != DECK_SIZE
    return (
        [DeckRemoved(number, cite(rule))]
        if wrong and rule is not None and "remove-deck" in rule.value
        else []
    )


def _machine_counts(state: TableState) -> bool:
    """Say whether the shuffler in use counts the deck and the rulebook has a rule for wrong counts."""
    rule, machine = state.game.rulebook.shuffling.wrong_machine_count, state.game.submission.shuffler
    return rule is not None and machine is not None and machine.counts and mixing(state) == "by-machine"


def order_recut(state: TableState, command: OrderRecut) -> Decided:
    """Order another cut, after a cut and before the first card (MA-5d, MD-05E)."""
    rule = state.rules.duty("orders_recut")
    refusal = duty_refusal(command, "order a recut", rule, "supervisor")
    if refusal is not None:
        return refusal
    deck = state.decks[state.active] if state.decks else None
    dealt = state.round is not None and state.round.moment == "first-card"
    cutting = state.game.rulebook.cutting
    ready = deck is not None and deck.cut and all(step in (*CUTS, *LOADING) for step, _ in deck.agenda)
    if dealt or not ready or cutting is None or state.phase != "open":
        return refuse(Code.RECUT_LATE, cite(rule))
    return [RecutOrdered(state.active, command.by, cite(rule))]


def order_shuffle(state: TableState, command: OrderShuffle) -> Decided:
    """Order another shuffle before the first card, where the rulebook allows it (MD-05A3)."""
    rule = state.rules.duty("orders_shuffle")
    if rule is None:
        return refuse(Code.NOT_DESCRIBED, rulebook=state.game.rulebook.id, kind="a shuffle on order")
    refusal = duty_refusal(command, "order a shuffle", rule, "floorperson")
    if refusal is not None:
        return refusal
    dealt = state.round is not None and state.round.moment == "first-card"
    if state.phase != "open" or dealt or not state.decks:
        return refuse(Code.SHUFFLE_LATE, cite(rule))
    return [ShuffleOrdered(state.active, command.by, cite(rule))]
