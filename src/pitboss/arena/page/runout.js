/**
 * The order in which an all-in is shown: nobody can act any more, so hands are turned up before the last cards come.
 *
 * A table deals the cards first and shows the hands at the end, all at once. `inOrder` holds those cards back until the
 * hands have come and puts a message of its own before them, `face_up`. Cards and hands keep their messages.
 */

import { gameOf } from "./games.js";

const STREETS = ["FLOP", "TURN", "RIVER"];
const PAYMENTS = { POST: -1, BET: -1, CALL: -1, BRING_IN: -1, REFUND: 1 };

/** What is known before any message. */
export const NOTHING = { table: "HUNL", game: "HUNL", stacks: new Map(), held: null };

/** Take a message; gives back what is known after it, and the messages to show now. */
export function inOrder(known, message) {
  const { type } = message;
  if (type === "table") return [{ ...NOTHING, table: message.config.variant }, [...(known.held ?? []), message]];
  if (type === "start_hand") return [begun(known, message), [...(known.held ?? []), message]];
  if (known.held !== null) return whileHeld(known, message);
  if (type !== "event") return [known, [message]];
  if (STREETS.includes(message.ev) && isDecided(known)) return [{ ...known, held: [message] }, []];
  return [{ ...known, stacks: paid(known.stacks, message) }, [message]];
}

/** All messages of a table or a hand in the order in which they are shown. */
export function allInOrder(messages) {
  let known = NOTHING;
  const shown = messages.flatMap((message) => {
    const [after, now] = inOrder(known, message);
    known = after;
    return now;
  });
  return [...shown, ...(known.held ?? [])];
}

function begun(known, { stacks, variant }) {
  const dealt = stacks.filter(({ stack }) => stack > 0).map(({ seat, stack }) => [seat, stack]);
  return { ...known, game: variant ?? known.table, stacks: new Map(dealt), held: null };
}

/** Whether of those who can still win at most one has chips to bet. */
function isDecided({ stacks, game }) {
  const able = [...stacks.values()].filter((stack) => stack > 0);
  return gameOf(game).board > 0 && stacks.size > 1 && able.length < 2;
}

/** The chips behind of those who have not folded, after an event. */
function paid(stacks, { ev, seat, amount, ...event }) {
  const after = new Map(stacks);
  const pay = (who, chips) => after.has(who) && after.set(who, after.get(who) - chips);
  if (ev === "FOLD") after.delete(seat);
  else if (ev === "POST_BLINDS") [pay(event.sb_seat, event.sb_posted), pay(event.bb_seat, event.bb_posted)];
  else if (ev === "POST_ANTES") event.posted.forEach((post) => pay(post.seat, post.amount));
  else if (PAYMENTS[ev] !== undefined) pay(seat, -PAYMENTS[ev] * amount);
  else return stacks;
  return after;
}

/** Cards wait for the hands; who comes or goes meanwhile is told at once, and anything else comes after them. */
function whileHeld(known, message) {
  if (message.type === "lobby") return [known, [message]];
  const held = [...known.held, message];
  if (message.ev === "SHOWDOWN" || STREETS.includes(message.ev)) return [{ ...known, held }, []];
  const hands = held.filter(({ ev }) => ev === "SHOWDOWN").map(({ seat, hand: cards }) => ({ seat, cards }));
  const [{ hand_id: id, seq }] = held;
  const up = { type: "face_up", hand_id: id, hands, seq: seq - 0.5 }; // between the messages that it stands between
  return [{ ...known, held: null, stacks: new Map() }, hands.length > 0 ? [up, ...held] : held];
}
