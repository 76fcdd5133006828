"""Runs the steps on the connection that the store has opened, inside its transaction.

A step that adds derived data, or moves rows to the journal, asks for it; that is done after the last step,
when the tables are the program's own.
"""

from alembic import context

from fourcard.house.rebuild import journal_people, rebuild

attributes = context.config.attributes
context.configure(connection=attributes["connection"], transactional_ddl=True)
context.run_migrations()
if attributes.get("people"):
    journal_people(attributes["transaction"], attributes["people"])
if attributes.get("rebuild"):
    rebuild(attributes["transaction"])
