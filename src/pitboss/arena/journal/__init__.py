"""The records in a table's journal, and the state of a table read from them."""
