"""Coach routes: exact advice, the strategy grid, and hands to practise."""

from random import Random
from typing import Annotated, Literal

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import Parameter

from fourcard.cards import DECK, card_text, cards_text, parse_card, parse_cards
from fourcard.hands import best_hand
from fourcard.house.house import House
from fourcard.odds.advice import Advice, advice
from fourcard.odds.chart import cell_of
from fourcard.odds.choices import Options
from fourcard.odds.contest import Contest
from fourcard.odds.states import HAND
from fourcard.odds.table import known_states
from fourcard.rules.game import Game
from fourcard.rules.limits import plays_allowed
from fourcard.server.documented import problems
from fourcard.server.reading.asking import Book, Cents, Name, Table
from fourcard.server.reading.games import contest_at, contest_meant, contest_named, game_at
from fourcard.server.reading.grids import Grid, grid_of
from fourcard.server.reading.reasons import why
from fourcard.server.reading.solving import Solver

TAGS = ["coach"]
CLOSE = 0.2
"""A hand is worth practising if its best two choices differ by less than this, in Antes."""
TRIES = 200
Hand = Annotated[str, Parameter(max_length=40, description="Your five cards, such as 'As Ah Kd 7c 2h'.")]
Card = Annotated[str, Parameter(max_length=10, description="The dealer's up card, such as 'Ac'.")]


class CoachAnswer(msgspec.Struct, frozen=True):
    """Whether the whole game is solved; until then each advice is counted on request."""

    ready: bool
    progress: float


class DealerCounts(msgspec.Struct, frozen=True):
    """How the dealer's possible hands compare with the player's."""

    below: int
    tied: int
    above: int
    of: int


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


class AdviceAnswer(msgspec.Struct, frozen=True):
    """Value of each choice, in Antes, and in cents if the Ante was given."""

    dealer: DealerCounts
    ev: dict[str, float]
    best: str
    """The best decision within the game's limits, whatever money there is."""
    exact: dict[str, str]
    hand: str
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


class Spot(msgspec.Struct, frozen=True):
    """A hand and an up card to practise."""

    hand: str
    up: str


@get(
    "/api/coach",
    summary="How much of the game is solved",
    tags=TAGS,
    responses=problems(429),
    sync_to_thread=True,
)
def coach(solver: NamedDependency[Solver]) -> CoachAnswer:
    """Return how much of the game is solved."""
    return CoachAnswer(solver.ready, solver.progress)


@get(
    "/api/advice",
    summary="The exact value of every choice",
    tags=TAGS,
    responses=problems(400, 404, 429),
    sync_to_thread=True,
)
def advise(
    house: NamedDependency[House],
    hand: Hand,
    up: Card,
    table: Table = None,
    bonus: Name = None,
    rulebook: Book = None,
    ante: Cents = None,
    most: Cents = None,
) -> AdviceAnswer:
    """Return the advice of `fourcard advise` for a hand, missing money, and why the best choice is best."""
    cards, up_card = parse_cards(hand, (HAND,)), parse_card(up)
    game = None if table is None else game_at(house.store, table)
    terms = contest_named(bonus, rulebook) if game is None else contest_at(game)
    source: Literal["table", "single state"] = "single state" if known_states() is None else "table"
    found = advice(cards, up_card, terms.contest)
    options = _options(found, terms.contest, game, ante, most)
    best = found.best if options is None else options.best.name
    can = [*found.values] if options is None else _covered(options)
    row, column = cell_of(best_hand(cards), up_card)
    answer = found.answer()
    return AdviceAnswer(
        dealer=msgspec.convert(answer["dealer"], DealerCounts),
        ev={choice: float(value) for choice, value in found.values.items()},
        best=best,
        exact=msgspec.convert(answer["exact"], dict[str, str]),
        hand=found.name,
        ante=ante,
        cents={choice: float(value * ante) for choice, value in found.values.items()} if ante else None,
        can=can,
        best_can=max(can, key=lambda choice: found.values[choice]),
        why=why(found, terms.contest, best),
        source=source,
        cell=CellPlace(row, column),
        choices=None if options is None else _choices(options),
    )


def _options(
    found: Advice, contest: Contest, game: Game | None, ante: int | None, money: int | None
) -> Options | None:
    """Return the choices for an Ante; without a table every multiple is allowed."""
    if not ante:
        return None
    anywhere = range(contest.least * ante, contest.most * ante + 1, ante)
    return Options(found, ante, anywhere if game is None else plays_allowed(game, ante), money)


def _covered(options: Options) -> list[str]:
    """Return the choices in whole Antes that are allowed and covered."""
    return [
        each.name
        for each in options.choices
        if each.name in options.given.values and each.allowed and not each.short
    ]


def _choices(options: Options) -> tuple[ChoiceAnswer, ...]:
    return tuple(
        ChoiceAnswer(
            choice=each.name,
            amount=each.amount,
            ev=float(each.worth / options.ante),
            cents=float(each.worth),
            allowed=each.allowed,
            short=each.short,
        )
        for each in options.choices
    )


@get(
    "/api/strategy",
    summary="The best decision by hand and up card",
    tags=TAGS,
    responses=problems(400, 404, 429, 503),
    sync_to_thread=True,
)
def strategy(
    house: NamedDependency[House],
    solver: NamedDependency[Solver],
    table: Table = None,
    bonus: Name = None,
    rulebook: Book = None,
) -> Grid:
    """Return the strategy grid of a table's game or a bonus table: rows are hands, columns up cards."""
    terms = contest_meant(house.store, table, bonus, rulebook)
    return grid_of(terms, solver)


@get(
    "/api/practice",
    summary="A hand with a close decision to practise",
    tags=TAGS,
    responses=problems(400, 404, 429),
    sync_to_thread=True,
)
def practice(
    house: NamedDependency[House],
    table: Table = None,
    seed: Annotated[
        str | None, Parameter(max_length=64, description="The same seed gives the same hand.")
    ] = None,
) -> Spot:
    """Deal hands until the best two choices are close."""
    terms, random = contest_meant(house.store, table, None, None).contest, Random(seed)
    cards = random.sample(DECK, HAND + 1)
    for _ in range(TRIES):
        if _is_close(cards, terms):
            break
        cards = random.sample(DECK, HAND + 1)
    return Spot(cards_text(sorted(cards[:HAND], reverse=True)), card_text(cards[HAND]))


def _is_close(cards: list[int], contest: Contest) -> bool:
    values = sorted(advice(cards[:HAND], cards[HAND], contest).values.values(), reverse=True)
    return values[0] - values[1] < CLOSE
