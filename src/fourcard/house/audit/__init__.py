"""Audit: replays a house's journal, and compares everything that is stored with what the events lead to."""
