"""Shufflers for tests, and rounds with their shuffle proofs."""

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from fourcard.cards import DECK, cards_text
from fourcard.dealing import BONUS, EXTRA
from fourcard.house.clock_entropy import SeededEntropy
from fourcard.house.fairness.own_seed import hashes_of
from fourcard.house.fairness.receipts import RECEIPTS_FORMAT, PlayerReceipts
from fourcard.house.fairness.rng_tests import SampledShuffle, ShuffleSource
from fourcard.house.fairness.shuffle_proof import Verification, verify_proof
from fourcard.house.shuffle_algorithm import (
    ALGORITHM,
    FIRST_ALGORITHM,
    Seed,
    ShuffleInput,
    commitment_of,
    order_of,
    seed_hash,
)
from fourcard.round.commands import ReportIrregularity
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.rules.line_options import options_of
from fourcard.table.bots import basic_strategy
from fourcard.table.events import RoundBegan, StepPrepared
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.support import former_game, game

OUTPUT, ENTROPY = 224, 32
Orders = Callable[[Random], Iterator[list[int]]]
"""Gives one order of the deck after another."""


def of_orders(orders: Orders, seed: int = 1) -> ShuffleSource:
    """Return a shuffler of decks in these orders, with good bytes."""
    chance = Random(seed)
    decks = orders(chance)
    return lambda _: SampledShuffle(bytes(next(decks)), chance.randbytes(OUTPUT), chance.randbytes(ENTROPY))


def of_output(change: Callable[[int, bytes], bytes], seed: int = 1) -> ShuffleSource:
    """Return a shuffler of good decks whose output is changed."""
    chance = Random(seed)
    return lambda number: SampledShuffle(
        bytes(_fair(chance)), change(number, chance.randbytes(OUTPUT)), chance.randbytes(ENTROPY)
    )


def _fair(chance: Random) -> list[int]:
    deck = [*DECK]
    chance.shuffle(deck)
    return deck


def fair(chance: Random) -> Iterator[list[int]]:
    """Shuffle well."""
    while True:
        yield _fair(chance)


def any_place(chance: Random) -> Iterator[list[int]]:
    """Let every card change places with any of the 52, as is often done."""
    while True:
        deck = [*DECK]
        for place in range(52):
            other = chance.randrange(52)
            deck[place], deck[other] = deck[other], deck[place]
        yield deck


def remainder(chance: Random) -> Iterator[list[int]]:
    """Take the remainder of a number of seven bits, which favours low places."""
    while True:
        deck = [*DECK]
        for place in range(51, 0, -1):
            other = chance.getrandbits(7) % (place + 1)
            deck[place], deck[other] = deck[other], deck[place]
        yield deck


def riffles(times: int) -> Orders:
    """Riffle a new deck some times."""

    def orders(chance: Random) -> Iterator[list[int]]:
        while True:
            deck = [*DECK]
            for _ in range(times):
                deck = _riffled(deck, chance)
            yield deck

    return orders


def _riffled(deck: list[int], chance: Random) -> list[int]:
    """Cut near the middle and let the halves fall, the thicker one more often."""
    cut = chance.getrandbits(52).bit_count()
    left, right, mixed = deck[:cut], deck[cut:], []
    while left or right:
        half = left if chance.randrange(len(left) + len(right)) < len(left) else right
        mixed.append(half.pop(0))
    return mixed


def never_adjacent(chance: Random) -> Iterator[list[int]]:
    """Shuffle again where two certain cards lie side by side."""
    for deck in fair(chance):
        if abs(deck.index(17) - deck.index(42)) != 1:
            yield deck


def never_after(chance: Random) -> Iterator[list[int]]:
    """Turn two certain cards round where the second follows the first."""
    for deck in fair(chance):
        one, other = deck.index(17), deck.index(42)
        if other == one + 1:
            deck[one], deck[other] = deck[other], deck[one]
        yield deck


def never_on_top(chance: Random) -> Iterator[list[int]]:
    """Shuffle again where a certain card lies on top."""
    for deck in fair(chance):
        if deck[0] != 51:
            yield deck


def few_swaps(chance: Random) -> Iterator[list[int]]:
    """Go on from the deck before with few swaps."""
    deck = _fair(chance)
    while True:
        for _ in range(60):
            one, other = chance.randrange(52), chance.randrange(52)
            deck[one], deck[other] = deck[other], deck[one]
        yield [*deck]


def turned_round(chance: Random) -> Iterator[list[int]]:
    """Give two good decks, then both from the bottom up."""
    while True:
        one, other = _fair(chance), _fair(chance)
        yield from (one, other, one[::-1], other[::-1])


def one_cycle(chance: Random) -> Iterator[list[int]]:
    """Never let a card change places with itself."""
    while True:
        deck = [*DECK]
        for place in range(51, 0, -1):
            other = chance.randrange(place)
            deck[place], deck[other] = deck[other], deck[place]
        yield deck


def even_orders(chance: Random) -> Iterator[list[int]]:
    """Make every order one that an even number of swaps leads to."""
    for deck in fair(chance):
        if sum(deck[one] > deck[other] for other in range(52) for one in range(other)) % 2:
            deck[50], deck[51] = deck[51], deck[50]
        yield deck


def stuck(chance: Random) -> Iterator[list[int]]:
    """Give the same deck every time."""
    deck = _fair(chance)
    while True:
        yield deck


def too_even(chance: Random) -> Iterator[list[int]]:
    """Let every card have its turn on top."""
    for number, deck in enumerate(fair(chance)):
        place = deck.index(number % 52)
        deck[0], deck[place] = deck[place], deck[0]
        yield deck


def sorted_hands(chance: Random) -> Iterator[list[int]]:
    """Sort a few cards of some decks."""
    for deck in fair(chance):
        if chance.random() < 0.3:
            deck[20:24] = sorted(deck[20:24])
        yield deck


def fewer_flushes(chance: Random) -> Iterator[list[int]]:
    """Shuffle again where the first hand is of one suit."""
    for deck in fair(chance):
        if len({card & 3 for card in deck[:5]}) > 1:
            yield deck


def more_pairs(chance: Random) -> Iterator[list[int]]:
    """Shuffle some decks again whose first hand has no pair."""
    for deck in fair(chance):
        if len({card >> 2 for card in deck[:5]}) < 5 or chance.random() < 0.7:
            yield deck


def more_aces(chance: Random) -> Iterator[list[int]]:
    """Shuffle some decks again whose first hand has no ace."""
    for deck in fair(chance):
        if max(deck[:5]) >= 48 or chance.random() < 0.7:
            yield deck


def laced(chance: Random) -> Iterator[list[int]]:
    """Let red and black take turns in some decks."""
    for deck in fair(chance):
        if chance.random() < 0.03:
            red = [card for card in deck if card & 3 in {1, 2}]
            black = [card for card in deck if card & 3 in {0, 3}]
            yield [card for pair in zip(red, black, strict=True) for card in pair]
        else:
            yield deck


def staying_half(chance: Random) -> Iterator[list[int]]:
    """Keep in some decks each card in the half of the deck where it lay before."""
    before = _fair(chance)
    while True:
        deck = _fair(chance)
        if chance.random() < 0.03:
            upper = {*before[:26]}
            deck.sort(key=lambda card: card not in upper)
        before = deck
        yield deck


def stuck_bit(_number: int, output: bytes) -> bytes:
    """Hold one bit of every number of four bytes."""
    return bytes(byte & 0xFB if place % 4 == 2 else byte for place, byte in enumerate(output))


def some_more_ones(number: int, output: bytes) -> bytes:
    """Set a bit that wanders, in each of which it is hardly seen."""
    return bytes(byte | 1 << number % 8 for byte in output[:8]) + output[8:]


def one_value_more(number: int, output: bytes) -> bytes:
    """Let one value come too often that has as many ones as zeros."""
    return bytes([0x96, *output[1:]]) if number % 2 else output


def echoing(number: int, output: bytes) -> bytes:
    """Repeat a byte at times."""
    return bytes([*output[:100], output[100], output[100], *output[102:]]) if number % 2 else output


def repeated_block(_number: int, output: bytes) -> bytes:
    """Repeat a block."""
    return output[:32] + output[:32] + output[64:]


def taking_turns(number: int, output: bytes) -> bytes:
    """Begin with ones and with zeros by turns."""
    return bytes([number % 2 * 255, *output[1:]])


class SameSecrets:
    """Chance that gives the same bytes again after a while."""

    def __init__(self, period: int) -> None:
        """Give so many different ones."""
        chance = Random(5)
        self.secrets, self.drawn = [chance.randbytes(ENTROPY) for _ in range(period)], 0

    def draw(self, count: int) -> bytes:
        """Return the next bytes."""
        self.drawn += 1
        return self.secrets[self.drawn % len(self.secrets)][:count]


TABLE = "pit-1.table_3"
SEEDS: tuple[Seed, ...] = (("zoe", "a seed: 17, of mine"), ("adam", "~" * 16))
FIRST_SEEDS: tuple[Seed, ...] = (("zoe", "a seed: 17, of mine"), ("adam", "~"))
"""Seeds of the first algorithm, which may be short."""
WITHHELD: tuple[Seed, ...] = (("bob", "a seed that bob keeps"),)
NAMES = {0: "dealer", EXTRA: "extra", BONUS: "bonus_card"}
STAKES: dict[WagerName, int] = {"ante": 2500, "aces_up": 500}
Line = dict[str, Any]
Change = Callable[[Line], object]


class ProvenTable:
    """A table that notes what every deck was shuffled from, as a house does."""

    def __init__(
        self,
        made: Game,
        seats: Iterable[int] = (1, 2, 3),
        seeds: Sequence[Seed] = SEEDS,
        withheld: Sequence[Seed] = (),
        algorithm: str = ALGORITHM,
    ) -> None:
        """Seat a player at each position; cards come from secrets that follow from the game's name."""
        self.entropy = SeededEntropy(made.submission.name)
        self.secrets: list[bytes] = []
        self.seeds, self.withheld, self.algorithm = seeds, withheld, algorithm
        self.table = Table(made, self.shuffle)
        for position in seats:
            self.table.seat(position, f"p{position}")

    def shuffle(self) -> Sequence[int]:
        """Return a deck in the order that the next secret gives it."""
        self.secrets.append(self.entropy.draw(32))
        return order_of(self.secrets[-1], self.input(len(self.secrets)))

    def input(self, number: int) -> ShuffleInput:
        """Return what a shuffle depends on besides its secret; each shuffle is for one round."""
        hidden = tuple((player, seed_hash(TABLE, number, player, seed)) for player, seed in self.withheld)
        played = number if self.algorithm == ALGORITHM else None
        return ShuffleInput(TABLE, number, tuple(self.seeds), played, hidden)

    def play(self, face_up: int | None = None) -> Line:
        """Play a round, with a card found face up at some place among the next ones, and export it."""
        at = self.table
        at.begin()
        if face_up is not None:
            self._discard(face_up)
        seats = list(at.state.seats)
        if at.state.round is not None and at.state.round.phase == "betting":
            at.play_round(dict.fromkeys(seats, STAKES), basic_strategy)
        else:
            at.finish(basic_strategy)
        assert at.state.last_round is not None
        return self.exported(at.state.last_round)

    def _discard(self, place: int) -> None:
        at = self.table
        at._place_wagers(dict.fromkeys(at.state.seats, STAKES))
        while at.state.round is not None and at.state.round.move_index < 1:
            act = at.next_command()
            assert act is not None
            at.do(act)
        at.do(ReportIrregularity(irregularity="one_face_up_card", place=place))

    def exported(self, played: RoundState) -> Line:
        """Return a round as a line, with its proof."""
        made = self.table.game
        line: Line = {
            "id": f"{TABLE}/{self.table.state.round_number}",
            "rulebook": made.rulebook.id,
            "edition": made.rulebook.edition,
            "options": options_of(made),
            "settings": dict(made.settings),
            "seats": [self._seat(played, position) for position in played.dealt_in],
            "dealer": cards_text(
                [*played.dealer, *([] if played.up_card in played.dealer else [played.up_card or 0])]
            ),
            "proof": self.proof(),
        }
        return line | ({"bonus_card": cards_text(played.bonus)} if played.bonus else {})

    def _seat(self, played: RoundState, position: int) -> Line:
        place = played.positions[position]
        stakes = {name: amount for name, amount in place.wagers.items() if name != "play"}
        return {
            "position": position,
            "player": place.player,
            "cards": cards_text(place.cards),
            "wagers": stakes,
            "play": place.play_amount,
        }

    def proof(self) -> Line:
        """Return the proof of the last round, put together from the table's events."""
        mixed: dict[int, tuple[int, list[int]]] = {}
        drawn: list[Line] = []
        shuffles, used = 0, (0, [0])
        for event in self.table.events:
            if isinstance(event, StepPrepared) and event.mixed is not None:
                shuffles += 1
                mixed[event.deck] = shuffles, []
            elif isinstance(event, StepPrepared) and event.depth is not None:
                mixed[event.deck][1].append(event.depth)
            elif isinstance(event, RoundBegan):
                drawn, used = [], mixed[event.deck]
            elif isinstance(event, CardsDealt):
                drawn.append({"to": NAMES.get(event.to, event.to), "cards": cards_text(event.cards)})
            elif isinstance(event, FaceUpCardDiscarded):
                drawn.append({"to": "discarded", "cards": cards_text([event.card])})
        number, cuts = used
        secret, made_from = self.secrets[number - 1], self.input(number)
        proof: Line = {
            "algorithm": self.algorithm,
            "table": TABLE,
            "shuffle": number,
            "round": made_from.round,
            "commitment": commitment_of(secret),
            "secret": secret.hex(),
            "seeds": [list(seed) for seed in self.seeds],
            "withheld": [list(seed) for seed in made_from.withheld],
            "cuts": cuts,
            "drawn": drawn,
        }
        return proof


def proven(name: str, seats: Iterable[int] = (1, 2, 3), **changes: object) -> Line:
    """Return one round of an example with its proof."""
    return ProvenTable(game(name, **changes), seats).play()


def formerly_proven(name: str, up_card_end: str, **changes: object) -> Line:
    """Return one round of a table of version 0.1 that chose the end of the stack for the up card."""
    return ProvenTable(former_game(game(name, **changes), up_card_end=up_card_end), (1, 2, 3)).play()


def rounds(name: str, count: int, seats: Iterable[int] = (1, 2, 3), **changes: object) -> Iterator[Line]:
    """Yield rounds of one table, one after another."""
    table = ProvenTable(game(name, **changes), seats)
    for _ in range(count):
        yield table.play()


def first_proven(name: str, seats: Iterable[int] = (1, 2, 3), **changes: object) -> Line:
    """Return one round of an example with a proof of the first algorithm, as a house of 0.1 wrote it."""
    line = ProvenTable(game(name, **changes), seats, FIRST_SEEDS, algorithm=FIRST_ALGORITHM).play()
    del line["proof"]["round"], line["proof"]["withheld"]
    return line


def receipt_for(line: Line, seed: str, **changes: object) -> Line:
    """Return the receipt that a page keeps of a round in which it revealed this seed."""
    proof = line["proof"]
    made_from = ShuffleInput(
        proof["table"], proof["shuffle"], proof["seeds"], proof["round"], proof["withheld"]
    )
    call = {"round": proof["round"], "hashes": [list(each) for each in hashes_of(made_from).items()]}
    where = {key: proof[key] for key in ("table", "shuffle", "commitment")}
    return {**where, "seed": seed, "call": call, **changes}


def receipts_file(player: str, *receipts: Line) -> Line:
    """Return a file of receipts."""
    return {"format": RECEIPTS_FORMAT, "player": player, "receipts": [*receipts]}


def verified(line: Line, player: str | None = None, *receipts: Line) -> Verification:
    """Return what verifying a line finds, for a player with receipts if one is given."""
    if player is None:
        return verify_proof(json.dumps(line))
    return verify_proof(json.dumps(line), msgspec.convert(receipts_file(player, *receipts), PlayerReceipts))


def recut(line: Line, cuts: list[int]) -> Line:
    """Return a round as it is dealt from the same deck after other cuts."""
    deck, line = verified(line).order.split(), copy.deepcopy(line)
    for depth in cuts:
        deck = deck[depth:] + deck[:depth]
    left, hands = iter(deck), dict[Any, list[str]]()
    for drawn in line["proof"]["drawn"]:
        cards = [next(left) for _ in drawn["cards"].split()]
        drawn["cards"] = " ".join(cards)
        hands.setdefault(drawn["to"], []).extend(cards)
    for seat in line["seats"]:
        seat["cards"] = " ".join(hands[seat["position"]])
    line["dealer"] = " ".join(hands["dealer"])
    line["proof"]["cuts"] = cuts
    return line


def changed(line: Line, change: Change) -> Line:
    """Return a copy of a line or receipt with a change."""
    copied = copy.deepcopy(line)
    change(copied)
    return copied
