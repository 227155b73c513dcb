/**
 * What a player sees besides: one's own seat, one's cards, and the question that waits for one's answer.
 *
 * One's cards come with one's questions and with a snapshot, and in no message before. `state.me` is
 * `{ seat, question, discard }`: the last question, and the cards that one has asked to change.
 */

import { gameOf } from "./layout.js";

/** The state at one's own seat; `fresh` is the same table without it. Who sat where is known already, if it was. */
export function welcomed(state, fresh, { table_id: id, seat }) {
  const before = state.table?.id === id ? state.seats : [];
  const seats = fresh.seats.map((chair) => {
    const { team = null, connected = false } = before[chair.seat] ?? {};
    return { ...chair, team, connected };
  });
  return { ...fresh, seats, me: { seat, question: null, discard: [] } };
}

/** The open question where it is one's own, else null. */
export function myQuestion({ me, turn }) {
  return me !== null && turn !== null && turn.seat === me.seat && turn.asked === true ? me.question : null;
}

/** One is asked, by an `act` or, where the game is no poker, by an `ask`. */
export function asked(state, message) {
  if (state.me === null || state.hand === null || state.hand.id !== message.hand_id) return state;
  const { time_ms, bank_ms } = message.you ?? message;
  const turn = { seat: message.seat, asked: true, time_ms, ...(bank_ms === undefined ? {} : { bank_ms }) };
  const holding = message.you === undefined ? state : withHole(state, message.seat, message.you.hole);
  return { ...holding, turn, me: { ...state.me, question: question(message), discard: [] } };
}

/** One is back, by a `snapshot` or, where the game is no poker, by a `view`; of a hand unknown so far it says all. */
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

/** One has answered: which cards one changes, nobody says again. */
export function remembers(state, { discard = [] }) {
  return state.me === null ? state : { ...state, me: { ...state.me, discard } };
}

/** One's cards after a draw of one's own: what was kept, and as many that are not known yet as were changed. */
export function afterDraw(state, { ev, seat, count }) {
  if (ev !== "DRAW" || seat !== state.me?.seat || count === 0) return state;
  const { discard } = state.me;
  const kept = state.seats[seat].hole.filter((card) => !discard.includes(card));
  const hole = discard.length === count ? [...kept, ...Array(count).fill(null)] : [];
  return withHole(state, seat, hole);
}

function withHole(state, seat, hole) {
  return { ...state, seats: state.seats.map((other) => (other.seat === seat ? { ...other, hole } : other)) };
}

/** A question as controls need it; where the game is no poker it has moves instead of poker's words. */
function question(message) {
  const { hand_id: hand, turn, legal } = message;
  if (message.you === undefined) return { hand, turn, moves: legal, learned: message.learned };
  const { you, players, table, pot } = message;
  const seat = message.seat ?? you.seat;
  return {
    ...{ hand, turn, legal, pot, stack: you.stack, owed: you.to_call, hole: you.hole },
    ...{ call: message.call_amount ?? 0, least: message.min_raise_to, most: message.max_raise_to },
    bet: players.find((player) => player.seat === seat)?.committed ?? 0,
    price: Math.max(0, ...players.map((player) => player.committed)),
    step: table?.bb ?? 1,
  };
}

/** A hand whose beginning was not told, as a snapshot has it. */
function fromSnapshot(state, { at_hand_id: id, phase, players, community, pot, table }) {
  if (players === undefined) return state;
  const there = new Map(players.map((player) => [player.seat, player]));
  const bets = players.reduce((sum, { committed }) => sum + committed, 0);
  const number = /(\d+)$/.exec(id);
  const hand = {
    ...{ id, number: number === null ? null : Number(number[1]), button: table?.button ?? null },
    ...{ game: gameOf(state.table, table?.variant), street: phase, board: community },
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
