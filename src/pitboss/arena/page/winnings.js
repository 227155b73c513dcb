/** How winnings went over the hands, as a picture of lines; the numbers stand beside it for whoever cannot see it. */

import { draw } from "./dom.js";

const EDGE = { left: 46, right: 12, top: 18, bottom: 24 };

/** Round steps of which an axis has a handful: 1, 2 or 5 times a power of ten. */
export function ticks(low, high, about = 5) {
  const rough = Math.max((high - low) / about, 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

/**
 * A picture of lines, `[{ className, points: [[hands, won], …] }]`, each from nothing before the first hand on.
 *
 * `label` is what is read out, `unit` what the height counts, and `width` and `height` are pixels.
 */
export function winningsChart(lines, { label, unit, width, height }) {
  const whole = lines.map(({ className, points }) => ({ className, points: [[0, 0], ...points] }));
  const all = whole.flatMap(({ points }) => points);
  const most = Math.max(1, ...all.map(([hands]) => hands));
  const [low, high] = [Math.min(0, ...all.map(([, won]) => won)), Math.max(0, ...all.map(([, won]) => won))];
  const room = Math.max(high - low, 1) * 0.05;
  const x = (hands) => EDGE.left + (hands / most) * (width - EDGE.left - EDGE.right);
  const y = (won) => height - EDGE.bottom - ((won - low + room) / (high - low + 2 * room || 1)) * (height - EDGE.top - EDGE.bottom);
  const across = (won) => draw("line", { class: won === 0 ? "zero" : "grid", x1: EDGE.left, x2: width - EDGE.right, y1: y(won), y2: y(won) });
  const path = (points) => points.map(([hands, won], k) => `${k === 0 ? "M" : "L"}${x(hands).toFixed(1)} ${y(won).toFixed(1)}`).join("");
  const heights = ticks(low - room, high + room, Math.max(2, Math.round(height / 50)));
  return draw(
    "svg",
    { class: "winnings", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...heights.map(across),
    ...heights.map((won) => draw("text", { class: "tick", x: EDGE.left - 6, y: y(won) + 4, "text-anchor": "end" }, short(won))),
    ...ticks(0, most, Math.max(2, Math.round(width / 120))).filter(Number.isInteger).map((hands) => draw("text", { class: "tick", x: x(hands), y: height - 6, "text-anchor": "middle" }, short(hands))),
    draw("text", { class: "tick", x: EDGE.left - 6, y: 11, "text-anchor": "end" }, unit),
    draw("text", { class: "tick", x: width - EDGE.right, y: 11, "text-anchor": "end" }, "over hands dealt in"),
    ...whole.map(({ className, points }) => draw("path", { class: `line-of ${className}`, d: path(points) })),
  );
}

const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

function short(number) {
  return SHORT.format(number).replace("-", "−");
}
