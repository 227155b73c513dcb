/**
 * The pace at which a spectator is shown what a table sends: bots may play a hand faster than a person can see it.
 *
 * At the calm pace each message is shown for a moment, which is shorter the later the message is. Of the hands that begin
 * while one is shown, only the newest waits; the others are summed up and take no time, since a `start_hand` has all
 * stacks. The picture is never behind by both more than HANDS and more than BEHIND: at a faster table the rest of a hand
 * shares the time that is left. With the calm pace off, each message is shown as it arrives.
 */

import { both, skippedHand } from "./skipped.js";
import { TABLE_EVENTS } from "./words.js";

const HANDS = 2; // hands behind the table that are always allowed
const BEHIND = 1600; // milliseconds behind that are always allowed: two seconds, less the delay of a slow machine
const LATE = 2000; // milliseconds behind at which rests are shortest
const HANDS_TIMED = 4; // hands from which the start of the next ones is estimated

const RESTS = {
  ...{ start_hand: 350, POST_BLINDS: 350, POST_ANTES: 350, turn: 300, BET: 380, CALL: 380, CHECK: 320, FOLD: 320 },
  ...{ DRAW: 380, UP_CARD: 120, FLOP: 700, TURN: 600, RIVER: 600, REFUND: 150, face_up: 1300 },
  ...{ SHOWDOWN: 700, POT_AWARD: 300, ELIMINATED: 500, end_hand: 1500, table_view: 400, trick: 900 },
};
const SHORTEST = 0.3; // the least share of a rest
const LEAST = { face_up: 0.8, FLOP: 0.6, TURN: 0.6, RIVER: 0.8, SHOWDOWN: 0.6, end_hand: 0.6 }; // for important messages
const TOGETHER = ["SHOWDOWN", "POT_AWARD", "ELIMINATED", "UP_CARD"]; // several in a row are shown together

/** Messages that belong to one hand, and are dropped with it. */
const OF_A_HAND = ["start_hand", "face_up", "event", "table_view", "turn", "end_hand"];

const kindOf = (message) => message.ev ?? (isTrickOver(message) ? "trick" : message.type);

/** Return whether a message is the view of a table at which a trick may just be over. */
function isTrickOver({ type, table }) {
  return type === "table_view" && table.zones.some(({ layout, count }) => layout === "trick" && count === 0);
}

/** Return the milliseconds to rest after a message that is `late`, before `next`, which is undefined if none has come. */
export function rest(message, late, next) {
  const kind = kindOf(message);
  if (next !== undefined && (kind === "turn" || (TOGETHER.includes(kind) && kind === kindOf(next)))) return 0;
  return (RESTS[kind] ?? 0) * Math.max(LEAST[kind] ?? SHORTEST, 1 - late / LATE);
}

/** Return the queue without the hand in it that has not begun to be shown, since a newer one has come. */
function withoutUnseenHand(queue) {
  const begins = queue.findIndex(({ message }) => message.type === "start_hand");
  if (begins === -1) return queue;
  const isOfHand = ({ message }) => OF_A_HAND.includes(message.type) && !TABLE_EVENTS.includes(message.ev);
  const unseen = queue.slice(begins);
  const earlier = queue.findIndex(({ message }) => message.type === "skipped");
  const seen = queue.slice(0, earlier === -1 ? begins : earlier);
  const others = queue.slice(earlier === -1 ? begins : earlier + 1).filter((entry) => !isOfHand(entry));
  const skipped = skippedHand(unseen.filter(isOfHand).map(({ message }) => message));
  const entry =
    earlier === -1
      ? { message: skipped, came: queue[begins].came }
      : { message: both(queue[earlier].message, skipped), came: queue[earlier].came };
  return [...seen, entry, ...others];
}

/** Return a queue that passes its messages to `show`, each in its time. */
export function pacer(show) {
  let queue = []; // { message, came }: the rest of the hand that is shown, then the newest hand if there is another
  let timer = 0;
  let due = 0; // when the timer fires
  let live = true;
  let ahead = 0; // hands that have begun since the one that is shown
  let begins = []; // when the last hands began

  /** Return whether the picture is as far behind as it can be. */
  function isTooLate() {
    return ahead > HANDS && performance.now() - queue[0].came >= BEHIND;
  }

  function run() {
    timer = 0;
    while (queue.length > 0) {
      const hurry = isTooLate();
      const { message, came } = queue.shift();
      const late = performance.now() - came;
      if (message.type === "start_hand") ahead = 0;
      show(["turn", "ask"].includes(message.type) ? withTimeLeft(message, late) : message);
      const wait = live || document.hidden || hurry ? 0 : restOf(message, late);
      if (wait > 0) {
        wake(performance.now() + wait);
        return;
      }
    }
  }

  function wake(at) {
    clearTimeout(timer);
    due = at;
    timer = setTimeout(run, Math.max(0, at - performance.now()));
  }

  /** Return the rest after a message, shortened so that its hand ends before other hands are too far ahead. */
  function restOf(message, late) {
    const now = performance.now();
    const wanted = rest(message, late, queue[0]?.message);
    const end = message.type === "end_hand" ? -1 : queue.findIndex(({ message: { type } }) => type === "end_hand");
    if (wanted === 0 || queue.length === 0 || (end === -1 && message.type !== "end_hand")) return wanted;
    const rests = queue.slice(0, end + 1).map(({ message: one, came }, k) => rest(one, now - came, queue[k + 1]?.message));
    const all = rests.reduce((sum, one) => sum + one, wanted);
    const others = ahead > HANDS ? 0 : (queue[end + 1] ?? queue[end]).came + othersBegin();
    const left = Math.max(queue[0].came + BEHIND, others) - now;
    return wanted * Math.min(1, Math.max(0, left) / all);
  }

  /** Estimate from the last hands the milliseconds until too many other hands have begun. */
  function othersBegin() {
    return begins.length < 2 ? 0 : (0.8 * HANDS * (begins.at(-1) - begins[0])) / (begins.length - 1);
  }

  function begin() {
    queue = withoutUnseenHand(queue);
    begins = [...begins, performance.now()].slice(-HANDS_TIMED);
    ahead += 1;
  }

  return {
    push(message) {
      if (message.type === "start_hand") begin();
      queue.push({ message, came: performance.now() });
      if (timer === 0) run();
      else if (ahead > HANDS && queue[0].came + BEHIND < due) wake(queue[0].came + BEHIND);
    },
    /** Turn the calm pace off or on; while it is off no message waits. */
    setLive(on) {
      live = on;
      if (!on) return;
      clearTimeout(timer);
      run();
    },
    clear() {
      clearTimeout(timer);
      [queue, timer, ahead, begins] = [[], 0, 0, []];
    },
  };
}

/** Return a turn with the time that is left, after some has passed since the table sent it. */
function withTimeLeft({ time_ms: time, ...turn }, late) {
  return { ...turn, time_ms: Math.max(0, Math.round(time - late)) };
}
