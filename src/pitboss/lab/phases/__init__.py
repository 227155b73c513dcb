"""The kinds of phases: everything about a kind is one module, and `kinds.py` lists them.

A module has the kind's struct, which says its fields, checks, columns, sentences and the values worth trying, and
functions that are written to be compiled, of which only `begin` must be there:

- `deal(g, s)`: what it writes down anew for a deal;
- `begin(g, rules, s)`: begins for `s.player`; `end(g, s)`: ends;
- `waiting(g, s)`: does all that needs no decision, and says whether somebody is asked (`s.asked`);
- `under_way(g, s)`: whether it has to be finished before a deal can end;
- `refills(g, s, at)`: whether it, being the phase at this place, could bring a card where nobody has one;
- `legal(g, rules, s, moves)`: writes the legal moves; `act(g, rules, s, move)`: does one;
- `face_down(g, s)`: whether others do not see which card is moved now; `own_secrets(g, s, p)`: how many of the cards
  that lie face down p knows all the same; `revealed(g, s, move)`, how many of them a move shows to all;
- `rate(g, rules, s, move, rows, work)`: how good the greedy policy finds a move, of which it makes the first of the
  best; `coming(g, s)`: how many cards may come with one; `whim(g, s)`: one in how many choices is made on a whim;
  `level(g, s)`: by what the searching policy tells situations apart; `guessed(g, s)`: whether it takes others' moves
  for the greedy one's, since they would follow from cards that they cannot see; `likely(g, s, p)`: of a thousand, how
  likely others have done what they did with the cards that p supposes.
"""
