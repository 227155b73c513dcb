/** How it stands for the person who sits here, in a sentence to read and one to be read out. */

import { cardName } from "./cards.js";
import { isPlaying } from "./reducer.js";
import { chips, nameOf } from "./words.js";

/** The sentence beside one's cards. */
export function situation(state, question) {
  const me = state.seats[state.me.seat];
  if (state.match !== null) return "The match is over.";
  if (question?.moves !== undefined) return "Your turn: choose a move.";
  if (question !== null) return `Your turn: ${owing(question)}`;
  if (me.out) return "You are out. You can stay and watch.";
  if (!isPlaying(state)) return state.hand === null ? waitsForFirst(state) : "The hand is over; the next one begins.";
  if (!me.dealt) return "You are dealt in with the next hand.";
  if (me.folded) return "You have folded.";
  const turn = state.turn === null ? null : state.seats[state.turn.seat];
  if (turn !== null && turn.seat !== me.seat) return `${nameOf(turn)} is to act.`;
  return me.hole.length === 0 ? "Your cards are shown when it is your turn." : "The others act.";
}

/** What one has, beside it. */
export function having(state) {
  const { stack, dealt } = state.seats[state.me.seat];
  return dealt || stack > 0 ? `You have ${chips(stack)}.` : "";
}

/** What is read out when one is asked: how it stands, and then what happened before, as these lines say it. */
export function spoken(state, question, lines) {
  const before = lines.length === 0 ? "" : ` Before: ${lines.join(", ")}.`;
  if (question.moves !== undefined) return `Your turn. ${question.moves.length} moves to choose from.${before}`;
  const held = `You hold ${question.hole.map(cardName).join(", ")}.`;
  const board = state.hand?.board ?? [];
  const shown = board.length === 0 ? "" : ` The board is ${board.map(cardName).join(", ")}.`;
  const stands = owing(question);
  return `Your turn. ${held}${shown} ${stands.charAt(0).toUpperCase()}${stands.slice(1)}${before}`;
}

function owing({ legal, call, owed, pot }) {
  const middle = `The pot is ${chips(pot)}.`;
  if (legal.includes("DRAW")) return `choose the cards to change. ${middle}`;
  if (legal.includes("CALL") && !legal.includes("FOLD")) return `you bring it in. ${middle}`;
  return owed > 0 ? `${chips(call)} to call. ${middle}` : `nothing to call. ${middle}`;
}

function waitsForFirst({ seats, table }) {
  const taken = seats.filter((seat) => seat.team !== null).length;
  return `You have a seat. The first hand begins when enough are here; ${taken} of ${table?.config.seats ?? seats.length} seats are taken.`;
}
