"""What the Game Manager reads: meters, consoles, wins, adjustments, alerts and figures, from the journal."""
