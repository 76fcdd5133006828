"""Explanation of a line: its settlement in sentences, from the showdown to the last card in the rack."""

from collections.abc import Iterable

import msgspec

from fourcard.cards import cards_text
from fourcard.dealer_script import DealerAction, rack_order, settlement_script
from fourcard.fingerprints import fingerprint
from fourcard.money import dollars
from fourcard.narration import Sentence, SettlementNarration
from fourcard.settle_files.reader import FinishedRound, seat_wagers
from fourcard.settle_files.settle import return_clauses
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.settling import Settlement
from fourcard.wagers import WAGER_LABELS


class Explanation(msgspec.Struct, frozen=True):
    """Explanation: a whole settlement in sentences."""

    id: str | int | None
    title: str
    sentences: tuple[Sentence, ...]
    rack: tuple[str, ...]
    """Hands in the order of the discard rack, so each can be rebuilt."""
    fingerprint: str


def explain_round(played: FinishedRound) -> Explanation:
    """Return the explanation of a round's settlement."""
    rulebook = played.game.rulebook
    edition = f", {rulebook.edition} edition" if len(rulebook.editions) > 1 else ""
    which = "A round" if played.id is None else f"Round {played.id}"
    title = f"{which} at a table of {rulebook.name}{edition}"
    if played.void is not None or played.showdown is None:
        return Explanation(played.id, title, _describe_void(played), (), fingerprint())
    done = settlement_script(played.settler, played.showdown, played.meter)
    settled = played.settler.settle(played.showdown, played.meter)
    sentences = _describe_settlement(SettlementNarration(played.settler, played.showdown), done, settled)
    rack = tuple(f"{position}: {cards_text(cards)}" for position, cards in rack_order(done))
    return Explanation(played.id, title, sentences, rack, fingerprint())


def _describe_void(played: FinishedRound) -> tuple[Sentence, ...]:
    clause = played.void or ""
    given_back = [
        Sentence(
            f"Position {seat.position}: give back the {WAGER_LABELS[name]} of {dollars(amount)}.",
            return_clauses(clause, name),
            seat.position,
        )
        for seat in played.seats
        for name, amount in seat_wagers(seat).items()
    ]
    return Sentence(
        "The round is void: every hand is dead and every wager goes back.", (clause,)
    ), *given_back


def _describe_settlement(
    wording: SettlementNarration, done: Iterable[DealerAction | SettlementStep], settled: Settlement
) -> tuple[Sentence, ...]:
    """Return every sentence from the showdown to the last card, and the result of each position."""
    said = [
        wording.describe_action(each) if isinstance(each, DealerAction) else wording.describe_step(each)
        for each in done
    ]
    for position, net in settled.nets(wording.seats).items():
        total = sum(net.values())
        outcome = "is even" if total == 0 else f"{'wins' if total > 0 else 'loses'} {dollars(abs(total))}"
        said.append(Sentence(f"{wording.player_label(position)} {outcome} in all.", (), position))
    if settled.entries and settled.meter is not None:
        said.append(Sentence(f"The meter stands at {dollars(settled.meter.whole_cents)}."))
    return tuple(said)
