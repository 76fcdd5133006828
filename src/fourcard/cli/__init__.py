"""The command line: one file a group of commands; each imports what it needs only when it runs."""
