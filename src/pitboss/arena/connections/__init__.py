"""What stands between a socket and a room: budgets, admission, origins, what waits to be written, the page's files."""
