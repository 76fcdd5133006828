"""Table narration: sentences with clauses for each event, as anybody at the table sees and hears it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from fourcard.cards import card_text, cards_text
from fourcard.dealing import BONUS, EXTRA
from fourcard.money import dollars
from fourcard.narration import Sentence, SettlementNarration
from fourcard.round import events as of_round
from fourcard.round.evolve import showdown
from fourcard.round.prompts import CONSEQUENCE_PHRASES, IRREGULARITY_PHRASES, METHOD_PHRASES, STEP_NARRATION
from fourcard.round.state import RoundState
from fourcard.settlers.showdown import DEALER
from fourcard.table import events as of_table
from fourcard.table.events import TableEvent
from fourcard.table.evolve import evolve
from fourcard.table.state import TableState
from fourcard.wagers import WAGER_LABELS

Sentences = Iterator[Sentence]


class TableNarrator:
    """Narrates the events of a table and follows its state."""

    def __init__(self, state: TableState, *, open_cards: bool = False) -> None:
        """Start from a state; ``open_cards`` names every card as it is dealt."""
        self.state, self.open_cards = state, open_cards
        self._wording: SettlementNarration | None = None

    def narrate(self, events: Iterable[TableEvent]) -> list[Sentence]:
        """Return the sentences for some events."""
        sentences: list[Sentence] = []
        for event in events:
            before = self.state
            self.state = evolve(self.state, event)
            narrate = _NARRATORS.get(type(event))
            sentences += narrate(self, before, event) if narrate is not None else ()
        return sentences

    def _round(self, state: TableState) -> RoundState:
        round_state = state.round or state.last_round
        assert round_state is not None
        return round_state

    def who(self, position: int) -> str:
        """Return a position with its player's name."""
        player = self.state.seats.get(position)
        return f"Position {position} ({player})" if player else f"Position {position}"

    def settlement_narration(self) -> SettlementNarration:
        """Return the narration of the current settlement."""
        if self._wording is None:
            state = self._round(self.state)
            self._wording = SettlementNarration(state.rules.settler, showdown(state))
        return self._wording

    def _on_table_opened(self, _before: TableState, event: of_table.TableOpened) -> Sentences:
        count = "One deck" if len(event.decks) == 1 else "Two decks"
        how = ", inspected and shuffled already" if event.preshuffled else ""
        yield Sentence(f"The table opens. {count} with {' and '.join(event.decks)} backs{how}.")

    def _on_deck_brought(self, _before: TableState, event: of_table.DeckBrought) -> Sentences:
        how = ", inspected and shuffled already" if event.preshuffled else ""
        yield Sentence(f"A new deck with {event.back} backs comes to the table{how}.")

    def _on_step_prepared(self, before: TableState, event: of_table.StepPrepared) -> Sentences:
        back = f" ({before.decks[event.deck].back} deck)" if len(before.decks) > 1 else ""
        depth = "" if event.depth is None else _cut_depth(event)
        count = f" It counts {event.count} cards." if event.mixed and event.count is not None else ""
        hand = f" It is the {event.hand} hand." if event.hand else ""
        words = f"{STEP_NARRATION[event.step].removesuffix('.')}{back}.{depth}{count}{hand}"
        yield Sentence(words, event.clauses)

    def _on_step_done(self, _before: TableState, event: of_round.StepDone) -> Sentences:
        words = STEP_NARRATION[event.step]
        if event.step == "verify_hand":
            name = _PLACE_NAMES.get(event.position) or self.who(event.position)
            words = f"{name}: {words[0].lower()}{words[1:]}"
        count = "" if event.count is None else f" There {'is' if event.count == 1 else 'are'} {event.count}."
        yield Sentence(f"{words}{count}", event.clauses)

    def _on_deck_removed(self, before: TableState, event: of_table.DeckRemoved) -> Sentences:
        yield Sentence(f"The {before.decks[event.deck].back} deck is removed from the table.", event.clauses)

    def _on_deck_put_in_shuffler(self, before: TableState, event: of_table.DeckPutInShuffler) -> Sentences:
        yield Sentence(f"The {before.decks[event.deck].back} deck goes into the shuffler.", event.clauses)

    def _on_recut_ordered(self, _before: TableState, event: of_table.RecutOrdered) -> Sentences:
        yield Sentence("The cards are to be cut again.", event.clauses)

    def _on_shuffle_ordered(self, _before: TableState, event: of_table.ShuffleOrdered) -> Sentences:
        yield Sentence("The cards are to be shuffled again.", event.clauses)

    def _on_round_began(self, before: TableState, event: of_table.RoundBegan) -> Sentences:
        self._wording = None
        deck = f" with the {before.decks[event.deck].back} deck" if len(before.decks) > 1 else ""
        count = " The stub is counted in this round." if event.count_due else ""
        yield Sentence(f"Round {event.number}{deck}: place your wagers.{count}")

    def _on_device_failed(self, before: TableState, event: of_table.DeviceFailed) -> Sentences:
        """Narrate a failure; during a round its consequences come with the irregularity."""
        follows = "" if before.round and event.deck is None else " The cards are to be shuffled again."
        yield Sentence(f"The {event.device} fails.{follows}", event.clauses)

    def _on_device_seen_to(self, _before: TableState, event: of_table.DeviceSeenTo) -> Sentences:
        yield Sentence(STEP_NARRATION[event.step], event.clauses)

    def _on_device_returned(self, _before: TableState, event: of_table.DeviceReturned) -> Sentences:
        yield Sentence(f"The {event.device} is back in use; the cards are to be shuffled again.")

    def _on_odds_displayed(self, _before: TableState, event: of_round.OddsDisplayed) -> Sentences:
        odds = ", ".join(f"{row.replace('_', ' ')} {each}" for row, each in event.odds)
        dealt = "1 position is" if event.players == 1 else f"{event.players} positions are"
        yield Sentence(f"{dealt} dealt in; Cover All pays {odds}.", event.clauses)

    def _on_swap_ordered(self, _before: TableState, event: of_table.SwapOrdered) -> Sentences:
        yield Sentence("The machine is swapped for its backup.", event.clauses)

    def _on_method_switched(self, _before: TableState, event: of_table.MethodSwitched) -> Sentences:
        how = " and shuffled by hand" if event.by_hand else ""
        yield Sentence(f"From now on cards are dealt {METHOD_PHRASES[event.method]}{how}.", event.clauses)

    def _on_went_idle(self, _before: TableState, event: of_table.WentIdle) -> Sentences:
        yield Sentence(f"Nobody plays: the cards are spread {event.spread.replace('-', ' ')}.", event.clauses)

    def _on_player_arrived(self, _before: TableState, event: of_table.PlayerArrived) -> Sentences:
        words = "A player comes to the idle table: the cards are shown, washed and shuffled first."
        yield Sentence(words, event.clauses)

    def last_hand(self, before: TableState, _event: of_table.LastHandCalled) -> Sentences:
        """Tell that the table closes after this round."""
        if before.round is not None:
            yield Sentence("This is the last hand: the table closes after this round.", ("P36",))

    def closed(self, _before: TableState, _event: of_table.TableClosed) -> Sentences:
        """Tell that the table closes."""
        yield Sentence("The table closes.")

    def _on_seat_taken(self, _before: TableState, event: of_round.SeatTaken) -> Sentences:
        yield Sentence(f"{event.player} sits down at position {event.position}.", (), event.position)

    def _on_seat_left(self, _before: TableState, event: of_round.SeatLeft) -> Sentences:
        yield Sentence(f"{event.player} leaves position {event.position}.", (), event.position)

    def _on_wager_placed(self, _before: TableState, event: of_round.WagerPlaced) -> Sentences:
        label, money = WAGER_LABELS[event.wager], dollars(event.amount)
        if not event.accepted:
            words = f"puts {money} on {label}, and the system does not register it"
        elif event.before:
            words = f"changes {label} from {dollars(event.before)} to {money}"
        else:
            words = f"puts {money} on {label}"
        yield Sentence(f"{self.who(event.position)} {words}.", (), event.position)

    def _on_wager_withdrawn(self, _before: TableState, event: of_round.WagerWithdrawn) -> Sentences:
        label, money = WAGER_LABELS[event.wager], dollars(event.amount)
        yield Sentence(f"{self.who(event.position)} withdraws {label} of {money}.", (), event.position)

    def _on_progressive_locked(self, _before: TableState, event: of_round.ProgressiveLocked) -> Sentences:
        stakes = ", ".join(f"{dollars(stake)} at position {position}" for position, stake in event.stakes)
        yield Sentence(f"Progressive wagers locked in: {stakes or 'none'}.")
        for position, stake in event.returned:
            words = f"{self.who(position)}: the chip of {dollars(stake)} was not registered and goes back."
            yield Sentence(words, event.clauses, position)

    def _on_chips_differed(self, _before: TableState, event: of_round.ChipsDiffered) -> Sentences:
        chips = "1 chip" if event.chips == 1 else f"{event.chips} chips"
        wagers = "1 accepted wager" if event.accepted == 1 else f"{event.accepted} accepted wagers"
        yield Sentence(f"{chips} for {wagers}: a floorperson is called.", event.clauses)

    def _on_cards_dealt(self, _before: TableState, event: of_round.CardsDealt) -> Sentences:
        """Name only cards that lie face up, unless all cards are told."""
        name = _PLACE_NAMES.get(event.to) or self.who(event.to)
        down = event.cards[: len(event.cards) - event.up]
        shown = f"{cards_text(down)} face down" if self.open_cards else _face_down_cards(len(down))
        parts = [shown] if down else []
        parts += [f"{cards_text(event.cards[len(down) :])} face up"] if event.up else []
        yield Sentence(f"{name}: {' and '.join(parts)}.", event.clauses, max(event.to, 0))

    def _on_up_card_turned(self, _before: TableState, event: of_round.UpCardTurned) -> Sentences:
        yield Sentence(f"The up card is {card_text(event.card)}.", event.clauses, DEALER)

    def _on_cards_discarded(self, _before: TableState, event: of_round.CardsDiscarded) -> Sentences:
        shown = f" ({cards_text(event.cards)})" if self.open_cards else ""
        yield Sentence(f"{len(event.cards)} cards go into the rack unseen{shown}.", event.clauses)

    def _on_count_found_wrong(self, _before: TableState, event: of_round.CountFoundWrong) -> Sentences:
        yield Sentence(f"The stub has {event.count} cards, not {event.expected}.", event.clauses)

    def _on_count_judged(self, _before: TableState, event: of_round.CountJudged) -> Sentences:
        hands = "a hand was misdealt" if event.misdealt else "every hand is right"
        yield Sentence(f"Judged: {hands}, and there are {event.total} cards in all.", event.clauses)

    def _on_play_made(self, _before: TableState, event: of_round.PlayMade) -> Sentences:
        yield Sentence(f"{self.who(event.position)} plays {dollars(event.amount)}.", (), event.position)

    def _on_hand_folded(self, _before: TableState, event: of_round.HandFolded) -> Sentences:
        yield Sentence(f"{self.who(event.position)} folds.", (), event.position)

    def _on_player_asked(self, _before: TableState, event: of_round.PlayerAsked) -> Sentences:
        yield Sentence(f"{self.who(event.position)} is asked: stay or fold?", event.clauses, event.position)

    def _on_hand_set(self, _before: TableState, event: of_round.HandSet) -> Sentences:
        shown = f" {cards_text(event.cards)}" if self.open_cards else ""
        better = (
            f"; {cards_text(event.could_have)} was better" if self.open_cards and event.could_have else ""
        )
        yield Sentence(f"{self.who(event.position)} sets a hand{shown}{better}.", ("R27",), event.position)

    def _on_seat_abandoned(self, _before: TableState, event: of_round.SeatAbandoned) -> Sentences:
        words = f"{self.who(event.position)} has left; the wagers are treated as lost."
        yield Sentence(words, event.clauses, event.position)

    def _on_act_performed(self, _before: TableState, event: of_round.ActPerformed) -> Sentences:
        wording = self.settlement_narration()
        yield from map(wording.describe_step, event.steps)
        yield from map(wording.describe_action, event.actions)

    def _on_wagers_settled(self, _before: TableState, event: of_round.WagersSettled) -> Sentences:
        yield from map(self.settlement_narration().describe_step, event.steps)

    def _on_award_awaited(self, _before: TableState, event: of_round.AwardAwaited) -> Sentences:
        """Narrate an award that waits for its amount, for its confirmation or for a second person."""
        step = event.step
        if step.wager != "progressive":
            large = f"the {WAGER_LABELS[step.wager]} award of {dollars(step.amount)}"
            words = f"{self.who(step.position)}: {large} waits for a second person."
            yield Sentence(words, step.clauses, step.position)
            return
        row, fixed = (step.row or step.hand).replace("_", " "), step.amount and step.source == "tray"
        award, waits = ("award", "to be confirmed") if fixed else ("meter's award", "for its amount")
        words = f"{self.who(step.position)}: the {award} for {row} waits {waits}."
        yield Sentence(words, step.clauses, step.position)

    def _on_award_confirmed(self, _before: TableState, event: of_round.AwardConfirmed) -> Sentences:
        who, by = self.who(event.step.position), event.by or "a second person"
        yield Sentence(f"{who}: {by} confirms the award.", ("R61",), event.step.position)
        yield self.settlement_narration().describe_step(event.step)

    def _on_award_paid(self, _before: TableState, event: of_round.AwardPaid) -> Sentences:
        yield from map(self.settlement_narration().describe_step, event.steps)
        if not event.documented:
            words = f"{self.who(event.position)}: the cards stay until the payout is documented."
            yield Sentence(words, self._stay_clauses(), event.position)

    def _on_document_completed(self, _before: TableState, event: of_round.DocumentCompleted) -> Sentences:
        words = f"{self.who(event.position)}: the payout is documented, and the cards may go."
        yield Sentence(words, self._stay_clauses(), event.position)

    def _stay_clauses(self) -> tuple[str, ...]:
        """Return the clauses that keep the cards of a payout on the table."""
        rules = self.state.game.rulebook.wagers.progressive
        return rules.cards_stay_until_documented.clauses if rules is not None else ()

    def _on_payment_corrected(self, _before: TableState, event: of_round.PaymentCorrected) -> Sentences:
        words = (
            f"{self.who(event.position)}: {dollars(event.handed)} was handed over on "
            f"{WAGER_LABELS[event.wager]} instead of {dollars(event.due)}; corrected by "
            f"{event.by or 'the supervisor'}: {event.reason}."
        )
        yield Sentence(words, (), event.position)

    def _on_irregularity_noted(self, _before: TableState, event: of_round.IrregularityNoted) -> Sentences:
        card = f" ({card_text(event.card)})" if event.card is not None else ""
        places = {DEALER: "", EXTRA: " in the extra stack", BONUS: " in the bonus box"}
        at = places.get(event.position, f" at position {event.position}")
        follows = _join_phrases([CONSEQUENCE_PHRASES[word] for word in event.consequences])
        words = (
            f"Irregularity{at}: {IRREGULARITY_PHRASES[event.irregularity]}{card}. What follows: {follows}."
        )
        yield Sentence(words, event.clauses)

    def _on_round_voided(self, before: TableState, event: of_round.RoundVoided) -> Sentences:
        """Narrate a void round, or one that was called off before its first card (P24)."""
        words = "The round is void: every hand is dead and every wager goes back."
        if before.round is not None and not before.round.dealt_mask:
            words = f"The round is called off{', and every wager goes back' if event.returned else ''}."
        yield Sentence(words, event.clauses)
        for position, wager, amount in event.returned:
            words = f"{self.who(position)}: give back the {WAGER_LABELS[wager]} of {dollars(amount)}."
            yield Sentence(words, (), position)
        for step in event.reversed:
            paid = f"{dollars(step.amount)} paid on {WAGER_LABELS[step.wager]}"
            words = f"{self.who(step.position)}: take back {paid}."
            yield Sentence(words, ("R69",), step.position)
        if event.contributions:
            total = sum(stake for _, stake in event.contributions)
            yield Sentence(
                f"The meter gives back what {dollars(total)} of progressive wagers added.", ("R66",)
            )
        if "remove-deck" in event.consequences:
            yield Sentence("The whole deck is removed from the table.", event.clauses)

    def _on_round_ended(self, _before: TableState, event: of_round.RoundEnded) -> Sentences:
        dealt = self._round(self.state).dealt_in
        for position, net in event.nets:
            if position in dealt:
                outcome = "is even" if net == 0 else f"{'wins' if net > 0 else 'loses'} {dollars(abs(net))}"
                yield Sentence(f"{self.who(position)} {outcome} in all.", (), position)


_PLACE_NAMES = {DEALER: "The dealer", EXTRA: "The extra stack", BONUS: "The bonus box"}


def _cut_depth(event: of_table.StepPrepared) -> str:
    """Return the sentence on the depth of the cut."""
    marked = event.step == "insert_cover_card"
    return f" It lies {event.depth} cards from the top." if marked else f" {event.depth} cards are cut off."


def _join_phrases(parts: Sequence[str]) -> str:
    """Join phrases with commas and "and"."""
    if len(parts) < 3:
        return ", and ".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _face_down_cards(count: int) -> str:
    return "a card face down" if count == 1 else f"{count} cards face down"


_NARRATORS: dict[type, Callable[[TableNarrator, TableState, Any], Sentences]] = {
    of_table.TableOpened: TableNarrator._on_table_opened,
    of_table.DeckBrought: TableNarrator._on_deck_brought,
    of_table.StepPrepared: TableNarrator._on_step_prepared,
    of_table.DeckRemoved: TableNarrator._on_deck_removed,
    of_table.DeckPutInShuffler: TableNarrator._on_deck_put_in_shuffler,
    of_table.RecutOrdered: TableNarrator._on_recut_ordered,
    of_table.ShuffleOrdered: TableNarrator._on_shuffle_ordered,
    of_table.RoundBegan: TableNarrator._on_round_began,
    of_table.DeviceFailed: TableNarrator._on_device_failed,
    of_table.DeviceSeenTo: TableNarrator._on_device_seen_to,
    of_table.DeviceReturned: TableNarrator._on_device_returned,
    of_round.OddsDisplayed: TableNarrator._on_odds_displayed,
    of_table.SwapOrdered: TableNarrator._on_swap_ordered,
    of_table.MethodSwitched: TableNarrator._on_method_switched,
    of_table.WentIdle: TableNarrator._on_went_idle,
    of_table.PlayerArrived: TableNarrator._on_player_arrived,
    of_table.LastHandCalled: TableNarrator.last_hand,
    of_table.TableClosed: TableNarrator.closed,
    of_round.SeatTaken: TableNarrator._on_seat_taken,
    of_round.SeatLeft: TableNarrator._on_seat_left,
    of_round.WagerPlaced: TableNarrator._on_wager_placed,
    of_round.WagerWithdrawn: TableNarrator._on_wager_withdrawn,
    of_round.StepDone: TableNarrator._on_step_done,
    of_round.ProgressiveLocked: TableNarrator._on_progressive_locked,
    of_round.ChipsDiffered: TableNarrator._on_chips_differed,
    of_round.CardsDealt: TableNarrator._on_cards_dealt,
    of_round.UpCardTurned: TableNarrator._on_up_card_turned,
    of_round.CardsDiscarded: TableNarrator._on_cards_discarded,
    of_round.CountFoundWrong: TableNarrator._on_count_found_wrong,
    of_round.CountJudged: TableNarrator._on_count_judged,
    of_round.PlayMade: TableNarrator._on_play_made,
    of_round.HandFolded: TableNarrator._on_hand_folded,
    of_round.PlayerAsked: TableNarrator._on_player_asked,
    of_round.HandSet: TableNarrator._on_hand_set,
    of_round.SeatAbandoned: TableNarrator._on_seat_abandoned,
    of_round.ActPerformed: TableNarrator._on_act_performed,
    of_round.WagersSettled: TableNarrator._on_wagers_settled,
    of_round.AwardAwaited: TableNarrator._on_award_awaited,
    of_round.AwardConfirmed: TableNarrator._on_award_confirmed,
    of_round.AwardPaid: TableNarrator._on_award_paid,
    of_round.DocumentCompleted: TableNarrator._on_document_completed,
    of_round.PaymentCorrected: TableNarrator._on_payment_corrected,
    of_round.IrregularityNoted: TableNarrator._on_irregularity_noted,
    of_round.RoundVoided: TableNarrator._on_round_voided,
    of_round.RoundEnded: TableNarrator._on_round_ended,
}
