"""House: journal, ledger, fair shuffles, people, and the command service that commits commands."""
