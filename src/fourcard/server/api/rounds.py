"""Round routes: one finished round step by step, its rules, and the export."""

from collections import Counter
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import IO, Annotated, Any, get_args

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from litestar.response import Stream

from fourcard.house.auth.identity import Actor
from fourcard.house.auth.permissions import reading_refusal
from fourcard.house.decide_shuffle import withheld_sentences
from fourcard.house.decision import table_stream
from fourcard.house.events import ShuffleDrawn
from fourcard.house.fairness.shuffle_proof import CardPlace, ShuffleProof
from fourcard.house.finished_rounds import (
    PLACE_NAMES,
    CompletedRound,
    RoundCollector,
    collector_before,
    exported_line,
    revealed_secret,
    settle_line_of,
    with_proof,
)
from fourcard.house.house import House
from fourcard.house.journal import TABLE_CODEC, JournalRecord
from fourcard.house.round_index import IndexedRound, decode_round
from fourcard.house.store.interface import ReadTransaction, RoundQuery, StoreError
from fourcard.refusals import RefusedError
from fourcard.round.events import CardsDealt, WagerPlaced
from fourcard.round.state import RoundState
from fourcard.round.view import RoundView, Viewer, can_see, round_view
from fourcard.rules.clauses import SettingValue
from fourcard.rules.game import game_as_plain_data
from fourcard.rules.plain_data import canonical_json
from fourcard.rules.safe_convert import safe_convert
from fourcard.server.api.game_lookup import stored_game
from fourcard.server.api.params import (
    TableParam,
    not_found,
)
from fourcard.server.api.report_process import CHUNK, Reports
from fourcard.server.api.round_index import Histories, stream_of
from fourcard.server.error_handlers import error_responses
from fourcard.server.floor.messages import NarrationLine, narration_line
from fourcard.table.events import RoundBegan, StepPrepared, TableEvent
from fourcard.table.narrate import TableNarrator
from fourcard.wagers import WagerName

TABLE_EVENTS = frozenset(get_args(TableEvent))
"""Events of a table; house events are not narrated."""


class ReplayStep(msgspec.Struct, frozen=True):
    """Narration of a step, and the round after it."""

    told: tuple[NarrationLine, ...]
    view: RoundView


class DealPlanMove(msgspec.Struct, frozen=True):
    """One move of the deal: cards to a recipient, or an action on cards already dealt."""

    name: str
    to: int | CardPlace
    count: int
    up: int
    """How many of the cards, counted from the last, are dealt face up."""
    place: int
    """Which card of a stack is turned up: 0 the top, -1 the bottom."""
    clauses: tuple[str, ...]


class RoundReplay(msgspec.Struct, frozen=True):
    """A replayed round."""

    finished: CompletedRound
    steps: tuple[ReplayStep, ...]


class _StepEvents:
    """Events that viewers see as one step."""

    def __init__(self, command: int, event: object) -> None:
        self.command, self.event = command, event
        self.served = {event.to} if isinstance(event, CardsDealt) else set[int]()
        self.told: list[NarrationLine] = []
        self.state: RoundState | None = None
        """The round after the step's last command; no viewer sees the states in between."""

    def takes(self, command: int, event: object) -> bool:
        """Return whether an event belongs to this step: same command, shuffle, bets or pass."""
        last = self.event
        if command == self.command:
            return True
        if isinstance(event, StepPrepared):
            return isinstance(last, StepPrepared)
        if isinstance(event, WagerPlaced):
            return isinstance(last, WagerPlaced) and last.position == event.position
        return isinstance(event, CardsDealt) and isinstance(last, CardsDealt) and event.to not in self.served

    def add(self, command: int, event: object) -> None:
        """Add an event to this step."""
        self.command, self.event = command, event
        if isinstance(event, CardsDealt):
            self.served.add(event.to)


def replay_round(reading: ReadTransaction, found: IndexedRound, viewer: Viewer) -> RoundReplay:
    """Return a round of a table as a viewer saw it at each step."""
    following = collector_before(reading, found, lambda hash_: stored_game(reading, hash_))
    narrator: TableNarrator | None = None
    groups: list[_StepEvents] = []
    for record in reading.events(table_stream(found.table), following.sequence):
        event = TABLE_CODEC.decode(record)
        if isinstance(event, RoundBegan) and event.number == found.number:
            narrator = TableNarrator(following.table.state)
        if narrator is not None and type(event) in TABLE_EVENTS:
            _add_event(groups, narrator, record, event)
        elif groups and isinstance(event, ShuffleDrawn):
            groups[-1].told += map(narration_line, withheld_sentences(event))
        ended = following.add(record)
        if ended is not None and ended.number == found.number:
            proven = with_proof(ended, revealed_secret(reading, found))
            return RoundReplay(proven, tuple(_steps(groups, viewer)))
    raise not_replayed(found)


def not_replayed(found: IndexedRound) -> StoreError:
    """Return the error for a round in the index that the journal does not have."""
    return StoreError(f"Round {found.number} of {found.table} is not in the journal; run an audit.")


def _add_event(
    groups: list[_StepEvents], narrator: TableNarrator, record: JournalRecord, event: object
) -> None:
    """Narrate an event and keep the round after it."""
    if not groups or not groups[-1].takes(record.command_sequence, event):
        groups.append(_StepEvents(record.command_sequence, event))
    group = groups[-1]
    group.add(record.command_sequence, event)
    group.told += map(narration_line, narrator.narrate([event]))  # type: ignore[list-item]
    group.state = narrator.state.round or narrator.state.last_round


def _steps(groups: list[_StepEvents], viewer: Viewer) -> Iterator[ReplayStep]:
    """Yield the steps with narration or a visible change."""
    before: RoundView | None = None
    for group in groups:
        assert group.state is not None
        seen = round_view(group.state, viewer)
        if group.told or seen != before:
            yield ReplayStep(tuple(group.told), seen)
            before = seen


def replay_finished(reading: ReadTransaction, wanted: Iterable[IndexedRound]) -> Iterator[CompletedRound]:
    """Yield finished rounds of one table in order; long gaps between them are skipped by snapshots."""
    following: RoundCollector | None = None
    records: Iterator[JournalRecord] = iter(())
    for found in wanted:
        stream = table_stream(found.table)
        nearest = reading.snapshot(stream, found.sequence)
        if following is None or (nearest is not None and following.sequence < nearest.sequence):
            following = collector_before(reading, found, lambda hash_: stored_game(reading, hash_))
            records = reading.events(stream, following.sequence)
        ended = (each for each in map(following.add, records) if each is not None)
        completed = next((each for each in ended if each.number == found.number), None)
        if completed is None:
            raise not_replayed(found)
        yield with_proof(completed, revealed_secret(reading, found))


def deal_plan(ended: CompletedRound) -> tuple[DealPlanMove, ...]:
    """Return the deal plan of a round; empty if no cards were dealt."""
    deal = ended.state.plan
    return tuple(
        DealPlanMove(
            move.name, PLACE_NAMES.get(move.to, move.to), move.count, move.up, move.place, move.clauses
        )
        for move in (() if deal is None else deal.moves)
    )


class ExportedSeat(msgspec.Struct, frozen=True):
    """One position of an exported round."""

    position: int
    player: str
    cards: str
    wagers: dict[WagerName, int]
    play: int | msgspec.UnsetType = msgspec.UNSET
    left: bool | msgspec.UnsetType = msgspec.UNSET
    presented: str | msgspec.UnsetType = msgspec.UNSET


class ExportedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round with its shuffle proof."""

    id: str
    rulebook: str
    options: dict[str, Any]
    settings: dict[str, SettingValue]
    seats: list[ExportedSeat]
    dealer: str
    edition: str | msgspec.UnsetType = msgspec.UNSET
    bonus_card: str | msgspec.UnsetType = msgspec.UNSET
    void: str | msgspec.UnsetType = msgspec.UNSET
    proof: ShuffleProof


def shuffle_proof_line(ended: CompletedRound) -> ExportedRound | None:
    """Return a round as `fourcard verify-shuffle` reads it, if its shuffle secret is public."""
    if ended.proof is None:
        return None
    line = {"id": f"{ended.table}/{ended.number}", **settle_line_of(ended.state, None)}
    return safe_convert({**line, "proof": msgspec.to_builtins(ended.proof)}, ExportedRound)


def may_export(ended: CompletedRound, player: str) -> bool:
    """Return whether a player may export a round: it has their wager and no hidden card."""
    state = ended.state
    played = any(place.player == player and place.wagers for place in state.positions.values())
    return played and (ended.proof is not None or _saw_all_cards(state, Viewer("seat", player)))


def _saw_all_cards(state: RoundState, viewer: Viewer) -> bool:
    """Return whether a viewer saw every card of the line."""
    hands = all(can_see(state, place, viewer) for place in state.positions.values() if place.cards)
    return hands and (state.dealer_shown or not state.dealer) and (state.bonus_shown or not state.bonus)


def export_lines(histories: Histories, table: str | None, player: str | None) -> Iterator[bytes]:
    """Yield JSON lines: the rounds of one table or all, for a player or for staff (None)."""
    with histories.store.reading() as reading:
        for line in _lines(reading, table, player):
            yield msgspec.json.encode(line) + b"\n"


def _lines(reading: ReadTransaction, table: str | None, player: str | None) -> Iterator[dict[str, Any]]:
    left_out = Counter[str]()
    for stream in [stream_of(reading, table)] if table is not None else reading.streams_of("table"):
        query = RoundQuery(player=player, stream=stream)
        wanted = sorted(map(decode_round, reading.rounds(query)), key=attrgetter("number"))
        for found, ended in zip(wanted, replay_finished(reading, wanted), strict=True):
            if player is None or may_export(ended, player):
                meter = None if found.meter is None else found.meter.amounts
                line = exported_line(ended, meter, left_out)
                if line is not None:
                    yield line


def read_chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield a file in chunks, then close it."""
    with file:
        while piece := file.read(CHUNK):
            yield piece


TAGS = ["history"]
RoundNumber = Annotated[int, Parameter(ge=1, le=2**31, description="The number of a round at its table.")]
RoundTable = Annotated[str, Parameter(max_length=40, description="The name of a table.")]


class RoundDetails(msgspec.Struct, frozen=True):
    """A finished round, replayed."""

    table: str
    number: int
    at: int
    rulebook: str
    title: str
    steps: tuple[ReplayStep, ...]
    commitment: str
    """Commitment that the house published before the shuffle; empty if it did not shuffle."""
    proof: ExportedRound | None
    plan: tuple[DealPlanMove, ...]
    """Deal plan of the round."""
    game: str
    """Hash of the rules that the round was played by."""


def visible_to(house: House, actor: Actor) -> str | None:
    """Return the player whose rounds a person may read, or None for staff who may read all."""
    if actor.kind == "player":
        return actor.person
    refusal = reading_refusal(actor, "rounds")
    if refusal is not None:
        house.service.security.note(actor.person, "read rounds", refusal.name)
        raise RefusedError(refusal)
    return None


@get(
    "/api/rounds/{table:str}/{number:int}",
    summary="A finished round, step by step",
    tags=TAGS,
    responses=error_responses(400, 401, 403, 404, 429, 503),
    sync_to_thread=True,
)
def show_round(
    house: NamedDependency[House],
    reports: NamedDependency[Reports],
    actor: NamedDependency[Actor],
    table: RoundTable,
    number: RoundNumber,
) -> RoundDetails:
    """Return each step of a round as the player, or surveillance, saw it."""
    return reports.pages.run(round_details, visible_to(house, actor), table, number)


def round_details(histories: Histories, player: str | None, table: str, number: int) -> RoundDetails:
    """Replay a round as a player saw it, or surveillance (None)."""
    viewer = Viewer("surveillance") if player is None else Viewer("seat", player)
    with histories.store.reading() as reading:
        row = reading.round(stream_of(reading, table), number)
        found = None if row is None else decode_round(row)
        if found is None or not found.positions_of(player):
            raise not_found(f"no finished round {number} at {table} that you may see")
        replay = replay_round(reading, found, viewer)
    finished = replay.finished
    game = finished.state.rules.game
    return RoundDetails(
        table=table,
        number=number,
        at=found.at,
        rulebook=game.rulebook.id,
        title=game.submission.name,
        steps=replay.steps,
        commitment="" if finished.deck is None or finished.shuffle is None else finished.deck.commitment,
        proof=shuffle_proof_line(finished),
        plan=deal_plan(finished),
        game=game.hash,
    )


class PinnedGame(msgspec.Struct, frozen=True):
    """The rules that rounds were played by."""

    hash: str
    """The SHA-256 of the text, which the journal names."""
    text: str
    """JSON in which each object is a list of names and values, sorted by name."""


GameHash = Annotated[str, Parameter(pattern="^[0-9a-f]{64}$", description="The hash of a pinned game.")]


@get(
    "/api/games/{game:str}",
    summary="The rules that rounds were played by",
    tags=TAGS,
    responses=error_responses(400, 401, 404, 429, 503),
    sync_to_thread=True,
)
def show_game(house: NamedDependency[House], actor: NamedDependency[Actor], game: GameHash) -> PinnedGame:
    """Return a pinned game with its text as it is hashed, so that anybody can check the hash."""
    del actor
    with house.store.reading() as reading:
        if reading.game(game) is None:
            raise not_found(f"no game {game}")
        text = canonical_json(game_as_plain_data(stored_game(reading, game)))
    return PinnedGame(game, text.decode())


@get(
    "/api/rounds/export",
    summary="Finished rounds as JSON lines",
    description="The format of `fourcard export`; players get their own rounds without hidden cards.",
    tags=TAGS,
    responses={
        **error_responses(400, 401, 403, 404, 429, 503),
        200: ResponseSpec(
            ExportedRound,
            description="One line per round.",
            media_type="application/jsonl",
            generate_examples=False,
        ),
    },
    media_type="application/jsonl",
    sync_to_thread=True,
)
def export_rounds(
    house: NamedDependency[House],
    reports: NamedDependency[Reports],
    actor: NamedDependency[Actor],
    table: TableParam = None,
) -> Stream:
    """Export rounds; they are written to a file first so that slow clients do not hold the journal."""
    file = reports.exports.write_file(export_lines, table, visible_to(house, actor))
    headers = {"Content-Disposition": 'attachment; filename="rounds.jsonl"'}
    return Stream(read_chunks(file), headers=headers, media_type="application/jsonl")
