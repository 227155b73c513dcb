"""Names for the numbers in the arrays of betting trees."""

LANES = 8
"""Rows that are judged together: one vector of eight numbers per hand."""
# The columns of `Plan.heads`, one row per tree.
NODES_FROM, NODES, ENTRIES, LEAVES, LEAVES_FROM, ENTRIES_FROM, LANES_FROM, GROUPS = range(8)
LEAF_VALUES, SHOW_VALUES, FOLD_VALUES, ROWS, VALUES, OWN_ACTIONS, OTHER_ACTIONS = range(8, 15)
HEAD_COLUMNS = 15
# Bits of `Plan.flags`.
HAS_FOLD, HAS_SHOW, HAS_TIES = 1, 2, 4
