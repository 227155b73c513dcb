/**
 * What happened, in words: the lines of the log for a message, given the state before it.
 *
 * A line is a list of parts: plain strings, `{ seat, team }` and `{ cards }`. Team names come from outside, so they are
 * kept apart from the page's own words.
 */

import { gameOf } from "./layout.js";
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
  const stray = message.type === "event" && state.hand?.id !== message.hand_id;
  return known === undefined || stray ? [] : known(state, message);
}

const MESSAGES = {
  face_up: (state, { hand_id: id, hands }) =>
    state.hand?.id === id ? hands.map(({ seat, cards }) => line("show", team(state, seat), " turns up ", { cards })) : [],
  start_hand: (state, { hand_id: id, button, variant }) => {
    const game = variant === undefined ? "" : ` of ${gameOf(state.table, variant).title}`;
    return [line("hand", `Hand ${handNumber(id)}${game}, button on `, team(state, button))];
  },
  match_end: (state, { winner, winners = [winner], final_stacks: stacks, reason }) => {
    const chipsWon = stacks.find(({ seat }) => seat === winners[0].seat)?.stack;
    const names = winners.flatMap(({ seat, team }, number) => [...(number > 0 ? [" and "] : []), { seat, team }]);
    const won = line("match", ...names, winners.length > 1 ? " share the match" : " wins the match", REASONS[reason] ?? "");
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

function signed(amount) {
  return amount < 0 ? `−${chips(-amount)}` : `+${chips(amount)}`;
}

/** Return the number at the end of a hand's id, or the id. */
function handNumber(id) {
  const digits = /(\d+)$/.exec(id);
  return digits === null ? id : whole(Number(digits[1]));
}

const REASONS = { max_hands: " on chips", last_standing: "", too_few: ", because too few players are left" };

const EVENTS = {
  POST_ANTES: (_, { ante }) => [line("act", `All players ante ${chips(ante)}`)],
  BRING_IN: (state, { seat, amount, auto }) => [
    act(state, seat, ` brings it in for ${chips(amount)}`, allIn(state, seat, amount), late(state, seat, auto)),
  ],
  UP_CARD: (state, { seat, card }) => [line("street", team(state, seat), " is dealt ", { cards: [card] })],
  COMMUNITY_CARD: (_, { card }) => [line("street", "Community card: ", { cards: [card] })],
  DRAW: (state, { seat, count, auto }) => [
    act(state, seat, count === 0 ? " stands pat" : ` draws ${counted(count, "card")}`, late(state, seat, auto)),
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
  FLOP: (_, { cards }) => [line("street", "Flop: ", { cards })],
  TURN: (_, { card }) => [line("street", "Turn: ", { cards: [card] })],
  RIVER: (_, { card }) => [line("street", "River: ", { cards: [card] })],
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
  HAND_VOIDED: (_, { reason }) => [line("note", `Hand void, all chips are returned: ${reason}`)],
};

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
