"""The arena: bots meet at tables over WebSocket, and everything that is decided is kept."""
