/** Cards that move: after a new picture, each card glides from where it was before, or from the seat that played it. */

import { isCalm } from "./dom.js";

const LONG = 260; // milliseconds
const NEAR = 4; // pixels that are not worth a movement

/** Call `draw()`, and move the cards in `root` to their new places, unless the reader's system asks for less motion. */
export function glide(root, draw) {
  if (isCalm() || root.querySelector(".zone") === null) {
    draw();
    return;
  }
  const before = new Map(spotsIn(root).map((node) => [node.dataset.spot, node.getBoundingClientRect()]));
  draw();
  for (const node of spotsIn(root)) {
    const from = before.get(node.dataset.spot) ?? seatOf(root, node.dataset.from);
    if (from !== undefined) move(node, from);
  }
}

function spotsIn(root) {
  return [...root.querySelectorAll("[data-spot]")];
}

function seatOf(root, seat) {
  return seat === undefined ? undefined : root.querySelector(`.seat[data-seat="${seat}"] .plate`)?.getBoundingClientRect();
}

function move(node, from) {
  const to = node.getBoundingClientRect();
  const [x, y] = [from.left + from.width / 2 - (to.left + to.width / 2), from.top + from.height / 2 - (to.top + to.height / 2)];
  if (from.width === 0 || to.width === 0 || Math.hypot(x, y) < NEAR) return;
  node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: LONG, easing: "ease-out" });
}
