"""Web server: the HTTP API, live tables over WebSocket, sign-in, and the page."""
