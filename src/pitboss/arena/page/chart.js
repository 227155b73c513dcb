/** How a match has gone, as a small picture: everybody's chips from hand to hand, a line each. */

import { draw } from "./dom.js";
import { chips } from "./words.js";

const [WIDTH, HEIGHT] = [240, 64];

/** The points of a line through these chips, as SVG writes them. */
export function points(stacks, most) {
  const step = WIDTH / Math.max(1, stacks.length - 1);
  return stacks.map((stack, k) => `${(k * step).toFixed(1)},${(HEIGHT - (HEIGHT * stack) / Math.max(1, most)).toFixed(1)}`).join(" ");
}

/** A chart of `{ hands, stacks }`, stacks by seat; `nameOf(seat)` is said of the lines to who cannot see them. */
export function chart({ hands, stacks }, nameOf) {
  const lines = Object.entries(stacks);
  const most = Math.max(1, ...lines.flatMap(([, line]) => line));
  const last = lines.map(([seat, line]) => `${nameOf(Number(seat))} ${chips(line.at(-1) ?? 0)}`).join(", ");
  return draw(
    "svg",
    {
      ...{ class: "chart", viewBox: `0 -2 ${WIDTH} ${HEIGHT + 4}`, preserveAspectRatio: "none", role: "img" },
      "aria-label": `Chips after ${chips(hands.at(-1) ?? 0)} hands: ${last}`,
    },
    ...lines.map(([seat, line]) => draw("polyline", { class: `c${seat}`, points: points(line, most) })),
  );
}
