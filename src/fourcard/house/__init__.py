"""The house: journal, ledger, fair shuffles, people, and a desk where one command is one commit."""
