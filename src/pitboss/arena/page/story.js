/**
 * A finished hand as a list of positions, each a state of the table.
 *
 * A hand is `{ before, messages, cards, equities }`: the table and its players, the messages of the hand, all hole cards by
 * seat if they are known, and the equities of open hands. Position 0 is the deal; each event is one more position.
 */

import { dealtInAll, gameOf, streetInWords } from "./layout.js";
import { inOrder, show, start } from "./reducer.js";
import { plain } from "./words.js";

/** Return the positions of a hand, each `{ state, said, street }`: the state, what happened in words, and the street. */
export function positions(hand) {
  const worth = { type: "equities", hand_id: hand.messages[0].hand_id, steps: hand.equities ?? [] };
  const messages = [...hand.before, worth, ...withCards(hand, hand.cards ?? null)].flatMap(inOrder);
  const made = [];
  let state = start();
  for (const message of messages) {
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

/** Return where each street begins, `{ at, name }`; the last entry is the end of the hand. */
export function streets(made) {
  const begun = made.flatMap(({ street }, at) =>
    at === 0 || made[at - 1].street !== street ? [{ at, name: streetInWords(street) }] : [],
  );
  const end = made.length - 1;
  return end > (begun.at(-1)?.at ?? 0) ? [...begun, { at: end, name: "End" }] : begun;
}

/** Return a hand's messages with all hole cards added after the deal; cards of a seat that draws become unknown. */
function withCards({ before: [table], messages }, cards) {
  if (cards === null) return messages;
  return messages.flatMap((message) => {
    if (message.type === "start_hand") return [message, ...dealt(table, message, cards)];
    const changed = message.ev === "DRAW" && message.count > 0;
    return changed ? [message, { type: "held", hand_id: message.hand_id, seat: message.seat, cards: [] }] : [message];
  });
}

function dealt(table, { hand_id, stacks, variant }, cards) {
  const game = gameOf(table, variant);
  const first = game.streets[0]?.hole ?? 0;
  const open = Array(dealtInAll(game, "up")).fill(null); // between the cards dealt face down
  const inPlace = (down) => (down.length > first ? [...down.slice(0, first), ...open, ...down.slice(first)] : down);
  const known = stacks.filter(({ seat }) => cards[seat] !== undefined);
  return known.map(({ seat }) => ({ type: "held", hand_id, seat, cards: inPlace(cards[seat]) }));
}
