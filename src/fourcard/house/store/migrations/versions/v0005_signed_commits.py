"""Signed commits and snapshots, sign-ins in the journal, and accounts that nobody can overdraw.

Snapshots are taken again as rounds are played: those before were not signed.
"""

import sqlalchemy as sa
from alembic import context, op

from fourcard.house.store.migrations.tables import NUMBER, create_table

revision = "0005"
down_revision = "0004"
OVERDRAWN = "NEW.amount < 0 AND (NEW.account LIKE 'player/%' OR NEW.account LIKE 'chips/%')"
"""A balance that only an error or a forger can lead to; a tray may owe chips for a while (P26)."""


def upgrade() -> None:
    """Create the tables, the column and the triggers; sign-ins and the security log move to the journal."""
    _collect_people()
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


def _collect_people() -> None:
    """Read passwords, sign-ins and the security log for the journal, and drop the tables of the last two."""
    found = {
        "credentials": _rows("credentials", "kind", "person", "password"),
        "tokens": _rows("tokens", "issued", "kind", "person", "hash", "ends", "revoked"),
        "notes": _rows("security_log", "id", "at", "by", "what", "reason", "repeated"),
    }
    op.drop_table("tokens")
    op.drop_table("security_log")
    if any(found.values()):
        context.config.attributes["people"] = found


def _rows(table: str, *names: str) -> list[tuple[object, ...]]:
    """Return the columns of a table, sorted."""
    columns: list[sa.ColumnClause[object]] = [sa.column(name) for name in names]
    found = op.get_bind().execute(sa.select(*columns).select_from(sa.table(table)).order_by(*columns[:2]))
    return [tuple(row) for row in found]
