"""Live tables: projections of the journal, the automatic dealer, and messages to viewers."""
