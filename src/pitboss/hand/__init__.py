"""One hand of a game that is data: forced bets, streets, showdown, and what each player may see."""
