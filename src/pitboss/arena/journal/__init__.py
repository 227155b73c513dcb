"""What the journal says of a table, and a table out of its journal."""
