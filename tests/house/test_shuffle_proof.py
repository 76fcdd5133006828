"""The proof of a round: rounds of every way to deal match it, and whatever is changed is named."""

import copy
import json
from typing import Any

import msgspec
import pytest

from fourcard import RefusedError, answer_line
from fourcard.cards import cards_named, cards_text
from fourcard.dealing import cut_deck
from fourcard.house.fairness.own_seed import ALONE
from fourcard.house.fairness.shuffle_proof import MAX_AT_ONCE, ShuffleProof, verify_proof
from fourcard.house.shuffle_algorithm import commitment_of
from fourcard.settle_files.settle import SettleAnswer
from tests.kit.settle_lines import labelled, line_of, outcome
from tests.kit.shufflers import (
    TABLE,
    WITHHELD,
    Change,
    Line,
    ProvenTable,
    changed,
    first_proven,
    formerly_proven,
    proven,
    rounds,
    verified,
)
from tests.kit.support import EXAMPLES, game

EXAMPLE_NAMES = sorted(path.stem for path in EXAMPLES.glob("*.toml"))
RESHUFFLING: dict[str, object] = {"dealing__dealer_first": True, "shuffler__reshuffles": True}
COMMITTED = "committed only"


@pytest.fixture(scope="module")
def cut_round() -> Line:
    """Return a round dealt in passes from a deck that was cut."""
    return proven("massachusetts")


@pytest.fixture(scope="module")
def stacked_round() -> Line:
    """Return a round dealt in stacks, the up card out of the extra one."""
    return proven("massachusetts-everything")


@pytest.fixture(scope="module")
def bonus_round() -> Line:
    """Return a round with a bonus card."""
    return proven("maryland-everything")


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_rounds_of_every_example_match_their_proof_and_settle(name: str) -> None:
    for seats in ((1,), (2, 5), (1, 2, 3, 4, 5, 6)):
        for line in rounds(name, 3, seats):
            found = verified(line)
            assert (found.verdict, found.id, found.table) == (COMMITTED, line["id"], TABLE)
            assert (found.shuffle, len(found.findings)) == (line["proof"]["shuffle"], 4)
            assert isinstance(answer_line(json.dumps(line)), SettleAnswer)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("maryland", {"dealing__method": "shoe"}),
        ("maryland", {"dealing__method": "hand"}),
        ("maryland", {"dealing__method": "automated"}),
        ("massachusetts", {"dealing__method": "automated"}),
        ("maryland-existing", RESHUFFLING),
    ],
)
def test_other_ways_to_deal_match_too(name: str, changes: dict[str, object]) -> None:
    assert verified(proven(name, (1, 3), **changes)).verdict == COMMITTED


@pytest.mark.parametrize("end", ["as_printed", "top", "bottom"])
def test_a_round_of_a_stored_game_that_chose_the_end_of_the_stack_is_verified(end: str) -> None:
    line = formerly_proven("washington", end)
    assert verified(line).verdict == COMMITTED
    assert isinstance(answer_line(json.dumps(line)), SettleAnswer)


def test_what_was_checked_is_told(cut_round: Line) -> None:
    found, proof = verified(cut_round), cut_round["proof"]
    assert found.findings == (
        f"The secret matches commitment {proof['commitment']}.",
        "The 21 drawn cards match the shuffled deck, cut at 26.",
        "Every hand matches the drawn cards, served as its rulebook deals.",
        ALONE,
    )
    order = cards_named(found.order)
    assert sorted(order) == [*range(52)]
    assert cards_text(order[26:28]) == proof["drawn"][0]["cards"] + " " + proof["drawn"][1]["cards"]


def test_withheld_seeds_are_named_whatever_the_verdict() -> None:
    for withheld, said in (
        (WITHHELD, "1 seed was withheld (bob): a partner of the house gains one bit by withholding."),
        (
            (*WITHHELD, ("carol", "a seed that carol keeps")),
            "2 seeds were withheld (bob, carol): a partner of the house gains one bit by withholding each.",
        ),
    ):
        line = ProvenTable(game("massachusetts"), withheld=withheld).play()
        for found, verdict in (
            (verified(line), COMMITTED),
            (verified(changed(line, lambda each: each["seats"].pop())), "false"),
        ):
            assert (found.verdict, found.findings[-1]) == (verdict, said)
            assert found.withheld == tuple(player for player, _ in withheld)
    assert not any("withheld" in each for each in verified(proven("massachusetts")).findings)


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_rounds_of_the_first_algorithm_prove_only_the_commitment(name: str) -> None:
    line = first_proven(name)
    assert "round" not in line["proof"]
    found = verified(line)
    assert (found.verdict, len(found.findings)) == (COMMITTED, 4)
    assert found.findings[-1] == (
        "The house knew the seeds before its commitment, as in all rounds of 0.1: "
        "it could have chosen the cards."
    )
    assert verified(changed(line, of_proof("seeds", []))).verdict == "false"
    later = changed(line, of_proof("withheld", [["bob", "0" * 64]]))
    assert verified(later).findings[0] == "The algorithm 'fourcard-shuffle-1' has no such fields."


def test_a_shuffle_without_seeds_is_the_houses_own_choice() -> None:
    found = verified(ProvenTable(game("massachusetts"), seeds=()).play())
    said = "No player's seed took part in this shuffle, so the house could have chosen the cards."
    assert (found.verdict, found.findings[-1]) == (COMMITTED, said)


def test_the_order_of_cards_in_a_hand_tells_nothing(bonus_round: Line) -> None:
    def turn(line: Line) -> None:
        for holder, key in (*((seat, "cards") for seat in line["seats"]), (line, "dealer")):
            holder[key] = " ".join(reversed(holder[key].split()))
        line["seats"].reverse()
        line["proof"]["seeds"].reverse()

    assert verified(changed(bonus_round, turn)).verdict == COMMITTED


@pytest.mark.parametrize("place", [0, 1, 4])
def test_a_card_found_face_up_is_taken_from_where_it_lies(place: int) -> None:
    line = ProvenTable(game("maryland-everything")).play(face_up=place)
    assert "discarded" in [drawn["to"] for drawn in line["proof"]["drawn"]]
    assert verified(line).verdict == COMMITTED
    assert isinstance(answer_line(json.dumps(line)), SettleAnswer)


def test_a_card_far_down_was_not_found_among_the_next_ones(bonus_round: Line) -> None:
    order = verified(bonus_round).order.split()
    for depth, verdict in ((MAX_AT_ONCE - 1, COMMITTED), (MAX_AT_ONCE, "false"), (51, "false")):
        line = copy.deepcopy(bonus_round)
        redealt(line, [card for card in order if card != order[depth]])
        line["proof"]["drawn"].insert(0, {"to": "discarded", "cards": order[depth]})
        assert verified(line).verdict == verdict


FACE_UP: dict[str, tuple[dict[str, object], dict[int, bool]]] = {
    "massachusetts": ({"dealing__method": "shoe"}, {0: True, 1: True, 2: False}),
    "maryland": ({"dealing__method": "hand"}, {1: True, 2: False, 6: False}),
    "catfish-bend": ({"dealing": {"method": "manual"}, "shuffler": None}, {0: True, 1: False}),
}
"""By game and how it is dealt, whether a round stands after so many cards were found face up."""


@pytest.mark.parametrize(
    ("name", "found"), [(name, found) for name, (_, counts) in FACE_UP.items() for found in counts]
)
@pytest.mark.clause("MA-14a.2", "MD-13B", "IA-IRR-2")
def test_no_more_cards_are_found_face_up_than_leave_a_round_standing(name: str, found: int) -> None:
    changes, counts = FACE_UP[name]
    line, stands = proven(name, (1, 3), **changes), counts[found]
    order = [*cards_named(verified(line).order)]
    for depth in line["proof"]["cuts"]:
        order = [*cut_deck(order, depth)]
    cards = cards_text(order).split()
    redealt(line, cards[found:])
    line["proof"]["drawn"][:0] = [{"to": "discarded", "cards": card} for card in cards[:found]]
    answer = verified(line)
    assert answer.verdict == (COMMITTED if stands else "false")
    sentence = f"{line['rulebook']} does not allow a deal after {found} cards were found face up."
    assert (sentence in answer.findings) is not stands


def redealt(line: Line, cards: list[str]) -> None:
    """Deal a line's hands again from these cards."""
    left = iter(cards)
    hands: dict[int | str, str] = {}
    for drawn in line["proof"]["drawn"]:
        drawn["cards"] = " ".join(next(left) for _ in drawn["cards"].split())
        hands[drawn["to"]] = f"{hands.get(drawn['to'], '')} {drawn['cards']}"
    for seat in line["seats"]:
        seat["cards"] = hands[seat["position"]]
    line |= {place: hands[place] for place in ("dealer", "bonus_card") if place in hands}


def swap_players(line: Line) -> None:
    """Give two players each other's cards, in the proof as well."""
    first, second = line["seats"][:2]
    first["cards"], second["cards"] = second["cards"], first["cards"]
    for drawn in line["proof"]["drawn"]:
        drawn["to"] = {1: 2, 2: 1}.get(drawn["to"], drawn["to"])


def of_proof(key: str, value: Any) -> Change:
    """Return the change of one value of the proof."""
    return lambda line: line["proof"].update({key: value})


def of_draw(number: int, **values: Any) -> Change:
    """Return the change of cards that were drawn together."""
    return lambda line: line["proof"]["drawn"][number].update(values)


NOT_COMMITTED = "The secret does not match the commitment: its own commitment is "
FIRST_CARD = "Card 1 off the deck was "


@pytest.mark.parametrize(
    ("change", "said"),
    labelled(
        ("another commitment", of_proof("commitment", commitment_of(bytes(32))), NOT_COMMITTED),
        ("no commitment", of_proof("commitment", ""), NOT_COMMITTED),
        ("another secret", of_proof("secret", "00" * 32), NOT_COMMITTED),
        ("a short secret", of_proof("secret", "00" * 31), "A secret has 32 bytes, not 31."),
        ("no secret", of_proof("secret", ""), "The secret is not written in hexadecimal."),
        ("half a byte", of_proof("secret", "0" * 63), "The secret is not written in hexadecimal."),
        ("another table", of_proof("table", "pit-2"), FIRST_CARD),
        ("no table", of_proof("table", "Pit 2"), "'Pit 2' is not a valid table name."),
        ("another number", of_proof("shuffle", 999), FIRST_CARD),
        ("a number below 0", of_proof("shuffle", -1), "A shuffle's number is 0 or more, not -1."),
        ("no seeds", of_proof("seeds", []), FIRST_CARD),
        ("another seed", of_proof("seeds", [["zoe", "a seed: 17, of mine"], ["adam", "-" * 16]]), FIRST_CARD),
        ("another's seed", of_proof("seeds", [["zoe", "a seed: 17, of mine"], ["ada", "~" * 16]]),
         FIRST_CARD),
        ("a seed twice", of_proof("seeds", [["a", "b" * 16]] * 2), "A player has more than one seed."),
        ("a seed of two lines", of_proof("seeds", [["a", "b\n" * 8]]), "The seed of a is not 16 to 64 plain"),
        ("a short seed", of_proof("seeds", [["a", "b" * 15]]), "The seed of a is not 16 to 64 plain"),
        ("a withheld seed", of_proof("withheld", [["bob", "0" * 64]]), FIRST_CARD),
        ("a withheld seed without a hash", of_proof("withheld", [["bob", "0"]]),
         "The hash of a withheld seed is not 64 hexadecimal digits."),
        ("another round", of_proof("round", 2),
         "The line is of round pit-1.table_3/1, but its proof is of round pit-1.table_3/2."),
        ("round 0", of_proof("round", 0), "A round's number is 1 or more, not 0."),
        ("another id", lambda line: line.update(id="pit-1.table_3/2"),
         "The line is of round pit-1.table_3/2, but its proof is of round pit-1.table_3/1."),
        ("another table's id", lambda line: line.update(id="pit-1/1"),
         "The line is of round pit-1/1, but its proof is of round pit-1.table_3/1."),
        ("no round", of_proof("round", None), "The algorithm 'fourcard-shuffle-2' has no such fields."),
        ("another algorithm", of_proof("algorithm", "fourcard-shuffle-1"),
         "The algorithm 'fourcard-shuffle-1' has no such fields."),
        ("another cut", of_proof("cuts", [25]), FIRST_CARD),
        ("no cut", of_proof("cuts", []), FIRST_CARD),
        ("one cut more", of_proof("cuts", [26, 1]), FIRST_CARD),
        ("a cut of nothing", of_proof("cuts", [26, 0]), "A deck cannot be cut at 0."),
        ("a cut of everything", of_proof("cuts", [52]), "A deck cannot be cut at 52."),
        ("a cut from below", of_proof("cuts", [-26]), "A deck cannot be cut at -26."),
        ("nothing drawn", of_proof("drawn", []), "Position 1 has "),
        ("a card drawn", of_draw(3, cards="2c"), "Card 4 off the deck was 2c, but "),
        ("a card too many", lambda line: line["proof"]["drawn"].append({"to": 1, "cards": "2c"}),
         "Card 22 off the deck was 2c, but secret, table, numbers, seeds and cuts give "),
        ("no card", of_draw(3, cards="1c"), "'1c' is not a card"),
        ("drawn to nobody", of_draw(0, to=0), "Cards were drawn to position 0, which no table has."),
        ("drawn to somebody else", of_draw(0, to=7), "Position 1 has "),
        ("a player's card", lambda line: line["seats"][1].update(cards="2c 3c 4c 5c 6c"),
         "Position 2 has 2c 3c 4c 5c 6c, but "),
        ("no player's cards", lambda line: line["seats"][1].update(cards=""), "Position 2 has nothing, but "),
        ("a player missing", lambda line: line["seats"].pop(), "Position 3 has nothing, but "),
        ("a player more", lambda line: line["seats"].append({**line["seats"][0], "position": 5}),
         "Position 5 has "),
        ("a player twice", lambda line: line["seats"].append(line["seats"][0]),
         "A position is listed twice."),
        ("the dealer's card", lambda line: line.update(dealer=line["dealer"][:-2] + "2c"), "The dealer has "),
        ("a dealer's card less", lambda line: line.update(dealer=line["dealer"][:-3]), "The dealer has "),
        ("a bonus card", lambda line: line.update(bonus_card="2c"),
         "The bonus card is 2c, but nothing was drawn for it."),
        ("hands that changed places", swap_players,
         "No dealing method of massachusetts serves the places in this order."),
    ),
)  # fmt: skip
def test_whatever_is_changed_is_false_and_named(cut_round: Line, change: Change, said: str) -> None:
    found = verified(changed(cut_round, change))
    assert found.verdict == "false"
    assert any(each.startswith(said) for each in found.findings), found.findings
    assert all(each.endswith(".") and "\n" not in each for each in found.findings)


def test_the_first_card_that_differs_is_named_with_the_right_one(cut_round: Line) -> None:
    right = cut_round["proof"]["drawn"][3]["cards"]
    line = changed(cut_round, lambda line: line["proof"]["drawn"][3].update(cards="2c"))
    assert verified(line).findings[0] == (
        f"Card 4 off the deck was 2c, but secret, table, numbers, seeds and cuts give {right}."
    )


def test_two_hands_that_changed_places_in_the_line_are_both_named(cut_round: Line) -> None:
    def swap(line: Line) -> None:
        one, other = line["seats"][0], line["seats"][2]
        one["cards"], other["cards"] = other["cards"], one["cards"]

    found = verified(changed(cut_round, swap)).findings
    assert [each[:10] for each in found] == ["Position 1", "Position 3"]


def test_the_up_card_is_the_one_that_the_rulebook_turns_up(stacked_round: Line) -> None:
    extra = stacked_round["proof"]["drawn"][-1]
    assert extra["to"] == "extra"
    assert stacked_round["dealer"].split()[-1] == extra["cards"].split()[-1]
    for card in extra["cards"].split()[:-1]:
        (said,) = verified(stacked_round | {"dealer": stacked_round["dealer"][:-2] + card}).findings
        assert said == "The dealer's up card is not the card of the extra stack that massachusetts turns up."
    for up in ("", " ".join(extra["cards"].split()[:2])):
        assert verified(stacked_round | {"dealer": stacked_round["dealer"][:-2] + up}).verdict == "false"


def test_the_bonus_card_is_the_one_that_was_drawn(bonus_round: Line) -> None:
    right = bonus_round["bonus_card"]
    for card in ("2c" if right != "2c" else "3c", None):
        found = verified(bonus_round | {"bonus_card": card})
        assert found.findings == (f"The bonus card is {card or 'nothing'}, but {right} was drawn for it.",)


def test_a_void_round_need_not_be_dealt_to_its_end(cut_round: Line) -> None:
    def stop(line: Line) -> None:
        del line["proof"]["drawn"][2:]
        line |= {"void": "MA-14c", "dealer": ""}
        for seat in line["seats"]:
            got = [each["cards"] for each in line["proof"]["drawn"] if each["to"] == seat["position"]]
            seat["cards"] = " ".join(got)

    line = changed(cut_round, stop)
    assert verified(line).verdict == COMMITTED
    assert verified(line).findings[1:] == (
        "The 2 drawn cards match the shuffled deck, cut at 26.",
        "Every hand matches the drawn cards.",
        ALONE,
    )
    assert isinstance(answer_line(json.dumps(line)), SettleAnswer)
    assert verified(changed(line, lambda line: line["proof"].update(cuts=[2]))).verdict == "false"


@pytest.mark.parametrize("proof", ["left out", None])
def test_a_round_without_a_proof_is_neither_fair_nor_false(cut_round: Line, proof: str | None) -> None:
    line = cut_round | {"proof": proof}
    if proof is not None:
        del line["proof"]
    found = verified(line)
    assert (found.verdict, found.table, found.shuffle, found.order) == ("not verifiable", None, None, "")
    assert found.findings == ("The round has no proof: its cards were keyed in, or none was dealt.",)


def test_an_algorithm_that_is_not_known_is_not_judged(cut_round: Line) -> None:
    line = cut_round | {"proof": {"algorithm": "fourcard-shuffle-3", "beacon": 7}}
    assert verified(line).verdict == "not verifiable"
    assert verified(line).findings == ("The algorithm 'fourcard-shuffle-3' is not known here.",)


@pytest.mark.parametrize(
    ("change", "said"),
    labelled(
        ("empty", lambda line: line.update(proof={}), "algorithm"),
        ("a key more", of_proof("luck", 1), "luck"),
        ("a key less", lambda line: line["proof"].pop("drawn"), "drawn"),
        ("a word for a number", of_proof("shuffle", "1"), "shuffle"),
        ("an unknown place", of_draw(0, to="sleeve"), "sleeve"),
        ("a seed without a player", of_proof("seeds", [["a"]]), "seeds"),
    ),
)  # fmt: skip
def test_a_proof_that_cannot_be_read_is_false(cut_round: Line, change: Change, said: str) -> None:
    found = verified(changed(cut_round, change))
    assert (found.verdict, found.table) == ("false", None)
    (sentence,) = found.findings
    assert sentence.startswith("The proof cannot be read: ")
    assert said in sentence


def test_a_key_twice_in_the_proof_is_false(cut_round: Line) -> None:
    text = json.dumps(cut_round).replace('"cuts"', '"cuts": [1], "cuts"')
    assert verify_proof(text).verdict == "false"
    assert verify_proof(text).findings[0].endswith("the key 'cuts' is given more than once.")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda line: line.update(proof=5), "the round, proof: expected a table"),
        (lambda line: line.update(proof=[]), "the round, proof: expected a table"),
        (lambda line: line.update(prof={}), "the round: unknown key 'prof'"),
        (lambda line: line.update(rulebook="nevada"), "There is no rulebook 'nevada'"),
        (lambda line: line.pop("seats"), "the round: the key 'seats' is missing"),
    ],
)
def test_what_is_no_round_is_refused(cut_round: Line, change: Change, said: str) -> None:
    with pytest.raises(RefusedError) as caught:
        verified(changed(cut_round, change))
    assert str(caught.value).startswith(said)


def test_a_proof_is_written_as_it_is_read(cut_round: Line) -> None:
    read = msgspec.json.decode(json.dumps(cut_round["proof"]), type=ShuffleProof)
    assert json.loads(msgspec.json.encode(read)) == cut_round["proof"]


@pytest.mark.parametrize(
    ("proof", "refused"),
    labelled(
        ("nothing", b"null", None),
        ("empty", b"{}", None),
        ("anything", b'{"a": [1, {"b": ":"}], "a": 2}', None),
        ("a number", b"5", "value_unfit"),
        ("a list", b"[]", "value_unfit"),
        ("a number past all bounds", b'{"a": 1e999}', "value_unfit"),
        ("not UTF-8", b'{"a": "\xff"}', "round_unreadable"),
        ("half a pair", b'{"a": "\\ud800"}', "round_unreadable"),
        ("nested too deep", b"[" * 5000 + b"]" * 5000, "round_unreadable"),
        ("given twice", b'{}, "proof": {}', "round_unreadable"),
    ),
)
def test_settling_asks_of_a_proof_only_that_it_can_be_read(proof: bytes, refused: str | None) -> None:
    text = json.dumps(line_of("maryland")).encode()[:-1] + b', "proof": ' + proof + b"}"
    found = outcome(text)
    assert (found and found[0]) == refused
