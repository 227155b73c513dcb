/** Clocks: the time left of any seat's turn, and one's own time with a warning before it runs out. */

import { isCalm, make, put, visible } from "./dom.js";

/** Return a seat's clock: its element, and `update(turn, config)`, which starts it, or stops it where `turn` is null. */
export function clock() {
  const bar = make("span", "bar");
  const seconds = make("span", "seconds");
  const node = make("span", "clock", bar, seconds);
  node.setAttribute("aria-hidden", "true");
  node.hidden = true;
  let shown = null;
  let ticking = 0;
  let motion = null;

  function stop() {
    clearInterval(ticking);
    motion?.cancel();
    motion = null;
  }

  function begin(turn, config) {
    const bank = turn.bank_ms ?? 0;
    const end = performance.now() + turn.time_ms;
    let phase = null;
    const tick = () => {
      const now = performance.now();
      const onBank = now >= end && bank > 0;
      const left = (onBank ? end + bank : end) - now;
      put(seconds, left <= 0 ? "time up" : `${onBank ? "bank " : ""}${Math.ceil(left / 1000)}`);
      if (phase === onBank) return;
      phase = onBank;
      node.dataset.phase = onBank ? "bank" : "move";
      run(left, onBank ? config.time_bank_ms : config.move_time_ms);
    };
    tick();
    ticking = setInterval(tick, 200);
  }

  function run(left, full = 0) {
    motion?.cancel();
    if (isCalm() || left <= 0) return;
    const frames = [{ transform: `scaleX(${Math.min(1, left / Math.max(full, left, 1))})` }, { transform: "scaleX(0)" }];
    motion = bar.animate(frames, { duration: left, fill: "forwards" });
  }

  function update(turn, config) {
    if (turn === shown) return; // still the same turn
    shown = turn;
    stop();
    visible(node, turn !== null);
    if (turn !== null) begin(turn, config);
  }

  return { node, update };
}

const SOON = 5000; // milliseconds left at which the player is warned, or a third of the whole time if that is less

/** Return the milliseconds left at which the player is warned. */
export function warnAt({ time_ms, bank_ms = 0 }) {
  return Math.min(SOON, (time_ms + bank_ms) / 3);
}

/** Return the time left of a turn after `passed` milliseconds: of the turn itself, of the bank, and of both. */
export function left({ time_ms, bank_ms = 0 }, passed) {
  const time = Math.max(0, time_ms - passed);
  const bank = Math.max(0, Math.min(bank_ms, time_ms + bank_ms - passed));
  return { time, bank, all: time + bank };
}

/**
 * Return the element for one's own time, and `update(turn)`, which starts it, or stops it where `turn` is null.
 *
 * Calls `tick({ seconds, hurry })` whenever the seconds change, `tick(null)` at the end of the turn, and `warn(seconds)`
 * once per turn.
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
    const parts = [`${Math.ceil(time / 1000)} s`, shown.bank_ms === undefined ? "" : `bank ${Math.ceil(bank / 1000)} s`];
    put(words, parts.filter((part) => part !== "").join(" · "));
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
