"""The first tables: journal, ledger, games, secrets, snapshots, sign-ins and the security log."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0001"
down_revision = None

_words = sa.Text().with_variant(TEXT(collation="C"), "postgresql")
_number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _table(name: str, *columns: tuple[str, str], key: int, long: bool = False) -> None:
    """Create a table of named columns, the first of which are its key."""
    types: dict[str, Any] = {"word": _words, "whole": _number, "raw": sa.LargeBinary()}
    op.create_table(
        name,
        *(
            sa.Column(column, types[kind], primary_key=place < key, nullable=False, autoincrement=False)
            for place, (column, kind) in enumerate(columns)
        ),
        sqlite_strict=True,
        sqlite_with_rowid=long,
    )


def upgrade() -> None:
    """Create everything."""
    _journal()
    _ledger()
    _keeping()
    _people()


def _journal() -> None:
    _table("streams", ("name", "word"), ("sequence", "whole"), ("hash", "raw"), key=1)
    _table(
        "events",
        ("stream", "word"), ("sequence", "whole"), ("command", "whole"), ("kind", "word"),
        ("version", "whole"), ("at", "whole"), ("by", "word"), ("role", "word"), ("key", "word"),
        ("digest", "word"), ("game", "word"), ("body", "raw"), ("hash", "raw"),
        key=2, long=True,
    )  # fmt: skip
    keyed = sa.text("key <> ''")
    op.create_index(
        "events_by_key", "events", ["key", "stream"], unique=True, sqlite_where=keyed, postgresql_where=keyed
    )


def _ledger() -> None:
    _table(
        "transfers",
        ("stream", "word"), ("sequence", "whole"), ("number", "whole"), ("giver", "word"), ("taker", "word"),
        ("amount", "whole"), ("what", "word"), ("wager", "word"), ("at", "whole"),
        key=3, long=True,
    )  # fmt: skip
    for side in ("giver", "taker"):
        of_players = sa.text(f"{side} >= 'player/' AND {side} < 'player0'")
        op.create_index(
            f"transfers_by_{side}",
            "transfers",
            [side],
            sqlite_where=of_players,
            postgresql_where=of_players,
        )
    _table("balances", ("account", "word"), ("amount", "whole"), key=1)


def _keeping() -> None:
    _table("games", ("hash", "word"), ("body", "raw"), key=1, long=True)
    _table("secrets", ("stream", "word"), ("number", "whole"), ("secret", "raw"), key=2)
    _table("snapshots", ("stream", "word"), ("sequence", "whole"), ("body", "raw"), key=1, long=True)


def _people() -> None:
    _table("credentials", ("kind", "word"), ("person", "word"), ("password", "word"), key=2)
    _table(
        "tokens",
        ("hash", "word"), ("kind", "word"), ("person", "word"), ("issued", "whole"), ("ends", "whole"),
        ("revoked", "whole"),
        key=1,
    )  # fmt: skip
    op.create_index("tokens_by_person", "tokens", ["kind", "person"])
    op.create_table(
        "security_log",
        sa.Column("id", _number, primary_key=True, nullable=False, autoincrement=True),
        sa.Column("at", _number, nullable=False),
        sa.Column("by", _words, nullable=False),
        sa.Column("what", _words, nullable=False),
        sa.Column("reason", _words, nullable=False),
        sa.Column("repeated", _number, nullable=False),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
