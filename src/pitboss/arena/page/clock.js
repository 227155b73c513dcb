/** The time that is left for a move: a bar that runs out, and the seconds. */

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

  function begin(turn, full) {
    const end = performance.now() + turn.time_ms;
    const tick = () => put(seconds, String(Math.max(0, Math.ceil((end - performance.now()) / 1000))));
    tick();
    ticking = setInterval(tick, 200);
    const from = Math.min(1, turn.time_ms / Math.max(full, turn.time_ms, 1));
    if (!isCalm()) {
      const frames = [{ transform: `scaleX(${from})` }, { transform: "scaleX(0)" }];
      motion = bar.animate(frames, { duration: turn.time_ms, fill: "forwards" });
    }
  }

  function update(turn, full) {
    if (turn === shown) return; // the same turn goes on, whatever else has changed
    shown = turn;
    stop();
    visible(node, turn !== null);
    if (turn !== null) begin(turn, full);
  }

  return { node, update };
}
