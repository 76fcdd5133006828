"""Runs the steps on the connection that the store has opened, inside its transaction.

A step that adds derived data asks for it; it is filled after the last step, when the tables are the
program's own.
"""

from alembic import context

from fourcard.house.rebuild import rebuild

attributes = context.config.attributes
context.configure(connection=attributes["connection"], transactional_ddl=True)
context.run_migrations()
if attributes.get("rebuild"):
    rebuild(attributes["transaction"])
