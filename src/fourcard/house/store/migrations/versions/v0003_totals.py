"""Running totals, the index of rounds, and all snapshots instead of the newest; filled from the journal."""

from typing import Any

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0003"
down_revision = "0002"

_words = sa.Text().with_variant(TEXT(collation="C"), "postgresql")
_number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _table(name: str, *columns: tuple[str, str], key: int, long: bool = False) -> None:
    """Create a table of named columns, the first of which are its key."""
    types: dict[str, Any] = {"word": _words, "whole": _number, "raw": sa.LargeBinary(), "maybe": _number}
    op.create_table(
        name,
        *(
            sa.Column(
                column, types[kind], primary_key=place < key, nullable=kind == "maybe", autoincrement=False
            )
            for place, (column, kind) in enumerate(columns)
        ),
        sqlite_strict=True,
        sqlite_with_rowid=long,
    )


def upgrade() -> None:
    """Create the tables and ask for their rows."""
    op.drop_table("snapshots")
    _table("snapshots", ("stream", "word"), ("sequence", "whole"), ("body", "raw"), key=2, long=True)
    _table("hour_totals", ("hour", "whole"), ("stream", "word"), ("body", "raw"), key=2)
    _table("earlier_totals", ("stream", "word"), ("hour", "whole"), ("body", "raw"), key=2)
    _table(
        "rounds",
        ("stream", "word"), ("number", "whole"), ("at", "whole"), ("sequence", "whole"), ("game", "word"),
        ("shuffle", "maybe"), ("body", "raw"),
        key=2, long=True,
    )  # fmt: skip
    op.create_index("rounds_by_time", "rounds", ["at", "stream", "number"])
    _table(
        "player_rounds",
        ("player", "word"), ("at", "whole"), ("stream", "word"), ("number", "whole"),
        key=4,
    )  # fmt: skip
    context.config.attributes["rebuild"] = True
