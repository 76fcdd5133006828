"""Command line: one module per group of commands; each command imports what it needs when it runs."""
