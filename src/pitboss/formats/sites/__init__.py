"""Hand histories of poker sites: a site is a short description over shared parsing.

To add a site, write a module that ends with a `Site` (see `site`) and list it in `pitboss.histories.SITES`. The module
knows how the site spells its lines, and calls:

- `ledger`: what a line does to the hand. `PartialHand` has the fields that a head fills; then `add_player`, `post_...`,
  `deal_...`, `fold`, `check`, `call`, `raise_to`, `show`, `muck`, `collect` and `settle`. `split_name` finds a name
  that holds the site's own marks, and `mend` notes what lenient reading puts right.
- `lines`: `open_part` for the title of a street, the showdown or the summary; `action_table` lists of what players do,
  and `do_action` looks a line up in it.
- `words`: amounts, dates, and games by their usual names.

Errors are raised as `ReadError(reason)`; file, line and text are added later. Chips must add up in every hand that is
read, in strict and in lenient reading.
"""
