/**
 * A finished hand as a list of positions, each a state of the table.
 *
 * A hand is `{ before, messages, cards, equities }`: the table and its players, the messages of the hand, all hole cards by
 * seat if they are known, and the equities of open hands. Position 0 is the deal; each event is one more position.
 */

import { dealtInAll, gameOf, isPoker, streetInWords } from "./layout.js";
import { inOrder, show, start } from "./reducer.js";
import { plain } from "./words.js";

/** Return the positions of a hand, each `{ state, said, street }`: the state, what happened in words, and the street. */
export function positions(hand) {
  const worth = { type: "equities", hand_id: hand.messages[0].hand_id, steps: hand.equities ?? [] };
  const messages = [...hand.before, worth, ...withCards(hand, hand.cards ?? null)].flatMap(inOrder);
  const made = [];
  let state = start();
  let waiting = []; // what happened in a game other than poker, until the table view that follows
  for (const message of messages) {
    const after = show(state, message);
    if (after.hand !== null && after !== state) {
      const said = [...waiting, ...after.log.filter((line) => line.n >= state.said).map(plain)];
      const waits = message.ev === "HAPPENED" || (message.type === "start_hand" && !isPoker(after.table));
      waiting = waits ? said : [];
      if (SILENT.has(message.type) && made.length > 0) made[made.length - 1].state = after;
      else if (!waits) made.push({ state: after, said: said.join("; "), street: stageOf(after) });
    }
    state = after;
  }
  return made;
}

/** Return the street of a position; in a game other than poker, its deal or round. */
function stageOf({ hand, view }) {
  const facts = (view?.facts ?? []).filter(({ title }) => ["Deal", "Round"].includes(title));
  return view === null ? hand.street : facts.map(({ title, text }) => `${title} ${text.split(" ")[0]}`).join(", ");
}

const MOST = 16; // streets or rounds that have a button each
const SILENT = new Set(["held", "lobby", "table"]);

/** Return where each street begins, `{ at, name }`; the last entry is the end of the hand. */
export function streets(made) {
  const begun = made.flatMap(({ street }, at) =>
    at === 0 || made[at - 1].street !== street ? [{ at, name: streetInWords(street) || "Start" }] : [],
  );
  const end = made.length - 1;
  if (begun.length > MOST) return [begun[0], { at: end, name: "End" }];
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
