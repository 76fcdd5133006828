"""Shuffles of the house: committed one ahead, seeded by players, drawn with the first card, then revealed."""

from typing import get_args
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from fourcard.dealing import cut_deck
from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import BOT_STAFF, TableBots, next_staff_command
from fourcard.house.commands import ChooseSeed, CommitSeed, CountTray, InstallTable, RevealSeed
from fourcard.house.decide_shuffle import SEED_WAIT, dealable_state
from fourcard.house.decision import table_stream
from fourcard.house.events import (
    SecretRevealed,
    SeedCommitted,
    SeedsCalled,
    SeedsDiscarded,
    ShuffleCommitted,
    ShuffleDrawn,
)
from fourcard.house.journal import TABLE_CODEC
from fourcard.house.route_command import CommandResult, Request
from fourcard.house.shuffle_algorithm import (
    ALGORITHM,
    FIRST_ALGORITHM,
    ShuffleInput,
    commitment_of,
    order_of,
    seed_hash,
)
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError
from fourcard.round.commands import (
    CallOff,
    Deal,
    JudgeCount,
    LeaveSeat,
    Perform,
    PlaceWager,
    ReportIrregularity,
)
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded, RoundEnded, RoundVoided
from fourcard.round.irregularities import FACE_UP_KINDS
from fourcard.rules.limits import least_wager
from fourcard.rules.procedures import IrregularityKind, StepName
from fourcard.rules.submission import examples
from fourcard.table.commands import (
    BeginRound,
    BringDeck,
    CloseTable,
    OpenTable,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
)
from fourcard.table.deck_preparation import ends_shuffle
from fourcard.table.events import DeckOrdered, RoundBegan, StepPrepared
from fourcard.table.legal_commands import legal_commands
from tests.kit.houses import (
    SEED_HASH,
    TestHouse,
    house_with,
    play_keyed,
    player,
    shuffled_seldom,
    submission_text,
)

MAIN = table_stream("main")
PLAYERS = ("ann", "bob")
SHUFFLING: StepName = "shuffle_by_machine"


def events(house: TestHouse) -> list[object]:
    """Return every event of the table."""
    with house.store.reading() as reading:
        return [TABLE_CODEC.decode(record) for record in reading.events(MAIN)]


@pytest.mark.clause("P28")
@pytest.mark.clause("P40")
@pytest.mark.parametrize("example", sorted(examples()))
def test_every_order_follows_from_a_secret_and_seeds_that_were_fixed_before(example: str) -> None:
    house = house_with(example, PLAYERS)
    house.drawing = frozenset(("ann",))
    house.play(house.rehearsal("main", PLAYERS), 4)
    house.at("main", CloseTable())
    committed: dict[int, str] = {}
    hashes: dict[int, str] = {}
    drawn: dict[int, ShuffleDrawn] = {}
    orders: dict[int, tuple[int, ...]] = {}
    called, shown, number = 0, 0, 0
    for event in events(house):
        if isinstance(event, ShuffleCommitted):
            committed[event.shuffle] = event.commitment
            assert event.algorithm == ALGORITHM
        elif isinstance(event, SeedCommitted):
            assert event.shuffle == max(committed), "after the commitment of the house"
            hashes[event.shuffle] = event.hash
        elif isinstance(event, RoundBegan):
            number = event.number
        elif isinstance(event, SeedsCalled):
            called = event.shuffle
        elif isinstance(event, ShuffleDrawn):
            assert event.shuffle == max(committed) == called, "the open commitment, and no other"
            ((player_, seed),) = event.seeds
            assert hashes[event.shuffle] == seed_hash("main", event.shuffle, player_, seed)
            assert (event.withheld, event.round) == ((), number)
            drawn[event.shuffle] = event
        elif isinstance(event, DeckOrdered):
            orders[max(drawn)] = event.order
        elif isinstance(event, SecretRevealed):
            secret, used = bytes.fromhex(event.secret), drawn[event.shuffle]
            assert commitment_of(secret) == committed[event.shuffle]
            shuffle = ShuffleInput("main", event.shuffle, used.seeds, used.round)
            assert orders[event.shuffle] == order_of(secret, shuffle)
            shown += 1
        assert not isinstance(event, StepPrepared) or event.order is None
    assert shown == len(drawn) == len(orders) == 4
    assert len(committed) == len(drawn) + 1


@pytest.mark.clause("P40")
def test_no_deck_has_an_order_before_its_first_card() -> None:
    house = house_with("maryland", PLAYERS)
    house.drawing = frozenset(("ann",))
    bots = house.rehearsal("main", PLAYERS)
    seen = set()
    for _ in range(80):
        book = house.house_table("main")
        deck, current_round = book.state.decks[book.state.active], book.state.round
        dealing = current_round is not None and current_round.dealt_mask
        if deck.mixed and not deck.agenda and not dealing:
            assert deck.order is None
            seen.add("betting" if current_round is not None else "between")
        house.step(bots)
    assert seen == {"between", "betting"}


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


def begin_betting(house: TestHouse) -> TableBots:
    """Begin a round at the table, with a wager of everybody."""
    bots = house.rehearsal("main", PLAYERS)
    while house.between("main"):
        house.step(bots)
    place_antes(house)
    return bots


def place_antes(house: TestHouse) -> None:
    """Place the least Ante of everybody."""
    ante = least_wager(house.house_table("main").state.game, "ante")
    for position, name in enumerate(PLAYERS, 1):
        house.at("main", PlaceWager(position=position, wager="ante", amount=ante), player(name))


def close_bets(house: TestHouse) -> None:
    """Close the bets, which calls the seeds."""
    while house.house_table("main").seeds_called_at is None:
        command = next_staff_command(house.house_table("main"))
        house.at("main", command)


def deal(house: TestHouse) -> Refusal | CommandResult:
    """Deal the first card, after every step before it."""
    while True:
        command = next_staff_command(house.house_table("main"))
        if isinstance(command, Deal):
            break
        house.at("main", command)
    try:
        return house.at("main", command)
    except RefusedError as error:
        return error.refusal


def drawn_with(answer: Refusal | CommandResult) -> ShuffleDrawn:
    """Return the draw of a shuffle."""
    assert isinstance(answer, CommandResult), answer
    return next(event for event in answer.events if isinstance(event, ShuffleDrawn))


@pytest.mark.clause("P40")
@pytest.mark.parametrize("example", sorted(examples()))
def test_the_first_card_waits_two_seconds_for_a_seed_and_counts_its_hash_then(example: str) -> None:
    house = house_with(example, PLAYERS)
    begin_betting(house)
    seed = house.commit_seed("main", "ann")
    house.commit_seed("main", "bob")
    close_bets(house)
    house.at("main", RevealSeed(player="ann", shuffle=1, seed=seed), player("ann"))
    house.clock.at += SEED_WAIT - 1
    waits = deal(house)
    assert isinstance(waits, Refusal)
    assert (waits.code, waits.clauses) == (Code.SEEDS_AWAITED, ("P40",))
    assert "bob" in waits.message
    hash_ = house.house_table("main").seed_hashes["bob"]
    house.clock.at += 1
    drawn = drawn_with(deal(house))
    assert (drawn.seeds, drawn.withheld) == ((("ann", seed),), (("bob", hash_),))
    late = RevealSeed(player="bob", shuffle=1, seed=house.seeds["main", 1, "bob"])
    assert house.refused(MAIN, late, player("bob")).code is Code.SEED_OTHER_SHUFFLE


@pytest.mark.clause("P40")
def test_the_first_card_waits_no_longer_than_the_last_seed() -> None:
    house = house_with(players=PLAYERS)
    begin_betting(house)
    seeds = {name: house.commit_seed("main", name) for name in PLAYERS}
    close_bets(house)
    for name, seed in seeds.items():
        assert isinstance(deal(house), Refusal)
        house.at("main", RevealSeed(player=name, shuffle=1, seed=seed), player(name))
    assert drawn_with(deal(house)).seeds == tuple(sorted(seeds.items()))


@pytest.mark.clause("P40")
def test_who_reveals_last_cannot_choose_another_seed() -> None:
    house = house_with(players=PLAYERS)
    begin_betting(house)
    house.commit_seed("main", "ann")
    house.commit_seed("main", "bob")
    close_bets(house)
    house.at("main", RevealSeed(player="ann", shuffle=1, seed=house.seeds["main", 1, "ann"]), player("ann"))
    for attempt in range(400):
        chosen = RevealSeed(player="bob", shuffle=1, seed=f"the best of them is {attempt}")
        assert house.refused(MAIN, chosen, player("bob")).code is Code.SEED_MISMATCH
    again = CommitSeed(player="bob", shuffle=1, hash=seed_hash("main", 1, "bob", "the best of them is 7"))
    assert house.refused(MAIN, again, player("bob")).code is Code.SEED_LATE


@pytest.mark.clause("P40")
def test_a_hash_counts_once_from_a_seated_player_and_for_the_next_shuffle() -> None:
    house = house_with(players=PLAYERS)
    house.register("cid")
    assert house.refused(MAIN, committed_by("cid"), player("cid")).code is Code.SEED_UNSEATED
    assert house.refused(MAIN, committed_by("ann", shuffle=0), player("ann")).code is Code.SEED_OTHER_SHUFFLE
    assert house.refused(MAIN, committed_by("ann", shuffle=2), player("ann")).code is Code.SEED_OTHER_SHUFFLE
    for unfit in ("", "a" * 63, "a" * 65, "A" * 64, "g" * 64):
        assert house.refused(MAIN, committed_by("ann", unfit), player("ann")).code is Code.SEED_HASH_UNFIT
    house.at("main", committed_by("ann", "0" * 64), player("ann"))
    house.at("main", committed_by("ann"), player("ann"))
    assert house.house_table("main").seed_hashes == {"ann": SEED_HASH}
    early = RevealSeed(player="ann", shuffle=1, seed="s" * 16)
    assert house.refused(MAIN, early, player("ann")).code is Code.SEED_EARLY
    house.at("main", LeaveSeat(position=1), player("ann"))
    assert house.house_table("main").seed_hashes == {}


def committed_by(name: str, hash_: str = SEED_HASH, shuffle: int = 1) -> CommitSeed:
    """Return the hash of a player's seed."""
    return CommitSeed(player=name, shuffle=shuffle, hash=hash_)


@pytest.mark.clause("P40")
@pytest.mark.parametrize(
    ("seed", "fits"),
    [("s" * 15, False), ("s" * 16, True), ("s" * 64, True), ("s" * 65, False), (" " + "s" * 20, False),
     ("é" * 20, False), ("lucky seven, and more of it", True)],
)  # fmt: skip
def test_a_seed_is_long_enough_and_plain(seed: str, fits: bool) -> None:
    house = house_with(players=PLAYERS)
    begin_betting(house)
    house.commit_seed("main", "ann", seed)
    close_bets(house)
    command = RevealSeed(player="ann", shuffle=1, seed=seed)
    if fits:
        assert house.at("main", command, player("ann")).events
        assert house.refused(MAIN, command, player("ann")).code is Code.SEED_NOT_DUE
    else:
        assert house.refused(MAIN, command, player("ann")).code is Code.SEED_MISMATCH
    assert house.refused(MAIN, replace(command, player="bob"), player("bob")).code is Code.SEED_NOT_DUE


@pytest.mark.clause("P40")
def test_tables_without_a_shuffle_of_the_house_take_no_seeds() -> None:
    house = house_with("washington", PLAYERS, cards="keyed")
    assert house.refused(MAIN, committed_by("ann", shuffle=0), player("ann")).code is Code.SEEDS_ABSENT
    permanent = ChooseSeed(player="ann", seed="lucky")
    assert house_with().refused(MAIN, permanent, player("ann")).code is Code.SEED_NOT_KEPT


@pytest.mark.clause("P40")
@pytest.mark.parametrize(
    ("example", "change"),
    [
        ("massachusetts", CallOff(role="floorperson")),
        ("massachusetts", OrderRecut(role="casino-supervisor")),
        ("maryland", OrderShuffle(role="floorperson")),
        ("shuffle-master", ReportFailure(device="shuffler", role="floorperson")),
    ],
)
def test_once_seeds_are_called_another_deal_spends_the_secret(example: str, change: object) -> None:
    """With the seeds the house can work the cards out, so that it must not deal others instead."""
    house = house_with(example, PLAYERS)
    house.drawing = frozenset(("ann",))
    bots = begin_betting(house)
    house.send_seeds("main")
    before = house.house_table("main")
    close_bets(house)
    answer = house.at("main", change)
    assert SeedsDiscarded(before.shuffle_number) in answer.events
    (revealed,) = [each for each in answer.events if isinstance(each, SecretRevealed)]
    assert revealed.shuffle == before.shuffle_number
    assert commitment_of(bytes.fromhex(revealed.secret)) == before.commitment
    after = house.house_table("main")
    assert (after.shuffle_number, after.seed_hashes) == (before.shuffle_number + 1, {})
    assert (after.seeds_called_at, after.discarded_shuffle) == (None, None)
    house.play(bots, 1 if after.state.round is None else 0)
    used = [each for each in events(house) if isinstance(each, ShuffleDrawn)]
    assert [each.shuffle for each in used] == [before.shuffle_number + 1]
    assert [name for name, _ in used[0].seeds] == ["ann"]
    assert {each.place.name for each in audit(house.store).findings} == {"house"}, "it was never founded"


@pytest.mark.clause("P40")
def test_a_card_found_face_up_before_the_first_is_drawn_from_the_shuffle_too() -> None:
    house = house_with("maryland", PLAYERS)
    house.drawing = frozenset(("ann",))
    bots = begin_betting(house)
    while not isinstance(next_staff_command(house.house_table("main")), Deal):
        house.step(bots)
    house.send_seeds("main")
    answer = house.at("main", ReportIrregularity(irregularity="one_face_up_card", place=0))
    drawn, ordered, *_ = answer.events
    assert isinstance(drawn, ShuffleDrawn)
    assert isinstance(ordered, DeckOrdered)
    (discarded,) = [each for each in answer.events if isinstance(each, FaceUpCardDiscarded)]
    order = ordered.order
    for depth in house.house_table("main").drawn_shuffles[_active(house)].cuts:
        order = cut_deck(order, depth)
    assert discarded.card == order[0]
    house.play(bots, 0)


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
    house.do(MAIN, CloseTable())
    house.do(MAIN, CountTray(occasion="opening", cents=0, role="floorperson"))
    opening = OpenTable(decks=("red", "blue"), preshuffled=True, role="floorperson")
    assert house.refused(MAIN, opening).code is Code.CARDS_SOURCE
    assert house.refused(MAIN, replace(opening, orders=(order,) * 2)).code is Code.ORDER_FROM_DESK


@pytest.mark.clause("P28")
def test_a_dealer_keys_in_the_cards_of_a_physical_deck() -> None:
    house = house_with("washington", PLAYERS, cards="keyed")
    for number, cards in enumerate((range(52), range(51, -1, -1)), 1):
        play_keyed(house, "main", PLAYERS, tuple(cards), keys=f"k{number}")
        assert house.number("main") == number
    kinds = {type(each) for each in events(house)}
    assert not kinds & {ShuffleCommitted, ShuffleDrawn}
    with house.store.reading() as reading:
        assert not reading.secrets()


@pytest.mark.clause("P28")
def test_preshuffled_cards_may_come_to_a_table_with_keyed_cards() -> None:
    house = house_with("maryland", PLAYERS, cards="keyed")
    brought = BringDeck(back="red", preshuffled=True, role="floorperson")
    assert house.do(MAIN, brought).events
    house.do(MAIN, CloseTable())
    opening = OpenTable(decks=("red", "blue"), preshuffled=True, role="floorperson")
    assert house.refused(MAIN, opening).code is Code.TRAY_UNCOUNTED
    keyed = OpenTable(decks=("red", "blue"), preshuffled=True, orders=(tuple(range(52)),) * 2)
    assert house.refused(MAIN, keyed).code is Code.TRAY_UNCOUNTED


def test_a_round_called_off_before_the_first_card_keeps_its_secret() -> None:
    house = house_with(players=PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    while house.between("main"):
        house.step(bots)
    before = house.house_table("main")
    house.at("main", CallOff())
    after = house.house_table("main")
    assert (after.shuffle_number, after.commitment) == (before.shuffle_number, before.commitment)
    assert not any(isinstance(each, SecretRevealed) for each in events(house))


@pytest.mark.clause("P40")
@pytest.mark.parametrize("drawing", [("ann",), ()])
def test_seeds_are_called_only_where_a_player_sent_a_hash(drawing: tuple[str, ...]) -> None:
    house = house_with("maryland", PLAYERS)
    house.drawing = frozenset(drawing)
    house.play(house.rehearsal("main", PLAYERS), 2)
    called = [event.shuffle for event in events(house) if isinstance(event, SeedsCalled)]
    assert called == ([1, 2] if drawing else [])


@pytest.mark.clause("P40")
def test_a_report_before_the_first_card_draws_no_order_unless_a_card_lies_face_up() -> None:
    house = house_with("maryland", PLAYERS)
    begin_betting(house)
    close_betting(house)
    for kind in get_args(IrregularityKind):
        if kind not in FACE_UP_KINDS:
            early = ReportIrregularity(irregularity=kind, position=1, card=0, count=4, role="floorperson")
            assert house.refused(MAIN, early).code is not Code.SEEDS_AWAITED
    assert not any(isinstance(event, ShuffleDrawn) for event in events(house))
    house.at("main", ReportIrregularity(irregularity="one_face_up_card", place=0))
    assert any(isinstance(event, ShuffleDrawn) for event in events(house))


def close_betting(house: TestHouse) -> None:
    """Perform every step before the first card."""
    while not isinstance(command := next_staff_command(house.house_table("main")), Deal):
        house.at("main", command)


@pytest.mark.clause("P40")
def test_a_table_that_shuffled_takes_no_seeds_once_its_cards_are_keyed_in() -> None:
    house = house_with("washington", PLAYERS)
    house.play(house.rehearsal("main", PLAYERS))
    house.at("main", CloseTable())
    house.at("main", InstallTable(submission=submission_text("washington"), cards="keyed"))
    number = house.house_table("main").shuffle_number
    assert house.refused(MAIN, committed_by("ann", shuffle=number), player("ann")).code is Code.SEEDS_ABSENT


def test_staff_may_deal_a_deck_that_lies_ready_and_key_no_card_in() -> None:
    house = house_with("washington", PLAYERS)
    begin_betting(house)
    close_betting(house)
    table = house.house_table("main")
    assert table.state.decks[table.state.active].order is None
    assert Deal() in legal_commands(dealable_state(table))
    keyed = replace(table, card_source="keyed")
    assert dealable_state(keyed) is keyed.state
    house.at("main", CallOff(role="floorperson"))
    house.at("main", CloseTable())
    closed = house.house_table("main")
    assert dealable_state(closed) is closed.state


@pytest.mark.clause("P40")
def test_a_deck_taken_out_of_use_shows_its_secret() -> None:
    house = house_with("massachusetts", PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    while not isinstance(next_staff_command(house.house_table("main")), BeginRound):
        house.step(bots)
    house.at("main", BeginRound(count_stub=True))
    place_antes(house)
    while not (isinstance(step := next_staff_command(house.house_table("main")), Perform) and step.count):
        house.at("main", step)
    number = house.house_table("main").unrevealed_shuffles[_active(house)]
    house.at("main", replace(step, count=step.count - 1))
    answer = house.at("main", JudgeCount(stub=step.count - 1, hands={1: 5, 2: 5, 0: 6}))
    assert house.house_table("main").state.decks[0].removed
    assert [each.shuffle for each in answer.events if isinstance(each, SecretRevealed)] == [number]


@pytest.mark.clause("P40")
def test_a_table_that_closes_shows_the_secret_of_cards_that_were_to_be_dealt_again() -> None:
    with patch("fourcard.house.state_cache.game_of_submission", shuffled_seldom):
        house = house_with("maryland", PLAYERS)
        house.play(house.rehearsal("main", PLAYERS))
        kept = house.house_table("main").unrevealed_shuffles
        assert kept
        answer = house.at("main", CloseTable())
    shown = [each.shuffle for each in answer.events if isinstance(each, SecretRevealed)]
    assert sorted(shown) == sorted(kept.values())


@pytest.fixture
def older_house() -> TestHouse:
    """Return a house whose table committed to its next shuffle under version 0.1."""
    with patch("fourcard.house.state_cache.ALGORITHM", FIRST_ALGORITHM):
        return house_with("maryland", PLAYERS)


@pytest.mark.clause("P28")
@pytest.mark.clause("P40")
def test_a_shuffle_that_version_0_1_committed_to_is_drawn_as_it_ends(older_house: TestHouse) -> None:
    house = older_house
    assert house.refused(MAIN, committed_by("ann", shuffle=1), player("ann")).code is Code.SEEDS_ABSENT
    house.at("main", ChooseSeed(player="ann", seed="luck"), player("ann"))
    house.at("main", ChooseSeed(player="bob", seed="luck"), player("bob"))
    house.at("main", ChooseSeed(player="bob", seed=""), player("bob"))
    assert house.refused(MAIN, ChooseSeed(player="ann", seed="é"), player("ann")).code is Code.SEED_UNFIT
    nobody = ChooseSeed(player="zed", seed="luck", role="dealer")
    assert house.refused(MAIN, nobody, player("zed")).code is Code.PLAYER_UNKNOWN
    drawn = list[ShuffleDrawn]()
    while isinstance(step := next_staff_command(house.house_table("main")), Prepare):
        agenda = house.house_table("main").state.agenda
        for deck in (-1, 1):
            assert house.refused(MAIN, replace(step, deck=deck)).code is Code.DECK_UNKNOWN
        other = house.refused(MAIN, replace(step, step=SHUFFLING if step.step != SHUFFLING else "wash"))
        assert other.code is Code.STEP_NOT_DUE
        found = [each for each in house.at("main", step).events if isinstance(each, ShuffleDrawn)]
        assert bool(found) == ends_shuffle(agenda)
        drawn += found
    assert [(each.shuffle, each.seeds) for each in drawn] == [(1, (("ann", "luck"),))]
    assert house.house_table("main").algorithm == ALGORITHM


def cuts_of(house: TestHouse) -> tuple[int, ...]:
    """Return how deep the last drawn shuffle of the deck in play was cut."""
    return house.house_table("main").drawn_shuffles[_active(house)].cuts


@pytest.mark.clause("P40")
def test_a_proof_has_the_cuts_of_its_own_shuffle() -> None:
    house = house_with("massachusetts", PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    for number in (1, 2):
        while house.house_table("main").state.round_number < number:
            before = cuts_of(house) if number > 1 else ()
            house.step(bots)
            assert (cuts_of(house) if number > 1 else ()) == before
        while not _dealt(house):
            house.step(bots)
        assert len(cuts_of(house)) == 1
        while not house.between("main"):
            house.step(bots)


def test_a_shuffle_of_version_0_1_notes_a_cut_and_no_other_depth() -> None:
    with patch("fourcard.house.state_cache.ALGORITHM", FIRST_ALGORITHM):
        house = house_with("massachusetts", PLAYERS)
    depth = None
    while isinstance(step := next_staff_command(house.house_table("main")), Prepare):
        house.at("main", replace(step, depth=step.depth or 7))
        depth = step.depth or depth
    assert cuts_of(house) == (depth,)
    house.play(house.rehearsal("main", PLAYERS))
    assert cuts_of(house) == (depth,)


@pytest.mark.clause("P40")
def test_a_new_shuffle_ordered_while_bets_are_open_shows_the_secret_of_the_old(
    older_house: TestHouse,
) -> None:
    begin_betting(older_house)
    answer = older_house.at("main", OrderShuffle(role="floorperson"))
    assert [each.shuffle for each in answer.events if isinstance(each, SecretRevealed)] == [1]


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


def _shuffle_due(house: TestHouse) -> bool:
    state = house.house_table("main").state
    agenda = state.decks[state.active].agenda
    return bool(agenda) and ends_shuffle(agenda)
