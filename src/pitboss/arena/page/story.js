/**
 * A finished hand as a row of positions that one can go to, each a state of the one function that shows a table.
 *
 * A hand is `{ before, messages, cards }`: the table and who sits there, the messages of the hand and, where all cards
 * may be seen, by seat those that were dealt face down. Position 0 is the deal; every event after it is one more.
 */

import { STREETS } from "./games.js";
import { withOdds } from "./odds.js";
import { show, start } from "./reducer.js";
import { allInOrder } from "./runout.js";
import { plain } from "./words.js";

const DEALT_UP = 4; // cards of a hand of stud that lie face up, between those that do not

/** The positions of a hand, `{ state, said, street }` each: what is shown, what happened in words, and the street. */
export function positions(hand) {
  const told = allInOrder([...hand.before, ...withCards(hand.messages, hand.cards ?? null)]);
  const made = [];
  let state = start();
  for (const message of told) {
    const after = show(state, message);
    if (after.hand !== null && after !== state) {
      const said = after.log.filter((line) => line.n >= state.said).map(plain).join("; ");
      if (SILENT.has(message.type) && made.length > 0) made[made.length - 1].state = after;
      else made.push({ state: after, said, street: after.hand.street });
    }
    state = after;
  }
  return made;
}

const SILENT = new Set(["held", "lobby", "table"]);

/** A position's state with what each hand is worth, where that can be said. */
export function picture({ state }) {
  return withOdds(state);
}

/** Where each street begins, `{ at, name }`; the last of them is the end of the hand. */
export function streets(made) {
  const begun = made.flatMap(({ street }, at) =>
    at === 0 || made[at - 1].street !== street ? [{ at, name: STREETS[street] ?? street }] : [],
  );
  const end = made.length - 1;
  return end > (begun.at(-1)?.at ?? 0) ? [...begun, { at: end, name: "End" }] : begun;
}

/** The messages of a hand with what everybody holds told after the deal, and forgotten where cards are changed. */
function withCards(messages, cards) {
  if (cards === null) return messages;
  return messages.flatMap((message) => {
    if (message.type === "start_hand") return [message, ...dealt(message, cards)];
    const changed = message.ev === "DRAW" && message.count > 0;
    return changed ? [message, { type: "held", hand_id: message.hand_id, seat: message.seat, cards: [] }] : [message];
  });
}

function dealt({ hand_id, stacks }, cards) {
  const known = stacks.filter(({ seat }) => cards[seat] !== undefined);
  return known.map(({ seat }) => ({ type: "held", hand_id, seat, cards: inPlace(cards[seat]) }));
}

/** Three cards face down are a hand of stud: the third comes last, after those that lie face up. */
function inPlace(cards) {
  return cards.length === 3 ? [...cards.slice(0, 2), ...Array(DEALT_UP).fill(null), cards[2]] : cards;
}
