"""Where the journal is kept: in memory, in SQLite or in PostgreSQL, all by one contract."""
