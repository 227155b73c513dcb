"""The kinds of win conditions: everything about a kind is one module, and `kinds.py` lists them.

A module has the kind's struct, which says its fields, checks, columns, sentences and the values worth trying, and
functions that are written to be compiled, of which only `worth` must be there. `win` is the place in the genome's list:

- `worth(g, s, win, p)`: the value of p's position; the greatest wins, equal ones share;
- `triggered(g, s, win)`: whether it ends the deal now; `decided(g, s, win)`: whether it ends the game with this deal;
- `standing(g, s, win, p)`: what p has already, where not only the holding decides, in the units of `promise.py`;
- `went_over(g, s, win, p)`: whether p can win nothing any more; `limited(g, win)`: whether that can happen.
"""
