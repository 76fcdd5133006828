"""The progressive system of a table: console, win confirmation by two people, link to the meter."""
