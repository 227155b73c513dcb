"""What every kind of phase and of win condition builds on: numbers for words, cards on the move, plain English."""
