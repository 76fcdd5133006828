"""Signed commits and snapshots, and accounts that the database does not let anybody overdraw.

Snapshots are taken again as rounds are played: those before were not signed.
"""

import sqlalchemy as sa
from alembic import op

from fourcard.house.store.migrations.tables import NUMBER, create_table

revision = "0005"
down_revision = "0004"
OVERDRAWN = "NEW.amount < 0 AND (NEW.account LIKE 'player/%' OR NEW.account LIKE 'chips/%')"
"""A balance that only an error or a forger can lead to; a tray may owe chips for a while (P26)."""


def upgrade() -> None:
    """Create the tables, the column and the triggers."""
    create_table(
        "commits",
        ("id", "whole"), ("previous", "whole"), ("heads", "raw"), ("digest", "raw"), ("signature", "raw"),
        key=1, long=True,
    )  # fmt: skip
    op.add_column("streams", sa.Column("commit_id", NUMBER, nullable=False, server_default="0"))
    op.drop_table("snapshots")
    create_table(
        "snapshots",
        ("stream", "word"), ("sequence", "whole"), ("body", "raw"), ("earlier_hash", "raw"),
        ("signature", "raw"),
        key=2, long=True,
    )  # fmt: skip
    # A check constraint would refuse the amount that is added before it is added to the balance.
    if op.get_context().dialect.name == "sqlite":
        for moment in ("insert", "update"):
            op.execute(
                f"CREATE TRIGGER balances_not_overdrawn_{moment} AFTER {moment.upper()} ON balances "
                f"WHEN {OVERDRAWN} BEGIN SELECT RAISE(ABORT, 'overdrawn'); END"
            )
        return
    op.execute("CREATE SEQUENCE commit_numbers")
    op.execute(
        "CREATE FUNCTION refuse_overdrawn() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE check_violation USING MESSAGE = 'overdrawn'; END $$"
    )
    op.execute(
        "CREATE TRIGGER balances_not_overdrawn AFTER INSERT OR UPDATE ON balances FOR EACH ROW "
        f"WHEN ({OVERDRAWN}) EXECUTE FUNCTION refuse_overdrawn()"
    )
