"""Telling what happens at a table, event by event, in sentences with their clauses.

What is told is what anybody at the table sees and hears, unless the cards are to be told too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from fourcard.cards import card_text, cards_text
from fourcard.dealing import BONUS, EXTRA
from fourcard.money import dollars
from fourcard.round import events as of_round
from fourcard.round.evolve import showdown
from fourcard.round.state import RoundState
from fourcard.round.words import FOLLOWS, METHODS, SAID, TROUBLES
from fourcard.rules.nodes import WAGER_LABELS
from fourcard.table import events as of_table
from fourcard.table.events import TableEvent
from fourcard.table.evolve import evolve
from fourcard.table.state import TableState
from fourcard.wagers.showdown import DEALER
from fourcard.wording import Sentence, Wording

Telling = Iterator[Sentence]


class Narrator:
    """Follows a table and finds the words for what happens."""

    def __init__(self, state: TableState, *, open_cards: bool = False) -> None:
        """Start from a state; with open cards every card is named as it is dealt."""
        self.state, self.open_cards = state, open_cards
        self._wording: Wording | None = None

    def tell(self, events: Iterable[TableEvent]) -> list[Sentence]:
        """Return what some events are in words, and follow them."""
        said: list[Sentence] = []
        for event in events:
            before = self.state
            self.state = evolve(self.state, event)
            found = _WORDS.get(type(event))
            said += found(self, before, event) if found is not None else ()
        return said

    def _round(self, state: TableState) -> RoundState:
        found = state.round or state.finished
        assert found is not None
        return found

    def who(self, position: int) -> str:
        """Return a position and its player's name."""
        player = self.state.seats.get(position)
        return f"Position {position} ({player})" if player else f"Position {position}"

    def wording(self) -> Wording:
        """Return the words of the settlement under way."""
        if self._wording is None:
            state = self._round(self.state)
            self._wording = Wording(state.rules.settler, showdown(state))
        return self._wording

    def opened(self, _before: TableState, event: of_table.TableOpened) -> Telling:
        """Tell that the table opens."""
        count = "One deck" if len(event.decks) == 1 else "Two decks"
        how = ", inspected and shuffled already" if event.preshuffled else ""
        yield Sentence(f"The table opens. {count} with {' and '.join(event.decks)} backs{how}.")

    def brought(self, _before: TableState, event: of_table.DeckBrought) -> Telling:
        """Tell that a new deck came."""
        how = ", inspected and shuffled already" if event.preshuffled else ""
        yield Sentence(f"A new deck with {event.back} backs comes to the table{how}.")

    def prepared(self, before: TableState, event: of_table.StepPrepared) -> Telling:
        """Tell a step of preparation."""
        back = f" ({before.decks[event.deck].back} deck)" if len(before.decks) > 1 else ""
        depth = "" if event.depth is None else _depth(event)
        count = f" It counts {event.count} cards." if event.mixed and event.count is not None else ""
        hand = f" It is the {event.hand} hand." if event.hand else ""
        words = f"{SAID[event.step].removesuffix('.')}{back}.{depth}{count}{hand}"
        yield Sentence(words, event.clauses)

    def step_done(self, _before: TableState, event: of_round.StepDone) -> Telling:
        """Tell a step of the round."""
        words = SAID[event.step]
        if event.step == "verify_hand":
            name = _PLACES.get(event.position) or self.who(event.position)
            words = f"{name}: {words[0].lower()}{words[1:]}"
        count = "" if event.count is None else f" There {'is' if event.count == 1 else 'are'} {event.count}."
        yield Sentence(f"{words}{count}", event.clauses)

    def removed(self, before: TableState, event: of_table.DeckRemoved) -> Telling:
        """Tell that a deck leaves."""
        yield Sentence(f"The {before.decks[event.deck].back} deck is removed from the table.", event.clauses)

    def in_shuffler(self, before: TableState, event: of_table.DeckPutInShuffler) -> Telling:
        """Tell that the other deck goes into the shuffler."""
        yield Sentence(f"The {before.decks[event.deck].back} deck goes into the shuffler.", event.clauses)

    def recut(self, _before: TableState, event: of_table.RecutOrdered) -> Telling:
        """Tell that a recut was ordered."""
        yield Sentence("The cards are to be cut again.", event.clauses)

    def reshuffle(self, _before: TableState, event: of_table.ShuffleOrdered) -> Telling:
        """Tell that a shuffle was ordered."""
        yield Sentence("The cards are to be shuffled again.", event.clauses)

    def began(self, before: TableState, event: of_table.RoundBegan) -> Telling:
        """Tell that wagers are taken."""
        self._wording = None
        deck = f" with the {before.decks[event.deck].back} deck" if len(before.decks) > 1 else ""
        count = " The stub is counted in this round." if event.count_due else ""
        yield Sentence(f"Round {event.number}{deck}: place your wagers.{count}")

    def failed(self, before: TableState, event: of_table.DeviceFailed) -> Telling:
        """Tell that a device failed; what follows in a round is told as its irregularity."""
        follows = "" if before.round and event.deck is None else " The cards are to be shuffled again."
        yield Sentence(f"The {event.device} fails.{follows}", event.clauses)

    def seen_to(self, _before: TableState, event: of_table.DeviceSeenTo) -> Telling:
        """Tell what became of a device."""
        yield Sentence(SAID[event.step], event.clauses)

    def returned(self, _before: TableState, event: of_table.DeviceReturned) -> Telling:
        """Tell that a device is back."""
        yield Sentence(f"The {event.device} is back in use; the cards are to be shuffled again.")

    def odds_displayed(self, _before: TableState, event: of_round.OddsDisplayed) -> Telling:
        """Tell the Cover All odds."""
        odds = ", ".join(f"{row.replace('_', ' ')} {each}" for row, each in event.odds)
        dealt = "1 position is" if event.players == 1 else f"{event.players} positions are"
        yield Sentence(f"{dealt} dealt in; Cover All pays {odds}.", event.clauses)

    def swap(self, _before: TableState, event: of_table.SwapOrdered) -> Telling:
        """Tell that the machine is swapped."""
        yield Sentence("The machine is swapped for its backup.", event.clauses)

    def switched(self, _before: TableState, event: of_table.MethodSwitched) -> Telling:
        """Tell how cards are dealt from now on."""
        how = " and shuffled by hand" if event.by_hand else ""
        yield Sentence(f"From now on cards are dealt {METHODS[event.method]}{how}.", event.clauses)

    def idle(self, _before: TableState, event: of_table.WentIdle) -> Telling:
        """Tell that nobody plays."""
        yield Sentence(f"Nobody plays: the cards are spread {event.spread.replace('-', ' ')}.", event.clauses)

    def last_hand(self, before: TableState, _event: of_table.LastHandCalled) -> Telling:
        """Tell that the table closes after this round."""
        if before.round is not None:
            yield Sentence("This is the last hand: the table closes after this round.", ("P36",))

    def closed(self, _before: TableState, _event: of_table.TableClosed) -> Telling:
        """Tell that the table closes."""
        yield Sentence("The table closes.")

    def seated(self, _before: TableState, event: of_round.SeatTaken) -> Telling:
        """Tell that a player sat down."""
        yield Sentence(f"{event.player} sits down at position {event.position}.", (), event.position)

    def left(self, _before: TableState, event: of_round.SeatLeft) -> Telling:
        """Tell that a player got up."""
        yield Sentence(f"{event.player} leaves position {event.position}.", (), event.position)

    def placed(self, _before: TableState, event: of_round.WagerPlaced) -> Telling:
        """Tell a wager."""
        label, money = WAGER_LABELS[event.wager], dollars(event.amount)
        if not event.accepted:
            words = f"puts {money} on {label}, and the system does not register it"
        elif event.before:
            words = f"changes {label} from {dollars(event.before)} to {money}"
        else:
            words = f"puts {money} on {label}"
        yield Sentence(f"{self.who(event.position)} {words}.", (), event.position)

    def withdrawn(self, _before: TableState, event: of_round.WagerWithdrawn) -> Telling:
        """Tell that a wager was taken back."""
        label, money = WAGER_LABELS[event.wager], dollars(event.amount)
        yield Sentence(f"{self.who(event.position)} withdraws {label} of {money}.", (), event.position)

    def locked(self, _before: TableState, event: of_round.ProgressiveLocked) -> Telling:
        """Tell which progressive wagers stand."""
        stand = ", ".join(f"{dollars(stake)} at position {position}" for position, stake in event.stakes)
        yield Sentence(f"Progressive wagers that stand: {stand or 'none'}.")
        for position, stake in event.returned:
            words = f"{self.who(position)}: the chip of {dollars(stake)} was not registered and goes back."
            yield Sentence(words, event.clauses, position)

    def chips_differ(self, _before: TableState, event: of_round.ChipsDiffered) -> Telling:
        """Tell that the chips are wrong."""
        chips = "1 chip lies" if event.chips == 1 else f"{event.chips} chips lie"
        wagers = "1 accepted wager" if event.accepted == 1 else f"{event.accepted} accepted wagers"
        yield Sentence(f"{chips} against {wagers}: a floorperson is called.", event.clauses)

    def dealt(self, _before: TableState, event: of_round.CardsDealt) -> Telling:
        """Tell where cards went; their faces only where they lie open, or all are to be told."""
        name = _PLACES.get(event.to) or self.who(event.to)
        down = event.cards[: len(event.cards) - event.up]
        shown = f"{cards_text(down)} face down" if self.open_cards else _face_down(len(down))
        parts = [shown] if down else []
        parts += [f"{cards_text(event.cards[len(down) :])} face up"] if event.up else []
        yield Sentence(f"{name}: {' and '.join(parts)}.", event.clauses, max(event.to, 0))

    def turned_up(self, _before: TableState, event: of_round.UpCardTurned) -> Telling:
        """Tell the up card."""
        yield Sentence(f"The up card is {card_text(event.card)}.", event.clauses, DEALER)

    def burned(self, _before: TableState, event: of_round.CardsDiscarded) -> Telling:
        """Tell that cards were discarded unseen."""
        shown = f" ({cards_text(event.cards)})" if self.open_cards else ""
        yield Sentence(f"{len(event.cards)} cards go into the rack unseen{shown}.", event.clauses)

    def count_wrong(self, _before: TableState, event: of_round.CountFoundWrong) -> Telling:
        """Tell that the stub is wrong."""
        yield Sentence(f"The stub has {event.count} cards, not {event.expected}.", event.clauses)

    def judged(self, _before: TableState, event: of_round.CountJudged) -> Telling:
        """Tell what was found out."""
        found = "a hand was misdealt" if event.misdealt else "every hand is right"
        yield Sentence(f"Judged: {found}, and {event.total} cards are there in all.", event.clauses)

    def played(self, _before: TableState, event: of_round.PlayMade) -> Telling:
        """Tell a Play wager."""
        yield Sentence(f"{self.who(event.position)} plays {dollars(event.amount)}.", (), event.position)

    def folded(self, _before: TableState, event: of_round.HandFolded) -> Telling:
        """Tell a fold."""
        yield Sentence(f"{self.who(event.position)} folds.", (), event.position)

    def asked(self, _before: TableState, event: of_round.PlayerAsked) -> Telling:
        """Tell the dealer's question."""
        yield Sentence(f"{self.who(event.position)} is asked: stay or fold?", event.clauses, event.position)

    def hand_set(self, _before: TableState, event: of_round.HandSet) -> Telling:
        """Tell that a hand was presented, and record one that was set wrongly."""
        shown = f" {cards_text(event.cards)}" if self.open_cards else ""
        better = (
            f"; {cards_text(event.could_have)} was better" if self.open_cards and event.could_have else ""
        )
        yield Sentence(f"{self.who(event.position)} sets a hand{shown}{better}.", ("R27",), event.position)

    def abandoned(self, _before: TableState, event: of_round.SeatAbandoned) -> Telling:
        """Tell that a hand was abandoned."""
        words = f"{self.who(event.position)} has left; the wagers are treated as lost."
        yield Sentence(words, event.clauses, event.position)

    def performed(self, _before: TableState, event: of_round.ActPerformed) -> Telling:
        """Tell an act of settling."""
        wording = self.wording()
        yield from map(wording.step, event.steps)
        yield from map(wording.deed, event.deeds)

    def settled(self, _before: TableState, event: of_round.WagersSettled) -> Telling:
        """Tell money that moved."""
        yield from map(self.wording().step, event.steps)

    def awaited(self, _before: TableState, event: of_round.AwardAwaited) -> Telling:
        """Tell that an award waits: one of the meter for its price, a fixed one only to be confirmed."""
        step = event.step
        row, fixed = (step.row or step.hand).replace("_", " "), step.amount and step.source == "tray"
        award, waits = ("award", "to be confirmed") if fixed else ("meter's award", "for its price")
        words = f"{self.who(step.position)}: the {award} for {row} waits {waits}."
        yield Sentence(words, step.clauses, step.position)

    def award_paid(self, _before: TableState, event: of_round.AwardPaid) -> Telling:
        """Tell an award that had waited."""
        yield from map(self.wording().step, event.steps)
        if not event.documented:
            words = f"{self.who(event.position)}: the cards stay until the payout is documented."
            yield Sentence(words, self._stay_clauses(), event.position)

    def documented(self, _before: TableState, event: of_round.DocumentCompleted) -> Telling:
        """Tell that a payout is documented."""
        words = f"{self.who(event.position)}: the payout is documented, and the cards may go."
        yield Sentence(words, self._stay_clauses(), event.position)

    def _stay_clauses(self) -> tuple[str, ...]:
        """Return what keeps the cards of a payout on the table."""
        rules = self.state.game.rulebook.wagers.progressive
        return rules.cards_stay_until_documented.clauses if rules is not None else ()

    def corrected(self, _before: TableState, event: of_round.PaymentCorrected) -> Telling:
        """Tell a correction."""
        words = (
            f"{self.who(event.position)}: {dollars(event.handed)} had been handed over on "
            f"{WAGER_LABELS[event.wager]} where {dollars(event.due)} was due; made good by "
            f"{event.by or 'the supervisor'}: {event.reason}."
        )
        yield Sentence(words, (), event.position)

    def noted(self, _before: TableState, event: of_round.IrregularityNoted) -> Telling:
        """Tell what went wrong."""
        card = f" ({card_text(event.card)})" if event.card is not None else ""
        at = f" at position {event.position}" if event.position else ""
        follows = _listed([FOLLOWS[word] for word in event.consequences])
        words = f"Irregularity{at}: {TROUBLES[event.irregularity]}{card}. What follows: {follows}."
        yield Sentence(words, event.clauses)

    def voided(self, _before: TableState, event: of_round.RoundVoided) -> Telling:
        """Tell that everything goes back."""
        yield Sentence("The round is void: every hand is dead and every wager goes back.", event.clauses)
        for position, wager, amount in event.returned:
            words = f"{self.who(position)}: give back the {WAGER_LABELS[wager]} of {dollars(amount)}."
            yield Sentence(words, (), position)
        for step in event.reversed:
            paid = f"{dollars(step.amount)} paid on {WAGER_LABELS[step.wager]}"
            words = f"{self.who(step.position)}: take back {paid}."
            yield Sentence(words, ("R69",), step.position)
        if event.contributions:
            total = sum(stake for _, stake in event.contributions)
            yield Sentence(f"What {dollars(total)} of stakes brought to the meter is taken back.", ("R66",))
        if "remove-deck" in event.consequences:
            yield Sentence("The whole deck is removed from the table.", event.clauses)

    def ended(self, _before: TableState, event: of_round.RoundEnded) -> Telling:
        """Tell what everybody is left with."""
        dealt = self._round(self.state).dealt_in
        for position, net in event.nets:
            if position in dealt:
                outcome = "is even" if net == 0 else f"{'wins' if net > 0 else 'loses'} {dollars(abs(net))}"
                yield Sentence(f"{self.who(position)} {outcome} in all.", (), position)


_PLACES = {DEALER: "The dealer", EXTRA: "The extra stack", BONUS: "The bonus box"}


def _depth(event: of_table.StepPrepared) -> str:
    """Say how deep a cut is, at the step that decides it."""
    marked = event.step == "insert_cover_card"
    return f" It lies {event.depth} cards from the top." if marked else f" {event.depth} cards are cut off."


def _listed(parts: Sequence[str]) -> str:
    """Return parts as a sentence lists them."""
    if len(parts) < 3:
        return ", and ".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _face_down(count: int) -> str:
    return "a card face down" if count == 1 else f"{count} cards face down"


_WORDS: dict[type, Callable[[Narrator, TableState, Any], Telling]] = {
    of_table.TableOpened: Narrator.opened,
    of_table.DeckBrought: Narrator.brought,
    of_table.StepPrepared: Narrator.prepared,
    of_table.DeckRemoved: Narrator.removed,
    of_table.DeckPutInShuffler: Narrator.in_shuffler,
    of_table.RecutOrdered: Narrator.recut,
    of_table.ShuffleOrdered: Narrator.reshuffle,
    of_table.RoundBegan: Narrator.began,
    of_table.DeviceFailed: Narrator.failed,
    of_table.DeviceSeenTo: Narrator.seen_to,
    of_table.DeviceReturned: Narrator.returned,
    of_round.OddsDisplayed: Narrator.odds_displayed,
    of_table.SwapOrdered: Narrator.swap,
    of_table.MethodSwitched: Narrator.switched,
    of_table.WentIdle: Narrator.idle,
    of_table.LastHandCalled: Narrator.last_hand,
    of_table.TableClosed: Narrator.closed,
    of_round.SeatTaken: Narrator.seated,
    of_round.SeatLeft: Narrator.left,
    of_round.WagerPlaced: Narrator.placed,
    of_round.WagerWithdrawn: Narrator.withdrawn,
    of_round.StepDone: Narrator.step_done,
    of_round.ProgressiveLocked: Narrator.locked,
    of_round.ChipsDiffered: Narrator.chips_differ,
    of_round.CardsDealt: Narrator.dealt,
    of_round.UpCardTurned: Narrator.turned_up,
    of_round.CardsDiscarded: Narrator.burned,
    of_round.CountFoundWrong: Narrator.count_wrong,
    of_round.CountJudged: Narrator.judged,
    of_round.PlayMade: Narrator.played,
    of_round.HandFolded: Narrator.folded,
    of_round.PlayerAsked: Narrator.asked,
    of_round.HandSet: Narrator.hand_set,
    of_round.SeatAbandoned: Narrator.abandoned,
    of_round.ActPerformed: Narrator.performed,
    of_round.WagersSettled: Narrator.settled,
    of_round.AwardAwaited: Narrator.awaited,
    of_round.AwardPaid: Narrator.award_paid,
    of_round.DocumentCompleted: Narrator.documented,
    of_round.PaymentCorrected: Narrator.corrected,
    of_round.IrregularityNoted: Narrator.noted,
    of_round.RoundVoided: Narrator.voided,
    of_round.RoundEnded: Narrator.ended,
}
