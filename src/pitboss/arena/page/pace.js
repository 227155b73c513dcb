/**
 * How fast a spectator is shown what a table tells: bots may play a hand in a blink, people cannot see it in one.
 *
 * At the calm pace every message has its moment. Where the table is faster, whole hands are left out: a `start_hand`
 * tells all stacks, so nothing is lost but the sight of them. Live, everything is shown as it comes.
 */

/** The longest queue; beyond it hands are left out even in the middle of one, as when a tab sleeps for hours. */
const LONGEST = 3000;

const RESTS = {
  ...{ start_hand: 500, POST_BLINDS: 500, turn: 350, BET: 450, CALL: 450, CHECK: 350, FOLD: 350, REFUND: 300 },
  ...{ FLOP: 800, TURN: 800, RIVER: 800, SHOWDOWN: 700, POT_AWARD: 900, ELIMINATED: 700, end_hand: 2000 },
};

/** Milliseconds to rest after a message is shown. */
export function rest(message) {
  return RESTS[message.ev ?? message.type] ?? 0;
}

/** The messages without the hands that came and went before the last one in them began. */
export function withoutPastHands(messages) {
  const last = messages.findLastIndex((message) => message.type === "start_hand");
  const past = messages.slice(0, Math.max(0, last));
  const hands = past.filter((message) => message.type === "start_hand").length;
  if (hands === 0) return messages;
  const kept = past.filter((message) => !["start_hand", "event", "turn"].includes(message.type));
  return [...kept, { type: "skipped", hands }, ...messages.slice(last)];
}

/** A queue that gives its messages to `show`, each in its time. */
export function pacer(show) {
  let queue = [];
  let timer = 0;
  let live = true;

  function run() {
    timer = 0;
    while (queue.length > 0) {
      if (!live && queue[0].type === "start_hand") queue = withoutPastHands(queue);
      const message = queue.shift();
      show(message);
      if (!live && rest(message) > 0) {
        timer = setTimeout(run, rest(message));
        return;
      }
    }
  }

  return {
    push(message) {
      queue.push(message);
      if (queue.length > LONGEST) queue = withoutPastHands(queue);
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
