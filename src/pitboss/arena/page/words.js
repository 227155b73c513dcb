/**
 * What happened, in words: the lines of the log for a message, given the state before it.
 *
 * A line is a list of parts: plain strings, `{ seat, team }` and `{ cards }`. Team names come from outside, so they are
 * kept apart from the page's own words.
 */

import { gameOf, isPoker } from "./layout.js";
import { differences } from "./skipped.js";

const NUMBER = new Intl.NumberFormat("en-US");
const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 2 });

const BOTTOMLESS = 9e14; // a stack of unknown depth in a recorded hand is larger than this
let unit = 1; // chips in one unit of the money that is shown
let money = NUMBER;

/** Show amounts from now on in a money with this many chips to the unit, a power of ten; an arena uses 1. */
export function countIn(chipsOfOne) {
  unit = chipsOfOne;
  const digits = Math.round(Math.log10(unit));
  money = new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Return a whole number, other than chips, as text. */
export function whole(number) {
  return NUMBER.format(number);
}

/** Return an amount of chips in full. */
export function chips(amount) {
  if (amount / unit >= BOTTOMLESS) return "∞";
  return amount % unit === 0 ? NUMBER.format(amount / unit) : money.format(amount / unit);
}

/** Return an amount of chips where there is little room. */
export function shortChips(amount) {
  return amount / unit < 10_000_000 || amount / unit >= BOTTOMLESS ? chips(amount) : SHORT.format(amount / unit);
}

/** Return a seat's team, or the seat's number if it has no team. */
export function nameOf(seat) {
  return seat.team?.trim() || `Seat ${seat.seat}`;
}

const RANKS = {
  high_card: "high card",
  pair: "a pair",
  straight: "a straight",
  flush: "a flush",
  full_house: "a full house",
  straight_flush: "a straight flush",
};

/** Return a hand's rank in words. */
export function rankInWords(rank) {
  return RANKS[rank] ?? rank.replaceAll("_", " ");
}

/** Return a line of the log as plain text. */
export function plain(line) {
  return line.parts.map((part) => part.team ?? part.cards?.join(" ") ?? part).join("");
}

/** Return the lines of the log for a message. */
export function words(state, message) {
  const known = message.type === "event" ? EVENTS[message.ev] : MESSAGES[message.type];
  const stray = message.type === "event" && state.hand?.id !== message.hand_id && !TABLE_EVENTS.includes(message.ev);
  return known === undefined || stray ? [] : known(state, message);
}

const MESSAGES = {
  face_up: (state, { hand_id: id, hands }) =>
    state.hand?.id === id ? hands.map(({ seat, cards }) => line("show", team(state, seat), " turns up ", { cards })) : [],
  start_hand: (state, { hand_id: id, button, variant }) => {
    if (state.table !== null && !isPoker(state.table)) return [line("hand", `Hand ${handNumber(id)}`)];
    const game = variant === undefined ? "" : ` of ${gameOf(state.table, variant).title}`;
    return [line("hand", `Hand ${handNumber(id)}${game}, button on `, team(state, button))];
  },
  end_hand: (state, { stacks }) => {
    if (state.view === null || state.hand === null) return [];
    const moved = differences({ before: state.hand.begun, after: stacks });
    const parts = listed(moved, ({ seat, amount }) => [team(state, seat), ` ${signed(amount)}`]);
    return [moved.length === 0 ? line("win", "All scores are as before") : line("win", "Result: ", ...parts)];
  },
  match_end: (state, { winner, winners = [winner], final_stacks: stacks, reason }) => {
    const chipsWon = stacks.find(({ seat }) => seat === winners[0].seat)?.stack;
    const names = winners.flatMap(({ seat, team }, number) => [...(number > 0 ? [" and "] : []), { seat, team }]);
    const isOther = state.view !== null; // its totals are often points, and it has no decks to reveal
    const won = line("match", ...names, winners.length > 1 ? " share the match" : " wins the match", isOther ? "" : (REASONS[reason] ?? ""));
    if (isOther) return [won];
    const parts = chipsWon === undefined ? won.parts : [...won.parts, ` with ${chips(chipsWon)} chips`];
    const decks = line("note", `The decks of ${counted(state.revealed, "hand")} are revealed`);
    return [{ ...won, parts }, ...(state.revealed > 0 ? [decks] : [])];
  },
  skipped: (state, skipped) => [
    ...(skipped.each.length > 0 ? skipped.each.map((hand) => unseen(state, hand)) : [unseenHands(state, skipped)]),
    ...skipped.out.map((seat) => line("out", team(state, seat), " is out")),
  ],
};

/** Return the line for a hand that was not shown in detail; only a spectator has seen nothing of it. */
function unseen(state, { id, won, voided }) {
  const hand = `Hand ${handNumber(id)}${state.me === null ? ", not shown" : ""}: `;
  if (voided) return line("note unseen", `${hand}void`);
  return line("note unseen", hand, ...listed(won, ({ seat, amount }) => [team(state, seat), ` wins ${chips(amount)}`]));
}

/** Return the line for many such hands. */
function unseenHands(state, skipped) {
  const hands = `${counted(skipped.hands, "hand")}${state.me === null ? " not shown" : ""}, ${handNumber(skipped.first)} to ${handNumber(skipped.last)}: `;
  const moved = listed(differences(skipped), ({ seat, amount }) => [team(state, seat), ` ${signed(amount)}`]);
  return line("note unseen", hands, ...(moved.length > 0 ? moved : ["all chips as before"]));
}

function listed(things, parts) {
  return things.flatMap((thing, k) => [...(k > 0 ? [", "] : []), ...parts(thing)]);
}

/** Return an amount of chips with its sign. */
export function signed(amount) {
  return amount < 0 ? `−${chips(-amount)}` : `${amount > 0 ? "+" : ""}${chips(amount)}`;
}

/** Return the number at the end of a hand's id, or the id. */
function handNumber(id) {
  const digits = /(\d+)$/.exec(id);
  return digits === null ? id : whole(Number(digits[1]));
}

const REASONS = { max_hands: " on chips", last_standing: "", too_few: ", because too few players are left" };

/** Events of a cash table that can happen between hands. */
export const TABLE_EVENTS = ["SAT_OUT", "SAT_IN", "LEFT", "TOPPED_UP"];

const EVENTS = {
  SAT_OUT: (state, { seat, until }) => [
    line("note", team(state, seat), until === "big_blind" ? " waits for the big blind" : " sits out"),
  ],
  SAT_IN: (state, { seat }) => [line("note", team(state, seat), " is back")],
  LEFT: (state, { seat, stack }) => [
    stack > 0
      ? line("note", team(state, seat), ` leaves with ${chips(stack)}`)
      : line("out", team(state, seat), " has no chips left and leaves"),
  ],
  TOPPED_UP: (state, { seat, amount }) => [line("note", team(state, seat), ` brings ${chips(amount)}`)],
  POST_DEAD: (state, { seat, amount }) => [
    act(state, seat, ` pays ${chips(amount)} for missed blinds`, allIn(state, seat, amount)),
  ],
  STRADDLE: (state, { seat, amount }) => [act(state, seat, ` straddles, ${chips(amount)}`, allIn(state, seat, amount))],
  POST_ANTES: (_, { ante }) => [line("act", `All players ante ${chips(ante)}`)],
  BRING_IN: (state, { seat, amount, auto }) => [
    act(state, seat, ` brings it in for ${chips(amount)}`, allIn(state, seat, amount), late(state, seat, auto)),
  ],
  UP_CARD: (state, { seat, card }) => [line("street", team(state, seat), " is dealt ", { cards: [card] })],
  COMMUNITY_CARD: (_, { card }) => [line("street", "Community card: ", { cards: [card] })],
  DRAW: (state, { seat, count, cards, auto }) => [
    cards?.length > 0
      ? act(state, seat, " discards ", { cards }, late(state, seat, auto))
      : act(state, seat, count === 0 ? " stands pat" : ` draws ${counted(count, "card")}`, late(state, seat, auto)),
  ],
  POST_BLINDS: (state, event) => [
    ...posted(state, event.sb_seat, event.sb_posted, "small"),
    ...posted(state, event.bb_seat, event.bb_posted, "big"),
  ],
  BET: (state, { seat, amount, to }) => {
    const raises = state.seats.some((other) => other.bet > 0);
    return [act(state, seat, raises ? ` raises to ${chips(to)}` : ` bets ${chips(to)}`, allIn(state, seat, amount))];
  },
  CALL: (state, { seat, amount, auto }) => [
    act(state, seat, ` calls ${chips(amount)}`, allIn(state, seat, amount), late(state, seat, auto)),
  ],
  CHECK: (state, { seat, auto }) => [act(state, seat, " checks", late(state, seat, auto))],
  FOLD: (state, { seat, auto }) => [act(state, seat, " folds", late(state, seat, auto))],
  FLOP: (_, { cards, board }) => [line("street", `Flop${onWhich(board)}: `, { cards })],
  TURN: (_, { card, board }) => [line("street", `Turn${onWhich(board)}: `, { cards: [card] })],
  RIVER: (_, { card, board }) => [line("street", `River${onWhich(board)}: `, { cards: [card] })],
  SHOWDOWN: (state, { seat, hand: cards, rank }) => [
    state.hand.faceUp
      ? line("show", team(state, seat), ` has ${rankInWords(rank)}`)
      : line("show", team(state, seat), " shows ", { cards }, rank === "" ? "" : `, ${rankInWords(rank)}`),
  ],
  POST: (state, { seat, amount, name }) => [
    act(state, seat, ` posts the ${name}, ${chips(amount)}`, allIn(state, seat, amount)),
  ],
  MUCK: (state, { seat }) => [line("show", team(state, seat), " does not show")],
  RAKE: (_, { amount }) => [line("note", `The house takes ${chips(amount)}`)],
  RUNS: (state, { seat, amount, auto }) => [
    act(state, seat, amount === 1 ? " runs the board once" : ` runs the board ${amount} times`, late(state, seat, auto)),
  ],
  RUN: (_, { number }) => [line("street", number === 1 ? "The board is dealt several times" : `Board ${whole(number)}`)],
  REFUND: (state, { seat, amount }) => [line("note", `${chips(amount)} not called, back to `, team(state, seat))],
  POT_AWARD: (state, { seat, amount, pot, half }) => {
    const rank = state.seats.find((other) => other.seat === seat)?.rank;
    const made = rank ? ` with ${rankInWords(rank)}` : "";
    const which = half === undefined ? "" : `, the ${half} half`;
    const from = pot > 0 || state.hand.pots?.length > 1 ? POT(pot) : "";
    return [line("win", team(state, seat), ` wins ${chips(amount)}`, from, which, half === "low" ? "" : made)];
  },
  ELIMINATED: (state, { seat }) => [line("out", team(state, seat), " is out")],
  HAPPENED: (state, { text }) => (text ? [line("act", ...withNames(state, text))] : []),
  HAND_VOIDED: (_, { reason }) => [line("note", `Hand void, all chips are returned: ${reason}`)],
};

/** Return the addition for a street of another board than the first. */
function onWhich(board) {
  return board > 1 ? `, board ${whole(board)}` : "";
}

/** Return a sentence of the server as parts: "seat 1" is the team's name. */
function withNames(state, text) {
  return text.split(/\b[Ss]eat (\d+)\b/).map((part, k) => (k % 2 === 1 ? team(state, Number(part)) : part));
}

const POT = (pot) => (pot === 0 ? " from the main pot" : ` from side pot ${pot}`);

function posted(state, seat, amount, blind) {
  if (amount === 0) return [];
  return [act(state, seat, ` posts the ${blind} blind, ${chips(amount)}`, allIn(state, seat, amount))];
}

/** Return the addition for an action that takes the last chip. */
function allIn(state, seat, amount) {
  return state.seats.find((other) => other.seat === seat)?.stack === amount ? ", all-in" : "";
}

/** Return the addition for an action that the server took because the time was up or the seat is away. */
function late(state, seat, auto) {
  if (!auto) return "";
  return state.seats.find((other) => other.seat === seat)?.away ? ", away" : ", time up";
}

function counted(number, thing) {
  return `${whole(number)} ${thing}${number === 1 ? "" : "s"}`;
}

function act(state, seat, ...parts) {
  return line("act", team(state, seat), ...parts);
}

function line(kind, ...parts) {
  return { kind, parts: parts.filter((part) => part !== "") };
}

function team(state, seat) {
  return { seat, team: nameOf(state.seats.find((other) => other.seat === seat) ?? { seat, team: null }) };
}
