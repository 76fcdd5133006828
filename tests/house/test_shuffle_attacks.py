"""Attacks on a shuffle, with what a player and an attacker know: no choice of cards is ever called fair.

The house and its partners try many values and keep the one that suits them. Each test says what the player's
receipt makes of it, and the last ones measure what it gains. `make thorough` tries 400 secrets a round.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.special import chdtrc  # type: ignore[import-untyped]

from fourcard.cards import DECK_SIZE, cards_named
from fourcard.dealing import cut_deck
from fourcard.house.clock_entropy import SeededEntropy
from fourcard.house.finished_rounds import export_rounds
from fourcard.house.shuffle_algorithm import (
    ALGORITHM,
    FIRST_ALGORITHM,
    SECRET_BYTES,
    Seed,
    ShuffleInput,
    order_of,
    seed_hash,
)
from fourcard.odds.evaluator import best_of_five, best_of_six
from tests.kit.houses import TestHouse, house_with
from tests.kit.shufflers import TABLE, Line, ProvenTable, receipt_for, verified
from tests.kit.support import WHOLE, game

TRIES = 400
ROUNDS = 2_000
SECRETS = 400 if WHOLE else 20
"""How many secrets the house tries for each of the measured rounds."""
KNOWN_ROUNDS = 100
HOUSE_ROUNDS = 12
CONTROL = 400_000
LEVEL = 0.001
ANN: Seed = ("ann", "5f0c9d2e81b7a6354f0c9d2e81b7a635")
PARTNER: Seed = ("bob", "a first seed of bob's")
CUT = DECK_SIZE // 2
Counts = NDArray[np.int64]


def margins(orders: Sequence[Sequence[int]] | NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return by how much the dealer's hand beats that of a lone player, dealt in turn from each deck."""
    decks = np.array(orders, np.uint8)
    player, dealer = best_of_five(decks[:, 0:10:2]), best_of_six(decks[:, [1, 3, 5, 7, 9, 10]])
    return dealer.astype(np.int64) - player


def best(shuffles: Iterable[tuple[bytes, ShuffleInput]], cut: int = 0) -> int:
    """Return which of some shuffles suits the house most."""
    orders = [order_of(secret, shuffle) for secret, shuffle in shuffles]
    return int(np.argmax(margins([cut_deck(order, cut) if cut else order for order in orders])))


class CheatingTable(ProvenTable):
    """A table with one player, whose house picks what its decks are shuffled from."""

    def __init__(self, pick: Callable[["CheatingTable", int], None], **parts: object) -> None:
        """Let ``pick`` choose before every shuffle."""
        self.pick, self.tried_round = pick, 0
        super().__init__(game("massachusetts"), (1,), **parts)  # type: ignore[arg-type]

    def shuffle(self) -> Sequence[int]:
        """Choose, and return the deck."""
        self.secrets.append(self.entropy.draw(32))
        self.pick(self, len(self.secrets))
        return order_of(self.secrets[-1], self.input(len(self.secrets)))

    def input(self, number: int) -> ShuffleInput:
        """Return what a shuffle depends on, with the round that the house claims."""
        honest = super().input(number)
        return replace(honest, round=self.tried_round) if self.tried_round else honest


def best_secret(table: CheatingTable, number: int) -> None:
    """Choose the best of many secrets for the seeds that the house knows."""
    secrets = [table.entropy.draw(32) for _ in range(TRIES)]
    table.secrets[-1] = secrets[best(((each, table.input(number)) for each in secrets), CUT)]


def best_partner_seed(table: CheatingTable, number: int) -> None:
    """Choose the best of many seeds of a partner, with secret and the player's seed known."""
    choices = [(ANN, ("bob", f"partner's seed {each:03}")) for each in range(TRIES)]
    inputs = [replace(table.input(number), seeds=seeds) for seeds in choices]
    table.seeds = choices[best(((table.secrets[-1], each) for each in inputs), CUT)]


def best_withheld_seed(table: CheatingTable, number: int) -> None:
    """Choose the best of many seeds of a partner that does not reveal it."""
    choices = [(("bob", f"partner's seed {each:03}"),) for each in range(TRIES)]
    hashes = [[("bob", seed_hash(TABLE, number, *each[0]))] for each in choices]
    inputs = [replace(table.input(number), withheld=each) for each in hashes]
    table.withheld = choices[best(((table.secrets[-1], each) for each in inputs), CUT)]


def best_round(table: CheatingTable, number: int) -> None:
    """Choose the best of many round numbers."""
    inputs = [replace(table.input(number), round=each) for each in range(2, TRIES + 2)]
    table.tried_round = best(((table.secrets[-1], each) for each in inputs), CUT) + 2


def dealers_margin(line: Line) -> int:
    """Return by how much the dealer's hand beats the player's in a round that was played."""
    player, dealer = cards_named(line["seats"][0]["cards"]), cards_named(line["dealer"])
    return int(best_of_six([dealer])[0]) - int(best_of_five([player])[0])


def call_before(line: Line, *seeds: Seed) -> Line:
    """Return what ann's page saw when the seeds were called, if these were hashed by then."""
    proof = line["proof"]
    hashes = [[player, seed_hash(TABLE, proof["shuffle"], player, seed)] for player, seed in seeds]
    return {"round": proof["round"], "hashes": hashes}


@pytest.mark.parametrize("algorithm", [FIRST_ALGORITHM, ALGORITHM])
def test_a_house_that_knows_a_permanent_seed_chooses_the_cards_and_is_not_called_fair(algorithm: str) -> None:
    line = CheatingTable(best_secret, seeds=(ANN,), algorithm=algorithm).play()
    assert dealers_margin(line) > 1_000, "the house got what it wanted"
    receipt = {key: line["proof"][key] for key in ("table", "shuffle", "commitment")} | {"seed": ANN[1]}
    found = verified(line, "ann", receipt | {"shuffle": 0}, receipt)
    assert (verified(line).verdict, found.verdict) == ("committed only", "committed only")
    assert any("the house could have known it" in each for each in found.findings)


def test_a_house_that_chooses_the_cards_of_a_player_without_a_seed_is_not_called_fair() -> None:
    line = CheatingTable(best_secret, seeds=()).play()
    assert dealers_margin(line) > 1_000
    assert (verified(line).verdict, verified(line, "ann").verdict) == ("committed only", "committed only")


class TryingEntropy(SeededEntropy):
    """Chance of a house that tries many secrets for its next shuffle, with all that it knows by then."""

    def __init__(self, house: TestHouse, table: str) -> None:
        """Take the house and its table."""
        super().__init__("trying")
        self.house, self.table = house, table

    def draw(self, count: int) -> bytes:
        """Return the best of many secrets, and anything else as it comes."""
        if count != SECRET_BYTES:
            return super().draw(count)
        book = self.house.house_table(self.table)
        made_from = ShuffleInput(self.table, book.shuffle_number + 1, (), book.state.round_number + 1)
        secrets = [super(TryingEntropy, self).draw(count) for _ in range(TRIES)]
        return secrets[best(((each, made_from) for each in secrets), CUT)]


@pytest.mark.parametrize(("draws", "verdict"), [(False, "committed only"), (True, "fair")])
def test_a_house_that_tries_secrets_gains_nothing_from_a_player_who_draws_seeds(
    verdict: str, *, draws: bool
) -> None:
    house = house_with(players=("ann",))
    house.service.cache.entropy = TryingEntropy(house, "main")
    house.drawing = frozenset(("ann",)) if draws else frozenset()
    house.play(house.rehearsal("main", ("ann",)), HOUSE_ROUNDS + 1)
    _, *lines = export_rounds(house.store, "main")
    won = [line for line in lines if dealers_margin(line) > 0]
    assert len(won) < HOUSE_ROUNDS - 2 if draws else len(won) == HOUSE_ROUNDS
    seeds = {number: seed for (_, number, _), seed in house.seeds.items()}
    receipts = [receipt_for(line, seeds[line["proof"]["shuffle"]]) for line in lines if draws]
    assert {verified(line, "ann", *receipts).verdict for line in lines} == {verdict}


def test_a_partner_that_chooses_its_seed_last_is_caught_by_its_hash() -> None:
    line = CheatingTable(best_partner_seed, seeds=(ANN, PARTNER)).play()
    assert dealers_margin(line) > 1_000
    receipt = receipt_for(line, ANN[1], call=call_before(line, ANN, PARTNER))
    found = verified(line, "ann", receipt)
    assert (found.verdict, found.findings) == (
        "false",
        ("The seed of bob does not match the hash that you saw before you revealed yours.",),
    )


@pytest.mark.parametrize("pick", [best_partner_seed, best_withheld_seed])
def test_a_partner_that_comes_in_last_is_caught(pick: Callable[[CheatingTable, int], None]) -> None:
    line = CheatingTable(pick, seeds=(ANN,)).play()
    assert dealers_margin(line) > 1_000
    found = verified(line, "ann", receipt_for(line, ANN[1], call=call_before(line, ANN)))
    assert found.verdict == "false"
    assert found.findings[0] == "The seed of bob was added after the house had called yours."
    blind = receipt_for(line, ANN[1])
    del blind["call"]
    assert verified(line, "ann", blind).verdict == "committed only", "without hashes nobody can tell"


def test_a_house_that_tries_round_numbers_is_caught() -> None:
    line = CheatingTable(best_round, seeds=(ANN,)).play()
    tried, other_id = line["proof"]["round"], line | {"id": "r1"}
    assert dealers_margin(line) > 1_000
    receipt = receipt_for(line, ANN[1], call=call_before(line, ANN) | {"round": 1})
    found = verified(other_id, "ann", receipt)
    said = f"The house called your seed for round 1, but the proof is of round {tried}."
    assert (found.verdict, found.findings) == ("false", (said,))
    del receipt["call"]
    said = f"The line is of round {TABLE}/1, but its proof is of round {TABLE}/{tried}."
    assert verified(line, "ann", receipt).findings == (said,)
    assert verified(other_id, "ann", receipt).verdict == "committed only"


def test_a_house_that_calls_a_seed_late_gains_one_choice_and_is_seen() -> None:
    line = CheatingTable(lambda *_: None, seeds=(), withheld=(ANN,)).play()
    found = verified(line, "ann", receipt_for(line, ANN[1]))
    assert (found.verdict, found.own_seed, found.withheld) == ("committed only", "withheld", ("ann",))


def page_seed(chance: Random) -> str:
    """Return a seed as a page draws it."""
    return chance.randbytes(16).hex()


def outcomes(count: int, secrets: int, chance: Random, *, known: bool) -> Counts:
    """Count player's wins, ties and dealer's wins where the house commits to the best of some secrets.

    It tries them with the seed of the round before, or with the seed itself if that is known.
    """
    seed, orders = page_seed(chance), list[Sequence[int]]()
    for number in range(1, count + 1):
        fresh = page_seed(chance)
        guess = ShuffleInput(TABLE, number, (("ann", fresh if known else seed),), number)
        tried = [chance.randbytes(32) for _ in range(secrets)]
        chosen = tried[best((each, guess) for each in tried)]
        orders.append(order_of(chosen, replace(guess, seeds=(("ann", fresh),))))
        seed = fresh
    return counted(margins(orders))


def counted(found: NDArray[np.int64]) -> Counts:
    """Count player's wins, ties and dealer's wins."""
    return np.array([(found < 0).sum(), (found == 0).sum(), (found > 0).sum()])


@cache
def control() -> Counts:
    """Count the outcomes of decks that nobody chose."""
    chance = np.random.default_rng(11)
    decks = chance.permuted(np.tile(np.arange(DECK_SIZE, dtype=np.uint8), (CONTROL, 1)), axis=1)
    return counted(margins(decks))


def p_value(observed: Counts) -> float:
    """Return how often chance alone gives outcomes as far from the control, by a chi-square test of both."""
    table = np.array([observed, control()], float)
    expected = table.sum(0) * table.sum(1, keepdims=True) / table.sum()
    return float(chdtrc(len(observed) - 1, ((table - expected) ** 2 / expected).sum()))


def test_trying_secrets_before_the_seeds_are_drawn_gains_nothing() -> None:
    observed = outcomes(ROUNDS, SECRETS, Random(7), known=False)
    assert observed.sum() == ROUNDS
    assert p_value(observed) > LEVEL


def test_trying_secrets_for_known_seeds_gains_every_round() -> None:
    observed = outcomes(KNOWN_ROUNDS, SECRETS, Random(8), known=True)
    assert observed[2] >= KNOWN_ROUNDS - 1
    assert p_value(observed) < LEVEL / 1e6
