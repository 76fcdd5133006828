"""Store: the journal, ledger and people of a house in memory, SQLite or PostgreSQL."""
