/**
 * The state that only a player has: the own seat, its cards, and the question that waits for an answer.
 *
 * A player's cards arrive only with questions and snapshots. `state.me` is `{ seat, question, discard }`: the last
 * question, and the cards that the player has chosen to change.
 */

import { gameOf } from "./layout.js";

/** Return the state after a `welcome`; `fresh` is the table without players. Known players of the same table are kept. */
export function welcomed(state, fresh, { table_id: id, seat }) {
  const before = state.table?.id === id ? state.seats : [];
  const seats = fresh.seats.map((chair) => {
    const { team = null, connected = false, intent = 0, owes = 0, brought = null } = before[chair.seat] ?? {};
    return { ...chair, team, connected, intent, owes, brought };
  });
  return { ...fresh, seats, me: { seat, question: null, discard: [] } };
}

/** Return the open question if it is the player's own, else null. */
export function myQuestion({ me, turn }) {
  return me !== null && turn !== null && turn.seat === me.seat && turn.asked === true ? me.question : null;
}

/** Return the state after an `act` or, in a game other than poker, an `ask`. */
export function asked(state, message) {
  if (state.me === null || state.hand === null || state.hand.id !== message.hand_id) return state;
  const { time_ms, bank_ms } = message.you ?? message;
  const turn = { seat: message.seat, asked: true, time_ms, ...(bank_ms === undefined ? {} : { bank_ms }) };
  const holding = message.you === undefined ? state : withHole(state, message.seat, message.you.hole);
  return { ...holding, turn, me: { ...state.me, question: question(message), discard: [] } };
}

/** Return the state after a `snapshot` or, in a game other than poker, a `view`; it describes a hand that is not known yet. */
export function back(state, message) {
  const { at_hand_id: id, next_actor: actor, time_ms_remaining: time_ms } = message;
  if (state.me === null || id === null) return state;
  const there = state.hand?.id === id ? state : fromSnapshot(state, message);
  const bank_ms = (message.you ?? message).bank_ms;
  const own = actor === state.me.seat && bank_ms !== undefined ? { bank_ms } : {};
  const turn = actor === null ? null : { seat: actor, asked: message.legal !== undefined, time_ms, ...own };
  const holding = message.you === undefined ? there : withHole(there, state.me.seat, message.you.hole);
  const mine = message.legal === undefined ? null : question({ ...message, hand_id: id });
  return { ...holding, turn, me: { ...state.me, question: mine, discard: [] } };
}

/** Return the state after the player's own answer, which names the cards to change; no message repeats them. */
export function remembers(state, { discard = [] }) {
  return state.me === null ? state : { ...state, me: { ...state.me, discard } };
}

/** Return the state after the player's own draw: the cards that were not changed, and null for each new one. */
export function afterDraw(state, { ev, seat, count }) {
  if (ev !== "DRAW" || seat !== state.me?.seat || count === 0) return state;
  const { discard, question: last } = state.me;
  const left = state.seats[seat].hole.filter((card) => !discard.includes(card));
  if (last?.must !== undefined) return withHole(state, seat, discard.length === count ? left : []);
  const hole = discard.length === count ? [...left, ...Array(count).fill(null)] : [];
  return withHole(state, seat, hole);
}

function withHole(state, seat, hole) {
  return { ...state, seats: state.seats.map((other) => (other.seat === seat ? { ...other, hole } : other)) };
}

/** Return a question as the controls need it; in a game other than poker it has moves. */
function question(message) {
  const { hand_id: hand, turn, legal } = message;
  if (message.you === undefined) return { hand, turn, other: true };
  const { you, players, table, pot } = message;
  const seat = message.seat ?? you.seat;
  return {
    ...{ hand, turn, legal, pot, stack: you.stack, owed: you.to_call, hole: you.hole },
    ...{ must: message.must_discard, runs: message.most_runs },
    ...{ call: message.call_amount ?? 0, least: message.min_raise_to, most: message.max_raise_to },
    bet: players.find((player) => player.seat === seat)?.committed ?? 0,
    price: Math.max(0, ...players.map((player) => player.committed)),
    step: table?.bb ?? 1,
  };
}

/** Return the state with a hand whose start was not received, from a snapshot. */
function fromSnapshot(state, { at_hand_id: id, phase, players, community, boards = [], pot, table }) {
  if (players === undefined) return state;
  const there = new Map(players.map((player) => [player.seat, player]));
  const bets = players.reduce((sum, { committed }) => sum + committed, 0);
  const number = /(\d+)$/.exec(id);
  const hand = {
    ...{ id, number: number === null ? null : Number(number[1]), button: table?.button ?? null },
    ...{ game: gameOf(state.table, table?.variant), street: phase, board: community, more: boards.slice(1), run: 0 },
    ...{ pot: pot - bets, pots: null, over: false, voided: null },
    begun: players.map(({ seat, stack, committed }) => ({ seat, stack: stack + committed })),
  };
  const seats = state.seats.map((seat) => {
    const player = there.get(seat.seat);
    if (player === undefined) return seat;
    const { stack, committed: bet, has_folded: folded, up = [] } = player;
    return { ...seat, stack, bet, folded, up, dealt: true };
  });
  return { ...state, hand, seats };
}
