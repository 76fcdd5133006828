"""Segments of closed days: their parts, which players' transfers they hold, and their signed lists."""

from alembic import op

from fourcard.house.store.migrations.tables import create_table

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables."""
    create_table("segments", ("day", "whole"), ("at", "whole"), ("manifest", "raw"), key=1, long=True)
    create_table(
        "segment_parts",
        ("stream", "word"), ("last", "whole"), ("first", "whole"), ("day", "whole"), ("records", "whole"),
        ("transfers", "whole"), ("last_transfer", "whole"), ("earlier_hash", "raw"), ("hash", "raw"),
        ("body", "raw"),
        key=2, long=True,
    )  # fmt: skip
    op.create_index("segment_parts_by_day", "segment_parts", ["day", "stream", "last"])
    create_table("segment_players", ("account", "word"), ("stream", "word"), ("last", "whole"), key=3)
    op.create_index("segment_players_by_part", "segment_players", ["stream", "last"])
