"""One hand of a game that is data: forced bets, streets, showdown, and what each place may see."""
