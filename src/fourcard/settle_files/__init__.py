"""Settle files: rounds as lines of a file, read, settled and explained, and the laboratory's kit."""
