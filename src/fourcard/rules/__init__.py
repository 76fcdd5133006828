"""Loading, citing, resolving and checking the law and what operators choose within it."""
