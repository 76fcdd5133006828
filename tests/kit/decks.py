"""Decks: tables prepared step by step, and orders that deal rare hands."""

from collections.abc import Iterable, Sequence
from random import Random

from fourcard.cards import DECK
from fourcard.dealing import BONUS, deal_plan, stack_deck
from fourcard.refusal_codes import Code
from fourcard.round.commands import LeaveSeat, TakeSeat
from fourcard.round.view import Viewer
from fourcard.rules.game import Game
from fourcard.rules.procedures import DealingMethod, StepName
from fourcard.settlers.showdown import DEALER
from fourcard.table.commands import BeginRound, Prepare
from fourcard.table.table_driver import Table
from fourcard.table.view import table_view
from tests.kit.support import game, game_under
from tests.kit.tables import ANTE, bet, finish, refused, seeded

SHUFFLER = {"maker": "Shuffle Master", "model": "Deck Mate"}
ENDS = ("shuffle_by_hand", "shuffle_by_machine", "press_shuffle", "riffle_third")
"""The steps after which cards lie in a new order."""


def closed(name: str, **changes: object) -> Table:
    """Return a closed table of an example."""
    return Table(game(name, **changes), seeded(1))


def opened(name: str, **changes: object) -> Table:
    """Return a table of an example that has just been opened."""
    at = closed(name, **changes)
    at.open()
    return at


def under_rule(name: str, place: str, value: object, **changes: object) -> Table:
    """Return a closed table of an example under a rulebook that has another value or table in one place."""
    return Table(game_under(game(name, **changes), **{place.replace(".", "__"): value}), seeded(1))


def due(at: Table, deck: int | None = None) -> list[str]:
    """Return the names of the steps that a deck waits for, by default that of the next round."""
    return [step for step, _ in at.state.decks[at.state.active if deck is None else deck].agenda]


def prompt(at: Table) -> str:
    """Return what the dealer is told to do next: in the round, or else with the deck of the next one."""
    seen = table_view(at.state, Viewer("dealer"))
    if seen.round is not None and seen.round.due is not None:
        return seen.round.due.prompt
    return seen.decks[seen.active].prompts[0]


def doing(at: Table, deck: int | None = None) -> Prepare:
    """Return the next step of a deck as staff does it properly."""
    number = at.state.active if deck is None else deck
    step = at.state.decks[number].agenda[0][0]
    return Prepare(
        step=step,
        deck=number,
        role="floorperson" if step == "verify_inspection" else "dealer",
        order=tuple(at.shuffle()) if step in ENDS else None,
        depth=26 if step in ("cut", "insert_cover_card") else None,
        count=5 if step == "strip" else 52 if step == "shuffle_by_machine" else None,
        hand="left" if step == "take_in_hand" else None,
    )


def ready(at: Table, deck: int | None = None) -> list[str]:
    """Do everything that a deck waits for, and return the steps; without one, what the next round waits for.

    The steps of a deck that rests are not returned with those of the deck in play.
    """
    number = at.state.active if deck is None else deck
    done = []
    while due(at, number):
        done += due(at, number)[:1]
        do_next(at, number)
    while deck is None and at.state.agenda:
        do_next(at, 1 - number)
    return done


def do_next(at: Table, deck: int | None = None) -> None:
    """Do the next step of a deck; where the cards wait for a first player, one comes by and goes again."""
    comes_by = due(at, deck)[0] == "show_first_player" and not at.state.seats
    if comes_by:
        at.do(TakeSeat(position=1, player="first"))
    at.do(doing(at, deck))
    if comes_by:
        at.do(LeaveSeat(position=1))


def until(at: Table, step: StepName, deck: int | None = None) -> None:
    """Do what comes before a step."""
    while due(at, deck)[0] != step:
        do_next(at, deck)


def in_this_order(at: Table, wanted: Sequence[StepName], deck: int | None = None) -> None:
    """Do these steps, none of which may come before its turn, nor be left out."""
    until(at, wanted[0], deck)
    for number, step in enumerate(wanted):
        for other in (*wanted[:number], *wanted[number + 1 :]):
            early = Prepare(step=other, deck=deck, role="floorperson" if "verify" in other else "dealer")
            assert refused(at, early).code in (Code.STEP_NOT_DUE, Code.NUMBER_UNFIT), other
        assert doing(at, deck).step == step
        do_next(at, deck)


def begin(at: Table) -> None:
    """Seat a player if there is none, make the deck of the next round ready and open the round."""
    if not at.state.seats:
        at.seat(1, "p1")
    ready(at)
    at.do(BeginRound())


def play(at: Table) -> int:
    """Play a round, and return the deck that served in it."""
    begin(at)
    served = at.state.active
    bet(at, ANTE)
    finish(at)
    return served


ACE, ROYAL_LOW, NINE = 12, 8, 7
JACKPOTS = ("four_aces", "royal_flush", "straight_flush_of_five")
PATTERNS = (
    "four_of_a_kind",
    "straight_flush",
    "full_house",
    "three_of_a_kind",
    "flush",
    "straight",
    "two_pair",
    "pair_of_aces",
)


def _card(rank: int, suit: int) -> int:
    return 4 * rank + suit


def _alike(chance: Random, *groups: tuple[int, int]) -> list[int]:
    """Return so many cards of each rank."""
    return [_card(rank, suit) for rank, many in groups for suit in chance.sample(range(4), many)]


def pattern(chance: Random, name: str) -> list[int]:
    """Return the cards that make a hand what it is, of any ranks and suits."""
    suit, one, two = chance.randrange(4), *chance.sample(range(13), 2)
    low = chance.randrange(9)
    alike = {
        "four_aces": ((ACE, 4),),
        "four_of_a_kind": ((one, 4),),
        "full_house": ((one, 3), (two, 2)),
        "three_of_a_kind": ((one, 3),),
        "two_pair": ((one, 2), (two, 2)),
        "pair_of_aces": ((ACE, 2),),
    }
    if name in alike:
        return _alike(chance, *alike[name])
    if name == "straight":
        return [_card(low + more, chance.randrange(4)) for more in range(4)]
    ranks = {
        "royal_flush": range(ROYAL_LOW, ACE + 1),
        "straight_flush_of_five": range(low, low + 5),
        "straight_flush": range(low, low + 4),
    }
    return [_card(rank, suit) for rank in ranks.get(name, chance.sample(range(13), 4))]


def strong_hands(chance: Random, places: Iterable[int], *, bonus: bool) -> dict[int, list[int]]:
    """Return hands for some of the places and the dealer, no card twice; now and then a Super Royal's six."""
    known: dict[int, list[int]] = {}
    for place in [*places, DEALER]:
        names = chance.choice((PATTERNS, JACKPOTS))
        wanted = pattern(chance, chance.choice(names)) if chance.random() < 0.7 else []
        if not {card for cards in known.values() for card in cards} & {*wanted}:
            known[place] = wanted
    royal = next((cards for cards in known.values() if cards[:1] and len({*cards}) == 5), [])
    ninth = _card(NINE, royal[0] % 4) if royal else 0
    if bonus and royal and not any(ninth in cards for cards in known.values()):
        known[BONUS] = [ninth]
    return known


def strong_deck(
    game: Game, seats: Iterable[int], chance: Random, method: DealingMethod | None = None
) -> tuple[int, ...]:
    """Return a deck that deals such hands to these positions, the other cards in any order."""
    deal = deal_plan(game, seats, method)
    known = strong_hands(chance, seats, bonus=any(move.to == BONUS for move in deal.moves))
    used = {card for cards in known.values() for card in cards}
    rest = [card for card in DECK if card not in used]
    chance.shuffle(rest)
    return stack_deck(deal, known, rest)
