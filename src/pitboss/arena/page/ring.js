/** Where seats stand around the felt: even steps along a rounded oval, clockwise from the middle of the near side. */

const ROUNDNESS = 2.6; // 2 is an ellipse; more moves the seats into the corners
const ASPECT = 1.6;
const STEPS = 2000;

/** For each of `count` seats its place, both coordinates from -1 to 1, y downwards. */
export function places(count) {
  const track = Array.from({ length: STEPS + 1 }, (_, k) => point((2 * Math.PI * k) / STEPS));
  const lengths = [0];
  for (let k = 1; k <= STEPS; k += 1) lengths.push(lengths[k - 1] + distance(track[k - 1], track[k]));
  return Array.from({ length: count }, (_, k) => along(track, lengths, (lengths[STEPS] * k) / count));
}

/** The point so far along the track. */
function along(track, lengths, wanted) {
  const after = lengths.findIndex((length) => length >= wanted);
  if (after === 0) return track[0];
  const part = (wanted - lengths[after - 1]) / (lengths[after] - lengths[after - 1]);
  const [from, to] = [track[after - 1], track[after]];
  return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) };
}

function point(angle) {
  const bend = (value) => Math.sign(value) * Math.abs(value) ** (2 / ROUNDNESS);
  return { x: -bend(Math.sin(angle)), y: bend(Math.cos(angle)) };
}

function distance(a, b) {
  return Math.hypot((a.x - b.x) * ASPECT, a.y - b.y);
}
