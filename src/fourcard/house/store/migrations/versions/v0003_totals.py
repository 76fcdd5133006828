"""Running totals, the index of rounds, and all snapshots instead of the newest; filled from the journal."""

from alembic import context, op

from fourcard.house.store.migrations.tables import create_table

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables and ask for their rows."""
    op.drop_table("snapshots")
    create_table("snapshots", ("stream", "word"), ("sequence", "whole"), ("body", "raw"), key=2, long=True)
    create_table("hour_totals", ("hour", "whole"), ("stream", "word"), ("body", "raw"), key=2)
    create_table("earlier_totals", ("stream", "word"), ("hour", "whole"), ("body", "raw"), key=2)
    create_table(
        "rounds",
        ("stream", "word"), ("number", "whole"), ("at", "whole"), ("sequence", "whole"), ("game", "word"),
        ("shuffle", "maybe"), ("body", "raw"),
        key=2, long=True,
    )  # fmt: skip
    op.create_index("rounds_by_time", "rounds", ["at", "stream", "number"])
    create_table(
        "player_rounds",
        ("player", "word"), ("at", "whole"), ("stream", "word"), ("number", "whole"),
        key=4,
    )  # fmt: skip
    context.config.attributes["rebuild"] = True
