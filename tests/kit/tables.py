"""Tables for tests: tables of the examples, decks that deal given hands, and views of new rounds."""

from collections.abc import Iterable, Mapping, Sequence

from fourcard.cards import DECK, parse_cards
from fourcard.dealing import deal_plan, stack_deck
from fourcard.refusals import Refusal
from fourcard.round.commands import PlaceWager
from fourcard.round.state import RoundState
from fourcard.round.view import NextStepView, PositionView, RoundView
from fourcard.rules.game import Game
from fourcard.table import bots
from fourcard.table.commands import TableCommand
from fourcard.table.decide import decide
from fourcard.table.events import TableEvent
from fourcard.table.table_driver import Table, seeded_shuffle
from fourcard.wagers import WagerName
from tests.kit.support import game


def new_position_view(position: int, player: str) -> PositionView:
    """Return the view of a position where nothing has happened yet."""
    return PositionView(
        position=position,
        player=player,
        wagers={},
        lying={},
        cards=(),
        decision=None,
        asked=False,
        abandoned=False,
        racked=False,
        net=0,
    )


def new_round_view(places: tuple[PositionView, ...], due: str, *clauses: str) -> RoundView:
    """Return the view of a round that has just begun, with the dealer's next step."""
    return RoundView(
        phase="betting",
        bets_open=True,
        places=places,
        dealer=(),
        up=None,
        extra=0,
        bonus=(),
        burned=0,
        discarded=(),
        due=NextStepView(due, 0, clauses),
        wrong_count=None,
        deciding=None,
        award_awaited=None,
        undocumented=(),
        moved=(),
        notes=(),
        void=(),
        racked=(),
        rack=None,
    )


seeded = seeded_shuffle
ANTE: dict[WagerName, int] = {"ante": 2500}
BOTH: dict[WagerName, int] = {"ante": 2500, "aces_up": 500}


def table(name: str, seats: Iterable[int] = (1, 2, 3), seed: int = 1, **changes: object) -> Table:
    """Return an open table of an example with players p1, p2, ... and a round open for wagers."""
    return table_of(game(name, **changes), seats, seed)


def table_of(game_played: Game, seats: Iterable[int] = (1, 2, 3), seed: int = 1) -> Table:
    """Return such a table of a game."""
    made = Table(game_played, seeded(seed))
    for position in seats:
        made.seat(position, f"p{position}")
    made.begin()
    return made


def stack(made: Game, hands: Mapping[int, str], seats: Iterable[int]) -> tuple[int, ...]:
    """Return a deck that deals these hands by the game's plan; the dealer's (0) ends with the up card."""
    known = {place: parse_cards(text) for place, text in hands.items()}
    used = {card for cards in known.values() for card in cards}
    return stack_deck(deal_plan(made, seats), known, [card for card in DECK if card not in used])


def bet(at: Table, wagers: Mapping[WagerName, int] = BOTH, positions: Iterable[int] | None = None) -> None:
    """Place wagers at every seat, or at some."""
    for position in at.state.seats if positions is None else positions:
        for wager, amount in wagers.items():
            at.do(PlaceWager(position=position, wager=wager, amount=amount))


def advance(at: Table) -> list[TableEvent]:
    """Let the dealer continue until a player must decide or the round is over, and return the events."""
    return [event for events in at.advance() for event in events]


def current_round(at: Table) -> RoundState:
    """Return the current round."""
    assert at.state.round is not None
    return at.state.round


def until(at: Table, phase: str) -> RoundState:
    """Continue until the round reaches a phase; everybody plays 1x."""
    while current_round(at).phase != phase:
        command = at.next_command()
        at.do(decision(at) if command is None else command)
    return current_round(at)


def decision(at: Table, times: int = 1) -> TableCommand:
    """Return the decision of the next player."""
    return bots.decision(current_round(at), lambda _spot: times)


def finish(at: Table, times: int = 1) -> RoundState:
    """Play the round to its end and return it."""
    at.finish(lambda _spot: times)
    assert at.state.last_round is not None
    return at.state.last_round


def refused(at: Table, command: TableCommand) -> Refusal:
    """Return the refusal of a command, which must change nothing."""
    before = at.state
    outcome = decide(at.state, command)
    assert isinstance(outcome, Refusal), outcome
    assert at.state is before
    return outcome


def steps(events: Sequence[TableEvent]) -> list[str]:
    """Return the names of the steps among events."""
    return [str(getattr(event, "step", getattr(event, "act", ""))) for event in events if _is_step(event)]


def _is_step(event: TableEvent) -> bool:
    return type(event).__name__ in ("StepDone", "StepPrepared", "ActPerformed", "DeviceSeenTo")
