"""One recorded hand: its fields, its moves, its money, and how it is replayed."""
