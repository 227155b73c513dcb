"""What the hand histories of poker sites have in common: one state of a hand being read, one way to a record.

How a site is added. Write a module `notation/SITE/` that only knows how the site spells its lines, and let it call:

- `scan`: a `Site` names the functions below; `scan_site(SITE, lines, name, lenient=…)` is the format's `scan`.
`read_head(hand, text)` takes a hand's first line and `read_line(hand, text)` every other one; it gives False for
a   line that it does not know, which strict reading refuses and lenient reading notes. Errors are raised as
`ReadError(reason)`; file, line and text are put in by the scanner. - `state`: `HandSoFar`, whose fields of the
head the site fills: `venue, structure, number, event, level, clock, symbol,   currency, small, big, big_bet,
marks` (`games.find_game` has the games by their usual names; in limit games `big` is   the small bet and `small`
the most that a small blind can be), then `table, seat_count, button`; `add_player`,   `split_name` for names that
hold the site's own marks, `amount_in`, and `mend` for what lenient reading puts right. - `posting`: `post_ante,
post_small, post_big, post_both, post_dead, post_straddle, drop_money`, and `infer_blinds` when   cards are dealt.
- `dealing`: `open_street(hand, number, title)` with the number of the street in `hand.structure.streets` (0 when
the   first cards are dealt), `deal_board` (all cards of the board so far), `deal_run` for a board that is run
again,   `deal_own` (all of a player's cards, or those of the first street that lie up), `deal_last` (the newest),
`discard`, `deal_changed`, `show`, `muck`, `learn` for cards that come out later. - `betting`: `fold, check, call`
(what is put in), `raise_to` (the street's total), `bring_in`, `check_all_in`,   `return_uncalled, collect,
cash_out`. - `ending`: `settle(hand, total, rake)` with the printed pot and all that the house took; `hand.phase`
goes from `seats`   to `play` by `open_street`, and the site sets it to `show` and `summary`.

Chips must add up in every hand that is read, in both modes.
"""
