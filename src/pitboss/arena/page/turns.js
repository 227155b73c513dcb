/**
 * Whose turn it must be, where nobody says so: players are told of their own turns alone.
 *
 * A pure function of a state and the event that led to it. Where a round is over, or it takes the rules to know who
 * begins, it is nobody's; the next event says it.
 */

const POSTED = ["ante", "small blind", "big blind"]; // none of them is an answer
const STREETS = ["FLOP", "TURN", "RIVER"];
const ANSWERS = ["BET", "CALL", "CHECK", "FOLD", "BRING_IN"];

/** The turn after an event, null where it is nobody's or not to be known. */
export function expectedTurn(state, { ev, seat, bb_seat: big }) {
  const who = STREETS.includes(ev)
    ? opener(state)
    : ev === "POST_BLINDS"
      ? owing(state, big)
      : ANSWERS.includes(ev)
        ? owing(state, seat)
        : null;
  return who === null ? null : { seat: who.seat, time_ms: state.table?.config.move_time_ms ?? 0 };
}

/** The seats after one, clockwise, itself last, that have chips and are in the hand. */
function after({ seats }, seat) {
  const order = seats.map((_, k) => seats[(seat + 1 + k) % seats.length]);
  return order.filter((other) => other.dealt && !other.folded && other.stack > 0);
}

function opener(state) {
  const able = after(state, state.hand.button);
  return able.length > 1 ? able[0] : null;
}

/** The next one, where he has yet to answer. */
function owing(state, seat) {
  const [next] = after(state, seat);
  if (next === undefined || next.seat === seat) return null;
  const price = Math.max(...state.seats.map((other) => other.bet));
  return next.bet < price || next.did === null || POSTED.includes(next.did) ? next : null;
}
