"""Fair shuffles: the algorithm, the protocol at a table, and the proof."""
