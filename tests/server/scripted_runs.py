"""Scripted runs of a simulated table: what everybody is sent, and decks with hidden cards swapped."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any
from unittest.mock import patch

import httpx
import msgspec

from fourcard.cards import DECK, DECK_SIZE, card_text
from fourcard.house.auth.identity import Actor, AnyCommand, is_bot
from fourcard.house.autopilot import WaitReason, next_staff_command
from fourcard.house.route_command import Request
from fourcard.house.table_state import HouseTable
from fourcard.refusals import Refusal, RefusedError
from fourcard.round.commands import (
    Deal,
    Fold,
    Perform,
    PlaceWager,
    PlaceWagers,
    Play,
    ReportIrregularity,
    SetHand,
    TakeSeat,
)
from fourcard.round.state import FINISHED_PHASES, RoundState
from fourcard.rules.game import Game
from fourcard.server.api.round_list import list_rounds
from fourcard.server.api.rounds import show_round
from fourcard.server.api.tables import list_tables, show_table
from fourcard.server.command_gateway import KeyedTableCommand
from fourcard.server.error_handlers import refusal_body
from fourcard.server.settings import PaceSettings, RequestLimits, ServerSettings
from fourcard.table.bots import BotPolicy, next_wagers
from fourcard.table.commands import BeginRound
from fourcard.table.decide import decide
from fourcard.table.state import TableState
from tests.kit.decks import strong_deck
from tests.server.simulated_floor import (
    TABLE,
    SimulatedFloor,
    SimulatedViewer,
    dealt_in_order,
    player,
    simulated_house,
    staff,
)

Same = Callable[[tuple[int, ...], tuple[int, ...]], bool]
"""Returns whether a bot decides the same with two hands."""


class SentBytes(msgspec.Struct, frozen=True):
    """Something that was sent to somebody, and at which step of the run."""

    step: int
    to: str
    how: str
    what: bytes


class RecordedRun(msgspec.Struct):
    """Record of a scripted run."""

    sent: list[SentBytes] = []
    opened: dict[str, dict[int, list[tuple[int, frozenset[int]]]]] = {}
    """By group and shuffle, the visible cards, each with the step at which it became visible."""
    bots: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    """By shuffle, the hands of bots, each with the step of its decision."""
    orders: dict[int, tuple[int, ...]] = {}
    """By shuffle, its card order."""
    waits: dict[str, list[int]] = {}
    """What the table waited for, and at which steps."""
    early: list[tuple[SentBytes, set[str]]] = []
    """Messages that named cards hidden from their reader, with these cards."""
    named: int = 0
    """How many cards messages named."""
    voids: int = 0
    """How many rounds were void once cards had been dealt."""
    rounds: int = 0
    steps: int = 0


def may_see(state: RoundState, group: str) -> frozenset[int]:
    """Return the cards of a round that a group sees, from what happened to each card."""
    seen = {*state.discarded, *(note.card for note in state.irregularities)} - {None}
    seen |= {state.up_card} - {None}
    seen |= {*(state.dealer if state.dealer_shown else ()), *(state.bonus if state.bonus_shown else ())}
    for place in state.positions.values():
        if place.face_up or (state.players_looked and place.player == group):
            seen |= {*place.cards}
    if group == "floor" and state.phase in FINISHED_PHASES:
        seen |= {card for _, cards in state.rack for card in cards}
    return frozenset(card for card in seen if card is not None)


def swapped_decks(
    found: RecordedRun, group: str, moment: int, chance: Random, same: Same
) -> dict[int, tuple[int, ...]]:
    """Return the decks of a run with every card swapped that a group had not seen up to a step."""
    return {shuffle: _swapped_deck(found, group, shuffle, moment, chance, same) for shuffle in found.orders}


def _swapped_deck(
    found: RecordedRun, group: str, shuffle: int, moment: int, chance: Random, same: Same
) -> tuple[int, ...]:
    order = found.orders[shuffle]
    opened = [cards for step, cards in found.opened.get(group, {}).get(shuffle, ()) if step <= moment]
    seen = opened[-1] if opened else frozenset[int]()
    hidden = [card for card in order if card not in seen]
    bots = [cards for step, cards in found.bots.get(shuffle, ()) if step <= moment]
    while True:
        to = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
        if all(same(cards, tuple(to.get(card, card) for card in cards)) for cards in bots):
            return tuple(to.get(card, card) for card in order)


SEATS = {1: "ann", 3: "bob", 5: "cat"}
STRANGER = "dee"
EVERY_WAGER = BotPolicy(lambda _wager, _number: True)
KINDS = ("strong", "void", "plain", "wrong count", "late")
"""Special rounds: rare hands, a void, nothing, a wrong stub count, an absent player."""
VOIDING = ("dealer_card_exposed", "wrong_number_of_cards", "more_face_up_cards", "one_face_up_card")
ActorCommand = tuple[AnyCommand, Actor]


class Script:
    """Decks and actions of one run."""

    def __init__(self, seed: str) -> None:
        """Start a script from a seed."""
        self.seed = seed

    def chance(self, *of: object) -> Random:
        """Return a random generator that is always the same for the same key."""
        return Random(f"{self.seed} {of}")

    def kind(self, number: int) -> str:
        """Return what is special about a round."""
        return KINDS[(number + Random(self.seed).randrange(len(KINDS))) % len(KINDS)]

    def order(self, game: Game, positions: Sequence[int], shuffle: int) -> tuple[int, ...]:
        """Return the order of a deck; every second one deals rare hands to some positions."""
        chance = self.chance("deck", shuffle)
        if shuffle % 2:
            return strong_deck(game, positions, chance)
        return tuple(chance.sample(DECK, DECK_SIZE))

    def wager(self, state: TableState) -> PlaceWager | PlaceWagers | None:
        """Return the next wager of the people in a round, or None when all are placed."""
        return next_wagers(state, SEATS.values(), EVERY_WAGER)

    def decision(self, current_round: RoundState, number: int, position: int) -> ActorCommand | None:
        """Return a person's decision, or None for somebody who lets the time run out."""
        place, chance = current_round.positions[position], self.chance("decision", number, position)
        times = chance.choice((0, 0, 1, 3))
        if self.kind(number) == "late" and chance.random() < 0.5:
            return None
        play = Play(position=position, amount=times * place.wagers["ante"])
        return (play if times else Fold(position=position)), player(place.player)

    def confirmation(self, book: HouseTable) -> ActorCommand:
        """Return what staff do for a pending progressive win, its document or a large award."""
        command = next_staff_command(book)
        assert command is not None
        return command, staff("eve")

    def trouble(self, state: TableState, following: Request, step: int) -> ActorCommand | None:
        """Return what goes wrong before the house acts: a wrong count, or something that voids the round."""
        command, kind = following.command, self.kind(state.round_number)
        if isinstance(command, BeginRound) and self.kind(state.round_number + 1) == "wrong count":
            return BeginRound(count_stub=True), staff("dan")
        if isinstance(command, Perform) and command.step == "count_stub" and kind == "wrong count":
            return Perform(step="count_stub", count=(command.count or 0) - 1), staff("dan")
        if kind != "void" or state.round is None or self.chance("void", step).random() > 0.12:
            return None
        accepted = [
            report for report in self._reports(step) if not isinstance(decide(state, report), Refusal)
        ]
        return (accepted[0], staff("eve")) if accepted else None

    def _reports(self, step: int) -> Iterator[ReportIrregularity]:
        chance = self.chance("report", step)
        for kind in chance.sample(VOIDING, len(VOIDING)):
            card = None if "face_up" in kind else chance.randrange(DECK_SIZE)
            figures = {"position": 1, "count": 4} if kind == "wrong_number_of_cards" else {"card": card}
            yield ReportIrregularity(irregularity=kind, role="supervisor", **figures)  # type: ignore[arg-type]

    def probe(self, state: TableState, step: int) -> ActorCommand | None:
        """Return a command that somebody tries now and then, mostly out of turn."""
        chance = self.chance("probe", step)
        if state.round is None or chance.random() > 0.15:
            return None
        card, position = chance.randrange(DECK_SIZE), chance.choice((*SEATS, 2))
        name = chance.choice((*SEATS.values(), STRANGER))
        tried: tuple[ActorCommand, ...] = (
            (Play(position=position, amount=2_500), player(name)),
            (Fold(position=position), player(STRANGER)),
            (PlaceWager(position=position, wager="ante", amount=2_500), player(STRANGER)),
            (SetHand(position=position, cards=tuple(chance.sample(DECK, 4))), player(STRANGER)),
            (TakeSeat(position=position, player=name), player(name)),
            (Deal(cards=(card,)), staff("dan")),
            (_named("player_card_exposed", card, position), staff("flo")),
            (_named("one_face_up_card", card, 0), staff("dan")),
            (Perform(step="count_stub", count=chance.randrange(DECK_SIZE)), staff("flo")),
        )
        return chance.choice(tried)


def _named(kind: str, card: int, position: int) -> ReportIrregularity:
    figures = {"irregularity": kind, "card": card, "position": position, "role": "dealer"}
    return ReportIrregularity(**figures)  # type: ignore[arg-type]


GROUPS: Mapping[str, tuple[Actor, ...]] = {
    **{name: (player(name),) for name in SEATS.values()},
    "onlookers": (player(STRANGER), staff("dan"), staff("ada")),
    "floor": (staff("flo"), staff("sue"), staff("eve"), staff("otto")),
}
"""Groups of people who may see the same cards: each player, onlookers, and those who see the rack."""
LIMITS = RequestLimits(commands=1e9, command_burst=10**9)
RUN_SETTINGS = ServerSettings(bots=2, pace=PaceSettings(0, wagering=20_000, deciding=45_000), limits=LIMITS)
TICK = 137
LONG = 1e6
"""Seconds between pushes, so that only the script pushes and every run sends the same."""
CARD = re.compile(rb"[2-9TJQKA][cdhs]\b(?<![\w-]..)")
READING_ROUNDS = ("eve", "otto")
AnswerReader = Callable[[SimulatedFloor, Actor, bool], Awaitable[Sequence[bytes]]]
"""Returns the answers of all routes to somebody, with rounds if one has just ended."""
_encode = msgspec.json.encode


class ScriptDriver:
    """Runs a script on its own floor and keeps what each group is sent."""

    def __init__(
        self, script: Script, floor: SimulatedFloor, groups: Sequence[str], asking: AnswerReader | None = None
    ) -> None:
        """Take an open floor with everybody seated."""
        self.script, self.at, self.groups, self.asking = script, floor, groups, asking or table_answers
        self.run = RecordedRun()
        self.people = {actor.person: actor for group in groups for actor in GROUPS[group]}
        self.viewers: dict[str, SimulatedViewer] = {}
        self._placed: set[int] = set()
        self._open: dict[str, tuple[TableState, frozenset[str]]] = {}
        """By group, a state and the cards that are open to the group in it."""
        self._ended = 0

    async def play(self, rounds: int, until: int | None = None) -> RecordedRun:
        """Play whole rounds, or up to a step."""
        for person, actor in self.people.items():
            self.viewers[person] = await self.at.look(actor)
            self._keep_live(person, self.viewers[person].copy.received)
        while not self._is_over(rounds) and (until is None or self.run.steps < until):
            self.run.steps += 1
            self.at.clock.at += TICK
            await self._step()
            await asyncio.sleep(0)
            await self._record()
        return self.run

    def _is_over(self, rounds: int) -> bool:
        return self.at.state.round_number > rounds

    async def _step(self) -> None:
        """Run the next action."""
        state, step = self.at.state, self.run.steps
        probe = self.script.probe(state, step)
        if probe is not None:
            await self._give(*probe)
            return
        following = self.at.next()
        if isinstance(following, WaitReason):
            await self._answer(following)
            return
        trouble = self.script.trouble(state, following, step)
        if trouble is not None:
            await self._give(*trouble)
        else:
            await self.at.dealer.step()

    async def _answer(self, waits: WaitReason) -> None:
        """Let people do what the table waits for."""
        state, current_round = self.at.state, self.at.round
        self.run.waits.setdefault(waits.for_, []).append(self.run.steps)
        if waits.for_ == "ready":
            assert waits.until is not None
            self.at.clock.at = waits.until
        elif waits.for_ == "wagers":
            await self._wager(state.round_number)
        elif waits.for_ == "decision":
            given = self.script.decision(current_round, state.round_number, waits.position)
            if given is None:
                assert waits.until is not None
                self.at.clock.at = waits.until
            else:
                await self._give(*given)
        else:
            await self._give(*self.script.confirmation(self.at.watch.state))

    async def _wager(self, number: int) -> None:
        if number not in self._placed:
            self._placed.add(number)
            while (wager := self.script.wager(self.at.state)) is not None:
                await self._give(wager, player(wager.by))
        for name in SEATS.values():
            self.at.floor.bus.ready(TABLE, name, number)

    async def _give(self, command: Any, actor: Actor) -> None:
        """Send a command as JSON and keep the answer."""
        self.at.keys += 1
        sent = KeyedTableCommand(key=f"people-{self.at.keys}", command=command)
        try:
            answer: object = await self.at.serving.gateway.run("table", TABLE, sent, actor)
        except RefusedError as error:
            answer = refusal_body(error.refusal)
        if actor.person in self.people:
            self._keep(actor.person, "answer", _encode(answer))

    def _keep(self, to: str, how: str, what: bytes) -> None:
        self.run.sent.append(SentBytes(self.run.steps, to, how, what))

    async def _record(self) -> None:
        """Keep what everybody is sent, and what each may see now."""
        self._note_cards()
        self.at.floor.pushes[TABLE].push()
        for person, viewer in self.viewers.items():
            self._keep_live(person, await viewer.take())
        ended = self._has_ended()
        asks = isinstance(self.at.next(), WaitReason) or ended
        for person, actor in self.people.items() if asks else ():
            for answer in await self.asking(self.at, actor, ended):
                self._keep(person, "asked", answer)

    def _keep_live(self, person: str, messages: Sequence[bytes]) -> None:
        """Keep messages as they were sent; they and the table they make may name no hidden card."""
        for message in messages:
            self._keep(person, "live", message)
            self._check_cards(self.run.sent[-1])
        if messages:
            table = _encode(self.viewers[person].message)
            self._check_cards(SentBytes(self.run.steps, person, "assembled", table))

    def _check_cards(self, sent: SentBytes) -> None:
        """Record a message that names a card hidden from its reader, in this round or the last."""
        group = next(group for group in self.groups if self.people[sent.to] in GROUPS[group])
        open_ = self._open_to(group, self.at.state)
        named = {found.decode() for found in CARD.findall(sent.what)}
        self.run.named += len(named)
        if not named <= open_:
            self.run.early.append((sent, named - open_))

    def _open_to(self, group: str, state: TableState) -> frozenset[str]:
        """Return the cards that a group sees in this round or the last, worked out once for a state."""
        known = self._open.get(group)
        if known is None or known[0] is not state:
            rounds = (each for each in (state.round, state.last_round) if each is not None)
            known = state, frozenset(card_text(card) for each in rounds for card in may_see(each, group))
            self._open[group] = known
        return known[1]

    def _has_ended(self) -> bool:
        state = self.at.state
        ended, self._ended = self._ended, state.round_number if state.round is None else self._ended
        return ended != self._ended

    def _note_cards(self) -> None:
        """Record what is visible to whom, and the bots' hands."""
        state = self.at.state
        current_round = state.round or state.last_round
        shuffle = self._shuffle()
        ended = state.round is None and self.run.rounds != state.round_number
        if ended:
            self.run.rounds = state.round_number
        if current_round is None or shuffle is None:
            return
        for group in self.groups:
            opened = self.run.opened.setdefault(group, {}).setdefault(shuffle, [])
            cards = may_see(current_round, group)
            if not opened or opened[-1][1] != cards:
                opened.append((self.run.steps, cards | (opened[-1][1] if opened else frozenset())))
        held = self.run.bots.setdefault(shuffle, [])
        for place in current_round.positions.values():
            if (
                is_bot(place.player)
                and place.play_amount is not None
                and place.cards not in dict(held).values()
            ):
                held.append((self.run.steps, place.cards))
        if ended:
            self.run.voids += current_round.voided is not None

    def _shuffle(self) -> int | None:
        """Return the shuffle of the current round, while it is known."""
        pending, state = self.at.watch.state.unrevealed_shuffles, self.at.state
        self._last = pending.get(state.active) if state.round is not None else self._last
        return self._last

    _last: int | None = None


async def table_answers(at: SimulatedFloor, actor: Actor, ended: bool) -> list[bytes]:
    """Return the answers to somebody for the table, the list of tables and the rounds."""
    floor, house, serving = at.floor, at.house, at.serving
    found: list[object] = [await show_table.fn(floor, actor, TABLE), await list_tables.fn(floor, actor)]
    if ended and (actor.kind == "player" or actor.person in READING_ROUNDS):
        listed: Any = list_rounds.fn(house, serving.histories, serving.reports, serving.solver, actor)
        last: list[Any] = [
            show_round.fn(house, serving.reports, actor, TABLE, each.number) for each in listed.items[:1]
        ]
        found += [listed, *(msgspec.structs.replace(each, proof=None) for each in last)]
    return [_encode(each) for each in found]


def run_script(
    example: str,
    seed: str,
    groups: Sequence[str],
    rounds: int,
    orders: Mapping[int, Sequence[int]] | None = None,
    until: int | None = None,
    asking: AnswerReader | None = None,
    driver: type[ScriptDriver] = ScriptDriver,
) -> RecordedRun:
    """Run a script in a new house; the deck order is the script's unless another is given."""
    script = Script(f"{example} {seed}")
    return asyncio.run(_run_script(example, script, groups, rounds, orders or {}, until, asking, driver))


async def _run_script(
    example: str,
    script: Script,
    groups: Sequence[str],
    rounds: int,
    orders: Mapping[int, Sequence[int]],
    until: int | None,
    asking: AnswerReader | None,
    kind: type[ScriptDriver],
) -> RecordedRun:
    floor = SimulatedFloor(simulated_house(example, (*SEATS.values(), STRANGER)), RUN_SETTINGS)
    driver = kind(script, floor, groups, asking)

    def order(shuffle: int) -> Sequence[int]:
        book = floor.house.service.cache.table(TABLE)
        seats = sorted({*SEATS, *(p for p, who in book.state.seats.items() if is_bot(who))})
        found = orders.get(shuffle) or script.order(book.state.game, seats, shuffle)
        driver.run.orders[shuffle] = tuple(found)
        return found

    with dealt_in_order(order), patch("fourcard.server.floor.push.PUSH_INTERVAL", LONG):
        await floor.open()
        await floor.seat(SEATS)
        try:
            return await driver.play(rounds, until)
        finally:
            await floor.close()


ADDRESSES = ("/api/me", "/api/tables", f"/api/tables/{TABLE}", f"/api/tables/{TABLE}/felt")
HISTORY = ("/api/rounds", f"/api/rounds?table={TABLE}&limit=1", "/api/rounds/export")
REPORTS = tuple(f"/api/house/{each}" for each in ("tables", "results", "meters", "wins", "balance"))


class HttpAnswers:
    """Sends requests as people who all sign in at the start, because sign-ins use the house's entropy."""

    def __init__(self, people: Sequence[Actor]) -> None:
        """Take the people who ask."""
        self._people = people
        self._client: httpx.AsyncClient | None = None
        self._tokens: dict[str, str] = {}
        self.answered: list[tuple[str, int]] = []

    async def __call__(self, at: SimulatedFloor, actor: Actor, ended: bool) -> list[bytes]:
        """Return the answers of every route, with rounds once a round has ended."""
        last = f"/api/rounds/{TABLE}/{at.state.round_number}"
        reports = () if actor.kind == "player" else REPORTS
        addresses = (*ADDRESSES, *((*HISTORY, last, *reports) if ended else ()))
        return [await self._asked(at, actor, each) for each in addresses]

    async def _asked(self, at: SimulatedFloor, actor: Actor, address: str) -> bytes:
        if self._client is None:
            app: Any = at.serving.app()
            transport = httpx.ASGITransport(app=app)
            self._client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
            admit = at.house.sign_in.issue_by_link
            self._tokens = {each.person: admit(each.kind, each.person) for each in self._people}
        header = {"authorization": f"Bearer {self._tokens[actor.person]}"}
        answer = await self._client.get(address, headers=header)
        self.answered.append((address, answer.status_code))
        return b"%s %d %s" % (address.encode(), answer.status_code, masked(answer, actor))


def masked(answer: httpx.Response, actor: Actor) -> bytes:
    """Return an answer without what a revealed secret adds: proofs, and a player's exported rounds."""
    if not answer.content:
        return b""
    if "jsonl" in answer.headers.get("content-type", ""):
        lines = [msgspec.json.decode(line) for line in answer.content.splitlines()]
        return msgspec.json.encode([_without_proof(line, actor) for line in lines])
    found = msgspec.json.decode(answer.content)
    return msgspec.json.encode({**found, "proof": None} if isinstance(found, dict) else found)


def _without_proof(line: Mapping[str, object], actor: Actor) -> dict[str, object]:
    return {"id": line["id"]} if actor.kind == "player" else {**line, "proof": None}
