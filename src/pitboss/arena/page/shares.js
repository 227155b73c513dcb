/** What share of the pot each open hand wins on average, while nobody can act any more and cards are still to come. */

import { equities } from "./equity.js";

let last = { key: null, shares: new Map() }; // a state is drawn often, and counting takes some milliseconds

/** By seat a share from 0 to 1; nothing where hands are not open, or the game has none. */
export function shares({ hand, seats }) {
  const open = hand === null || !hand.faceUp || hand.over ? [] : seats.filter(({ cards, folded }) => cards !== null && !folded);
  if (open.length < 2) return new Map();
  const key = JSON.stringify([hand.variant, hand.board, open.map(({ seat, cards }) => [seat, cards])]);
  if (last.key !== key) {
    const found = equities(open.map(({ cards }) => cards), hand.board, hand.variant);
    last = { key, shares: new Map(found === null ? [] : open.map(({ seat }, k) => [seat, found[k]])) };
  }
  return last.shares;
}

/** A share in percent; only what is certain is 0 or 100. */
export function percent(share) {
  if (share <= 0 || share >= 1) return `${share <= 0 ? 0 : 100}%`;
  return `${Math.min(99, Math.max(1, Math.round(100 * share)))}%`;
}
