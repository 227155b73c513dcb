/** One's own time: what is left of a turn and of the bank, and a warning, once, before it runs out. */

import { make, put, visible } from "./dom.js";

const SOON = 5000; // milliseconds left at which one is warned, or a third of the whole time where that is less

/** The milliseconds left at which one is warned. */
export function warnAt({ time_ms, bank_ms = 0 }) {
  return Math.min(SOON, (time_ms + bank_ms) / 3);
}

/** What is left of a turn so many milliseconds after it began: of its time, of the bank, and of both. */
export function left({ time_ms, bank_ms = 0 }, passed) {
  const time = Math.max(0, time_ms - passed);
  const bank = Math.max(0, Math.min(bank_ms, time_ms + bank_ms - passed));
  return { time, bank, all: time + bank };
}

/**
 * An element for the time left, and `update(turn)`, which starts it for one's own turn, or stops it where there is none.
 *
 * `tick({ seconds, hurry })` is called whenever the seconds change, with null once it is not one's turn any more;
 * `warn(seconds)` once a turn.
 */
export function ownClock(tick, warn) {
  const bar = make("span", "bar");
  const words = make("span", "words");
  const node = make("p", "own-clock", make("span", "track", bar), words);
  node.hidden = true;
  let shown = null;
  let began = 0;
  let ticking = 0;
  let warned = false;
  let last = "";

  function look() {
    const { time, bank, all } = left(shown, performance.now() - began);
    const hurry = all <= warnAt(shown);
    const seconds = Math.ceil(all / 1000);
    const whole = Math.max(1, shown.time_ms + (shown.bank_ms ?? 0));
    bar.style.setProperty("transform", `scaleX(${(all / whole).toFixed(4)})`);
    node.classList.toggle("hurry", hurry);
    const said = [`${Math.ceil(time / 1000)} s`, shown.bank_ms === undefined ? "" : `bank ${Math.ceil(bank / 1000)} s`];
    put(words, said.filter((part) => part !== "").join(" · "));
    if (hurry && !warned && all > 0) {
      warned = true;
      warn(seconds);
    }
    const key = `${seconds}${hurry}`;
    if (key !== last) tick({ seconds, hurry });
    last = key;
  }

  function update(turn) {
    if (turn === shown) return;
    shown = turn;
    clearInterval(ticking);
    visible(node, turn !== null);
    last = "";
    warned = false;
    if (turn === null) {
      tick(null);
      return;
    }
    began = performance.now();
    look();
    ticking = setInterval(look, 100);
  }

  return { node, update };
}
