/**
 * The state of a table as a pure function of the messages received: `show(state, message)`.
 *
 * Messages are those of a spectator or, with a seat, those of a player (see mine.js). There is no clock, socket or document
 * here, so that the same code shows a live table and a replay. States are never changed, only replaced. Within a hand,
 * stacks, bets and pot always add up to the chips it began with.
 */

import { gameOf, isPoker } from "./layout.js";
import { afterDraw, asked, back, remembers, welcomed } from "./mine.js";
import { seen } from "./sight.js";
import { differences } from "./skipped.js";
import { words } from "./words.js";

/** How many lines of the log are kept. */
export const LOG_LENGTH = 400;

/** Return a message in the order in which it is shown: hands that it turns face up come first. */
export function inOrder(message) {
  if (message.type !== "event" || message.hands === undefined) return [message];
  const { hand_id, hands, seq } = message;
  return [{ type: "face_up", hand_id, hands, seq: seq - 0.5 }, message]; // a number between its neighbours
}

/** Return the state before any message. */
export function start() {
  return {
    table: null, // { id, config }
    seats: [], // one for each chair; `team` is null if the chair is free
    hand: null, // the hand under way, or the last one until the next begins
    turn: null, // { seat, time_ms, bank_ms }, the bank null if seats have none
    match: null, // { winners, standings, reason } once it is decided; several winners in a tie
    revealed: 0, // decks revealed so far
    log: [], // { n, kind, parts }, oldest first
    said: 0, // lines ever added to the log
    seq: -1, // the last running number, so that a hand sent again after a reconnect is not logged twice
    known: null, // the last hand's id, commitment and first running number
    me: null, // a player's own seat; see mine.js
    equities: null, // { hand, steps }: the equities of open hands, each from a running number on
    view: null, // in a game other than poker: the last table view; see sight.js
    trick: null, // in such a game, the last finished trick as a zone
    rules: null, // the rules of such a game, in English
  };
}

/** Return the state after a message; a message of an unknown type changes nothing. */
export function show(state, message) {
  const step = STEPS[message.type];
  if (step === undefined) return state;
  if (message.type === "start_hand" && isNewJournal(state, message)) state = { ...state, seq: -1, log: [] };
  const again = message.seq !== undefined && message.seq <= state.seq;
  const lines = again ? [] : words(state, message);
  return withLines({ ...step(state, message), seq: Math.max(state.seq, message.seq ?? -1) }, lines);
}

/** Return whether a seat has bet its last chip and can still win. */
export function isAllIn(seat) {
  return seat.dealt && !seat.folded && seat.stack === 0 && seat.won === 0 && !seat.out;
}

/** Return all chips in the middle: the pot of earlier streets and the bets of this street. */
export function middle({ hand, seats }) {
  return hand === null ? 0 : seats.reduce((sum, { bet }) => sum + bet, hand.pot);
}

/** Return the pots as the arena sent them, or all chips as one pot; after payment, each with its winners. */
export function pots(state) {
  if (state.hand === null) return [];
  const one = { amount: middle(state), seats: state.seats.filter(isLive).map(({ seat }) => seat), winners: [] };
  return state.hand.pots ?? (one.amount > 0 ? [one] : []);
}

/** Return a seat's average share of the pot if the arena sent it; undefined for hidden hands. */
export function shareOf({ hand, seq, equities }, { seat, cards, hole }) {
  if (hand === null || hand.over || equities?.hand !== hand.id || (cards === null && hole.length === 0)) return undefined;
  return equities.steps.findLast((step) => step.seq <= seq)?.shares.find((share) => share.seat === seat)?.share;
}

function isLive({ dealt, folded }) {
  return dealt && !folded;
}

/** Return the seats that a new team can take: none once the match is over, or a freeze-out has begun. */
export function freeSeats({ table, seats, hand, match }) {
  if (match !== null || (table?.config.freeze_out && hand !== null)) return [];
  return seats.filter((seat) => seat.team === null && !seat.dealt);
}

/** Return what a seat has won or lost with this many chips: at a cash table, and in games other than poker; else null. */
export function gain({ table }, { brought = null }, stack) {
  if (brought !== null) return stack - brought;
  return table === null || isPoker(table) || table.config.cash ? null : stack - table.config.starting_stack;
}

/** Return whether a hand is under way. */
export function isPlaying(state) {
  return state.hand !== null && !state.hand.over;
}

// --- messages

const STEPS = {
  table: (state, { table_id: id, config }) => ({
    ...start(),
    ...{ log: state.log, said: state.said, seq: state.seq, known: state.known, equities: state.equities },
    rules: state.table?.id === id ? state.rules : null,
    table: { id, config },
    seats: Array.from({ length: config.seats }, (_, seat) => chair(seat)),
  }),
  lobby: (state, { players }) => {
    const there = new Map(players.map((player) => [player.seat, player]));
    const seats = withRoomFor(state.seats, there.keys());
    return { ...state, seats: seats.map((seat) => seated(state, seat, there.get(seat.seat))) };
  },
  start_hand: (state, message) => {
    const begun = new Map(message.stacks.map(({ seat, stack }) => [seat, stack]));
    const game = gameOf(state.table, message.variant);
    const hand = {
      ...{ id: message.hand_id, number: numberOf(message.hand_id), button: message.button },
      ...{ game, street: game.streets[0]?.name ?? null },
      ...{ board: [], more: [], run: 0, pot: 0, pots: null, begun: message.stacks, over: false, voided: null },
      faceUp: false, // whether hands are face up while cards are still to come
    };
    return {
      ...state,
      ...{ hand, turn: null, match: null, trick: null, known: { id: message.hand_id, commit: message.commit, seq: message.seq } },
      seats: withRoomFor(state.seats, begun.keys()).map((seat) => dealtIn(seat, begun.get(seat.seat))),
    };
  },
  welcome: (state, message) => welcomed(state, STEPS.table(state, message), message),
  act: asked,
  ask: (state, message) => asked({ ...state, rules: message.rules ?? state.rules }, message),
  rules: (state, { rules }) => ({ ...state, rules }),
  snapshot: back,
  view: back,
  table_view: (state, { table }) => (isPoker(state.table) ? state : seen(state, table)),
  action: remembers,
  event: (state, message) => {
    if (TABLE_EVENTS[message.ev] !== undefined) return TABLE_EVENTS[message.ev](state, message);
    const happen = EVENTS[message.ev];
    return happen === undefined || !isPlaying(state) || state.hand.id !== message.hand_id
      ? state
      : afterDraw(withPots(happen(state, message), message), message);
  },
  turn: (state, { hand_id: id, seat, time_ms, bank_ms = null }) =>
    isPlaying(state) && state.hand.id === id ? { ...state, turn: { seat, time_ms, bank_ms } } : state,
  end_hand: (state, { stacks }) => withResults(settled(state, stacks, {}), stacks),
  face_up: (state, { hand_id: id, hands }) => {
    if (!isPlaying(state) || state.hand.id !== id) return state;
    return inHand(
      hands.reduce((before, { seat, cards }) => change(before, seat, () => ({ cards })), swept(state)),
      { faceUp: true },
    );
  },
  held: (state, { hand_id: id, seat, cards }) =>
    state.hand?.id === id ? change(state, seat, () => ({ hole: cards, known: cards.length > 0 })) : state,
  skipped: (state, { after, out }) => {
    const left = new Map([...after.map(({ seat, stack }) => [seat, stack]), ...out.map((seat) => [seat, 0])]);
    const seats = state.seats.map((seat) => withChips({ ...seat, ...IDLE }, left.get(seat.seat) ?? seat.stack));
    return { ...state, seats, turn: null };
  },
  equities: (state, { hand_id: hand, steps }) => ({ ...state, equities: { hand, steps } }),
  reveal: (state, { hands }) => ({ ...state, revealed: state.revealed + hands.length }),
  match_end: (state, { winner, winners, final_stacks: standings, reason }) => ({
    ...settled(state, standings, {}),
    match: { winners: winners ?? [winner], standings, reason },
  }),
};

/** Events of a cash table that do not belong to the hand under way; the lobby after them has the same changes for all seats. */
const TABLE_EVENTS = {
  SAT_OUT: (state, { seat, until }) => change(state, seat, () => ({ intent: until === "big_blind" ? 1 : 2 })),
  SAT_IN: (state, { seat }) => change(state, seat, () => ({ intent: 0, owes: 0 })),
  LEFT: (state, { seat }) => change(state, seat, (old) => (old.dealt && isPlaying(state) ? { intent: 3 } : chair(seat))),
  TOPPED_UP: (state, { seat, amount }) => change(state, seat, ({ stack }) => ({ stack: stack + amount, out: false })),
};

const EVENTS = {
  POST_ANTES: (state, { posted }) =>
    swept(posted.reduce((paid, { seat, amount }) => paying(paid, seat, amount, "ante"), state)),
  BRING_IN: (state, { seat, amount, auto }) => paying(state, seat, amount, "bring-in", auto),
  UP_CARD: (state, { seat, card }) => upCard(state, seat, card),
  DOWN_CARD: (state, { seat }) => {
    const first = state.seats.every((other) => other.down === 0);
    const begun = first ? street(state, nextStreet(state), []) : state;
    return change(begun, seat, ({ down }) => ({ down: down + 1 }));
  },
  COMMUNITY_CARD: (state, { card, board }) => street(state, board > 1 ? state.hand.street : nextStreet(state), [card], board),
  DRAW: (state, { seat, count, auto }) => {
    if (isDiscard(state)) {
      const fewer = change(state, seat, ({ thrown }) => ({ thrown: thrown + count }));
      return paying(fewer, seat, 0, `discards ${count}`, auto);
    }
    const first = state.seats.every((other) => other.drawn === null);
    const begun = first ? street(state, nextStreet(state), []) : state;
    const did = count === 0 ? "stands pat" : `draws ${count}`;
    const drawn = paying(change(begun, seat, () => ({ drawn: count })), seat, 0, did, auto);
    const waiting = drawn.seats.some((other) => other.dealt && !other.folded && other.drawn === null);
    return waiting ? drawn : { ...drawn, seats: drawn.seats.map((other) => ({ ...other, drawn: null })) };
  },
  POST_BLINDS: (state, event) => {
    const small = paying(state, event.sb_seat, event.sb_posted, "small blind");
    return paying(small, event.bb_seat, event.bb_posted, "big blind");
  },
  POST: (state, { seat, amount, name }) => paying(state, seat, amount, name),
  STRADDLE: (state, { seat, amount }) => paying(state, seat, amount, "straddle"),
  POST_DEAD: (state, { seat, amount }) =>
    inHand(change(state, seat, ({ stack }) => ({ stack: stack - amount })), { pot: state.hand.pot + amount }),
  MUCK: (state, { seat }) => change(swept(state), seat, () => ({ did: "mucks" })),
  RAKE: (state, { amount }) => inHand(swept(state), { pot: middle(state) - amount }),
  RUNS: (state, { seat, amount, auto }) => paying(state, seat, 0, amount === 1 ? "run once" : `run ${amount} times`, auto),
  RUN: (state, { number, board }) => onBoard(swept(state), number - 1, board),
  BET: (state, { seat, amount }) => paying(state, seat, amount, isBetOn(state) ? "raise" : "bet"),
  CALL: (state, { seat, amount, auto }) => paying(state, seat, amount, "call", auto),
  CHECK: (state, { seat, auto }) => paying(state, seat, 0, "check", auto),
  FOLD: (state, { seat, auto }) => paying(change(state, seat, () => ({ folded: true })), seat, 0, "fold", auto),
  FLOP: (state, { cards, board }) => street(state, "FLOP", cards, board),
  TURN: (state, { card, board }) => street(state, "TURN", [card], board),
  RIVER: (state, { card, board }) => street(state, "RIVER", [card], board),
  REFUND: (state, { seat, amount }) =>
    change(state, seat, ({ stack, bet }) => ({ stack: stack + amount, bet: bet - amount })),
  SHOWDOWN: (state, { seat, hand: cards, rank }) =>
    inHand(
      change(swept(state), seat, () => ({ cards, rank })),
      { street: "SHOWDOWN" },
    ),
  POT_AWARD: (state, { seat, amount, pot }) => {
    const counted = inHand(swept(state), { pots: pots(state) });
    const paid = change(counted, seat, ({ stack, won }) => ({ stack: stack + amount, won: won + amount }));
    return inHand(paid, {
      pot: paid.hand.pot - amount,
      pots: paid.hand.pots.map((layer, k) =>
        k === pot ? { ...layer, winners: [...layer.winners, { seat, amount }] } : layer,
      ),
    });
  },
  ELIMINATED: (state, { seat }) => change(state, seat, () => ({ out: true })),
  HAND_VOIDED: (state, { reason }) => {
    const seats = state.seats.map((seat) => ({ ...seat, ...IDLE }));
    return settled({ ...state, seats }, state.hand.begun, { voided: reason, pots: null });
  },
  HAPPENED: (state) => ({ ...state, turn: null, view: state.view && { ...state.view, moves: undefined } }),
};

// --- seats

function chair(seat) {
  const cash = { intent: 0, owes: 0, brought: null }; // at a cash table; see the protocol's lobby
  return { seat, team: null, connected: false, away: false, stack: 0, ...cash, ...IDLE, out: false };
}

const IDLE = {
  ...{ dealt: false, bet: 0, folded: false, won: 0 },
  ...{ cards: null, rank: null, did: null, late: false },
  hole: [], // the player's own cards in the order dealt, null for an unknown card
  known: false, // whether its cards are known to all, as they are after the match
  ...{ up: [], down: 0 }, // cards face up, and the number dealt face down after them
  thrown: 0, // how many of its first cards it has discarded without new ones
  drawn: null, // how many cards it has changed in a draw that is not over
  gain: 0, // chips or points that it has won or lost in a game other than poker, once that is over
};

/** Return the seats, with new chairs if a seat number is too large for the table. */
function withRoomFor(seats, numbers) {
  const most = Math.max(seats.length - 1, ...numbers);
  return [...seats, ...Array.from({ length: most + 1 - seats.length }, (_, k) => chair(seats.length + k))];
}

/** Return a seat with what the lobby lists; the lobby does not know the chips of a hand under way. */
function seated(state, seat, player) {
  const busy = seat.dealt && isPlaying(state);
  if (player === undefined) return busy ? seat : chair(seat.seat);
  const { team, connected, stack, away = false, intent = 0, owes = 0, brought = null } = player;
  const known = { ...seat, team, connected, away, intent, owes, brought };
  return busy ? known : withChips(known, stack);
}

/** Return a seat between hands; a seat without chips is out, and no longer shown as a winner. */
function withChips(seat, stack) {
  return { ...seat, stack, won: stack === 0 ? 0 : seat.won, out: seat.team !== null && stack === 0 };
}

function dealtIn(seat, stack) {
  const chips = stack ?? seat.stack;
  const dealt = stack !== undefined && stack > 0;
  return { ...seat, ...IDLE, dealt, stack: chips, out: seat.team !== null && chips === 0 };
}

function change(state, seat, changes) {
  return { ...state, seats: state.seats.map((old) => (old.seat === seat ? { ...old, ...changes(old) } : old)) };
}

// --- the hand

function inHand(state, changes) {
  return { ...state, hand: { ...state.hand, ...changes } };
}

/** Return the state after a seat's action, `late` if its time was up; the turn is unknown until the table sends it. */
function paying(state, seat, amount, did, late = false) {
  const changes = ({ stack, bet }) => ({ stack: stack - amount, bet: bet + amount, did, late });
  return { ...change(state, seat, changes), turn: null };
}

function isBetOn(state) {
  return state.seats.some((seat) => seat.bet > 0);
}

/** Return the state with the pots of an event; an event has them if there are several, or were, and they have changed. */
function withPots(state, { pots: sent }) {
  return sent === undefined ? state : inHand(state, { pots: sent.map((pot) => ({ ...pot, winners: [] })) });
}

/** Return the state with the street's bets moved into the pot. */
function swept(state) {
  const seats = state.seats.map((seat) => ({ ...seat, bet: 0 }));
  return inHand({ ...state, seats, turn: null }, { pot: middle(state) });
}

/** Return the state after a card was dealt face up; the first one of a street begins it. */
function upCard(state, seat, card) {
  const before = state.seats.find((other) => other.seat === seat)?.up.length ?? 0;
  const most = Math.max(...state.seats.map((other) => other.up.length));
  const name = state.hand.game.streets[before]?.name ?? state.hand.street;
  const begun = before === most && before > 0 ? street(state, name, []) : state;
  return change(begun, seat, ({ up }) => ({ up: [...up, card] }));
}

function nextStreet({ hand }) {
  const { streets } = hand.game;
  return streets[streets.findIndex(({ name }) => name === hand.street) + 1]?.name ?? hand.street;
}

/** Return whether the cards that seats name now are discarded, before the next street, and not changed. */
function isDiscard({ hand }) {
  const { streets } = hand.game;
  return (streets[streets.findIndex(({ name }) => name === hand.street) + 1]?.discard ?? 0) > 0;
}

/** Return the state with these cards on a board, counted from 0; the next cards and runs are on it. */
function onBoard(state, run, cards) {
  if (run === 0) return inHand(state, { run, board: cards });
  const more = Array.from({ length: Math.max(run, state.hand.more.length) }, (_, k) => (k === run - 1 ? cards : (state.hand.more[k] ?? [])));
  return inHand(state, { run, more });
}

/** Return the state at the start of a street, with its cards on a board; `board` counts the boards of a game from 1. */
function street(state, name, cards, board) {
  const after = swept(state);
  const seats = after.seats.map((seat) => ({ ...seat, did: seat.folded ? "fold" : null, late: false }));
  const on = board !== undefined ? board - 1 : state.hand.game.boards > 1 ? 0 : state.hand.run;
  const before = (on === 0 ? state.hand.board : state.hand.more[on - 1]) ?? [];
  const begun = inHand({ ...after, seats }, { street: name });
  return cards.length === 0 ? begun : onBoard(begun, on, [...before, ...cards]);
}

/** Return the state with an empty middle and these stacks. */
function settled(state, stacks, changes) {
  const chips = new Map(stacks.map(({ seat, stack }) => [seat, stack]));
  const seats = state.seats.map((seat) =>
    withChips({ ...seat, bet: 0 }, chips.get(seat.seat) ?? seat.stack),
  );
  const after = { ...state, seats, turn: null };
  return state.hand === null ? after : inHand(after, { pot: 0, over: true, ...changes });
}

/** Return the state with what each seat won, in a game other than poker, which has no event for it. */
function withResults(state, stacks) {
  if (state.view === null || state.hand === null) return state;
  const gains = new Map(differences({ before: state.hand.begun, after: stacks }).map(({ seat, amount }) => [seat, amount]));
  return { ...state, seats: state.seats.map((seat) => ({ ...seat, gain: gains.get(seat.seat) ?? 0 })) };
}

/** Return the number at the end of a hand's id. */
function numberOf(id) {
  const digits = /(\d+)$/.exec(id);
  return digits === null ? null : Number(digits[1]);
}

// --- the log

/** Return whether a hand begins with an old running number and is not the hand under way: the server has a new journal. */
function isNewJournal(state, { seq, hand_id: id, commit }) {
  return seq <= state.seq && !(state.known !== null && state.known.id === id && state.known.commit === commit);
}

function withLines(state, lines) {
  if (lines.length === 0) return state;
  const numbered = lines.map((line, k) => ({ ...line, n: state.said + k }));
  return { ...state, log: [...state.log, ...numbered].slice(-LOG_LENGTH), said: state.said + lines.length };
}
