"""Making the page of a win from the journal: what its meter, its table and the people's streams say of it."""

from collections.abc import Mapping

from fourcard.house.events import PlayerRegistered
from fourcard.house.journal import PLAYERS
from fourcard.house.library import Library
from fourcard.house.outcome import player_stream
from fourcard.house.ports import SystemEntropy
from fourcard.house.reports.founding import founding
from fourcard.house.reports.people import staff_now
from fourcard.house.reports.progressive.adjustments import adjustments
from fourcard.house.reports.progressive.papers import Papers, papers_of
from fourcard.house.reports.progressive.streams import Progress
from fourcard.house.reports.progressive.wins import LoggedWin, win_numbered
from fourcard.house.staff import Employee
from fourcard.house.store.contract import Reading
from fourcard.house.win_page_facts import (
    BackedOut,
    Document,
    Kept,
    Signer,
    WinPage,
    win_page_refusal,
)
from fourcard.progressive.console import console_of, rules_of
from fourcard.refusals import RefusedError
from fourcard.rules.game import Game
from fourcard.rules.nodes import cite


def win_page_of(reading: Reading, meter: str, number: int, progress: Progress | None = None) -> WinPage:
    """Return the page of a win, or refuse one that was never logged, or that has no page."""
    logged = win_numbered(reading, meter, number)
    win = logged.win
    papers = papers_of(reading, win.table, win.round, win.position, progress)
    library = Library(SystemEntropy())
    library.look(reading)
    game = library.game(papers.game)
    refusal = win_page_refusal(console_of(game), game)
    if refusal is not None:
        raise RefusedError(refusal)
    return _page(reading, logged, papers, game)


def _page(reading: Reading, logged: LoggedWin, papers: Papers, game: Game) -> WinPage:
    win, people, founded = logged.win, staff_now(reading).people, founding(reading)
    console = console_of(game)
    return WinPage(
        house=founded.house if founded is not None else "",
        operator=game.submission.operator.name,
        game=game.submission.name,
        game_hash=papers.game,
        rulebook=game.rulebook.name,
        edition=game.rulebook.edition,
        console=console.kind,
        meter=logged.meter,
        win=win.number,
        table=win.table,
        round=win.round,
        at=win.at,
        position=win.position,
        player=win.player,
        player_name=_player_name(reading, win.player),
        cards=win.cards,
        hand=papers.step.hand,
        row=win.row,
        odds=papers.step.odds or "",
        stake=papers.stake,
        before=win.before,
        after=win.after,
        payment=win.payment,
        marked=_signer(people, win.marked_by, "dealer"),
        confirmed=_signer(people, win.confirmed_by, win.confirmed_as),
        adjusted=logged.adjusted_at,
        document=_document(people, papers),
        backed_out=_backed_out(reading, people, logged),
        clauses=tuple(dict.fromkeys((*papers.step.clauses, *papers.win.clauses, *_of_console(game)))),
        kept=(
            Kept(f"meter/{logged.meter}", logged.sequence, logged.hash),
            Kept(f"table/{win.table}", papers.sequence, papers.hash),
        ),
    )


def _of_console(game: Game) -> tuple[str, ...]:
    rules = rules_of(console_of(game), game)
    return cite(rules.verified, rules.adjusts_at, rules.win_page)


def _player_name(reading: Reading, player: str) -> str:
    """Return what a player is called."""
    for record in reading.events(player_stream(player)):
        event = PLAYERS.decode(record)
        if isinstance(event, PlayerRegistered):
            return event.name
    return ""


def _signer(people: Mapping[str, Employee], person: str, role: str) -> Signer:
    known = people.get(person)
    return Signer(person, known.name if known is not None else "", role)


def _document(people: Mapping[str, Employee], papers: Papers) -> Document:
    if papers.completed_at is not None:
        signer = _signer(people, papers.completed_by, papers.completed_as)
        return Document("completed", signer, papers.completed_at)
    return Document("open" if papers.asked else "not asked for")


def _backed_out(reading: Reading, people: Mapping[str, Employee], logged: LoggedWin) -> BackedOut:
    if logged.undone_at is None:
        return BackedOut()
    if not logged.adjustment:
        return BackedOut("void", logged.undone_at, reason=logged.reason)
    asked = next(each for each in adjustments(reading, logged.meter) if each.number == logged.adjustment)
    return BackedOut(
        "adjustment",
        logged.undone_at,
        logged.adjustment,
        logged.reason,
        _signer(people, asked.by, asked.role),
        _signer(people, asked.decided_by, asked.decided_as),
    )
