"""Telling a settlement: every deed and step in a sentence, as a dealer would say it, with its clauses."""

from collections.abc import Iterable

import msgspec

from fourcard.cards import cards_text
from fourcard.hands import Hand
from fourcard.lines.answering import returned_by
from fourcard.lines.dealt import wagers_of
from fourcard.lines.reading import Round
from fourcard.money import dollars
from fourcard.provenance import fingerprint
from fourcard.rules.nodes import WAGER_LABELS
from fourcard.script import Deed, racked, script
from fourcard.settling import Settlement, Settler
from fourcard.wagers.cover_all import CoverAll
from fourcard.wagers.showdown import DEALER, Showdown, Standing
from fourcard.wagers.wager import Step, odds_by_row


class Sentence(msgspec.Struct, frozen=True):
    """One sentence of a dealer, and the position that it is about; 0 is the dealer, None the table."""

    text: str
    clauses: tuple[str, ...] = ()
    position: int | None = None


class Telling(msgspec.Struct, frozen=True):
    """A whole settlement in words."""

    id: str | int | None
    title: str
    sentences: tuple[Sentence, ...]
    rack: tuple[str, ...]
    """The hands in the order in which they went into the discard rack, so that each can be rebuilt."""
    fingerprint: str


def tell(played: Round) -> Telling:
    """Return the settlement of a round in words."""
    book = played.game.rulebook
    edition = f", {book.edition} edition" if len(book.editions) > 1 else ""
    which = "A round" if played.id is None else f"Round {played.id}"
    title = f"{which} at a table of {book.name}{edition}"
    if played.void is not None or played.showdown is None:
        return Telling(played.id, title, _void(played), (), fingerprint())
    done = script(played.settler, played.showdown, played.meter)
    settled = played.settler.settle(played.showdown, played.meter)
    sentences = _Teller(played.settler, played.showdown).tell(done, settled)
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


class _Teller:
    """Finds the words for one showdown."""

    def __init__(self, settler: Settler, showdown: Showdown) -> None:
        self.settler, self.showdown = settler, showdown
        self.seats = {seat.position: seat for seat in showdown.seats}

    def tell(self, done: Iterable[Deed | Step], settled: Settlement) -> tuple[Sentence, ...]:
        """Return every sentence from the showdown to the last card, and what each position is left with."""
        said = [self._deed(each) if isinstance(each, Deed) else self._step(each) for each in done]
        for position, net in settled.nets(self.seats).items():
            total = sum(net.values())
            outcome = "is even" if total == 0 else f"{'wins' if total > 0 else 'loses'} {dollars(abs(total))}"
            said.append(Sentence(f"{self._who(position)} {outcome} in all.", (), position))
        if settled.entries and settled.meter is not None:
            said.append(Sentence(f"The meter stands at {dollars(settled.meter.displayed)}."))
        return tuple(said)

    def _who(self, position: int) -> str:
        named = self.seats[position].player.removeprefix("player ")
        known = named != f"position {position}"
        return f"Position {position} ({named})" if known else f"Position {position}"

    def _deed(self, deed: Deed) -> Sentence:
        words = self._dealers(deed) if deed.position == DEALER else self._players(deed)
        return Sentence(words, deed.clauses, None if deed.act == "display_odds" else deed.position)

    def _dealers(self, deed: Deed) -> str:
        cards, dealer = cards_text(deed.cards), self.showdown.dealer_hand
        said: dict[str, str] = {
            "reveal_dealer": f"The dealer shows {cards}: {dealer.name}.",
            "reveal_bonus_card": f"The bonus card is {cards}.",
            "announce_dealer": f"The dealer sorts the hand and announces {cards}: {dealer.name}.",
            "lay_unused_behind": f"{cards} are not used and go behind the hand.",
            "rack_dealer": "The dealer's own cards go into the discard rack last.",
            "rack_bonus_card": "The bonus card goes with them.",
        }
        return self._odds_shown() if deed.act == "display_odds" else said[deed.act]

    def _odds_shown(self) -> str:
        wager = self.settler.wagers["cover_all"]
        assert isinstance(wager, CoverAll)
        pays = odds_by_row(wager.column(self.showdown))
        odds = ", ".join(f"{row.replace('_', ' ')} {each}" for row, each in pays.items())
        count = len(self.showdown.seats)
        dealt = "1 position is" if count == 1 else f"{count} positions are"
        return f"{dealt} dealt in; Cover All pays {odds}."

    def _players(self, deed: Deed) -> str:
        hand = self.seats[deed.position].hand
        said: dict[str, str] = {
            "bring_hand": "the hand comes into the work area.",
            "reveal_hand": f"{cards_text(deed.cards)}, {hand.name}{self._against(deed.position, hand)}.",
            "choose_hand": f"the best four are {cards_text(deed.cards)}.",
            "leave_face_up": "the hand stays face up, for others win Envy by it.",
            "leave_exposed": "the hand stays exposed as the highest so far, for Cover All.",
            "remove_exposed": "the lower hand is removed to the discard rack.",
        }
        return f"{self._who(deed.position)}: {said.get(deed.act, 'the cards go into the discard rack.')}"

    def _against(self, position: int, hand: Hand) -> str:
        """Say how a hand that contests the dealer's compares with it."""
        seat, dealer = self.seats[position], self.showdown.dealer_hand
        if seat.standing is not Standing.LIVE or "ante" not in seat.wagers:
            return ""
        if hand == dealer:
            return ", a tie with the dealer"
        return ", which beats the dealer" if hand > dealer else ", which the dealer beats"

    def _step(self, step: Step) -> Sentence:
        label, money = WAGER_LABELS[step.wager], dollars(step.amount)
        if step.action == "take":
            words = f"{self._why(step)}take the {label} of {money}."
        elif step.wager == "envy":
            words = f"Envy for the {_hand(step)} of position {step.holder}, pay {money}."
        elif "R59" in step.clauses:
            words = f"{label}, the meter has run dry: pay the other {money} from the tray."
        else:
            won = f" for {_hand(step)}{' beaten' if step.wager == 'bad_beat' else ''}" if step.row else ""
            source = " from the meter" if step.source == "meter" else ""
            words = f"{label}{won}, pay {money}{source} ({step.odds})."
        return Sentence(f"{self._who(step.position)}: {words}", step.clauses, step.position)

    def _why(self, step: Step) -> str:
        """Say that a player folded or left where that is what a wager is lost by."""
        standing = self.seats[step.position].standing
        if standing is Standing.LEFT:
            return "the player has left, "
        return "folded, " if step.wager == "ante" and standing is not Standing.LIVE else ""


def _hand(step: Step) -> str:
    return (step.row or step.hand).replace("_", " ")
