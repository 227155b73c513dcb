/** Charts of a match: chips from hand to hand as a small picture, and winnings as a larger one with axes. */

import { draw } from "./dom.js";
import { chips } from "./words.js";

const EDGE = { left: 46, right: 12, top: 18, bottom: 24 };
const [WIDTH, HEIGHT] = [240, 64];

/** Return an SVG path through these chips; it starts at the first hand for which a team's chips are known. */
export function chipsPath(stacks, most) {
  const step = WIDTH / Math.max(1, stacks.length - 1);
  const points = stacks.map((stack, k) => (stack === null ? null : `${(k * step).toFixed(1)},${(HEIGHT - (HEIGHT * stack) / most).toFixed(1)}`));
  return points.filter((point) => point !== null).join(" ");
}

/** Draw the chips of `{ hands, stacks }`, stacks by seat; `nameOf(seat)` is used in the text for screen readers. */
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
    ...lines.map(([seat, line]) => draw("polyline", { class: `c${seat}`, points: chipsPath(line, most) })),
  );
}

/** Return about `about` round numbers between two numbers, with steps of 1, 2 or 5 times a power of ten. */
export function ticks(low, high, about = 5) {
  const rough = Math.max((high - low) / about, 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

/**
 * Draw a chart of lines, `[{ className, from, points: [[hands, won], …] }]`. A line starts at 0 after `from` hands of the
 * table, 0 by default; `points` counts its own hands.
 *
 * `label` is read aloud, `unit` is the unit of the height, and `width` and `height` are in pixels.
 */
export function winningsChart(lines, { label, unit, across = "hands dealt in", width, height }) {
  const whole = lines.map(({ className, from = 0, points }) => {
    return { className, points: [[0, 0], ...points].map(([hands, won]) => [from + hands, won]) };
  });
  const all = whole.flatMap(({ points }) => points);
  const most = Math.max(1, ...all.map(([hands]) => hands));
  const [low, high] = [Math.min(0, ...all.map(([, won]) => won)), Math.max(0, ...all.map(([, won]) => won))];
  const room = Math.max(high - low, 1) * 0.05;
  const x = (hands) => EDGE.left + (hands / most) * (width - EDGE.left - EDGE.right);
  const y = (won) => height - EDGE.bottom - ((won - low + room) / (high - low + 2 * room || 1)) * (height - EDGE.top - EDGE.bottom);
  const rule = (won) => draw("line", { class: won === 0 ? "zero" : "grid", x1: EDGE.left, x2: width - EDGE.right, y1: y(won), y2: y(won) });
  const path = (points) => points.map(([hands, won], k) => `${k === 0 ? "M" : "L"}${x(hands).toFixed(1)} ${y(won).toFixed(1)}`).join("");
  const heights = ticks(low - room, high + room, Math.max(2, Math.round(height / 50)));
  return draw(
    "svg",
    { class: "winnings", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...heights.map(rule),
    ...heights.map((won) => draw("text", { class: "tick", x: EDGE.left - 6, y: y(won) + 4, "text-anchor": "end" }, short(won))),
    ...ticks(0, most, Math.max(2, Math.round(width / 120))).filter(Number.isInteger).map((hands) => draw("text", { class: "tick", x: x(hands), y: height - 6, "text-anchor": "middle" }, short(hands))),
    draw("text", { class: "tick", x: EDGE.left - 6, y: 11, "text-anchor": "end" }, unit),
    draw("text", { class: "tick", x: width - EDGE.right, y: 11, "text-anchor": "end" }, `over ${across}`),
    ...whole.map(({ className, points }) => draw("path", { class: `line-of ${className}`, d: path(points) })),
  );
}

const AXIS = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

function short(number) {
  return AXIS.format(number).replace("-", "−");
}
