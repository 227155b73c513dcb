"""Solve hold'em after the flop between two players: ranges, a board and bet sizes in, an equilibrium out."""
