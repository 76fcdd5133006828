"""PAR sheets: every wager of a game counted exactly, as a document for a laboratory."""
