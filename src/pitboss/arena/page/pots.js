/** The chips in the middle, as a sum and as main and side pots, by the same rule as the engine's `betting/pots.py`. */

/** All chips in the middle: the pot of earlier streets and this street's bets. */
export function middle(state) {
  return state.hand === null ? 0 : state.hand.pot + sum(state.seats.map((seat) => seat.bet));
}

/** The chips in the middle as main and side pots or, once they are paid, as they were paid. */
export function pots(state) {
  return state.hand === null ? [] : (state.hand.pots ?? layers(state.seats));
}

/**
 * Cut the payments into layers, each with the seats that paid for it and have not folded.
 *
 * Who has chips behind claims every layer: he may still put in more, and once he may not, he has paid as much as
 * anybody. A layer whose payers have all folded joins the one below.
 */
export function layers(seats) {
  const paid = seats.filter((seat) => seat.dealt).map((seat) => ({ ...seat, total: seat.paid + seat.bet }));
  const most = Math.max(0, ...paid.map((seat) => seat.total));
  const live = paid
    .filter((seat) => !seat.folded)
    .map((seat) => ({ seat: seat.seat, claim: seat.stack > 0 ? most : seat.total }));
  const made = [];
  let counted = 0;
  for (const ceiling of [...new Set(live.map((seat) => seat.claim))].sort((a, b) => a - b)) {
    const below = sum(paid.map((seat) => Math.min(seat.total, ceiling)));
    if (below > counted) made.push(layer(below - counted, live.filter((seat) => seat.claim >= ceiling)));
    counted = below;
  }
  const orphaned = sum(paid.map((seat) => seat.total)) - counted;
  if (orphaned === 0) return made;
  const last = made.pop() ?? layer(0, live);
  return [...made, { ...last, amount: last.amount + orphaned }];
}

function layer(amount, claimants) {
  return { amount, seats: claimants.map((seat) => seat.seat), winners: [] };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
