"""One game of any genome, written to be compiled: its numbers, its state, its steps."""
