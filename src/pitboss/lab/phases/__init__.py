"""The kinds of phases. Each kind is one module, and `kinds.py` lists the modules.

A module contains one struct and a set of functions. The struct has the fields of the kind, their checks, their columns
in the program, the rulebook sentences, and the values that variation tries. The functions can be compiled. Every module
must have `begin`; the other functions are optional:

- `deal(g, s)`: reset the values of this kind before a new deal.
- `begin(g, rules, s)`: begin the phase for `s.player`.
- `end(g, s)`: end the phase.
- `waiting(g, s)`: do everything that needs no decision. Return whether a player must decide, and store the player in
  `s.to_act`.
- `under_way(g, s)`: return whether the phase must be finished before the deal can end.
- `refills(g, s, at)`: return whether the phase at this index can give a card to a player without cards.
- `legal(g, rules, s, moves)`: write the legal moves into `moves` and return their number.
- `act(g, rules, s, move)`: make a move.
- `face_down(g, s)`: return whether moves use cards that other players do not see.
- `own_secrets(g, s, p)`: return the number of face-down cards on top of the pile that player p has put there.
- `revealed(g, s, move)`: return the number of face-down cards that a move shows to all players.
- `rate(g, rules, s, move, rows, work)`: return a move's value. The greedy policy makes the first move with the highest
  value.
- `coming(g, s)`: return the maximum number of unseen cards that a move can bring.
- `whim(g, s)`: return N if the greedy policy makes one in N decisions at random, or 0 if it makes none at random.
- `level(g, s)`: return a number. The search policy treats positions with different numbers as different.
- `guessed(g, s)`: return whether the search policy assumes that other players move like the greedy policy.
- `likely(g, s, p)`: return the probability, per mille, of the other players' moves, given the cards that p assumes.
"""
