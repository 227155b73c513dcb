/**
 * How fast a spectator is shown what a table sends: bots may play a hand in a blink, people cannot see it in one.
 *
 * At the calm pace every message has its moment, a shorter one the later it is shown, and nothing is shown much more
 * than LATEST after it came. Of the hands that begin while one is shown only the newest waits, and the others cost no
 * time: a `start_hand` has all stacks, so nothing is lost but the sight of them. Live, all is shown as it comes.
 */

const LATE = 3000; // milliseconds behind the table at which rests are at their shortest
const LATEST = 4000; // from here on nothing rests but the end of a hand, so that one sees how it came out
const SHORTEST = 0.25; // the least share of a rest

const RESTS = {
  ...{ start_hand: 500, POST_BLINDS: 500, turn: 350, BET: 450, CALL: 450, CHECK: 350, FOLD: 350, REFUND: 300 },
  ...{ FLOP: 800, TURN: 800, RIVER: 800, SHOWDOWN: 700, POT_AWARD: 900, ELIMINATED: 700, end_hand: 2000 },
};

/** What belongs to one hand alone, and goes with it where it is left out. */
const OF_A_HAND = ["skipped", "start_hand", "event", "turn", "end_hand"];

/** Milliseconds to rest after a message is shown, so many milliseconds after it came. */
export function rest(message, late) {
  if (late >= LATEST && message.type !== "end_hand") return 0;
  return (RESTS[message.ev ?? message.type] ?? 0) * Math.max(SHORTEST, 1 - late / LATE);
}

/** What waits, without the hand in it that has not begun to be shown: a newer one has come. */
function withoutUnseenHand(queue) {
  const begins = queue.findIndex(({ message }) => message.type === "start_hand");
  if (begins === -1) return queue;
  const hands = queue.reduce((sum, { message }) => sum + (message.type === "skipped" ? message.hands : 0), 1);
  const seen = queue.slice(0, begins).filter(({ message }) => message.type !== "skipped");
  const others = queue.slice(begins).filter(({ message }) => !OF_A_HAND.includes(message.type));
  return [...seen, ...others, { message: { type: "skipped", hands }, came: queue[begins].came }];
}

/** A queue that gives its messages to `show`, each in its time. */
export function pacer(show) {
  let queue = []; // { message, came }: the rest of the hand that is shown, then the newest hand if there is another
  let timer = 0;
  let live = true;

  function run() {
    timer = 0;
    while (queue.length > 0) {
      const { message, came } = queue.shift();
      show(message);
      const wait = live ? 0 : rest(message, performance.now() - came);
      if (wait > 0) {
        timer = setTimeout(run, wait);
        return;
      }
    }
  }

  return {
    push(message) {
      if (message.type === "start_hand") queue = withoutUnseenHand(queue);
      queue.push({ message, came: performance.now() });
      if (timer === 0) run();
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
      [queue, timer] = [[], 0];
    },
  };
}
