/**
 * How fast a spectator is shown what a table sends: bots may play a hand in a blink, people cannot see it in one.
 *
 * At the calm pace every message has its moment, a shorter one the later it is shown. Of the hands that begin while one
 * is shown only the newest waits; of the others is told what came of them, and they cost no time: a `start_hand` has all
 * stacks. The picture is never behind by more than HANDS and BEHIND both: where a table is so fast, what is left of a
 * hand has its share of the time that is left. Live, all is shown as it comes.
 */

import { both, skippedHand } from "./skipped.js";

const HANDS = 2; // so many hands behind are near enough, however long they last
const BEHIND = 1600; // so many milliseconds are, however many hands they hold: two seconds, less what a slow machine takes
const LATE = 2000; // milliseconds behind the table at which rests are at their shortest
const HANDS_TIMED = 4; // from which it is guessed how soon others will have begun

const RESTS = {
  ...{ start_hand: 350, POST_BLINDS: 350, POST_ANTES: 350, turn: 300, BET: 380, CALL: 380, CHECK: 320, FOLD: 320 },
  ...{ DRAW: 380, UP_CARD: 120, FLOP: 700, TURN: 600, RIVER: 600, REFUND: 150, face_up: 1300 },
  ...{ SHOWDOWN: 700, POT_AWARD: 300, ELIMINATED: 500, end_hand: 1500 },
};
const SHORTEST = 0.3; // the least share of a rest
const LEAST = { face_up: 0.8, FLOP: 0.6, TURN: 0.6, RIVER: 0.8, SHOWDOWN: 0.6, end_hand: 0.6 }; // what one came to see
const TOGETHER = ["SHOWDOWN", "POT_AWARD", "ELIMINATED", "UP_CARD"]; // shown at once, where several come in a row

/** What belongs to one hand alone, and goes with it where it is left out. */
const OF_A_HAND = ["start_hand", "face_up", "event", "turn", "end_hand"];

const kindOf = (message) => message.ev ?? message.type;

/** Milliseconds to rest after a message is shown so late, before another; undefined where no other has come. */
export function rest(message, late, next) {
  const kind = kindOf(message);
  if (next !== undefined && (kind === "turn" || (TOGETHER.includes(kind) && kind === kindOf(next)))) return 0;
  return (RESTS[kind] ?? 0) * Math.max(LEAST[kind] ?? SHORTEST, 1 - late / LATE);
}

/** What waits, without the hand in it that has not begun to be shown: a newer one has come. */
function withoutUnseenHand(queue) {
  const begins = queue.findIndex(({ message }) => message.type === "start_hand");
  if (begins === -1) return queue;
  const isOfHand = ({ message }) => OF_A_HAND.includes(message.type);
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

/** A queue that gives its messages to `show`, each in its time. */
export function pacer(show) {
  let queue = []; // { message, came }: the rest of the hand that is shown, then the newest hand if there is another
  let timer = 0;
  let due = 0; // when it goes off
  let live = true;
  let ahead = 0; // hands that have begun since the one that is shown
  let begins = []; // when the last hands began

  /** Whether the picture is as far behind as it may be. */
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
      show(message.type === "turn" ? withTimeLeft(message, late) : message);
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

  /** The rest after a message, shortened so that the rest of its hand can be seen before others are too far ahead. */
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

  /** Milliseconds in which, to go by the last ones, too many other hands will have begun after one. */
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
    /** Live: nothing waits, neither what is queued nor what comes. */
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

/** A turn of which some time has gone by since the table said it. */
function withTimeLeft({ time_ms: time, ...turn }, late) {
  return { ...turn, time_ms: Math.max(0, Math.round(time - late)) };
}
