"""Between a socket and a room: budgets, admission, origins, output queues, and the page's files."""
