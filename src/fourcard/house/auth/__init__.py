"""Authentication and authorisation: identity, permissions, sign-in and staff."""
