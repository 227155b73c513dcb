/** The possible answers to a question in words, and the usual bet sizes: pure functions of a question (see mine.js). */

import { chips } from "./words.js";

/** Sizes as fractions of the pot. */
const PARTS = [
  ["½ pot", 1, 2],
  ["⅔ pot", 2, 3],
  ["Pot", 1, 1],
];
const KEYS = { Min: 1, "½ pot": 2, "⅔ pot": 3, Pot: 4, "All-in": 5 };

/**
 * Return the usual totals to raise to, `[{ name, to, key }]`, ascending and without repeats; a name always has the same key.
 *
 * A fraction of the pot is measured after the call. Limit games have only one size.
 */
export function usualSizes({ least, most, pot, owed, bet, stack }) {
  if (least === undefined || least === most) return [];
  const sizes = PARTS.map(([name, part, of]) => ({ name, to: bet + owed + Math.floor(((pot + owed) * part) / of) }));
  const last = most === bet + stack ? "All-in" : "Pot";
  const within = sizes.filter(({ to }) => to > least && to < most);
  return [{ name: "Min", to: least }, ...within, { name: last, to: most }].map((size) => ({ ...size, key: KEYS[size.name] }));
}

/** Return the nearest total that a question allows. */
export function within({ least, most }, to) {
  return Math.min(most, Math.max(least, Math.round(to)));
}

/** Return the text for checking or calling, and its action; null if neither is possible. */
export function passing({ legal, call, stack }) {
  if (legal.includes("CHECK")) return { action: "CHECK", words: "Check" };
  if (!legal.includes("CALL")) return null;
  const bringsIn = !legal.includes("FOLD");
  const words = bringsIn ? `Bring in ${chips(call)}` : `Call ${chips(call)}`;
  return { action: "CALL", words: call === stack ? `${words}, all-in` : words };
}

/** Return the text for raising to a total. */
export function raising({ legal, price, bet, stack }, to) {
  const bringsIn = legal.includes("CALL") && !legal.includes("FOLD");
  const words = bringsIn ? `Complete to ${chips(to)}` : price > 0 ? `Raise to ${chips(to)}` : `Bet ${chips(to)}`;
  return to === bet + stack ? `${words}, all-in` : words;
}

/** Return why raising to a total is not possible, as a sentence; null if it is. */
export function whyNot({ least, most }, to) {
  if (!Number.isSafeInteger(to)) return "Enter a whole number of chips.";
  if (to < least) return `The minimum is ${chips(least)}.`;
  if (to > most) return `The maximum is ${chips(most)}.`;
  return null;
}
