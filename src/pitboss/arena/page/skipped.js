/** Hands that were not shown: a summary of one hand, and of several hands, as a message of type `skipped`. */

const NAMED_SINGLY = 4; // up to this many hands are listed one by one

/** Return a `skipped` message for one hand, from all of its messages. */
export function skippedHand(messages) {
  const [{ hand_id: id, stacks: before }] = messages;
  const events = messages.filter(({ type }) => type === "event");
  const won = new Map();
  for (const { ev, seat, amount } of events) {
    if (ev === "POT_AWARD") won.set(seat, (won.get(seat) ?? 0) + amount);
  }
  const hand = {
    id,
    won: [...won].map(([seat, amount]) => ({ seat, amount })),
    voided: events.some(({ ev }) => ev === "HAND_VOIDED"),
  };
  const out = events.filter(({ ev }) => ev === "ELIMINATED").map(({ seat }) => seat);
  const after = messages.findLast(({ type }) => type === "end_hand")?.stacks ?? before;
  return { type: "skipped", hands: 1, first: id, last: id, each: [hand], out, before, after };
}

/** Return two consecutive `skipped` messages as one. */
export function both(earlier, later) {
  const hands = earlier.hands + later.hands;
  return {
    ...later,
    ...{ hands, first: earlier.first, before: earlier.before, out: [...earlier.out, ...later.out] },
    each: hands > NAMED_SINGLY ? [] : [...earlier.each, ...later.each],
  };
}

/** Return the chips won or lost over skipped hands, the largest gain first; unchanged seats are left out. */
export function differences({ before, after }) {
  const had = new Map(before.map(({ seat, stack }) => [seat, stack]));
  const moved = after.map(({ seat, stack }) => ({ seat, amount: stack - (had.get(seat) ?? stack) }));
  return moved.filter(({ amount }) => amount !== 0).sort((a, b) => b.amount - a.amount);
}
