"""The journal holds commands: a column on the first event of each, empty in older records."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column."""
    op.add_column("events", sa.Column("command_body", sa.LargeBinary(), nullable=True))
