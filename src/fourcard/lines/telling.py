"""Explanation of a line: its settlement in sentences, from the showdown to the last card in the rack."""

from collections.abc import Iterable

import msgspec

from fourcard.cards import cards_text
from fourcard.lines.answering import returned_by
from fourcard.lines.dealt import wagers_of
from fourcard.lines.reading import Round
from fourcard.money import dollars
from fourcard.provenance import fingerprint
from fourcard.rules.nodes import WAGER_LABELS
from fourcard.script import Deed, racked, script
from fourcard.settling import Settlement
from fourcard.wagers.wager import Step
from fourcard.wording import Sentence, Wording


class Telling(msgspec.Struct, frozen=True):
    """Explanation: a whole settlement in sentences."""

    id: str | int | None
    title: str
    sentences: tuple[Sentence, ...]
    rack: tuple[str, ...]
    """Hands in the order of the discard rack, so each can be rebuilt."""
    fingerprint: str


def tell(played: Round) -> Telling:
    """Return the explanation of a round's settlement."""
    book = played.game.rulebook
    edition = f", {book.edition} edition" if len(book.editions) > 1 else ""
    which = "A round" if played.id is None else f"Round {played.id}"
    title = f"{which} at a table of {book.name}{edition}"
    if played.void is not None or played.showdown is None:
        return Telling(played.id, title, _void(played), (), fingerprint())
    done = script(played.settler, played.showdown, played.meter)
    settled = played.settler.settle(played.showdown, played.meter)
    sentences = _told(Wording(played.settler, played.showdown), done, settled)
    rack = tuple(f"{position}: {cards_text(cards)}" for position, cards in racked(done))
    return Telling(played.id, title, sentences, rack, fingerprint())


def _void(played: Round) -> tuple[Sentence, ...]:
    clause = played.void or ""
    given_back = [
        Sentence(
            f"Position {seat.position}: give back the {WAGER_LABELS[name]} of {dollars(amount)}.",
            returned_by(clause, name),
            seat.position,
        )
        for seat in played.seats
        for name, amount in wagers_of(seat).items()
    ]
    return Sentence(
        "The round is void: every hand is dead and every wager goes back.", (clause,)
    ), *given_back


def _told(wording: Wording, done: Iterable[Deed | Step], settled: Settlement) -> tuple[Sentence, ...]:
    """Return every sentence from the showdown to the last card, and the result of each position."""
    said = [wording.deed(each) if isinstance(each, Deed) else wording.step(each) for each in done]
    for position, net in settled.nets(wording.seats).items():
        total = sum(net.values())
        outcome = "is even" if total == 0 else f"{'wins' if total > 0 else 'loses'} {dollars(abs(total))}"
        said.append(Sentence(f"{wording.who(position)} {outcome} in all.", (), position))
    if settled.entries and settled.meter is not None:
        said.append(Sentence(f"The meter stands at {dollars(settled.meter.displayed)}."))
    return tuple(said)
