/** What one may do, in words, and the usual sizes of a bet: pure functions of a question (see mine.js). */

import { chips } from "./words.js";

/** Sizes as parts of the pot, as players name them. */
const PARTS = [
  ["½ pot", 1, 2],
  ["⅔ pot", 2, 3],
  ["Pot", 1, 1],
];
const KEYS = { Min: 1, "½ pot": 2, "⅔ pot": 3, Pot: 4, "All-in": 5 };

/**
 * The usual totals to raise to, `[{ name, to, key }]`, from the least to the most, each once; a name always has its key.
 *
 * A raise of a part of the pot is measured after the call, as everywhere. In limit games there is one size only.
 */
export function usualSizes({ least, most, pot, owed, bet, stack }) {
  if (least === undefined || least === most) return [];
  const sizes = PARTS.map(([name, part, of]) => ({ name, to: bet + owed + Math.floor(((pot + owed) * part) / of) }));
  const last = most === bet + stack ? "All-in" : "Pot";
  const within = sizes.filter(({ to }) => to > least && to < most);
  return [{ name: "Min", to: least }, ...within, { name: last, to: most }].map((size) => ({ ...size, key: KEYS[size.name] }));
}

/** A total within the bounds of a question. */
export function within({ least, most }, to) {
  return Math.min(most, Math.max(least, Math.round(to)));
}

/** What checking or calling is called now, and the action that it is; null where one may do neither. */
export function passing({ legal, call, stack }) {
  if (legal.includes("CHECK")) return { action: "CHECK", words: "Check" };
  if (!legal.includes("CALL")) return null;
  const bringsIn = !legal.includes("FOLD");
  const words = bringsIn ? `Bring in ${chips(call)}` : `Call ${chips(call)}`;
  return { action: "CALL", words: call === stack ? `${words}, all-in` : words };
}

/** What raising to a total is called. */
export function raising({ legal, price, bet, stack }, to) {
  const bringsIn = legal.includes("CALL") && !legal.includes("FOLD");
  const words = bringsIn ? `Complete to ${chips(to)}` : price > 0 ? `Raise to ${chips(to)}` : `Bet ${chips(to)}`;
  return to === bet + stack ? `${words}, all-in` : words;
}

/** Why a total cannot be raised to, as a sentence; null where it can. */
export function whyNot({ least, most }, to) {
  if (!Number.isSafeInteger(to)) return "Enter a whole number of chips.";
  if (to < least) return `The least is ${chips(least)}.`;
  if (to > most) return `The most is ${chips(most)}.`;
  return null;
}
