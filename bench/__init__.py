"""What is measured, each beside a limit or a peer in the same run."""
