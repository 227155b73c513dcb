/** Sentences for the person at a seat: what is going on, to read and to be read aloud, and what the server refused. */

import { cardName } from "./cards.js";
import { isPlaying } from "./reducer.js";
import { ownHand, seatIn } from "./sight.js";
import { chips, nameOf, signed } from "./words.js";

/** Return the sentence next to the player's cards. */
export function situation(state, question) {
  const me = state.seats[state.me.seat];
  if (state.match !== null) return "The match is over.";
  if (question?.other) return `Your turn. ${state.view?.prompt ?? ""}`.trim();
  if (question !== null) return `Your turn: ${owing(question)}`;
  if (me.out) return "You are out. You can stay and watch.";
  if (waitsForPlayers(state) && (state.hand !== null || me.intent > 0)) return WAITING[me.intent];
  if (me.intent > 0) return me.dealt && me.stack > 0 && isPlaying(state) ? FOLDS[me.intent] : PLACES[me.intent];
  if (!isPlaying(state)) return state.hand === null ? waitsForFirst(state) : `The ${state.view === null ? "hand" : "game"} is over. The next one begins soon.`;
  if (!me.dealt) return "You join with the next hand.";
  if (me.folded || seatIn(state, me.seat)?.status === "folded") return "You have folded.";
  const turn = state.turn === null ? null : state.seats[state.turn.seat];
  if (turn !== null && turn.seat !== me.seat) return `${nameOf(turn)} is to act.`;
  return me.hole.length === 0 && state.view === null ? "Your cards are shown when it is your turn." : "Other players act.";
}

/** What a player at a cash table does who does not play, by the seat's intent. */
const PLACES = ["", "You wait for the big blind.", "You sit out. Your seat is kept.", "You leave with your chips when the hand is over."];
/** The same during a hand that the player was dealt. */
const FOLDS = ["", "You fold this hand and wait for the big blind.", "You fold this hand and sit out.", PLACES[3]];

/** Return whether a cash table deals no hand because fewer than two seats play. A seat that waits does not count. */
function waitsForPlayers(state) {
  const playing = state.seats.filter(({ team, intent, stack }) => team !== null && intent === 0 && stack > 0);
  return state.table?.config.cash === true && !isPlaying(state) && playing.length < 2;
}

/** The same while the table waits for players. */
const WAITING = [
  "The table waits until two players play.",
  "You wait for the big blind, but the table waits until two players play. To play without waiting, choose I'm back.",
  "You sit out. The table waits until two players play.",
  PLACES[3],
];

/** Return the sentence with the player's chips. */
export function having(state) {
  const { stack, dealt } = state.seats[state.me.seat];
  const seen = seatIn(state, state.me.seat);
  if (seen !== undefined) return typeof seen.stack === "number" ? `You have ${chips(seen.stack)}.` : "";
  return dealt || stack > 0 ? `You have ${chips(stack)}.` : "";
}

/** Return the text that is read aloud at a question: the situation, then what happened before, from these lines. */
export function spoken(state, question, lines) {
  const before = lines.length === 0 ? "" : ` Before: ${lines.join(", ")}.`;
  if (question.other) return `Your turn. ${state.view?.prompt ?? ""}${choices(state)}${before}`;
  const held = `You hold ${question.hole.map(cardName).join(", ")}.`;
  const board = state.hand?.board ?? [];
  const shown = board.length === 0 ? "" : ` The board is ${board.map(cardName).join(", ")}.`;
  const now = owing(question);
  return `Your turn. ${held}${shown} ${now.charAt(0).toUpperCase()}${now.slice(1)}${before}`;
}

/** Return the choices in a game other than poker, if they are few, and how many cards the player holds. */
function choices(state) {
  const moves = state.view?.moves ?? [];
  const count = ownHand(state)?.count ?? 0;
  const held = count === 0 ? "" : ` You have ${count} card${count === 1 ? "" : "s"}.`;
  return moves.length <= NAMED ? ` You can ${moves.map(({ text }) => text).join(", or ")}.${held}` : ` ${moves.length} moves are possible.${held}`;
}

const NAMED = 6;

function owing({ legal, call, owed, pot, must }) {
  const middle = `The pot is ${chips(pot)}.`;
  if (legal.includes("RUNS")) return `choose how often the rest of the board is dealt. The smallest choice counts. ${middle}`;
  if (must !== undefined) return `choose ${must === 1 ? "a card" : `${must} cards`} to discard. ${middle}`;
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
  if (code === "BUY_IN_OUT_OF_RANGE") return `This buy-in is not possible: ${withoutPlace(msg)}.`;
  return NO_SEAT[code] ?? `No seat: ${msg}.`;
}

const NO_SEAT = {
  TEAM_TAKEN: "Another player uses this name, with another code. Choose another name, or enter the code for this one.",
  NOT_ITS_CODE: "This is not the team's code. Enter the code that the organiser has for it.",
  TEAM_UNKNOWN: "This table is for the teams on the organiser's list, and this name is not on it. Ask the organiser.",
  GONE: "Your team has left this table, with the chips that it had. To play on, take a seat.",
  REPLACED: "Another window or program with your name and code has taken over your seat.",
};

/** Return what was wrong with an answer. */
export function whyRefused({ code, msg }) {
  if (code === "INVALID_ACTION") return `Not possible: ${withoutRule(msg)}. It is still your turn.`;
  if (code === "NOT_SEATED") return sentence(msg);
  if (code === "TOP_UP_OUT_OF_RANGE") return `This top-up is not possible: ${withoutPlace(msg)}.`;
  return ANSWERS[code] ?? `Refused: ${withoutRule(msg)}.`;
}

const ANSWERS = {
  ACTION_TOO_LATE: "Too late: your time was up, and the table has played on.",
  OUT_OF_TURN: "It is not your turn.",
  RATE_LIMITED: "Too many messages. Wait a moment.",
  RESUME_AHEAD: "The table has lost a part of what you saw before. Tell the organiser.",
};

/** Return with what a player has left a cash table, as a sentence. */
export function farewell({ stack, brought }) {
  if (stack === 0) return "You have no chips left, so you have left the table. To buy in again, take a seat.";
  if (brought === null) return `You have left with ${chips(stack)}.`;
  return `You have left with ${chips(stack)}, after bringing ${chips(brought)}: ${signed(stack - brought)}.`;
}

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
