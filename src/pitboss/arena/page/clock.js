/** The time that is left for a move: a bar that runs out, and the seconds; then the bank's, where the seat has one. */

import { isCalm, make, put, visible } from "./dom.js";

/** A clock's element and a function that starts it for a turn, or stops it where there is none. */
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
    if (turn === shown) return; // the same turn goes on, whatever else has changed
    shown = turn;
    stop();
    visible(node, turn !== null);
    if (turn !== null) begin(turn, config);
  }

  return { node, update };
}
