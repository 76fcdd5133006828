"""A whole house under test: tables of several rulebooks on shared meters, driven at random."""

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF, TableBots
from fourcard.house.commands import (
    ApproveAdjustment,
    ChangeTerms,
    CloseLink,
    InstallTable,
    MeterCommand,
    MeterPart,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RejectAdjustment,
)
from fourcard.house.decide_meter import meter_terms
from fourcard.house.decision import game_of_submission, meter_stream, table_stream
from fourcard.house.events import AdjustmentProposed, MeterAdjusted, TermsChanged
from fourcard.house.meter_state import MeterState
from fourcard.house.route_command import CommandResult
from fourcard.house.store.memory import MemoryStore
from fourcard.house.table_state import HouseTable
from fourcard.money import Odds, OddsKind
from fourcard.progressive.autopilot import next_motion
from fourcard.progressive.console import ConsoleState, ReportLink, WinLogged
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError
from fourcard.round.commands import CallOff, ReportIrregularity
from fourcard.round.events import AwardPaid, ProgressiveLocked, RoundVoided, Stake
from fourcard.rules.game import Game
from fourcard.rules.rulebook import AwardSource
from fourcard.table.autopilot import with_cards
from fourcard.table.commands import BeginRound, CloseTable
from tests.kit.audited_houses import Founded
from tests.kit.decks import strong_deck
from tests.kit.meter_oracle import UNITS, MeterOracle
from tests.storm.setup import families, with_other_rate

PROPOSES, APPROVES = "crew", "floor"
REASON = "by chance"
PARTS: tuple[MeterPart, ...] = ("meter", "meter", "reserve")


def random_meter_command(
    book: MeterState, chance: Random, texts: Sequence[str] = (), *, quiet: bool
) -> MeterCommand:
    """Return a command; a closed link is soon opened again, and one is closed between games only."""
    who: dict[str, Any] = {"by": PROPOSES, "role": "supervisor"}
    if book.closed_reason and chance.random() < 0.6:
        if texts and chance.random() < 0.5:
            return ChangeTerms(submission=chance.choice(texts), reason=REASON, by=PROPOSES, role="executive")
        return OpenLink(reason=REASON, **who)
    if quiet and chance.random() < 0.9:
        return CloseLink(reason=REASON, **who)
    if book.proposals and chance.random() < 0.6:
        by = PROPOSES if chance.random() < 0.1 else APPROVES
        return ApproveAdjustment(number=chance.choice([*book.proposals]), by=by, role="executive")
    return _proposal(book, chance)


def _proposal(book: MeterState, chance: Random) -> MeterCommand:
    """Propose something, or reject what was proposed."""
    what = chance.random()
    who: dict[str, Any] = {"by": PROPOSES, "role": "supervisor"}
    if what < 0.1:
        return RejectAdjustment(number=chance.randint(1, book.proposal_count + 1), reason=REASON, **who)
    if what < 0.6 and book.last_wins:
        fit = [win.logged.number for win in book.last_wins if win.sign_adjusted and not win.backed_out]
        win = chance.choice(fit) if fit and chance.random() < 0.8 else chance.randint(1, book.win_count + 1)
        return ProposeBackOut(win=win, reason=REASON, **who)
    part = chance.choice(PARTS)
    held = (book.amounts.amount if part == "meter" else book.amounts.reserve) // UNITS
    cents = chance.choice((1, 100, 70_003, -1, -held // 2, -held, -held - 1, 0))
    return ProposeAdjustment(part=part, cents=cents, reason=REASON, **who)


Kind = tuple[tuple[str, ...], tuple[str, ...]]
"""Submissions by which tables are set up for one meter, and others that it may follow instead."""


def _amounts(text: str, **amounts: str) -> str:
    """Return a submission with other amounts of its progressive."""
    for name, value in amounts.items():
        text, found = re.subn(rf'\n{name} = "[^"]*"', f'\n{name} = "{value}"', text)
        assert found == 1, name
    return text


@cache
def kinds() -> dict[str, Kind]:
    """Return by name submissions of the same terms, at either console, and those to change to."""
    known = families()
    odd = {"seed": "$3", "reset": "$7.31", "rate": "33.33333333%"}
    nothing = {"seed": "$0", "reset": "$0", "rate": "70%"}
    dry = tuple(_amounts(text, **odd) for text in known["washington-meter"])
    plain, empty = (
        known["shuffle-master"],
        tuple(_amounts(text, **nothing) for text in known["shuffle-master"]),
    )
    shares, by_meter = known["maryland"], known["maryland-meter"]
    return {
        "a small meter that pays all": (dry, (_amounts(dry[0], rate="99.9%", reserve="0%", reset="$1"),)),
        "a meter that starts with nothing": (empty, (plain[0],)),
        "shares by tray and meter": (
            shares,
            (with_other_rate(shares[0]), _amounts(shares[0], reset="$10,000.01")),
        ),
        "shares, and fixed awards by the meter": (by_meter, (with_other_rate(by_meter[0]),)),
        "both denominations": (
            known["massachusetts-meter"],
            (with_other_rate(known["massachusetts-meter"][0]),),
        ),
    }


@cache
def game_of(text: str) -> Game:
    """Return the game of a submission."""
    game = game_of_submission(text)
    assert not isinstance(game, Refusal), game
    return game


def source_of(game: Game, odds: Odds) -> AwardSource:
    """Return what hands an award over, as the submission and its settings say (R60)."""
    choice = game.submission.progressive
    assert choice is not None
    if odds.kind is not OddsKind.METER:
        return choice.fixed_awards
    return "tray" if odds.value < 1 and game.settings.get("part_share_from") == "tray" else "meter"


def terms_of(game: Game) -> tuple[Fraction, Fraction, int]:
    """Return the shares of meter and reserve, and the cents of a new start, that a game submits."""
    choice = game.submission.progressive
    assert choice is not None
    assert choice.rate is not None
    return choice.rate, choice.reserve, int(choice.reset or 0)


SEATS = 3
MAX_STEPS = 18
MAX_TO_END = 600


class MeterHouse:
    """Two tables on each of some meters, and what was seen of them."""

    def __init__(self, kinds: list[Kind], seed: int, seen: Counter[str]) -> None:
        """Set the tables up and seat their players."""
        self.house, self.seen, self.chance = Founded(MemoryStore(), seed), seen, Random(seed)
        self.kinds = {f"m{number}": kind for number, kind in enumerate(kinds)}
        self.meters = {f"{meter}-t{place}": meter for meter in self.kinds for place in (1, 2)}
        """By table, the meter that it is linked to."""
        self.oracles: dict[str, MeterOracle] = {}
        self.bots: dict[str, TableBots] = {}
        self.decks: dict[str, tuple[int, ...]] = {}
        self.stakes: dict[str, tuple[Stake, ...]] = {}
        self.house.staff()
        for meter in self.kinds:
            self._begin(meter)

    def _begin(self, meter: str) -> None:
        texts = [self.chance.choice(self.kinds[meter][0]) for _ in range(2)]
        choice = game_of(texts[0]).submission.progressive
        assert choice is not None
        oracle = self.oracles[meter] = MeterOracle(meter)
        oracle.start(int(choice.seed or 0) * UNITS)
        oracle.follow_terms(*terms_of(game_of(texts[0])))
        tables = (table for table, linked in self.meters.items() if linked == meter)
        for table, text in zip(tables, texts, strict=True):
            players = [f"{table}-p{number}" for number in range(SEATS)]
            self.house.register(*players)
            self.house.at(table, InstallTable(submission=text, meter=meter, cards="keyed"))
            self.house.open(table)
            self.house.seat(table, players)
            self.bots[table] = self.house.rehearsal(table, players, self.chance.randrange(2**32), table)

    def meter(self, name: str) -> MeterState:
        """Return a meter as the desk knows it."""
        return self.house.service.cache.meter(name)

    def obey(self, place: int, number: int) -> None:
        """Do what a number stands for, another thing at every place of a sequence."""
        chance = Random(f"{place} {number}")
        table, what = chance.choice([*self.meters]), chance.random()
        if what < 0.10:
            self._mishap(table, chance)
        elif what < 0.12 or (what < 0.3 and not self._console(table).linked):
            self._link(table)
        elif what < 0.28:
            command = random_meter_command(self.meter(self.meters[table]), chance, quiet=False)
            self._manage(self.meters[table], command)
        elif what < 0.30:
            self._follow_others(self.meters[table], chance)
        else:
            for _ in range(chance.randint(1, MAX_STEPS)):
                self.step(table)

    def step(self, table: str) -> None:
        """Let somebody do the next thing at a table; a wager or a win over a link that is gone is refused."""
        book = self.house.house_table(table)
        assert book.console is not None
        try:
            self._do_next(table, replace(book, console=replace(book.console, linked=True)))
        except RefusedError as error:
            if error.refusal.code is not Code.LINK_DOWN:
                raise
            self.seen["refused link_down"] += 1
            if book.state.round is not None and book.state.round.phase == "betting":
                self._do_next(table, book, self.meter(book.meter).closed_reason)
            else:
                self._link(table)

    def _do_next(self, table: str, book: HouseTable, closed_reason: str = "") -> None:
        request = self.bots[table].next(book, closed_reason=closed_reason)
        command = self._dealt(table, request.command)
        self._follow(table, self.house.do(request.stream, command, request.actor))

    def finish(self, meter: str = "") -> None:
        """Play every round to its end, or those on one meter, and end the games: none may get stuck."""
        for table in (each for each, linked in self.meters.items() if meter in ("", linked)):
            for _ in range(MAX_TO_END):
                if self._is_finished(table):
                    break
                self.step(table)
            assert self.house.between(table)

    def _is_finished(self, table: str) -> bool:
        book = self.house.house_table(table)
        return book.state.round is None and next_motion(book.console, book.state) is None

    def restart(self) -> None:
        """Forget everything but the journal, and find every meter and console as it was."""
        streams = [*map(meter_stream, self.kinds), *map(table_stream, self.meters)]
        books = {stream: self.house.service.cache.states[stream] for stream in streams}
        self.house.restart()
        assert not self.house.service.catch_up(streams)
        for stream, before in books.items():
            after = self.house.service.cache.states[stream]
            if isinstance(after, HouseTable) and isinstance(before, HouseTable):
                assert after.console == before.console
            else:
                assert after == before

    def _dealt(self, table: str, command: Any) -> Any:
        """Give a deal its cards, off a deck of strong hands that is new in every round."""
        state = self.house.house_table(table).state
        if isinstance(command, BeginRound):
            self.decks[table] = strong_deck(state.game, state.seats, self.chance, state.method)
        return with_cards(state, command, self.decks.get(table, ()))

    def _mishap(self, table: str, chance: Random) -> None:
        """Find a wrong number of cards, or call the round off, where the table takes that now."""
        wrong = ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=7)
        self._try(table, chance.choice((wrong, CallOff(role="floorperson"))))

    def _console(self, table: str) -> ConsoleState:
        console = self.house.house_table(table).console
        assert console is not None
        return console

    def _link(self, table: str) -> None:
        """Lose a table's link, or find it again."""
        self._try(table, ReportLink(up=not self._console(table).linked, reason="the cable"))

    def _try(self, table: str, command: Any) -> None:
        try:
            self._follow(table, self.house.at(table, command, BOT_STAFF))
        except RefusedError as error:
            self.seen[f"refused {error.refusal.name}"] += 1

    def _follow(self, table: str, answer: CommandResult) -> None:
        """Let the oracle follow what happened at a table."""
        state, oracle = self.house.house_table(table).state, self.oracles[self.meters[table]]
        place = (table, state.round_number)
        for event in answer.events:
            self.seen[type(event).__name__] += 1
            if isinstance(event, ProgressiveLocked):
                self.stakes[table] = event.stakes
                oracle.add_stakes(place, [stake for _, stake in event.stakes])
            elif isinstance(event, WinLogged):
                self._follow_win(state.game, place, event)
            elif isinstance(event, AwardPaid):
                oracle.pay(place, event.position)
            elif isinstance(event, RoundVoided):
                oracle.void(place)

    def _follow_win(self, game: Game, place: tuple[str, int], event: WinLogged) -> None:
        """Find a win priced as the oracle prices it."""
        oracle, payment = self.oracles[self.meters[place[0]]], event.payment
        odds = next(odds for row, odds in game.tables["progressive"].pays.items() if row == event.row)
        stake = dict(self.stakes[place[0]])[event.position]
        assert event.before == oracle.displayed
        price = oracle.price(str(odds), stake, source_of(game, odds))
        oracle.log_win(place, event.position, event.row, price)
        assert (payment.amount, event.after) == (price.cents, oracle.displayed)
        assert payment.from_meter + payment.meter_to_tray == price.borne
        self.seen["whole meter" if payment.whole_meter else f"award {odds.kind.name.lower()}"] += 1
        self.seen["ran dry"] += payment.shortfall > 0

    def _follow_others(self, meter: str, chance: Random) -> None:
        """Close the link between games, follow other terms, set the tables up by them, and open it again."""
        texts, others = self.kinds[meter]
        text = chance.choice([each for each in (texts[0], *others) if self._differs(meter, each)])
        self.finish(meter)
        who: dict[str, Any] = {"reason": "a new year", "by": BOT_STAFF.person, "role": "executive"}
        for command in (CloseLink(**who), ChangeTerms(submission=text, **who)):
            self._manage(meter, command)
        for table in (each for each, linked in self.meters.items() if linked == meter):
            self._manage(meter, OpenLink(**who))
            self._try(table, CloseTable(role="floorperson"))
            self._try(table, InstallTable(submission=text, meter=meter, cards="keyed"))
        self._manage(meter, OpenLink(**who))

    def _differs(self, meter: str, text: str) -> bool:
        return meter_terms(game_of(text)) != meter_terms(
            self.house.service.cache.game(self.meter(meter).terms_game)
        )

    def _manage(self, meter: str, command: Any) -> None:
        """Ask something of the Game Manager."""
        book = self.meter(meter)
        actor = BOT_FLOORPERSON if command.by == APPROVES else BOT_STAFF
        try:
            answer = self.house.do(meter_stream(meter), command, actor)
        except RefusedError as error:
            self.seen[f"refused {error.refusal.name}"] += 1
            return
        for event in answer.events:
            self.seen[type(event).__name__] += 1
            self._follow_manager(meter, event, book)

    def _follow_manager(self, meter: str, event: Any, before: MeterState) -> None:
        oracle = self.oracles[meter]
        if isinstance(event, TermsChanged):
            oracle.follow_terms(*terms_of(self.house.service.cache.game(event.game)))
        elif isinstance(event, MeterAdjusted):
            proposal: AdjustmentProposed = before.proposals[event.number]
            if proposal.win:
                oracle.back_out(proposal.win)
                self.seen["backed out"] += 1
            else:
                oracle.adjust(proposal.part, proposal.cents)
