"""Coach routes: exact advice and hands to practise."""

from fractions import Fraction
from random import Random
from typing import Annotated, Literal

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import Parameter
from msgspec.structs import asdict

from fourcard.cards import DECK, card_text, cards_text, parse_card, parse_cards
from fourcard.hands import best_hand
from fourcard.house.house import House
from fourcard.odds.decision_values import Advice, AdviceAnswer, BaseTerms, DecisionOptions, advice
from fourcard.odds.state_counts import COMPLETIONS, HAND
from fourcard.odds.states_cache import available_states
from fourcard.odds.strategy_chart import chart_cell_of
from fourcard.rules.game import Game
from fourcard.rules.limits import plays_allowed
from fourcard.server.api.compute_cache import Solver
from fourcard.server.api.game_lookup import (
    contest_at,
    contest_for,
    contest_named,
    table_game,
)
from fourcard.server.api.params import (
    CentsParam,
    NameParam,
    RulebookParam,
    TableParam,
)
from fourcard.server.error_handlers import error_responses


def explain_best(found: Advice, contest: BaseTerms, best: str) -> str:
    """Return why folding, the smallest or the largest Play wager is best.

    `best` is the best choice within the limits.
    """
    won = Fraction(contest.hands_beaten(found.counts), COMPLETIONS)
    start = f"You hold {hand_phrase(found.name)}; {_win_share(won, contest)}."
    least = f"{contest.least}x"
    gain_per_dollar = won * contest.play - (1 - won)
    if found.best == "fold":
        loss = -float(found.values[least])
        return f"{start} {least} would lose {loss:.3f} Antes on average and a fold loses 1: fold is best."
    if best == "fold":
        return f"{start} No Play wager is allowed on this Ante here: fold is best."
    if gain_per_dollar > 0:
        return f"{start} Each extra dollar on Play gains {_cents(gain_per_dollar)}: {best} is best."
    value = float(found.values[least])
    least_text = f"{least} {'wins' if value > 0 else 'loses'} {abs(value):.3f} Antes"
    extra = f"loses {_cents(-gain_per_dollar)}" if gain_per_dollar else "gains nothing"
    return f"{start} Each extra dollar on Play {extra}, but {least_text} and a fold loses 1: {least} is best."


def hand_phrase(name: str) -> str:
    """Return the phrase for a hand after "you hold"."""
    first = name.partition(",")[0]
    if first == "high card":
        return f"no pair, {name.partition(', ')[2].partition(',')[0]} high"
    return f"{'' if first.startswith(('two', 'three', 'four')) else 'a '}{first}"


def _win_share(won: Fraction, contest: BaseTerms) -> str:
    """Return how often the player wins; a tie counts as the rulebook says."""
    wins = "you win or tie" if contest.ties_win else "you win"
    return f"{wins} {float(won):.1%} of the time"


def _cents(of_a_dollar: Fraction) -> str:
    return f"{float(of_a_dollar * 100):.1f} cents"


TAGS = ["coach"]
CLOSE_DIFFERENCE = 0.2
"""A hand is worth practising if its best two choices differ by less than this, in Antes."""
TRIES = 200
HandParam = Annotated[str, Parameter(max_length=40, description="Your five cards, such as 'As Ah Kd 7c 2h'.")]
UpCardParam = Annotated[str, Parameter(max_length=10, description="The dealer's up card, such as 'Ac'.")]


class CoachAnswer(msgspec.Struct, frozen=True):
    """Whether the whole game is solved; until then each advice is counted on request."""

    ready: bool
    progress: float


class CellPlace(msgspec.Struct, frozen=True):
    """Cell of the strategy grid for a hand, by row and column name."""

    hand: str
    up: str


class ChoiceAnswer(msgspec.Struct, frozen=True):
    """One choice for a given Ante, amounts in cents."""

    choice: str
    """``fold``, ``3x``, or for example ``$12 on Play`` if a limit is not a multiple of the Ante."""
    amount: int
    """The Play wager; 0 for a fold."""
    ev: float
    """Expected value in Antes."""
    cents: float
    allowed: bool
    """Whether the rules and limits of the table allow it."""
    short: int
    """Cents missing for it; 0 if the money covers it or no money was given."""


class CoachAdvice(AdviceAnswer, frozen=True, kw_only=True):
    """The advice within a game's limits, in cents too if the Ante was given."""

    ante: int | None
    cents: dict[str, float] | None
    can: list[str]
    """Choices in whole Antes that the rules allow and the given money covers."""
    best_can: str
    """The best of those; of equal ones the smaller wager."""
    why: str
    source: Literal["table", "single state"]
    cell: CellPlace
    choices: tuple[ChoiceAnswer, ...] | None = None
    """Every choice, if the Ante was given."""


class PracticeHand(msgspec.Struct, frozen=True):
    """A hand and an up card to practise."""

    hand: str
    up: str


@get(
    "/api/coach",
    summary="How much of the game is solved",
    tags=TAGS,
    responses=error_responses(429),
    sync_to_thread=True,
)
def coach(solver: NamedDependency[Solver]) -> CoachAnswer:
    """Return how much of the game is solved."""
    return CoachAnswer(solver.ready, solver.progress)


@get(
    "/api/advice",
    summary="The exact value of every choice",
    tags=TAGS,
    responses=error_responses(400, 404, 429),
    sync_to_thread=True,
)
def advise(
    house: NamedDependency[House],
    hand: HandParam,
    up: UpCardParam,
    table: TableParam = None,
    bonus: NameParam = None,
    rulebook: RulebookParam = None,
    ante: CentsParam = None,
    most: CentsParam = None,
) -> CoachAdvice:
    """Return the advice of `fourcard advise` for a hand, missing money, and why the best choice is best."""
    cards, up_card = parse_cards(hand, (HAND,)), parse_card(up)
    game = None if table is None else table_game(house.store, table)
    terms = contest_named(bonus, rulebook) if game is None else contest_at(game)
    found = advice(cards, up_card, terms.contest)
    return advice_answer(found, terms.contest, _options(found, terms.contest, game, ante, most))


def advice_answer(found: Advice, contest: BaseTerms, options: DecisionOptions | None) -> CoachAdvice:
    """Return advice with its reason, and with the choices for an Ante if there is one."""
    source: Literal["table", "single state"] = "single state" if available_states() is None else "table"
    ante = None if options is None else options.ante
    best = found.best if options is None else options.best.name
    can = [*found.values] if options is None else _covered(options)
    row, column = chart_cell_of(best_hand(found.hand), found.up)
    return CoachAdvice(
        **{**asdict(found.answer()), "best": best},
        ante=ante,
        cents={choice: float(value * ante) for choice, value in found.values.items()} if ante else None,
        can=can,
        best_can=max(can, key=lambda choice: found.values[choice]),
        why=explain_best(found, contest, best),
        source=source,
        cell=CellPlace(row, column),
        choices=None if options is None else _choices(options),
    )


def _options(
    found: Advice, contest: BaseTerms, game: Game | None, ante: int | None, money: int | None
) -> DecisionOptions | None:
    """Return the choices for an Ante; without a table every multiple is allowed."""
    if not ante:
        return None
    anywhere = range(contest.least * ante, contest.most * ante + 1, ante)
    return DecisionOptions(found, ante, anywhere if game is None else plays_allowed(game, ante), money)


def _covered(options: DecisionOptions) -> list[str]:
    """Return the choices in whole Antes that are allowed and covered."""
    return [
        each.name
        for each in options.options
        if each.name in options.advice.values and each.allowed and not each.missing_cents
    ]


def _choices(options: DecisionOptions) -> tuple[ChoiceAnswer, ...]:
    return tuple(
        ChoiceAnswer(
            choice=each.name,
            amount=each.amount,
            ev=float(each.value / options.ante),
            cents=float(each.value),
            allowed=each.allowed,
            short=each.missing_cents,
        )
        for each in options.options
    )


@get(
    "/api/practice",
    summary="A hand with a close decision to practise",
    tags=TAGS,
    responses=error_responses(400, 404, 429),
    sync_to_thread=True,
)
def practice(
    house: NamedDependency[House],
    table: TableParam = None,
    seed: Annotated[
        str | None, Parameter(max_length=64, description="The same seed gives the same hand.")
    ] = None,
) -> PracticeHand:
    """Deal hands until the best two choices are close."""
    terms, random = contest_for(house.store, table, None, None).contest, Random(seed)
    cards = random.sample(DECK, HAND + 1)
    for _ in range(TRIES):
        if _is_close(cards, terms):
            break
        cards = random.sample(DECK, HAND + 1)
    return PracticeHand(cards_text(sorted(cards[:HAND], reverse=True)), card_text(cards[HAND]))


def _is_close(cards: list[int], contest: BaseTerms) -> bool:
    values = sorted(advice(cards[:HAND], cards[HAND], contest).values.values(), reverse=True)
    return values[0] - values[1] < CLOSE_DIFFERENCE
