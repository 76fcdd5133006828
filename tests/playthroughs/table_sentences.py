"""Input sentences of table playthroughs, and the commands of each."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, get_args

from msgspec import convert
from msgspec.structs import replace

from fourcard.cards import DECK, parse_card, parse_cards
from fourcard.dealing import BONUS, EXTRA, stack_deck
from fourcard.meter import UNITS_PER_CENT, Payment
from fourcard.money import parse_dollars
from fourcard.round.commands import (
    CallOff,
    CompleteDocument,
    ConfirmAward,
    CorrectPayment,
    Deal,
    DealerStep,
    Fold,
    JudgeCount,
    LeaveSeat,
    PayAward,
    Perform,
    PlaceWager,
    PlaceWagers,
    Play,
    ReportIrregularity,
    SetHand,
    TakeSeat,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.preconditions import next_step
from fourcard.round.prompts import PROMPTS
from fourcard.rules.procedures import DealingMethod, IrregularityKind
from fourcard.rules.submission import LocalDecision
from fourcard.settlers.showdown import DEALER
from fourcard.table.autopilot import DECK_BACKS
from fourcard.table.commands import (
    BeginRound,
    BringDeck,
    BringDevice,
    CloseTable,
    GoIdle,
    OpenTable,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwapMachine,
    SwitchMethod,
    TableCommand,
)
from fourcard.table.deck_preparation import LOAD_STEPS, cut_depth_step
from fourcard.table.table_driver import Table
from fourcard.wagers import WAGER_LABELS, WagerName
from tests.playthroughs.story_files import ScriptError

Commands = Iterator[TableCommand]
PLACES = {"dealer": DEALER, "extra": EXTRA, "bonus": BONUS}
INSTRUMENTS = {
    "in cash": "cash",
    "by coupon": "match-play-coupon",
    "by plaque": "plaque",
    "by approved instrument": "approved-instrument",
}
WAGER = re.compile(
    r"(?P<money>\$\S+) (?P<wager>[a-z ]+?)(?P<how> in cash| by coupon| by plaque| by approved instrument)?"
    r"(?P<against> against a player)?(?P<missed> that the system misses)?"
)
WAGERS = {label.lower(): name for name, label in WAGER_LABELS.items()} | {
    name.replace("_", " "): name for name in WAGER_LABELS
}


class HasTable(Protocol):
    """Something with a table, as input sentences need it."""

    @property
    def table(self) -> Table:
        """Return the table of the playthrough."""


def stacked_deck(at: Table, spec: str) -> tuple[int, ...]:
    """Return the order before the cut that deals ``1: As ..; dealer: ..; after 3: 9c``."""
    hands: dict[int, tuple[int, ...]] = {}
    inserted: list[tuple[int, int]] = []
    for part in spec.split(";"):
        place, _, cards = part.strip().partition(": ")
        if place.startswith("after "):
            inserted.append((int(place.removeprefix("after ")), parse_card(cards)))
        else:
            hands[PLACES[place] if place in PLACES else int(place)] = parse_cards(cards)
    used = {card for cards in hands.values() for card in cards} | {card for _, card in inserted}
    plan = at.state.rules.plan([place for place in hands if place > 0])
    order = list(stack_deck(plan, hands, [card for card in DECK if card not in used]))
    for depth, card in inserted:
        order.insert(depth, card)
    if sorted(order) != sorted(DECK):
        raise ScriptError("the deck must have every card once")
    ahead = [step for step, _ in at.state.agenda]
    rules = at.game.rulebook.cutting
    if rules is None or cut_depth_step(rules) not in ahead:
        return tuple(order)
    depth = len(DECK) - (rules.about.value if rules.about is not None else len(DECK) // 2)
    return (*order[depth:], *order[:depth])


def change_table(text: str) -> dict[str, object]:
    """Return the changes that ``dealing.method = "shoe", settings.a = true`` makes to an example."""
    flat: dict[str, object] = {}
    for each in filter(None, text.split(", ")):
        key, _, value = each.partition(" = ")
        flat[key.replace(".", "__")] = None if value == "nothing" else tomllib.loads(f"x = {value}")["x"]
    return flat


def _open(_at: HasTable, found: re.Match[str]) -> Commands:
    backs = tuple(found["backs"].split(" and ")) if found["backs"] else DECK_BACKS[: _decks(_at)]
    yield OpenTable(decks=backs, preshuffled=bool(found["pre"]))


def _decks(at: HasTable) -> int:
    return at.table.game.submission.dealing.decks


def _ready(at: HasTable, found: re.Match[str]) -> Commands:
    """Prepare the active deck, or another one as far as possible during a round."""
    backs = [deck.back for deck in at.table.state.decks]
    number = backs.index(found["back"]) if found["back"] else at.table.state.active
    while agenda := at.table.state.decks[number].agenda:
        if number != at.table.state.active and agenda[0][0] in LOAD_STEPS:
            return
        yield _preparation(at.table, number)
    while not found["back"] and at.table.state.agenda:
        yield at.table.next_preparation()


def _preparation(table: Table, number: int) -> Prepare:
    original, table.state = table.state, replace(table.state, active=number)
    try:
        return replace(table.next_preparation(), deck=number)
    finally:
        table.state = original


def _next(at: HasTable, found: re.Match[str]) -> Commands:
    for _ in range(int(found["times"] or 1)):
        yield _act(at)


def _act(at: HasTable) -> TableCommand:
    if at.table.state.agenda:
        return at.table.next_preparation()
    command = at.table.next_command()
    if command is None:
        raise ScriptError("the dealer has nothing to do")
    return command


def _go(at: HasTable, found: re.Match[str]) -> Commands:
    """Continue until somebody must decide, the round is over, an award waits, or a given step is due."""
    wanted = (found["step"] or "").replace(" ", "_")
    while (command := at.table.next_command()) is not None:
        state = at.table.state.round
        expected = None if state is None else next_step(state)
        if wanted == "an_award_waits" and state is not None and state.awaited_step is not None:
            return
        here = expected is not None and expected.step == wanted
        if here and found["position"] in (None, str(expected and expected.position)):
            return
        yield command


def _bets(_at: HasTable, found: re.Match[str]) -> Commands:
    for each in found["wagers"].split(", "):
        parts = WAGER.fullmatch(each)
        if parts is None:
            raise ScriptError(f"{each!r} is not a wager")
        yield PlaceWager(
            position=int(found["position"]),
            wager=_wager(parts["wager"]),
            amount=parse_dollars(parts["money"]),
            instrument=INSTRUMENTS.get((parts["how"] or "").strip(), "chip"),  # type: ignore[arg-type]
            against="player" if parts["against"] else "house",
            accepted=not parts["missed"],
        )


def _wager(words: str) -> WagerName:
    if words not in WAGERS:
        raise ScriptError(f"there is no wager {words!r}")
    return WAGERS[words]


def _report(_at: HasTable, found: re.Match[str]) -> Commands:
    kind = found["kind"].replace(" ", "_")
    if kind not in get_args(IrregularityKind):
        raise ScriptError(f"there is no irregularity {found['kind']!r}")
    yield ReportIrregularity(
        irregularity=kind,  # type: ignore[arg-type]
        position=_place(found["position"] or "dealer"),
        card=parse_card(found["card"]) if found["card"] else None,
        place=int(found["place"] or 0),
        count=int(found["count"]) if found["count"] else None,
    )


def _place(words: str) -> int:
    return PLACES[words] if words in PLACES else int(words)


def _judge(_at: HasTable, found: re.Match[str]) -> Commands:
    hands = dict(part.split(" has ") for part in found["hands"].split(", "))
    sizes = {_place(who): int(count) for who, count in hands.items()}
    yield JudgeCount(stub=int(found["stub"]), hands=sizes)


def _step(at: HasTable, found: re.Match[str]) -> Commands:
    """Perform a step by name: a preparation step while some are open, else a step of the round."""
    name = found["step"].replace(" ", "_")
    count = int(found["count"]) if found["count"] else None
    if name == "deal":
        yield Deal(drawn_with=found["hand"])  # type: ignore[arg-type]
    elif at.table.state.round is None or at.table.state.agenda or name.endswith("_device"):
        yield Prepare(step=name, depth=count if "c" in name else None, count=count, hand=found["hand"])  # type: ignore[arg-type]
    else:
        yield Perform(
            step=name,  # type: ignore[arg-type]
            position=int(found["position"] or 0),
            count=count,
            exposed=bool(found["shown"]),
        )


def _correct(_at: HasTable, found: re.Match[str]) -> Commands:
    yield CorrectPayment(
        position=int(found["position"]),
        wager=_wager(found["wager"]),
        handed=parse_dollars(found["money"]),
        reason=found["reason"],
    )


def _bets_at_once(_at: HasTable, found: re.Match[str]) -> Commands:
    named = (each.partition(" ") for each in found["wagers"].split(", "))
    wagers = {_wager(name): parse_dollars(money) for money, _, name in named}
    yield PlaceWagers(position=_position(found), wagers=wagers)


def _pay(at: HasTable, found: re.Match[str]) -> Commands:
    """Pay an award with another amount than that of the meter."""
    right, paid = at.table.next_command(), Payment(from_meter=parse_dollars(found["money"]))
    if not isinstance(right, PayAward):
        right = PayAward(position=_position(found), payment=paid, before=0, after=0)
    yield replace(right, position=_position(found), payment=paid)


def _set_meter(at: HasTable, found: re.Match[str]) -> Commands:
    """Set the amount on the meter, where the table has one."""
    local = at.table.local_meter
    local.meter = replace(local.meter, amount=parse_dollars(found["money"]) * UNITS_PER_CENT)
    yield from ()


def _plain(make: Callable[[re.Match[str]], TableCommand]) -> Callable[[HasTable, re.Match[str]], Commands]:
    def made(_at: HasTable, found: re.Match[str]) -> Commands:
        yield make(found)

    return made


def _decision(words: str | None) -> LocalDecision | None:
    return None if words is None else convert(words.replace(" ", "-"), LocalDecision)


def _position(found: re.Match[str]) -> int:
    return int(found["position"])


POSITION, CARD, HAND = r"(?P<position>\d+)", r"(?P<card>[2-9TJQKA][shdc])", r"(?P<hand>left|right)"
ANYWHERE = rf"(?P<position>\d+|{'|'.join(PLACES)})"
PLACE, COUNT, SHOWN = r"(?P<place>\d+)", r"(?P<count>\d+)", r"(?P<shown>, cards showing)?"
SENTENCES: Sequence[tuple[str, Callable[[HasTable, re.Match[str]], Commands]]] = (
    (r"open(?: with (?P<backs>[a-z ]+?) backs)?(?P<pre>, preshuffled)?", _open),
    (
        rf"(?P<player>[A-Z]\w*) sits at {POSITION}",
        _plain(lambda f: TakeSeat(position=_position(f), player=f["player"])),
    ),
    (
        rf"(?P<player>[A-Z]\w*) leaves {POSITION}",
        _plain(lambda f: LeaveSeat(position=_position(f), role="player", by=f["player"])),
    ),
    (r"ready(?: the (?P<back>\w+) deck)?(?: in brief)?", _ready),
    (r"round(?P<count>, the stub is counted)?", _plain(lambda f: BeginRound(count_stub=bool(f["count"])))),
    (r"next(?: (?P<times>\d+))?", _next),
    (rf"go(?: until (?P<step>[a-z ]+?)(?: at {POSITION})?)?(?: in brief)?", _go),
    (rf"{POSITION} bets at once (?P<wagers>.+)", _bets_at_once),
    (rf"{POSITION} bets (?P<wagers>.+)", _bets),
    (
        rf"{POSITION} withdraws (?P<wager>[a-z ]+)",
        _plain(lambda f: WithdrawWager(position=_position(f), wager=_wager(f["wager"]))),
    ),
    (
        rf"{POSITION} plays (?P<money>\$\S+)",
        _plain(lambda f: Play(position=_position(f), amount=parse_dollars(f["money"]))),
    ),
    (rf"{POSITION} folds", _plain(lambda f: Fold(position=_position(f)))),
    (
        rf"{POSITION} sets (?P<cards>[\w ]+)",
        _plain(lambda f: SetHand(position=_position(f), cards=parse_cards(f["cards"]))),
    ),
    (rf"{POSITION} has left", _plain(lambda f: TreatAsAbandoned(position=_position(f)))),
    (
        rf"report (?P<kind>[a-z ]+?)(?: at {ANYWHERE})?(?: {CARD})?(?: {PLACE} deep)?(?: {COUNT} cards?)?",
        _report,
    ),
    (
        r"the (?P<device>shuffler|shoe) fails(?:, decision: (?P<decision>void|play on))?",
        _plain(
            lambda f: ReportFailure(device=f["device"], decision=_decision(f["decision"]))  # type: ignore[arg-type]
        ),
    ),
    (r"swap the machine", _plain(lambda _: SwapMachine())),
    (
        r"switch to (?P<method>\w+)(?P<by_hand>, shuffled by hand)?",
        _plain(lambda f: SwitchMethod(method=_method(f), shuffle_by_hand=bool(f["by_hand"]))),
    ),
    (r"judge: stub (?P<stub>\d+), (?P<hands>.+)", _judge),
    (r"call off", _plain(lambda _: CallOff())),
    (rf"confirm {POSITION}", _plain(lambda f: ConfirmAward(position=_position(f)))),
    (rf"pay {POSITION} (?P<money>\$\S+)", _pay),
    (r"the meter holds (?P<money>\$\S+)", _set_meter),
    (
        r"bring back the (?P<device>shuffler|shoe)",
        _plain(lambda f: BringDevice(device=f["device"])),  # type: ignore[arg-type]
    ),
    (r"order a recut", _plain(lambda _: OrderRecut())),
    (r"order a shuffle", _plain(lambda _: OrderShuffle())),
    (
        r"bring a (?P<back>\w+) deck(?P<pre>, preshuffled)?",
        _plain(lambda f: BringDeck(back=f["back"], preshuffled=bool(f["pre"]))),
    ),
    (
        r"leave the cards (?P<how>face up|face down)",
        _plain(lambda f: GoIdle(spread=f["how"].replace(" ", "-"))),  # type: ignore[arg-type]
    ),
    (r"close", _plain(lambda _: CloseTable())),
    (rf"confirm the award of {POSITION}", _plain(lambda f: ConfirmAward(position=_position(f)))),
    (rf"document {POSITION}", _plain(lambda f: CompleteDocument(position=_position(f)))),
    (
        rf"correct {POSITION} (?P<wager>[a-z ]+): (?P<money>\$\S+) was handed over, (?P<reason>.+)",
        _correct,
    ),
    (
        rf"(?P<step>[a-z ]+?)(?: at {POSITION})?(?: {COUNT})?(?: with the {HAND} hand)?{SHOWN}",
        _step,
    ),
)
"""Patterns of the sentences and their commands; the first match counts."""


def _method(found: re.Match[str]) -> DealingMethod:
    if found["method"] not in get_args(DealingMethod):
        raise ScriptError(f"there is no dealing method {found['method']!r}")
    return found["method"]  # type: ignore[return-value]


def commands(at: HasTable, sentence: str) -> Commands:
    """Yield the commands of a sentence."""
    for pattern, meaning in SENTENCES:
        found = re.fullmatch(pattern, sentence)
        if found is None or (meaning is _step and not _is_step(found["step"])):
            continue
        return meaning(at, found)
    raise ScriptError("no such sentence is known")


def _is_step(words: str) -> bool:
    name = words.replace(" ", "_")
    return name in PROMPTS or name == "deal" or any(name in get_args(part) for part in get_args(DealerStep))


def envelope(who: str, at: int) -> Mapping[str, Any]:
    """Return a command's role, actor and time from ``supervisor`` or ``player Ann``."""
    found = re.fullmatch(r"(?P<role>[a-z ]*?)(?: (?P<name>[A-Z]\w*))?", who)
    assert found is not None
    role = found["role"].replace(" ", "-")
    return {"role": role, "by": found["name"] or "", "at": at} if role else {"at": at}
