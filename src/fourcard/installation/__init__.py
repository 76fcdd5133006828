"""Installation check: the installed files against a list of their digests, and the packages they need."""
