"""Hand histories of poker sites. A module per site describes its text; shared modules parse it.

To add a site, write a module that ends with a `Site` (see `site`), and add the module to `pitboss.histories.SITES`. The
module recognises the lines of the site, and calls functions of these modules:

- `ledger` changes the hand. The first line fills fields of `PartialHand`; then come `add_player`, `post_...`,
  `deal_...`, `fold`, `check`, `call`, `raise_to`, `show`, `muck`, `collect` and `settle`. `split_name` finds a name,
  which can contain the marks of the site, and `mend` notes a repair of lenient reading.
- `site` has `open_part` for the title of a street, the showdown or the summary, `action_table` for the actions of
  players, and `do_action`, which looks up a line in such a table.
- `words` reads amounts, dates, and the usual names of games.

Errors are raised as `ReadError(reason)`; file, line and text are added later. Chips must add up in every hand that is
read, in strict and in lenient reading.
"""
