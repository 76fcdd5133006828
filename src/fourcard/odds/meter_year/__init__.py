"""A year of the progressive: hands dealt by the million, and one meter that their wagers feed and win."""
