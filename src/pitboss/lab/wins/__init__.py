"""The kinds of win conditions. Each kind is one module, and `kinds.py` lists the modules.

A module contains one struct and a set of functions. The struct has the fields of the kind, their checks, their columns
in the program, the rulebook sentences, and the values that variation tries. The functions can be compiled. Every module
must have `worth`; the other functions are optional. `win` is the index in the genome's list of win conditions:

- `worth(g, s, win, p)`: return the value of p's position. The highest value wins, and equal values share.
- `triggered(g, s, win)`: return whether this condition ends the deal now.
- `decided(g, s, win)`: return whether this condition ends the whole game with this deal.
- `standing(g, s, win, p)`: return the value of what p already has besides the hand, in the units of `promise.py`.
- `went_over(g, s, win, p)`: return whether p can no longer win.
- `limited(g, win)`: return whether points in hand are counted.
"""
