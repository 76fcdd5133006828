"""Shuffle proof: the shuffle of a round and the way of each card, and their verification.

A line of `fourcard settle` has it under ``proof``. Everything is computed again from the secret and compared
with the line; each mismatch is one sentence. A line alone proves that the house kept to its commitment; that
the house could not choose the cards is proven only to a player, by the player's own receipt.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from fourcard.cards import DECK_SIZE, card_text, cards_named, cards_text
from fourcard.dealing import BONUS, EXTRA, DealPlan, cut_deck, deal_plan
from fourcard.house.fairness.own_seed import FAIR, OwnSeed, SeedUse, check_own_seed
from fourcard.house.fairness.receipts import PlayerReceipts
from fourcard.house.shuffle_algorithm import (
    ALGORITHM,
    FIRST_ALGORITHM,
    Seed,
    ShuffleInput,
    commitment_of,
    order_of,
)
from fourcard.refusals import BadInputError
from fourcard.rules.game import Game
from fourcard.settle_files.reader import decode_json, parse_line, refuse_duplicate_keys, settler_for
from fourcard.settle_files.schema import LineId, RoundLine
from fourcard.settlers.showdown import DEALER

Verdict = Literal["fair", "committed only", "not verifiable", "false"]
CardPlace = Literal["dealer", "extra", "bonus_card", "discarded"]
DISCARDED = -3
CARD_PLACES: dict[CardPlace, int] = {
    "dealer": DEALER,
    "extra": EXTRA,
    "bonus_card": BONUS,
    "discarded": DISCARDED,
}
MAX_AT_ONCE = 6
"""No deal step takes more cards, and a face-up card lies among the next cards."""
GIVEN_BY = "secret, table, numbers, seeds and cuts"
HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2})+")
CHOSEN_LATER = "somebody who knew the order could choose this"
NO_PROOF = "The round has no proof: its cards were keyed in, or none was dealt."
ROUND_ID = re.compile(r"([a-z0-9][a-z0-9._-]{0,39})/([0-9]{1,18})")
"""The id that a house gives to an exported round: its table and its number."""


class DrawnCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that left the deck together: to a position or another place, or face up and discarded."""

    to: int | CardPlace
    cards: str


class ShuffleProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything needed to repeat a round's shuffle."""

    algorithm: str = FIRST_ALGORITHM
    table: str
    shuffle: int
    """The number of the shuffle at its table."""
    round: int | None = None
    """The number of the round; None in proofs of the first algorithm."""
    commitment: str
    """The published commitment, in hexadecimal."""
    secret: str
    """In hexadecimal."""
    seeds: tuple[Seed, ...] = ()
    withheld: tuple[Seed, ...] = ()
    """Players who did not reveal their seed in time, each with its hash."""
    cuts: tuple[int, ...] = ()
    """Cards that each cut took from the top, in the order of the cuts."""
    drawn: tuple[DrawnCards, ...]
    """In the order in which the cards left the deck."""


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on a round, and the sentences that support it."""

    id: LineId
    verdict: Verdict
    findings: tuple[str, ...]
    table: str | None = None
    shuffle: int | None = None
    order: str = ""
    """The shuffled deck, top card first, before any cut."""
    own_seed: SeedUse | None = None
    """What became of the player's seed; None without a receipt of the shuffle."""
    withheld: tuple[str, ...] = ()
    """Players who did not reveal their seed in time, according to the house."""


class _Algorithm(msgspec.Struct):
    """The field that proofs of all algorithms share."""

    algorithm: str


_algorithm = msgspec.json.Decoder(_Algorithm | None)
_proof = msgspec.json.Decoder(ShuffleProof)
Cards = Sequence[int]
CardMoves = Sequence[tuple[int, Cards]]
"""Cards and where they went: a position, the dealer, the extra stack, the bonus box, or out of play."""
CardsByPlace = Mapping[int, Cards]


def verify_proof(line: bytes | str, receipts: PlayerReceipts | None = None) -> Verification:
    """Return whether a round's cards match its proof and a player's receipts; raise if there is no round."""
    told = parse_line(line)
    try:
        refuse_duplicate_keys(bytes(told.proof))
        named = decode_json(bytes(told.proof), _algorithm, _Algorithm, "proof")
        if named is None:
            return _not_verifiable(
                told, "The round has no proof: its cards were keyed in, or none was dealt."
            )
        if named.algorithm not in (ALGORITHM, FIRST_ALGORITHM):
            return _not_verifiable(told, f"The algorithm '{named.algorithm}' is not known here.")
        proof = decode_json(bytes(told.proof), _proof, ShuffleProof, "proof")
    except BadInputError as error:
        return Verification(id=told.id, verdict="false", findings=(f"The proof cannot be read: {error}",))
    settler, _ = settler_for(told.rulebook, told.edition, bytes(told.options), bytes(told.settings))
    try:
        shuffle = input_of(proof)
        order = order_of(secret_of(proof), shuffle)
        faults = [*_mismatches(told, settler.game, proof, order)]
    except BadInputError as error:
        return _verification(told, proof, "", OwnSeed(faults=(str(error),)))
    named_round = ROUND_ID.fullmatch(str(told.id)) is not None
    own = check_own_seed(shuffle, proof.commitment, receipts, round_named=named_round)
    doubts = (*own.doubts, *_later_choices(settler.game, proof))
    own = replace(own, faults=(*faults, *own.faults), doubts=doubts)
    return _verification(told, proof, cards_text(order), own)


def _not_verifiable(line: RoundLine, reason: str) -> Verification:
    return Verification(id=line.id, verdict="not verifiable", findings=(reason,))


def _verification(line: RoundLine, proof: ShuffleProof, order: str, own: OwnSeed) -> Verification:
    """Return the verdict: false with any fault, committed only with any doubt, fair without both."""
    verdict: Verdict = "false" if own.faults else "committed only" if own.doubts else "fair"
    reasons = own.faults or (*_confirmed(line, proof), *(own.doubts or (FAIR,)))
    return Verification(
        id=line.id,
        verdict=verdict,
        findings=(*reasons, *_withheld(proof)),
        table=proof.table,
        shuffle=proof.shuffle,
        order=order,
        own_seed=own.use,
        withheld=tuple(player for player, _ in proof.withheld),
    )


def _confirmed(line: RoundLine, proof: ShuffleProof) -> tuple[str, ...]:
    """Return what was checked and found right."""
    count = sum(len(cards) for _, cards in _card_moves(proof))
    cuts = "".join(f", cut at {depth}" for depth in proof.cuts)
    served = "" if line.void is not None else ", served as its rulebook deals"
    return (
        f"The secret matches commitment {proof.commitment}.",
        f"The {count} drawn cards match the shuffled deck{cuts}.",
        f"Every hand matches the drawn cards{served}.",
    )


def _withheld(proof: ShuffleProof) -> Iterator[str]:
    """Yield a sentence that names the withheld seeds, if there are any."""
    names = [player for player, _ in proof.withheld]
    if names:
        count = "1 seed was" if len(names) == 1 else f"{len(names)} seeds were"
        each = "" if len(names) == 1 else " each"
        gain = f"a partner of the house gains one bit by withholding{each}"
        yield f"{count} withheld ({', '.join(names)}): {gain}."


def _later_choices(game: Game, proof: ShuffleProof) -> Iterator[str]:
    """Yield what somebody who knew the order could have chosen after the shuffle."""
    cutting = game.rulebook.cutting
    about = DECK_SIZE // 2 if cutting is None or cutting.about is None else cutting.about.value
    if proof.cuts not in ((), (about,)):
        places = " and ".join(map(str, proof.cuts))
        yield f"The deck was cut at {places}, not once at {about}: {CHOSEN_LATER}."
    if any(each.to == "discarded" for each in proof.drawn):
        yield f"A card was discarded as found face up: {CHOSEN_LATER}."


def input_of(proof: ShuffleProof) -> ShuffleInput:
    """Return what the order of the deck depends on besides the secret; each algorithm has its own fields."""
    if (proof.algorithm == ALGORITHM) != (proof.round is not None) or (proof.withheld and not proof.round):
        raise BadInputError(f"The algorithm '{proof.algorithm}' has no such fields.")
    return ShuffleInput(proof.table, proof.shuffle, proof.seeds, proof.round, proof.withheld)


def secret_of(proof: ShuffleProof) -> bytes:
    """Return the secret as bytes, or raise an error."""
    if HEXADECIMAL.fullmatch(proof.secret) is None:
        raise BadInputError("The secret is not written in hexadecimal.")
    return bytes.fromhex(proof.secret)


def _mismatches(line: RoundLine, game: Game, proof: ShuffleProof, order: Cards) -> Iterator[str]:
    """Yield a sentence for every mismatch."""
    found = commitment_of(secret_of(proof))
    if found != proof.commitment:
        yield f"The secret does not match the commitment: its own commitment is {found}."
    named = ROUND_ID.fullmatch(str(line.id))
    if named and proof.round is not None and (named[1], int(named[2])) != (proof.table, proof.round):
        yield f"The line is of round {named[0]}, but its proof is of round {proof.table}/{proof.round}."
    for depth in proof.cuts:
        if not 0 < depth < DECK_SIZE:
            raise BadInputError(f"A deck cannot be cut at {depth}.")
        order = cut_deck(order, depth)
    moves = _card_moves(proof)
    yield from _deck_mismatches(order, moves)
    dealt = _cards_by_place(moves)
    yield from _hand_mismatches(line, dealt)
    if line.void is None:
        yield from _dealing_mismatches(line, game, moves, dealt)


def _card_moves(proof: ShuffleProof) -> CardMoves:
    return [(_place_number(each.to), cards_named(each.cards)) for each in proof.drawn]


def _place_number(to: int | CardPlace) -> int:
    if isinstance(to, str):
        return CARD_PLACES[to]
    if to < 1:
        raise BadInputError(f"Cards were drawn to position {to}, which no table has.")
    return to


def _deck_mismatches(order: Cards, moves: CardMoves) -> Iterator[str]:
    """Yield the first card that is not next in the deck; a face-up card is taken from where it lies."""
    left, count = list(order), 0
    for place, cards in moves:
        reach = MAX_AT_ONCE if place == DISCARDED else 1
        for card in cards:
            count += 1
            if card not in left[:reach]:
                there = cards_text(left[:reach]) or "nothing"
                yield f"Card {count} off the deck was {card_text(card)}, but {GIVEN_BY} give {there}."
                return
            left.remove(card)


def _cards_by_place(moves: CardMoves) -> dict[int, list[int]]:
    """Return the cards of each place, in their order."""
    dealt: dict[int, list[int]] = {}
    for place, cards in moves:
        dealt.setdefault(place, []).extend(cards)
    return dealt


def _hand_mismatches(line: RoundLine, dealt: CardsByPlace) -> Iterator[str]:
    """Yield the hands of the line that differ from the drawn cards."""
    told = {seat.position: cards_named(seat.cards) for seat in line.seats}
    if len(told) < len(line.seats):
        yield "A position is listed twice."
    for position in sorted({*told, *(place for place in dealt if place > DEALER)}):
        has, got = told.get(position, ()), dealt.get(position, ())
        if sorted(has) != sorted(got):
            yield f"Position {position} has {_hand_text(has)}, but {_hand_text(got)} was drawn to it."
    bonus, drawn = cards_named(line.bonus_card or ""), dealt.get(BONUS, ())
    if [*bonus] != [*drawn]:
        yield f"The bonus card is {_hand_text(bonus)}, but {_hand_text(drawn)} was drawn for it."
    dealer, own = cards_named(line.dealer), dealt.get(DEALER, ())
    up = [card for card in dealer if card not in own]
    if sorted([*own, *up]) != sorted(dealer) or len(up) > 1 or not {*up} <= {*dealt.get(EXTRA, ())}:
        yield f"The dealer has {_hand_text(dealer)}, but {_hand_text(own)} was drawn to the dealer."


def _hand_text(cards: Cards) -> str:
    return cards_text(cards) or "nothing"


def _dealing_mismatches(line: RoundLine, game: Game, moves: CardMoves, dealt: CardsByPlace) -> Iterator[str]:
    """Yield an error if no dealing method of the rulebook serves the places so, or turns that card up."""
    served = [place for place, cards in moves if place != DISCARDED for _ in cards]
    found = len(dealt.get(DISCARDED, ()))
    if found > _face_up_limit(game):
        yield f"{line.rulebook} does not allow a deal after {found} cards were found face up."
    plans = [each for each in _plans(game, dealt) if _recipients(each) == served]
    if not plans:
        yield f"No dealing method of {line.rulebook} serves the places in this order."
    elif EXTRA in dealt and not any(_up_card(each, dealt) in cards_named(line.dealer) for each in plans):
        yield f"The dealer's up card is not the card of the extra stack that {line.rulebook} turns up."


def _face_up_limit(game: Game) -> int:
    """Return how many face-up cards a round can survive: the one that is discarded, or none."""
    rows = game.rulebook.irregularities
    one = rows.get("one_face_up_card")
    if one is None or "discard-card" not in one.value:
        return 0
    return 1 if "more_face_up_cards" in rows else DECK_SIZE


def _plans(game: Game, dealt: CardsByPlace) -> Iterator[DealPlan]:
    """Yield every deal to the same positions: each method, with the dealer first if that is a choice."""
    positions = [place for place in dealt if place > DEALER]
    for method, rules in game.rulebook.dealing.items():
        optional = rules.dealer_first is not None and rules.dealer_first.value == "with-reshuffling-shoe"
        for first in (False, True) if optional else (False,):
            choice = replace(game.submission.dealing, method=method, dealer_first=first)
            yield deal_plan(replace(game, submission=replace(game.submission, dealing=choice)), positions)


def _recipients(deal: DealPlan) -> list[int]:
    return [move.to for move in deal.moves if move.name == "deal" for _ in range(move.count)]


def _up_card(deal: DealPlan, dealt: CardsByPlace) -> int | None:
    """Return the card of the extra stack that a plan turns up."""
    places = (move.place for move in deal.moves if move.name == "turn_up_card" and move.to == EXTRA)
    place = next(places, None)
    return None if place is None else dealt[EXTRA][place]
