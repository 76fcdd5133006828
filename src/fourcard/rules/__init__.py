"""Rules: loads rulebooks and submissions, resolves them into games, and checks them clause by clause."""
