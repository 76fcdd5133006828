"""Shuffles of the house: committed one ahead, seeded by players, revealed when spent, and never before."""

import pytest

from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import ChooseSeed, InstallTable
from fourcard.house.decision import table_stream
from fourcard.house.events import (
    SecretRevealed,
    SeedChosen,
    ShuffleCommitted,
    ShuffleDrawn,
)
from fourcard.house.fairness.shuffle_algorithm import commitment_of, order_of
from fourcard.house.journal import TABLE_CODEC
from fourcard.house.route_command import Request
from fourcard.refusal_codes import Code
from fourcard.round.commands import CallOff, ReportIrregularity
from fourcard.round.events import CardsDealt, RoundEnded, RoundVoided
from fourcard.rules.procedures import StepName
from fourcard.rules.submission import examples
from fourcard.table.commands import BringDeck, CloseTable, OpenTable, OrderShuffle, Prepare, ReportFailure
from fourcard.table.deck_preparation import ends_shuffle
from fourcard.table.events import RoundBegan, StepPrepared
from tests.kit.houses import TestHouse, house_with, play_keyed, player, submission_text

MAIN = table_stream("main")
PLAYERS = ("ann", "bob")


def events(house: TestHouse) -> list[object]:
    """Return every event of the table."""
    with house.store.reading() as reading:
        return [TABLE_CODEC.decode(record) for record in reading.events(MAIN)]


@pytest.mark.parametrize("example", sorted(examples()))
def test_every_order_follows_from_a_secret_that_was_committed_to_before(example: str) -> None:
    house = house_with(example, PLAYERS)
    house.at("main", ChooseSeed(player="ann", seed="my own luck"), player("ann"))
    house.play(house.rehearsal("main", PLAYERS), 4)
    house.at("main", CloseTable())
    committed: dict[int, str] = {}
    drawn: dict[int, ShuffleDrawn] = {}
    orders: dict[int, tuple[int, ...]] = {}
    shown = 0
    for event in events(house):
        if isinstance(event, ShuffleCommitted):
            committed[event.shuffle] = event.commitment
        elif isinstance(event, ShuffleDrawn):
            assert event.shuffle == max(committed), "the open commitment, and no other"
            assert event.seeds == (("ann", "my own luck"),)
            drawn[event.shuffle] = event
        elif isinstance(event, StepPrepared) and event.order is not None:
            orders[max(drawn)] = event.order
        elif isinstance(event, SecretRevealed):
            secret = bytes.fromhex(event.secret)
            assert commitment_of(secret) == committed[event.shuffle]
            seeds = drawn[event.shuffle].seeds
            assert orders[event.shuffle] == order_of(secret, "main", event.shuffle, seeds)
            shown += 1
    assert shown == len(drawn) == len(orders) >= 4
    assert len(committed) == len(drawn) + 1


@pytest.mark.parametrize("example", sorted(examples()))
def test_no_secret_is_shown_while_its_cards_can_still_be_dealt(example: str) -> None:
    house = house_with(example, PLAYERS)
    house.play(house.rehearsal("main", PLAYERS), 3)
    of_deck: dict[int, int] = {}
    active = 0
    in_play = 0
    for event in events(house):
        if isinstance(event, ShuffleDrawn):
            of_deck[event.deck] = event.shuffle
        elif isinstance(event, RoundBegan):
            active = event.deck
        elif isinstance(event, CardsDealt):
            in_play = of_deck[active]
        elif isinstance(event, RoundEnded | RoundVoided):
            in_play = 0
        elif isinstance(event, SecretRevealed):
            assert event.shuffle != in_play


def test_a_secret_is_forgotten_when_it_is_public_and_one_is_always_kept() -> None:
    house = house_with(players=PLAYERS)
    house.play(house.rehearsal("main", PLAYERS), 3)
    hidden = {each.shuffle for each in events(house) if isinstance(each, ShuffleCommitted)}
    hidden -= {each.shuffle for each in events(house) if isinstance(each, SecretRevealed)}
    with house.store.reading() as reading:
        assert {number for _, number in reading.secrets()} == hidden
    assert house.house_table("main").shuffle_number in hidden


def test_a_seed_counts_from_the_next_shuffle_on_and_can_be_taken_back() -> None:
    house = house_with(players=PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    house.play(bots)
    house.at("main", ChooseSeed(player="ann", seed="one"), player("ann"))
    house.at("main", ChooseSeed(player="bob", seed="two"), player("bob"))
    house.play(bots)
    house.at("main", ChooseSeed(player="ann", seed=""), player("ann"))
    house.play(bots)
    seeds = [each.seeds for each in events(house) if isinstance(each, ShuffleDrawn)]
    assert seeds[0] == ()
    assert (("ann", "one"), ("bob", "two")) in seeds
    assert seeds[-1] == (("bob", "two"),)
    assert [each.seed for each in events(house) if isinstance(each, SeedChosen)] == ["one", "two", ""]


@pytest.mark.parametrize(
    ("seed", "fits"), [("s", True), ("s" * 64, True), ("s" * 65, False), (" s", False), ("é", False)]
)
def test_a_seed_is_short_and_plain(seed: str, fits: bool) -> None:
    house = house_with(players=PLAYERS)
    command = ChooseSeed(player="ann", seed=seed)
    if fits:
        assert house.at("main", command, player("ann")).events
    else:
        assert house.refused(MAIN, command, player("ann")).code is Code.SEED_UNFIT


@pytest.mark.clause("P28")
def test_nobody_keys_in_an_order_where_the_house_shuffles() -> None:
    house = house_with("maryland", PLAYERS)
    order = tuple(range(52))
    step = Prepare(step="inspect_cards", order=order)
    assert house.refused(MAIN, step).clauses == ("P28",)
    brought = BringDeck(back="red", preshuffled=True, role="floorperson")
    assert house.refused(MAIN, brought).code is Code.CARDS_SOURCE
    known = BringDeck(back="red", preshuffled=True, order=order, role="floorperson")
    assert house.refused(MAIN, known).code is Code.ORDER_FROM_DESK


@pytest.mark.clause("P28")
def test_a_dealer_keys_in_the_cards_of_a_physical_deck() -> None:
    house = house_with("washington", PLAYERS, cards="keyed")
    for number, cards in enumerate((range(52), range(51, -1, -1)), 1):
        play_keyed(house, "main", PLAYERS, tuple(cards), keys=f"k{number}")
        assert house.number("main") == number
    kinds = {type(each) for each in events(house)}
    assert not kinds & {ShuffleCommitted, ShuffleDrawn, SecretRevealed}
    with house.store.reading() as reading:
        assert not reading.secrets()


def test_preshuffled_cards_may_come_to_a_table_with_keyed_cards() -> None:
    house = TestHouse()
    house.staff()
    house.install("main", "maryland", cards="keyed")
    house.service.cache.forget([MAIN])
    opening = OpenTable(decks=("red", "blue"), preshuffled=True, role="floorperson")
    assert house.refused(MAIN, opening).code is Code.TRAY_UNCOUNTED
    keyed = OpenTable(decks=("red", "blue"), preshuffled=True, orders=(tuple(range(52)),) * 2)
    assert house.refused(MAIN, keyed).code is Code.TRAY_UNCOUNTED


def test_a_round_called_off_before_the_first_card_keeps_its_secret() -> None:
    house = house_with(players=PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    while house.between("main"):
        house.step(bots)
    drawn = house.house_table("main").unrevealed_shuffles
    house.at("main", CallOff())
    assert house.house_table("main").unrevealed_shuffles == drawn
    assert not any(isinstance(each, SecretRevealed) for each in events(house))


def test_a_void_round_shows_its_secret() -> None:
    house = house_with(players=PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    while house.between("main") or not _dealt(house):
        house.step(bots)
    (number,) = [
        n for deck, n in house.house_table("main").unrevealed_shuffles.items() if deck == _active(house)
    ]
    state = house.house_table("main").state
    assert state.round is not None
    shown = ReportIrregularity(irregularity="dealer_card_exposed", card=state.round.dealer[0])
    answer = house.at("main", shown)
    assert [each.shuffle for each in answer.events if isinstance(each, SecretRevealed)] == [number]


def _dealt(house: TestHouse) -> bool:
    current_round = house.house_table("main").state.round
    return current_round is not None and current_round.phase == "deciding"


def _active(house: TestHouse) -> int:
    return house.house_table("main").state.active


def test_cards_that_are_shuffled_again_on_order_give_their_secret_away() -> None:
    house = house_with("maryland", PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    while house.between("main"):
        house.step(bots)
    number = house.house_table("main").unrevealed_shuffles[_active(house)]
    answer = house.at("main", OrderShuffle(role="floorperson"))
    assert [each.shuffle for each in answer.events if isinstance(each, SecretRevealed)] == [number]


def test_another_game_at_the_table_keeps_the_open_commitment() -> None:
    house = house_with(players=PLAYERS)
    house.play(house.rehearsal("main", PLAYERS))
    house.at("main", CloseTable())
    book = house.house_table("main")
    house.at("main", InstallTable(submission=submission_text("catfish-bend")))
    after = house.house_table("main")
    assert (after.shuffle_number, after.commitment) == (book.shuffle_number, book.commitment)
    assert after.game_hash != book.game_hash
    house.play(house.rehearsal("main", PLAYERS, keys="again"))
    assert house.number("main") == 2


@pytest.mark.parametrize("example", ["massachusetts-everything", "maryland", "washington", "catfish-bend"])
def test_seeing_to_a_failed_device_spends_no_secret(example: str) -> None:
    house = house_with(example, PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    house.play(bots)
    while not _shuffle_due(house):
        house.step(bots)
    house.at("main", ReportFailure(device="shuffler"))
    while not _shuffle_due(house):
        house.step(bots)
    before = house.house_table("main").shuffle_number
    steps: tuple[StepName, ...] = ("remove_device", "cover_device", "mark_device", "cut")
    house.service.execute([Request(MAIN, Prepare(step=step), BOT_STAFF) for step in steps])
    assert house.house_table("main").shuffle_number == before
    drawn = [each for each in events(house) if isinstance(each, ShuffleDrawn)]
    orders = [each for each in events(house) if isinstance(each, StepPrepared) and each.order is not None]
    assert len(drawn) == len(orders)


def _shuffle_due(house: TestHouse) -> bool:
    state = house.house_table("main").state
    agenda = state.decks[state.active].agenda
    return bool(agenda) and ends_shuffle(agenda)
