"""Forgers at consoles and meters, the chain worked out anew: roles, rules and other streams tell."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fourcard.house.auditing.report import Kind
from fourcard.house.meter_commands import ApproveAdjustment, CloseLink, OpenLink, ProposeAdjustment
from fourcard.house.store.sql import open_store
from fourcard.round.commands import CompleteDocument
from tests.audited import Founded
from tests.consoles import SM, ConsoleTable
from tests.forging import Forger, holds

TABLE, METER = "table/main", "meter/main"


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a house with a jackpot that two people saw to, and a meter that was adjusted."""
    path = tmp_path_factory.mktemp("honest") / "house.db"
    store = open_store(str(path))
    at = ConsoleTable(SM, house=Founded(store))
    at.bet()
    at.to_award()
    at.mark()
    at.confirm()
    at.do(CompleteDocument(position=1, role="supervisor"))
    while at.table.round is not None:
        at.step()
    at.end()
    at.manage(ProposeAdjustment(cents=777, reason="a trial", role="supervisor"))
    at.manage(ApproveAdjustment(number=1, role="executive"))
    at.manage(CloseLink(reason="a trial", role="supervisor"))
    at.manage(OpenLink(reason="done", role="supervisor"))
    store.close()
    return path


@pytest.fixture
def console_forger(honest: Path, tmp_path: Path) -> Forger:
    """Return somebody with a copy of it."""
    copy = tmp_path / "house.db"
    shutil.copy(honest, copy)
    return Forger(str(copy))


def told_by(stream: str, kind: str, number: int = 0, **columns: Any) -> Callable[[Forger], int]:
    """Return a forgery of who did something, in the record and, where it is told there, in the event."""

    def forge(console_forger: Forger) -> int:
        sequence = console_forger.find(stream, kind, number)
        console_forger.change(stream, sequence, **columns)
        if "by" in columns and "by" in console_forger.body(stream, sequence):
            console_forger.edit(stream, sequence, by=columns["by"])
        console_forger.rechain(stream)
        return sequence

    return forge


def test_the_honest_house_is_clean(console_forger: Forger) -> None:
    assert console_forger.audit().findings == ()


@pytest.mark.parametrize(
    ("stream", "forge", "what"),
    [
        (METER, told_by(METER, "meter_adjusted", by="dora", role="dealer"), "author"),
        (METER, told_by(METER, "meter_adjusted", by="susan", role="supervisor"), "rules"),
        (METER, told_by(METER, "link_closed", by="dora", role="dealer"), "author"),
        (METER, told_by(METER, "adjustment_proposed", by="fred", role="floorperson"), "author"),
        (TABLE, told_by(TABLE, "motion_done", 1, by="fred", role="floorperson"), "rules"),
        (TABLE, told_by(TABLE, "motion_done", 2, by="dora", role="dealer"), "rules"),
        (TABLE, told_by(TABLE, "game_reset", by="susan", role="supervisor"), "rules"),
    ],
)
def test_who_could_not_have_done_it_is_found(
    console_forger: Forger, stream: str, forge: Callable[[Forger], int], what: Kind
) -> None:
    sequence = forge(console_forger)
    holds(console_forger.audit(), ("events", stream, sequence), what)


@pytest.mark.parametrize(
    ("stream", "kind", "fields", "what"),
    [
        (METER, "award_logged", {"marked_by": "nobody"}, "pair"),
        (METER, "award_logged", {"number": 7}, "pair"),
        (METER, "award_taken", {"number": 7}, "pair"),
        (METER, "link_opened", {"reason": "x" * 201}, "rules"),
        (METER, "meter_adjusted", {"amount": 1}, "rules"),
        (TABLE, "win_logged", {"before": 1}, "rules"),
        (TABLE, "win_logged", {"confirmed_by": "dora"}, "rules"),
    ],
)
def test_what_could_not_have_happened_is_found(
    console_forger: Forger, stream: str, kind: str, fields: dict[str, Any], what: Kind
) -> None:
    sequence = console_forger.find(stream, kind)
    console_forger.edit(stream, sequence, **fields)
    console_forger.rechain(stream)
    holds(console_forger.audit(), ("events", stream, sequence), what)
