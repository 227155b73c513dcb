"""The arena: bots meet at tables over WebSocket, and every decision is recorded."""
