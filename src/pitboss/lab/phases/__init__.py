"""The kinds of phases. Each kind is one module, and `kinds.py` lists them.

A module has a struct with the kind's fields, checks, columns, sentences and usual values. It also has functions that
are written to be compiled. Only `begin` is required:

- `deal(g, s)`: reset the kind's values for a new deal;
- `begin(g, rules, s)`: begin the phase for `s.player`; `end(g, s)`: end it;
- `waiting(g, s)`: do everything that needs no decision, and return whether a player must decide (`s.asked`);
- `under_way(g, s)`: whether it must be finished before a deal can end;
- `refills(g, s, at)`: whether the phase at this index could bring a card to a player without cards;
- `legal(g, rules, s, moves)`: write the legal moves; `act(g, rules, s, move)`: make one;
- `face_down(g, s)`: whether other players do not see which card a move uses;
- `own_secrets(g, s, p)`: how many of the top face-down cards p knows; `revealed(g, s, move)`: how many a move shows;
- `rate(g, rules, s, move, rows, work)`: a move's value for the greedy policy, which makes the first of the best;
- `coming(g, s)`: how many unseen cards a move can bring;
- `whim(g, s)`: the greedy policy chooses at random once in this many choices; 0: never;
- `level(g, s)`: a number by which the search policy distinguishes positions;
- `guessed(g, s)`: whether the search policy assumes that other players move like the greedy policy;
- `likely(g, s, p)`: the probability, per mille, of the other players' moves if the cards are as p assumes.
"""
