"""The arena: bots play at tables over WebSocket, and every decision is recorded."""
