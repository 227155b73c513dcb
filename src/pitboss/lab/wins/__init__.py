"""The kinds of win conditions, one module each; `kinds.py` lists them.

A module has the struct of the kind, with its fields, checks, columns, sentences and values to try. It also has
functions that can be compiled; only `worth` is required. `win` is the index in the genome's list:

- `worth(g, s, win, p)`: the value of p's position; the highest wins, and equal positions share;
- `triggered(g, s, win)`: whether it ends the deal now; `decided(g, s, win)`: whether it ends the game with this deal;
- `standing(g, s, win, p)`: what p has already, if not only the hand decides, in the units of `promise.py`;
- `went_over(g, s, win, p)`: whether p can no longer win; `limited(g, win)`: whether that can happen.
"""
