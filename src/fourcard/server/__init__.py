"""The floor in the browser: the API, live tables, sign-in, and the page itself."""
