"""Benchmarks: every measurement is compared with a limit or a peer in the same run."""
