"""Four Card Poker: the law as data, every rule with its clause, every figure exact.

This is the public surface; a name is imported from its room when it is first used, so that
``import fourcard`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from fourcard.version import __version__

if TYPE_CHECKING:
    from fourcard.bonus_hands import FiveCardHand as FiveCardHand
    from fourcard.bonus_hands import best_five as best_five
    from fourcard.bonus_hands import six_card_rows as six_card_rows
    from fourcard.bonus_hands import super_royal_suit as super_royal_suit
    from fourcard.cards import DECK as DECK
    from fourcard.cards import CardsError as CardsError
    from fourcard.cards import cards_text as cards_text
    from fourcard.cards import parse_cards as parse_cards
    from fourcard.dealing import Plan as Plan
    from fourcard.dealing import cut as cut
    from fourcard.dealing import plan as plan
    from fourcard.dealing import stacked as stacked
    from fourcard.hands import Category as Category
    from fourcard.hands import Hand as Hand
    from fourcard.hands import best_hand as best_hand
    from fourcard.hands import rank_four as rank_four
    from fourcard.house.actors import Actor as Actor
    from fourcard.house.auditing.audit import audit as audit
    from fourcard.house.auditing.report import AuditReport as AuditReport
    from fourcard.house.commands import BuyIn as BuyIn
    from fourcard.house.commands import CashOut as CashOut
    from fourcard.house.commands import ChooseSeed as ChooseSeed
    from fourcard.house.commands import CollectDrop as CollectDrop
    from fourcard.house.commands import CountTray as CountTray
    from fourcard.house.commands import CreditTray as CreditTray
    from fourcard.house.commands import Deposit as Deposit
    from fourcard.house.commands import FillTray as FillTray
    from fourcard.house.commands import HireStaff as HireStaff
    from fourcard.house.commands import InstallTable as InstallTable
    from fourcard.house.commands import RegisterPlayer as RegisterPlayer
    from fourcard.house.commands import Withdraw as Withdraw
    from fourcard.house.desk import Desk as Desk
    from fourcard.house.fairness import commitment_of as commitment_of
    from fourcard.house.fairness import order_of as order_of
    from fourcard.house.house import House as House
    from fourcard.house.house import open_house as open_house
    from fourcard.house.meter_commands import ApproveAdjustment as ApproveAdjustment
    from fourcard.house.meter_commands import ChangeTerms as ChangeTerms
    from fourcard.house.meter_commands import CloseLink as CloseLink
    from fourcard.house.meter_commands import OpenLink as OpenLink
    from fourcard.house.meter_commands import ProposeAdjustment as ProposeAdjustment
    from fourcard.house.meter_commands import ProposeBackOut as ProposeBackOut
    from fourcard.house.meter_commands import RejectAdjustment as RejectAdjustment
    from fourcard.house.proof import Verification as Verification
    from fourcard.house.proof import verify as verify
    from fourcard.house.rehearsal import Rehearsal as Rehearsal
    from fourcard.house.requests import Request as Request
    from fourcard.house.store.contract import Store as Store
    from fourcard.house.store.contract import StoreError as StoreError
    from fourcard.house.store.memory import MemoryStore as MemoryStore
    from fourcard.house.store.sql import open_store as open_store
    from fourcard.lines.answering import Answer as Answer
    from fourcard.lines.answering import Reason as Reason
    from fourcard.lines.answering import Refused as Refused
    from fourcard.lines.answering import SeatAnswer as SeatAnswer
    from fourcard.lines.answering import answer_line as answer_line
    from fourcard.lines.answering import settle_round as settle_round
    from fourcard.lines.reading import Round as Round
    from fourcard.lines.reading import read_round as read_round
    from fourcard.lines.stream import settle_lines as settle_lines
    from fourcard.lines.telling import Telling as Telling
    from fourcard.lines.telling import tell as tell
    from fourcard.meter import Meter as Meter
    from fourcard.money import Odds as Odds
    from fourcard.money import Rounding as Rounding
    from fourcard.money import dollars as dollars
    from fourcard.money import parse_dollars as parse_dollars
    from fourcard.odds.advice import Advice as Advice
    from fourcard.odds.advice import advice as advice
    from fourcard.odds.audit import audit_printed as audit_printed
    from fourcard.odds.base_game import BaseGame as BaseGame
    from fourcard.odds.base_game import base_game as base_game
    from fourcard.odds.chart import Chart as Chart
    from fourcard.odds.contest import Contest as Contest
    from fourcard.odds.contest import contest as contest
    from fourcard.odds.cover_all import cover_all as cover_all
    from fourcard.odds.evaluator import best_five_of_six as best_five_of_six
    from fourcard.odds.evaluator import best_of_five as best_of_five
    from fourcard.odds.evaluator import best_of_six as best_of_six
    from fourcard.odds.question import Question as Question
    from fourcard.odds.question import odds_of as odds_of
    from fourcard.odds.report import Report as Report
    from fourcard.odds.simulation.running import Simulation as Simulation
    from fourcard.odds.simulation.running import simulate as simulate
    from fourcard.odds.simulation.seating import Seating as Seating
    from fourcard.odds.spots import Spots as Spots
    from fourcard.odds.spots import Strategy as Strategy
    from fourcard.odds.states import StateCounts as StateCounts
    from fourcard.odds.states import States as States
    from fourcard.odds.strategies import contest_of as contest_of
    from fourcard.odds.strategies import decisions as decisions
    from fourcard.odds.strategies import spots_of as spots_of
    from fourcard.odds.strategies import strategy_named as strategy_named
    from fourcard.odds.table import all_states as all_states
    from fourcard.progressive.commands import ConsoleCommand as ConsoleCommand
    from fourcard.progressive.commands import Press as Press
    from fourcard.progressive.commands import PressHand as PressHand
    from fourcard.progressive.commands import ReportLink as ReportLink
    from fourcard.progressive.commands import SelectSpot as SelectSpot
    from fourcard.progressive.commands import SwipeCard as SwipeCard
    from fourcard.progressive.commands import TurnKey as TurnKey
    from fourcard.progressive.console import Console as Console
    from fourcard.progressive.console import lights as lights
    from fourcard.provenance import fingerprint as fingerprint
    from fourcard.refusals import Code as Code
    from fourcard.refusals import PositionRefusedError as PositionRefusedError
    from fourcard.refusals import Refusal as Refusal
    from fourcard.refusals import RefusedError as RefusedError
    from fourcard.round.commands import ActorRole as ActorRole
    from fourcard.round.commands import CallOff as CallOff
    from fourcard.round.commands import CompleteDocument as CompleteDocument
    from fourcard.round.commands import CorrectPayment as CorrectPayment
    from fourcard.round.commands import Deal as Deal
    from fourcard.round.commands import Fold as Fold
    from fourcard.round.commands import JudgeCount as JudgeCount
    from fourcard.round.commands import LeaveSeat as LeaveSeat
    from fourcard.round.commands import PayAward as PayAward
    from fourcard.round.commands import Perform as Perform
    from fourcard.round.commands import PlaceWager as PlaceWager
    from fourcard.round.commands import Play as Play
    from fourcard.round.commands import ReportIrregularity as ReportIrregularity
    from fourcard.round.commands import RoundCommand as RoundCommand
    from fourcard.round.commands import SetHand as SetHand
    from fourcard.round.commands import TakeSeat as TakeSeat
    from fourcard.round.commands import TreatAsAbandoned as TreatAsAbandoned
    from fourcard.round.commands import WithdrawWager as WithdrawWager
    from fourcard.round.events import RoundEvent as RoundEvent
    from fourcard.round.state import RoundState as RoundState
    from fourcard.round.view import RoundView as RoundView
    from fourcard.round.view import Viewer as Viewer
    from fourcard.round.view import view as view
    from fourcard.rules.checking import check as check
    from fourcard.rules.clauses import Clause as Clause
    from fourcard.rules.clauses import ledger as ledger
    from fourcard.rules.differences import points as points
    from fourcard.rules.examples import examples as examples
    from fourcard.rules.examples import submission_named as submission_named
    from fourcard.rules.exposure import worst_loss as worst_loss
    from fourcard.rules.game import Game as Game
    from fourcard.rules.game import InvalidSubmissionError as InvalidSubmissionError
    from fourcard.rules.game import resolve_game as resolve_game
    from fourcard.rules.limits import deadline_refusal as deadline_refusal
    from fourcard.rules.limits import play_refusal as play_refusal
    from fourcard.rules.limits import positions_refusal as positions_refusal
    from fourcard.rules.limits import prerequisite_refusal as prerequisite_refusal
    from fourcard.rules.limits import stake_refusal as stake_refusal
    from fourcard.rules.limits import wager_refusal as wager_refusal
    from fourcard.rules.loading import every_rulebook as every_rulebook
    from fourcard.rules.loading import rulebook as rulebook
    from fourcard.rules.paytables import every_paytable as every_paytable
    from fourcard.rules.paytables import paytable as paytable
    from fourcard.rules.rulebook import Rulebook as Rulebook
    from fourcard.rules.rulings import Ruling as Ruling
    from fourcard.rules.rulings import rulings as rulings
    from fourcard.rules.sign import sign as sign
    from fourcard.rules.submission import Submission as Submission
    from fourcard.rules.submission import parse_submission as parse_submission
    from fourcard.rules.submission import read_submission as read_submission
    from fourcard.settling import Settlement as Settlement
    from fourcard.settling import Settler as Settler
    from fourcard.table.commands import BeginRound as BeginRound
    from fourcard.table.commands import BringDeck as BringDeck
    from fourcard.table.commands import BringDevice as BringDevice
    from fourcard.table.commands import CloseTable as CloseTable
    from fourcard.table.commands import GoIdle as GoIdle
    from fourcard.table.commands import OpenTable as OpenTable
    from fourcard.table.commands import OrderRecut as OrderRecut
    from fourcard.table.commands import OrderShuffle as OrderShuffle
    from fourcard.table.commands import Prepare as Prepare
    from fourcard.table.commands import ReportFailure as ReportFailure
    from fourcard.table.commands import SwapMachine as SwapMachine
    from fourcard.table.commands import SwitchMethod as SwitchMethod
    from fourcard.table.commands import TableCommand as TableCommand
    from fourcard.table.decide import decide as decide
    from fourcard.table.events import TableEvent as TableEvent
    from fourcard.table.evolve import evolve as evolve
    from fourcard.table.evolve import replay as replay
    from fourcard.table.legal import legal as legal
    from fourcard.table.meters import MeterBesideTable as MeterBesideTable
    from fourcard.table.session import Spot as Spot
    from fourcard.table.session import Table as Table
    from fourcard.table.session import fair_shuffle as fair_shuffle
    from fourcard.table.session import seeded_shuffle as seeded_shuffle
    from fourcard.table.state import TableState as TableState
    from fourcard.table.state import table_of as table_of
    from fourcard.table.telling import Narrator as Narrator
    from fourcard.table.view import TableView as TableView
    from fourcard.table.view import table_view as table_view
    from fourcard.wagers.showdown import Seat as Seat
    from fourcard.wagers.showdown import Showdown as Showdown
    from fourcard.wagers.showdown import Standing as Standing
    from fourcard.wagers.wager import Step as Step
    from fourcard.wording import Sentence as Sentence

# fmt: off
_ROOMS = {
    "fourcard.house.actors": ("Actor",),
    "fourcard.house.auditing.audit": ("audit",),
    "fourcard.house.auditing.report": ("AuditReport",),
    "fourcard.house.commands": (
        "BuyIn", "CashOut", "ChooseSeed", "CollectDrop", "CountTray", "CreditTray", "Deposit", "FillTray",
        "HireStaff", "InstallTable", "RegisterPlayer", "Withdraw",
    ),
    "fourcard.house.desk": ("Desk",),
    "fourcard.house.fairness": ("commitment_of", "order_of"),
    "fourcard.house.house": ("House", "open_house"),
    "fourcard.house.meter_commands": (
        "ApproveAdjustment", "ChangeTerms", "CloseLink", "OpenLink", "ProposeAdjustment", "ProposeBackOut",
        "RejectAdjustment",
    ),
    "fourcard.progressive.commands": (
        "ConsoleCommand", "Press", "PressHand", "ReportLink", "SelectSpot", "SwipeCard", "TurnKey",
    ),
    "fourcard.progressive.console": (
        "Console", "lights",
    ),
    "fourcard.house.proof": ("Verification", "verify"),
    "fourcard.house.rehearsal": ("Rehearsal",),
    "fourcard.house.requests": ("Request",),
    "fourcard.house.store.contract": ("Store", "StoreError"),
    "fourcard.house.store.memory": ("MemoryStore",),
    "fourcard.house.store.sql": ("open_store",),
    "fourcard.dealing": (
        "Plan", "cut", "plan", "stacked",
    ),
    "fourcard.round.commands": (
        "CompleteDocument", "CorrectPayment", "Deal", "Fold", "JudgeCount", "LeaveSeat", "PayAward",
        "Perform", "PlaceWager", "Play", "ReportIrregularity", "RoundCommand", "SetHand", "CallOff",
        "ActorRole", "TakeSeat", "TreatAsAbandoned", "WithdrawWager",
    ),
    "fourcard.round.state": ("RoundState",),
    "fourcard.round.view": (
        "RoundView", "Viewer", "view",
    ),
    "fourcard.table.commands": (
        "BeginRound", "BringDeck", "BringDevice", "CloseTable", "GoIdle", "OpenTable", "OrderRecut",
        "OrderShuffle", "Prepare", "ReportFailure", "SwapMachine", "SwitchMethod", "TableCommand",
    ),
    "fourcard.table.decide": ("decide",),
    "fourcard.table.events": ("TableEvent",),
    "fourcard.table.evolve": (
        "evolve", "replay",
    ),
    "fourcard.table.legal": ("legal",),
    "fourcard.table.meters": ("MeterBesideTable",),
    "fourcard.round.events": ("RoundEvent",),
    "fourcard.table.session": ("Spot", "Table", "fair_shuffle", "seeded_shuffle"),
    "fourcard.table.state": (
        "TableState", "table_of",
    ),
    "fourcard.table.telling": ("Narrator",),
    "fourcard.table.view": (
        "TableView", "table_view",
    ),
    "fourcard.rules.examples": (
        "examples", "submission_named",
    ),
    "fourcard.bonus_hands": ("FiveCardHand", "best_five", "six_card_rows", "super_royal_suit"),
    "fourcard.cards": ("DECK", "CardsError", "cards_text", "parse_cards"),
    "fourcard.provenance": ("fingerprint",),
    "fourcard.hands": ("Category", "Hand", "best_hand", "rank_four"),
    "fourcard.lines.answering": (
        "Answer", "Reason", "Refused", "SeatAnswer", "answer_line", "settle_round",
    ),
    "fourcard.lines.reading": (
        "Round", "read_round",
    ),
    "fourcard.lines.stream": ("settle_lines",),
    "fourcard.wording": ("Sentence",),
    "fourcard.lines.telling": (
        "Telling", "tell",
    ),
    "fourcard.meter": ("Meter",),
    "fourcard.money": ("Odds", "Rounding", "dollars", "parse_dollars"),
    "fourcard.odds.advice": ("Advice", "advice"),
    "fourcard.odds.audit": ("audit_printed",),
    "fourcard.odds.base_game": ("BaseGame", "base_game"),
    "fourcard.odds.chart": ("Chart",),
    "fourcard.odds.contest": ("Contest", "contest"),
    "fourcard.odds.cover_all": ("cover_all",),
    "fourcard.odds.evaluator": ("best_five_of_six", "best_of_five", "best_of_six"),
    "fourcard.odds.question": ("Question", "odds_of"),
    "fourcard.odds.report": ("Report",),
    "fourcard.odds.simulation.running": ("Simulation", "simulate"),
    "fourcard.odds.simulation.seating": ("Seating",),
    "fourcard.odds.spots": ("Spots", "Strategy"),
    "fourcard.odds.states": ("StateCounts", "States"),
    "fourcard.odds.strategies": ("contest_of", "decisions", "spots_of", "strategy_named"),
    "fourcard.odds.table": ("all_states",),
    "fourcard.refusals": ("Code", "PositionRefusedError", "Refusal", "RefusedError"),
    "fourcard.rules.checking": ("check",),
    "fourcard.rules.clauses": ("Clause", "ledger"),
    "fourcard.rules.differences": ("points",),
    "fourcard.rules.exposure": ("worst_loss",),
    "fourcard.rules.game": ("Game", "InvalidSubmissionError", "resolve_game"),
    "fourcard.rules.limits": (
        "deadline_refusal", "play_refusal", "positions_refusal", "prerequisite_refusal", "stake_refusal",
        "wager_refusal",
    ),
    "fourcard.rules.loading": ("every_rulebook", "rulebook"),
    "fourcard.rules.paytables": ("every_paytable", "paytable"),
    "fourcard.rules.rulebook": ("Rulebook",),
    "fourcard.rules.rulings": ("Ruling", "rulings"),
    "fourcard.rules.sign": ("sign",),
    "fourcard.rules.submission": ("Submission", "parse_submission", "read_submission"),
    "fourcard.settling": (
        "Settlement", "Settler",
    ),
    "fourcard.wagers.showdown": (
        "Seat", "Showdown", "Standing",
    ),
    "fourcard.wagers.wager": ("Step",),
}
# fmt: on
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = ["__version__", *_ROOM_OF]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    """Import a public name from its room the first time it is asked for."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'fourcard' has no attribute {name!r}")
    found = getattr(import_module(_ROOM_OF[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
