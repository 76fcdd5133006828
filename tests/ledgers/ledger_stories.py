"""Ledger stories: sentences that say what people do, and under each what it moved.

``python -m tests.ledgers.ledger_stories`` writes every file of this folder again from its own sentences:
the lines that begin with ``> ``, and remarks that begin with ``# ``.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from fourcard.dealing import BONUS
from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import author_of, next_staff_command
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    CollectDrop,
    CountTray,
    CreditTray,
    Deposit,
    FillTray,
    RegisterPlayer,
    Withdraw,
)
from fourcard.house.decision import player_stream
from fourcard.house.ledger import Transfer
from fourcard.house.reports.formats import exact_dollars
from fourcard.house.reports.statements import statement, trial_balance
from fourcard.house.reports.table_results import sum_days, table_results
from fourcard.house.table_state import HouseTable
from fourcard.money import dollars, parse_dollars
from fourcard.refusals import RefusedError
from fourcard.round.commands import (
    CallOff,
    Fold,
    PlaceWager,
    Play,
    ReportIrregularity,
    TakeSeat,
    WithdrawWager,
)
from fourcard.round.state import RoundState
from fourcard.rules.procedures import IrregularityKind
from fourcard.settlers.showdown import DEALER
from fourcard.table.autopilot import with_cards
from fourcard.table.commands import BeginRound, CloseTable, OpenTable
from fourcard.wagers import WAGERS
from tests.kit.houses import TestHouse
from tests.kit.tables import stack

FOLDER = Path(__file__).parent
SECOND, HOUR = 1_000, 3_600_000
TABLE = "main"
PLACES = {"dealer": DEALER, "bonus": BONUS}
MONEY = r"\$[\d,.]+"
DAY_FIGURES = ("opening", "fills", "credits", "closing", "drop", "win")
WAGER_FIGURES = ("handle", "taken", "paid", "by_meter", "win")
Lines = Iterator[str]


class StoryError(Exception):
    """A sentence that nobody understands, or that is refused against expectation."""


class LedgerStory:
    """A house with one table, whose cards a dealer keys in."""

    def __init__(self) -> None:
        """Begin with an empty house."""
        self.house = TestHouse()
        self.house.staff()
        self._cards: Sequence[int] = ()
        self._known: set[tuple[str, int, int]] = set()

    @property
    def book(self) -> HouseTable:
        """Return the table."""
        return self.house.house_table(TABLE)

    @property
    def round(self) -> RoundState | None:
        """Return the round under way."""
        return self.book.state.round

    def run_sentence(self, sentence: str) -> Lines:
        """Do what a sentence says, and yield every movement that follows from it, or what is asked for."""
        self.house.clock.at += SECOND
        attempt = sentence.startswith("try ")
        refused = ""
        try:
            lines = [*self._interpret(sentence.removeprefix("try "))]
        except RefusedError as error:
            lines, refusal = [], error.refusal
            refused = f"refused: {refusal.message} [{' '.join(refusal.clauses)}]".removesuffix(" []")
        if bool(refused) != attempt:
            raise StoryError(refused or "it is not refused")
        yield from lines
        yield from filter(None, [refused])
        yield from map(_format_transfer, self._new_transfers())

    def _interpret(self, sentence: str) -> Lines:
        for pattern, handler in SENTENCES:
            found = re.fullmatch(pattern, sentence)
            if found is not None:
                yield from handler(self, found) or ()
                return
        raise StoryError("no such sentence is known")

    def _new_transfers(self) -> list[Transfer]:
        """Return what was posted since it was last asked, in the order in which it was written."""
        with self.house.store.reading() as reading:
            moved = [*reading.transfers()]
        known, self._known = self._known, {(each.stream, each.sequence, each.number) for each in moved}
        return [each for each in moved if (each.stream, each.sequence, each.number) not in known]

    def execute(self, command: object, player: str = "") -> None:
        """Do a command at the table, as a player or as the crew."""
        self.house.at(TABLE, command, Actor(player, "player") if player else author_of(command))

    def position(self, player: str) -> int:
        """Return where a player sits."""
        return next(p for p, who in self.book.state.seats.items() if who == player)

    def continue_round(self, paid: str = "") -> None:
        """Let the dealer go on until a wager is paid, somebody must decide, or the round is over."""
        while (current_round := self.round) is not None:
            if any(step.action == "pay" and step.wager == paid for step in current_round.steps):
                return
            command = next_staff_command(self.book)
            if command is None:
                return
            self.execute(with_cards(self.book.state, command, self._cards))

    def open(self) -> None:
        """Open the table, its tray having been counted."""
        command = next_staff_command(self.book)
        assert isinstance(command, OpenTable), command
        self.execute(command)

    def begin_round(self, hands: str) -> None:
        """Make the cards ready and begin a round with these hands."""
        command: object = None
        while not isinstance(command, BeginRound):
            command = next_staff_command(self.book)
            self.execute(command)
        known = {PLACES[who] if who in PLACES else int(who): cards for who, cards in _split_hands(hands)}
        self._cards = stack(self.book.state.game, known, [who for who in known if who > DEALER])


def _split_hands(hands: str) -> list[tuple[str, str]]:
    return [(who, cards) for who, _, cards in (part.partition(": ") for part in hands.split("; "))]


def _format_transfer(each: Transfer) -> str:
    why = each.what.replace("_", " ") + (f" ({each.wager})" if each.wager else "")
    return f"{exact_dollars(each.units):>14}  {each.giver:<23} -> {each.taker:<23} {why}"


def _pay_in(story: LedgerStory, found: re.Match[str]) -> None:
    name = found["player"]
    if player_stream(name) not in story.house.heads():
        story.house.do(player_stream(name), RegisterPlayer(name=name.title()))
    paid = parse_dollars(found["money"])
    story.house.do(player_stream(name), Deposit(cents=paid, role="supervisor"))


def _pay_out(story: LedgerStory, found: re.Match[str]) -> None:
    paid = Withdraw(cents=parse_dollars(found["money"]), role="supervisor")
    story.house.do(player_stream(found["player"]), paid)


def _buy_chips(story: LedgerStory, found: re.Match[str]) -> None:
    name = found["player"]
    story.execute(BuyIn(player=name, cents=parse_dollars(found["money"])), name)


def _cash_chips(story: LedgerStory, found: re.Match[str]) -> None:
    name = found["player"]
    amount = story.book.chips(name) if found["money"] == "all" else parse_dollars(found["money"])
    story.execute(CashOut(player=name, cents=amount), name)


def _place_wagers(story: LedgerStory, found: re.Match[str]) -> None:
    name = found["player"]
    for each in found["wagers"].split(", "):
        money, _, wager = each.partition(" ")
        named = next(known for known in WAGERS if known == wager.replace(" ", "_"))
        amount = parse_dollars(money)
        story.execute(PlaceWager(position=story.position(name), wager=named, amount=amount), name)


def _withdraw_wager(story: LedgerStory, found: re.Match[str]) -> None:
    named = next(known for known in WAGERS if known == found["wager"].replace(" ", "_"))
    story.execute(WithdrawWager(position=story.position(found["player"]), wager=named), found["player"])


def _play_or_fold(story: LedgerStory, found: re.Match[str]) -> None:
    position = story.position(found["player"])
    if found["money"]:
        story.execute(Play(position=position, amount=parse_dollars(found["money"])), found["player"])
    else:
        story.execute(Fold(position=position), found["player"])


def _executing(make: Callable[[re.Match[str]], object]) -> Callable[[LedgerStory, re.Match[str]], None]:
    return lambda story, found: story.execute(make(found))


def _report_wrong_count(story: LedgerStory, found: re.Match[str]) -> None:
    """Let a wrong number of cards make the round void."""
    position, count = int(found["position"] or DEALER), int(found["count"])
    kind: IrregularityKind = "wrong_number_of_cards"
    story.execute(ReportIrregularity(irregularity=kind, position=position, count=count, role="supervisor"))


def _wait(story: LedgerStory, found: re.Match[str]) -> None:
    story.house.clock.at += int(found["hours"]) * HOUR


def _balance(story: LedgerStory, _found: re.Match[str]) -> Lines:
    with story.house.store.reading() as reading:
        found = trial_balance(reading)
    for group in found.groups:
        for each in group.accounts:
            yield f"{exact_dollars(each.units):>14}  {each.account}"
    yield f"{exact_dollars(found.sum):>14}"


def _statement(story: LedgerStory, found: re.Match[str]) -> Lines:
    with story.house.store.reading() as reading:
        account = statement(reading, found["player"])
    for line in account.lines:
        where = f" at {line.table}" if line.table else ""
        yield f"{dollars(line.cents):>14}  {dollars(line.balance):>10}  {line.what.replace('_', ' ')}{where}"
    yield from (f"{dollars(cents):>14}  in chips at {table}" for table, cents in account.chips.items())


def _results(story: LedgerStory, _found: re.Match[str]) -> Lines:
    with story.house.store.reading() as reading:
        days = table_results(reading)
    for day in days:
        figures = ", ".join(f"{name} {dollars(getattr(day, name))}" for name in DAY_FIGURES)
        yield f"{day.day}: {day.rounds} rounds, {day.voids} void; {figures}"
        yield f"            wagers {dollars(day.win_of_wagers)}, variance {dollars(day.variance)}"
    for each in sum_days(days).wagers:
        figures = ", ".join(
            f"{name.replace('_', ' ')} {dollars(getattr(each, name))}" for name in WAGER_FIGURES
        )
        yield f"{each.wager}: {figures}"


PLAYER, AMOUNT = r"(?P<player>[a-z]+)", rf"(?P<money>{MONEY})"
Handler = Callable[[LedgerStory, re.Match[str]], Lines | None]
SENTENCES: tuple[tuple[str, Handler], ...] = (
    (
        r"the table plays (?P<example>[a-z-]+)",
        lambda story, found: story.house.install(TABLE, found["example"], cards="keyed"),
    ),
    (rf"{PLAYER} pays {AMOUNT} in", _pay_in),
    (rf"{PLAYER} is paid {AMOUNT}", _pay_out),
    (
        rf"the tray is filled with {AMOUNT}, slip (?P<slip>\w+)",
        _executing(lambda f: FillTray(cents=parse_dollars(f["money"]), slip=f["slip"], role="floorperson")),
    ),
    (
        rf"the tray is credited with {AMOUNT}, slip (?P<slip>\w+)",
        _executing(lambda f: CreditTray(cents=parse_dollars(f["money"]), slip=f["slip"], role="floorperson")),
    ),
    (
        rf"the (?P<occasion>opening|closing) count is {AMOUNT}",
        _executing(
            lambda f: CountTray(occasion=f["occasion"], cents=parse_dollars(f["money"]), role="floorperson")  # type: ignore[arg-type]
        ),
    ),
    (
        rf"the drop box is counted at {AMOUNT}",
        _executing(lambda f: CollectDrop(cents=parse_dollars(f["money"]), role="supervisor")),
    ),
    (rf"{PLAYER} buys {AMOUNT}", _buy_chips),
    (rf"{PLAYER} cashes (?P<money>all|{MONEY})", _cash_chips),
    (
        rf"{PLAYER} sits at (?P<position>\d)",
        lambda story, f: story.execute(
            TakeSeat(position=int(f["position"]), player=f["player"]), f["player"]
        ),
    ),
    (r"the table opens", lambda story, _: story.open()),
    (r"a round with (?P<hands>.+)", lambda story, found: story.begin_round(found["hands"])),
    (rf"{PLAYER} bets (?P<wagers>.+)", _place_wagers),
    (rf"{PLAYER} withdraws (?P<wager>[a-z ]+)", _withdraw_wager),
    (rf"{PLAYER} (?:plays {AMOUNT}|folds)", _play_or_fold),
    (
        r"the dealer goes on(?: until (?P<wager>[a-z ]+) is paid)?",
        lambda story, found: story.continue_round((found["wager"] or "").replace(" ", "_")),
    ),
    (r"the round is called off", _executing(lambda _: CallOff(role="floorperson"))),
    (r"(?:the dealer|position (?P<position>\d)) has (?P<count>\d) cards", _report_wrong_count),
    (r"the table closes", _executing(lambda _: CloseTable(role="dealer"))),
    (r"(?P<hours>\d+) hours pass", _wait),
    (r"the balance", _balance),
    (rf"the statement of {PLAYER}", _statement),
    (r"the results", _results),
)
"""What a sentence looks like, and what it means; the first that fits is meant."""


def render_story(text: str, story: LedgerStory | None = None) -> str:
    """Return a file as it must read."""
    title, *rest = text.splitlines()
    story = story or LedgerStory()
    lines = [title]
    for line in rest:
        if line.startswith("# "):
            lines += ["", line]
        elif line.startswith("> "):
            lines += ["", line] if not lines[-1].startswith("# ") else [line]
            try:
                lines += story.run_sentence(line.removeprefix("> "))
            except (StoryError, AssertionError, StopIteration, ValueError) as error:
                raise StoryError(f"{line!r}: {error}") from error
    return "\n".join(lines) + "\n"


def story_files() -> dict[str, Path]:
    """Return every story by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.txt"))}


def main() -> int:
    """Write every story again."""
    for path in story_files().values():
        path.write_text(render_story(path.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
