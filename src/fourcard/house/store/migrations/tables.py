"""What several steps need: tables of named columns, strict in SQLite and sorted by byte in PostgreSQL."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

_words = sa.Text().with_variant(TEXT(collation="C"), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def create_table(name: str, *columns: tuple[str, str], key: int, long: bool = False) -> None:
    """Create a table of named columns, the first of which are its key."""
    types: dict[str, Any] = {"word": _words, "whole": NUMBER, "raw": sa.LargeBinary(), "maybe": NUMBER}
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
