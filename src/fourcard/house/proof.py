"""Shuffle proof: the shuffle of a round and the way of each card, and their verification.

A line of `fourcard settle` has it under ``proof``. Everything is computed again from the secret and compared
with the line; each mismatch is one sentence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from fourcard.cards import DECK_SIZE, card_text, cards_named, cards_text
from fourcard.dealing import BONUS, EXTRA, Plan, cut, plan
from fourcard.errors import BadInputError
from fourcard.house.fairness import ALGORITHM, Seed, commitment_of, order_of
from fourcard.lines.decoding import decoded, refuse_repeats
from fourcard.lines.line import Line, LineId
from fourcard.lines.reading import line_of, table_of
from fourcard.rules.game import Game
from fourcard.wagers.showdown import DEALER

Verdict = Literal["fair", "unverifiable", "false"]
Place = Literal["dealer", "extra", "bonus_card", "discarded"]
DISCARDED = -3
PLACES: dict[Place, int] = {"dealer": DEALER, "extra": EXTRA, "bonus_card": BONUS, "discarded": DISCARDED}
MOST_AT_ONCE = 6
"""No deal step takes more cards, and a face-up card lies among the next cards."""
GIVEN_BY = "secret, table, number, seeds and cuts"
HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2})+")


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that left the deck together: to a position or another place, or face up and discarded."""

    to: int | Place
    cards: str


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything needed to repeat a round's shuffle."""

    algorithm: str = ALGORITHM
    table: str
    shuffle: int
    """The number of the shuffle at its table."""
    commitment: str
    """The published commitment, in hexadecimal."""
    secret: str
    """In hexadecimal."""
    seeds: tuple[Seed, ...] = ()
    cuts: tuple[int, ...] = ()
    """Cards that each cut took from the top, in the order of the cuts."""
    drawn: tuple[Drawn, ...]
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


class _Algorithm(msgspec.Struct):
    """The field that proofs of all algorithms share."""

    algorithm: str


_algorithm = msgspec.json.Decoder(_Algorithm | None)
_proof = msgspec.json.Decoder(Proof)
Cards = Sequence[int]
Moves = Sequence[tuple[int, Cards]]
"""Cards and where they went: a position, the dealer, the extra stack, the bonus box, or out of play."""
Hands = Mapping[int, Cards]


def verify(line: bytes | str) -> Verification:
    """Return whether a round's cards match its proof; raise an error if the line is not a round."""
    told = line_of(line)
    try:
        refuse_repeats(bytes(told.proof))
        named = decoded(bytes(told.proof), _algorithm, _Algorithm, "proof")
        if named is None:
            return _unverifiable(told, "The round has no proof: its cards were keyed in, or none was dealt.")
        if named.algorithm != ALGORITHM:
            return _unverifiable(told, f"The algorithm '{named.algorithm}' is not known here.")
        proof = decoded(bytes(told.proof), _proof, Proof, "proof")
    except BadInputError as error:
        return _verification(told, None, "", [f"The proof cannot be read: {error}"])
    settler, _ = table_of(told.rulebook, told.edition, bytes(told.options), bytes(told.settings))
    try:
        order = order_of(secret_of(proof), proof.table, proof.shuffle, proof.seeds)
        faults = [*_faults(told, settler.game, proof, order)]
    except BadInputError as error:
        return _verification(told, proof, "", [str(error)])
    return _verification(told, proof, cards_text(order), faults)


def _unverifiable(line: Line, reason: str) -> Verification:
    return Verification(id=line.id, verdict="unverifiable", findings=(reason,))


def _verification(line: Line, proof: Proof | None, order: str, faults: Sequence[str]) -> Verification:
    """Return the verdict: fair, with what was checked, if nothing is wrong."""
    table, shuffle = (None, None) if proof is None else (proof.table, proof.shuffle)
    findings = tuple(faults) if faults or proof is None else _checked(line, proof)
    verdict: Verdict = "false" if faults else "fair"
    return Verification(
        id=line.id, verdict=verdict, findings=findings, table=table, shuffle=shuffle, order=order
    )


def _checked(line: Line, proof: Proof) -> tuple[str, ...]:
    count = sum(len(cards) for _, cards in _moves(proof))
    cuts = "".join(f", cut at {depth}" for depth in proof.cuts)
    served = "" if line.void is not None else ", served as its rulebook deals"
    return (
        f"The secret matches commitment {proof.commitment}.",
        f"The {count} drawn cards match the shuffled deck{cuts}.",
        f"Every hand matches the drawn cards{served}.",
    )


def secret_of(proof: Proof) -> bytes:
    """Return the secret as bytes, or raise an error."""
    if HEXADECIMAL.fullmatch(proof.secret) is None:
        raise BadInputError("The secret is not written in hexadecimal.")
    return bytes.fromhex(proof.secret)


def _faults(line: Line, game: Game, proof: Proof, order: Cards) -> Iterator[str]:
    """Yield a sentence for every mismatch."""
    found = commitment_of(secret_of(proof))
    if found != proof.commitment:
        yield f"The secret does not match the commitment: its own commitment is {found}."
    for depth in proof.cuts:
        if not 0 < depth < DECK_SIZE:
            raise BadInputError(f"A deck cannot be cut at {depth}.")
        order = cut(order, depth)
    moves = _moves(proof)
    yield from _deck_faults(order, moves)
    dealt = _dealt(moves)
    yield from _hand_faults(line, dealt)
    if line.void is None:
        yield from _dealing_faults(line, game, moves, dealt)


def _moves(proof: Proof) -> Moves:
    return [(_place(each.to), cards_named(each.cards)) for each in proof.drawn]


def _place(to: int | Place) -> int:
    if isinstance(to, str):
        return PLACES[to]
    if to < 1:
        raise BadInputError(f"Cards were drawn to position {to}, which no table has.")
    return to


def _deck_faults(order: Cards, moves: Moves) -> Iterator[str]:
    """Yield the first card that is not next in the deck; a face-up card is taken from where it lies."""
    left, count = list(order), 0
    for place, cards in moves:
        reach = MOST_AT_ONCE if place == DISCARDED else 1
        for card in cards:
            count += 1
            if card not in left[:reach]:
                there = cards_text(left[:reach]) or "nothing"
                yield f"Card {count} off the deck was {card_text(card)}, but {GIVEN_BY} give {there}."
                return
            left.remove(card)


def _dealt(moves: Moves) -> dict[int, list[int]]:
    """Return the cards of each place, in their order."""
    dealt: dict[int, list[int]] = {}
    for place, cards in moves:
        dealt.setdefault(place, []).extend(cards)
    return dealt


def _hand_faults(line: Line, dealt: Hands) -> Iterator[str]:
    """Yield the hands of the line that differ from the drawn cards."""
    told = {seat.position: cards_named(seat.cards) for seat in line.seats}
    if len(told) < len(line.seats):
        yield "A position is listed twice."
    for position in sorted({*told, *(place for place in dealt if place > DEALER)}):
        has, got = told.get(position, ()), dealt.get(position, ())
        if sorted(has) != sorted(got):
            yield f"Position {position} has {_hand(has)}, but {_hand(got)} was drawn to it."
    bonus, drawn = cards_named(line.bonus_card or ""), dealt.get(BONUS, ())
    if [*bonus] != [*drawn]:
        yield f"The bonus card is {_hand(bonus)}, but {_hand(drawn)} was drawn for it."
    dealer, own = cards_named(line.dealer), dealt.get(DEALER, ())
    up = [card for card in dealer if card not in own]
    if sorted([*own, *up]) != sorted(dealer) or len(up) > 1 or not {*up} <= {*dealt.get(EXTRA, ())}:
        yield f"The dealer has {_hand(dealer)}, but {_hand(own)} was drawn to the dealer."


def _hand(cards: Cards) -> str:
    return cards_text(cards) or "nothing"


def _dealing_faults(line: Line, game: Game, moves: Moves, dealt: Hands) -> Iterator[str]:
    """Yield an error if no dealing method of the rulebook serves the places so, or turns that card up."""
    served = [place for place, cards in moves if place != DISCARDED for _ in cards]
    found = len(dealt.get(DISCARDED, ()))
    if found > _tolerated(game):
        yield f"{line.rulebook} does not allow a deal after {found} cards were found face up."
    plans = [each for each in _plans(game, dealt) if _recipients(each) == served]
    if not plans:
        yield f"No dealing method of {line.rulebook} serves the places in this order."
    elif EXTRA in dealt and not any(_turned(each, dealt) in cards_named(line.dealer) for each in plans):
        yield f"The dealer's up card is not the card of the extra stack that {line.rulebook} turns up."


def _tolerated(game: Game) -> int:
    """Return how many face-up cards a round can survive: the one that is discarded, or none."""
    rows = game.rulebook.irregularities
    one = rows.get("one_face_up_card")
    if one is None or "discard-card" not in one.value:
        return 0
    return 1 if "more_face_up_cards" in rows else DECK_SIZE


def _plans(game: Game, dealt: Hands) -> Iterator[Plan]:
    """Yield every deal to the same positions: each method, with the dealer first if that is a choice."""
    positions = [place for place in dealt if place > DEALER]
    for method, rules in game.rulebook.dealing.items():
        optional = rules.dealer_first is not None and rules.dealer_first.value == "with-reshuffling-shoe"
        for first in (False, True) if optional else (False,):
            choice = replace(game.submission.dealing, method=method, dealer_first=first)
            yield plan(replace(game, submission=replace(game.submission, dealing=choice)), positions)


def _recipients(deal: Plan) -> list[int]:
    return [move.to for move in deal.moves if move.name == "deal" for _ in range(move.count)]


def _turned(deal: Plan, dealt: Hands) -> int | None:
    """Return the card of the extra stack that a plan turns up."""
    places = (move.place for move in deal.moves if move.name == "turn_up_card" and move.to == EXTRA)
    place = next(places, None)
    return None if place is None else dealt[EXTRA][place]
