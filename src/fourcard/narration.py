"""Narration of a settlement: one sentence with clauses for every dealer action and payment step."""

import msgspec

from fourcard.cards import cards_text
from fourcard.dealer_script import DealerAction
from fourcard.hands import Hand
from fourcard.money import dollars
from fourcard.settlers.cover_all import CoverAllSettler
from fourcard.settlers.showdown import DEALER, Showdown, Standing
from fourcard.settlers.wager_settler import SettlementStep, odds_by_row
from fourcard.settling import Settler
from fourcard.wagers import WAGER_LABELS


class Sentence(msgspec.Struct, frozen=True):
    """Sentence with its clauses and position; 0 is the dealer, None the table."""

    text: str
    clauses: tuple[str, ...] = ()
    position: int | None = None


class SettlementNarration:
    """Narrates the settlement of one showdown."""

    def __init__(self, settler: Settler, showdown: Showdown) -> None:
        """Store the hands."""
        self.settler, self.showdown = settler, showdown
        self.seats = {seat.position: seat for seat in showdown.seats}

    def player_label(self, position: int) -> str:
        """Return a position with its player's name, if known."""
        named = self.seats[position].player.removeprefix("player ")
        known = named != f"position {position}"
        return f"Position {position} ({named})" if known else f"Position {position}"

    def describe_action(self, deed: DealerAction) -> Sentence:
        """Describe an action with cards."""
        words = self._dealers(deed) if deed.position == DEALER else self._players(deed)
        return Sentence(words, deed.clauses, None if deed.act == "display_odds" else deed.position)

    def _dealers(self, deed: DealerAction) -> str:
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
        assert isinstance(wager, CoverAllSettler)
        pays = odds_by_row(wager.column(self.showdown))
        odds = ", ".join(f"{row.replace('_', ' ')} {each}" for row, each in pays.items())
        count = len(self.showdown.seats)
        dealt = "1 position is" if count == 1 else f"{count} positions are"
        return f"{dealt} dealt in; Cover All pays {odds}."

    def _players(self, deed: DealerAction) -> str:
        hand = self.seats[deed.position].hand
        said: dict[str, str] = {
            "bring_hand": "the hand comes into the work area.",
            "reveal_hand": f"{cards_text(deed.cards)}, {hand.name}{self._against(deed.position, hand)}.",
            "choose_hand": f"the best four are {cards_text(deed.cards)}.",
            "hold_for_document": "the hand stays on the table, for the meter's award is to be documented.",
            "leave_face_up": "the hand stays face up, for others win Envy by it.",
            "leave_exposed": "the hand stays exposed as the highest so far, for Cover All.",
            "remove_exposed": "the lower hand is removed to the discard rack.",
        }
        return (
            f"{self.player_label(deed.position)}: {said.get(deed.act, 'the cards go into the discard rack.')}"
        )

    def _against(self, position: int, hand: Hand) -> str:
        """Describe how a hand compares with the dealer's."""
        seat, dealer = self.seats[position], self.showdown.dealer_hand
        if seat.standing is not Standing.LIVE or "ante" not in seat.wagers:
            return ""
        if hand == dealer:
            return ", a tie with the dealer"
        return ", which beats the dealer" if hand > dealer else ", which the dealer beats"

    def describe_step(self, step: SettlementStep) -> Sentence:
        """Describe what is taken or paid, and why."""
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
            odds = "" if step.odds == money else f" ({step.odds})"
            words = f"{label}{won}, pay {money}{source}{odds}."
        return Sentence(f"{self.player_label(step.position)}: {words}", step.clauses, step.position)

    def _why(self, step: SettlementStep) -> str:
        """Say that a player folded or left, if that lost the wager."""
        standing = self.seats[step.position].standing
        if standing is Standing.LEFT:
            return "the player has left, "
        return "folded, " if step.wager == "ante" and standing is not Standing.LIVE else ""


def _hand(step: SettlementStep) -> str:
    return (step.row or step.hand).replace("_", " ")
