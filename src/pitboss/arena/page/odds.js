/** What each hand at the table is worth in a replay in which all hands that can still win are known. */

import { equities } from "./equity.js";
import { isPlaying } from "./reducer.js";

let last = { key: "", shares: null }; // the same cards are asked about again and again

/** The state with `equity` at each seat that can still win, a share of 1; null at others, and where it cannot be said. */
export function withOdds(state) {
  const playing = isPlaying(state) && state.hand.pots === null && !state.hand.faceUp; // the run-out says it otherwise
  const live = playing ? state.seats.filter((seat) => seat.dealt && !seat.folded) : [];
  const hands = live.map(cardsOf);
  if (live.length < 2 || hands.some((hand) => hand === null)) return bySeat(state, new Map());
  const dead = state.seats.filter((seat) => seat.dealt && seat.folded).flatMap((seat) => cardsOf(seat) ?? []);
  const shares = worth(hands, state.hand.board, state.hand.variant, dead);
  return bySeat(state, new Map(shares === null ? [] : live.map(({ seat }, k) => [seat, shares[k]])));
}

/** A seat's cards where all of them are known. */
function cardsOf({ cards, hole }) {
  const known = cards ?? hole;
  return known.length > 0 && known.every((card) => typeof card === "string") ? known : null;
}

function worth(...asked) {
  const key = JSON.stringify(asked);
  if (last.key !== key) last = { key, shares: equities(...asked) };
  return last.shares;
}

function bySeat(state, shares) {
  return { ...state, seats: state.seats.map((seat) => ({ ...seat, equity: shares.get(seat.seat) ?? null })) };
}
