/** Sentences for the person at a seat: what is going on, to read and to be read aloud, and what the server refused. */

import { cardName } from "./cards.js";
import { isPlaying } from "./reducer.js";
import { chips, nameOf } from "./words.js";

/** Return the sentence next to the player's cards. */
export function situation(state, question) {
  const me = state.seats[state.me.seat];
  if (state.match !== null) return "The match is over.";
  if (question?.moves !== undefined) return "Your turn: choose a move.";
  if (question !== null) return `Your turn: ${owing(question)}`;
  if (me.out) return "You are out. You can stay and watch.";
  if (!isPlaying(state)) return state.hand === null ? waitsForFirst(state) : "The hand is over. The next one begins soon.";
  if (!me.dealt) return "You join with the next hand.";
  if (me.folded) return "You have folded.";
  const turn = state.turn === null ? null : state.seats[state.turn.seat];
  if (turn !== null && turn.seat !== me.seat) return `${nameOf(turn)} is to act.`;
  return me.hole.length === 0 ? "Your cards are shown when it is your turn." : "Other players act.";
}

/** Return the sentence with the player's chips. */
export function having(state) {
  const { stack, dealt } = state.seats[state.me.seat];
  return dealt || stack > 0 ? `You have ${chips(stack)}.` : "";
}

/** Return the text that is read aloud at a question: the situation, then what happened before, from these lines. */
export function spoken(state, question, lines) {
  const before = lines.length === 0 ? "" : ` Before: ${lines.join(", ")}.`;
  if (question.moves !== undefined) return `Your turn. ${question.moves.length} moves to choose from.${before}`;
  const held = `You hold ${question.hole.map(cardName).join(", ")}.`;
  const board = state.hand?.board ?? [];
  const shown = board.length === 0 ? "" : ` The board is ${board.map(cardName).join(", ")}.`;
  const now = owing(question);
  return `Your turn. ${held}${shown} ${now.charAt(0).toUpperCase()}${now.slice(1)}${before}`;
}

function owing({ legal, call, owed, pot }) {
  const middle = `The pot is ${chips(pot)}.`;
  if (legal.includes("DRAW")) return `choose the cards to change. ${middle}`;
  if (legal.includes("CALL") && !legal.includes("FOLD")) return `you bring it in. ${middle}`;
  return owed > 0 ? `${chips(call)} to call. ${middle}` : `nothing to call. ${middle}`;
}

function waitsForFirst({ seats, table }) {
  const taken = seats.filter((seat) => seat.team !== null).length;
  return `You have a seat. The first hand begins when enough seats are taken: ${taken} of ${table?.config.seats ?? seats.length} so far.`;
}

/** Return why there is no seat, and what to do, as a sentence. */
export function whyNoSeat({ code, msg, wait }) {
  if (code === "TEAM_TAKEN" && /looks like/.test(msg)) return `${sentence(msg)} Take another name.`;
  if (code === "TEAM_TAKEN" && /on the organiser's list/.test(msg)) return NO_SEAT.NOT_ITS_CODE;
  if (code === "BAD_SCHEMA") return `This name cannot be used: ${withoutPlace(msg)}.`;
  if (code === "TABLE_FULL") return `${sentence(withoutPlace(msg))} Watch this table, or choose another one.`;
  if (code === "RATE_LIMITED") return `${sentence(msg)} Try again in ${Math.max(1, Math.ceil(wait / 1000))} s.`;
  return NO_SEAT[code] ?? `No seat: ${msg}.`;
}

const NO_SEAT = {
  TEAM_TAKEN: "Another player uses this name, with another code. Choose another name, or enter the code for this one.",
  NOT_ITS_CODE: "This is not the team's code. Enter the code that the organiser has for it.",
  TEAM_UNKNOWN: "This table is for the teams on the organiser's list, and this name is not on it. Ask the organiser.",
  REPLACED: "Another window or program with your name and code has taken over your seat.",
};

/** Return what was wrong with an answer. */
export function whyRefused({ code, msg }) {
  if (code === "INVALID_ACTION") return `Not possible: ${withoutRule(msg)}. It is still your turn.`;
  return ANSWERS[code] ?? `Refused: ${withoutRule(msg)}.`;
}

const ANSWERS = {
  ACTION_TOO_LATE: "Too late: your time was up, and the table has played on.",
  OUT_OF_TURN: "It is not your turn.",
  RATE_LIMITED: "Too many messages. Wait a moment.",
  RESUME_AHEAD: "The table has lost a part of what you saw before. Tell the organiser.",
};

/** Return a refusal without the name of the rule that it may begin with. */
function withoutRule(msg) {
  return msg.replace(/^[a-z_]+: /, "").replace(/\.$/, "");
}

function withoutPlace(msg) {
  return msg.replace(/ - at `.*`$/, "").replace(/\.$/, "");
}

function sentence(msg) {
  return `${msg.charAt(0).toUpperCase()}${msg.slice(1).replace(/\.$/, "")}.`;
}
