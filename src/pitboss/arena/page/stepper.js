/**
 * A viewer for one finished hand: the table, the log, and controls.
 *
 * The reader moves by buttons, keys and a slider, by step or by street, or lets the hand play at a chosen speed. Calls
 * `moved(at)` when the position has stayed the same for a moment, and `findRules(table)` for the rules of a game.
 */

import { make, put, visible } from "./dom.js";
import { logView } from "./log.js";
import { glide } from "./motion.js";
import { positions, streets } from "./story.js";
import { tableView } from "./table.js";
import { thoughtsView } from "./thoughts.js";

const STEP = 1000; // milliseconds per position at normal speed
const REST = 200; // milliseconds without a step after which `moved` is called
const SPEEDS = [0.5, 1, 2, 4, 8];

/** Build the viewer in an element; returns `show(hand, at)` and `close()`. */
export function stepper(node, moved, findRules = null) {
  const felt = make("section", "felt");
  felt.setAttribute("aria-label", "The table");
  const log = make("ol", "log");
  log.setAttribute("aria-label", "What happened up to here");
  log.tabIndex = 0;
  const said = make("p", "said");
  said.setAttribute("role", "status");
  const parts = controls();
  const thoughts = thoughtsView();
  const history = make("section", "history", log, thoughts.node);
  node.append(felt, make("div", "steps", said, parts.street, parts.slider, parts.row), history);
  const drawings = [tableView(felt, null, findRules), logView(log)];
  let made = [];
  let marks = [];
  let at = 0;
  let timer = 0; // while it plays
  let resting = 0;

  function go(to) {
    at = Math.max(0, Math.min(to, made.length - 1));
    const { said: words, street } = made[at];
    glide(felt, () => drawings.forEach((draw) => draw(made[at].state)));
    put(said, words);
    parts.slider.value = at;
    parts.slider.setAttribute("aria-valuetext", `${at} of ${made.length - 1}, ${words}`);
    for (const button of parts.street.children) {
      const mark = Number(button.dataset.at);
      if (mark <= at && made[mark].street === street) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    for (const name of ["first", "earlier", "back"]) parts[name].disabled = at === 0;
    for (const name of ["next", "later", "last"]) parts[name].disabled = at === made.length - 1;
    clearTimeout(resting);
    if (timer === 0) resting = setTimeout(() => moved(at), REST);
  }

  function pause() {
    if (timer === 0) return;
    clearTimeout(timer);
    timer = 0;
    label(parts.play, "Play", "▶");
    resting = setTimeout(() => moved(at), REST);
  }

  function play() {
    if (made.length < 2) return;
    if (at === made.length - 1) go(0);
    label(parts.play, "Pause", "❚❚");
    const tick = () => {
      go(at + 1);
      if (at === made.length - 1) pause();
      else timer = setTimeout(tick, STEP / Number(parts.speed.value));
    };
    timer = setTimeout(tick, STEP / Number(parts.speed.value));
    clearTimeout(resting);
  }

  const moves = {
    first: () => go(0),
    earlier: () => go(marks.findLast((mark) => mark.at < at)?.at ?? 0),
    back: () => go(at - 1),
    next: () => go(at + 1),
    later: () => go(marks.find((mark) => mark.at > at)?.at ?? made.length - 1),
    last: () => go(made.length - 1),
  };
  for (const [name, move] of Object.entries(moves)) {
    parts[name].addEventListener("click", () => [pause(), made.length > 0 && move()]);
  }
  parts.play.addEventListener("click", () => (timer === 0 ? play() : pause()));
  parts.slider.addEventListener("input", () => [pause(), go(Number(parts.slider.value))]);
  parts.street.addEventListener("click", ({ target }) => {
    const mark = target.closest("button")?.dataset.at;
    if (mark !== undefined) [pause(), go(Number(mark))];
  });

  function key(event) {
    const { target, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey || made.length === 0 || node.offsetParent === null) return; // the viewer is hidden
    if (target.closest?.("input:not([type=range]), select, textarea")) return;
    if (event.key === " " && target.closest?.("button, a, summary")) return;
    const name = (shiftKey ? STREET_KEYS[event.key] : undefined) ?? KEYS[event.key];
    if (name === undefined) return;
    event.preventDefault();
    if (name === "play") return timer === 0 ? play() : pause();
    pause();
    moves[name]();
  }

  document.addEventListener("keydown", key);
  return {
    /** Show a hand at a position, null for its start; returns whether the position is past the end, which is then shown. */
    show(hand, position) {
      pause();
      made = positions(hand);
      thoughts.show(hand.thoughts ?? []);
      visible(node, made.length > 0);
      if (made.length === 0) return false;
      marks = streets(made);
      parts.slider.max = made.length - 1;
      parts.street.replaceChildren(...marks.map(streetButton));
      go(position ?? 0);
      return (position ?? 0) > made.length - 1;
    },
    close() {
      pause();
      clearTimeout(resting);
    },
  };
}

const KEYS = {
  ...{ ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" },
  ...{ PageUp: "earlier", PageDown: "later" },
};
const STREET_KEYS = { ArrowLeft: "earlier", ArrowRight: "later" };

function controls() {
  const slider = make("input", "position");
  slider.type = "range";
  slider.min = 0;
  slider.setAttribute("aria-label", "Position in the hand");
  const speed = make("select", "speed", ...SPEEDS.map((times) => new Option(`${times}×`, times, times === 1, times === 1)));
  const buttons = {
    first: button("Start of the hand", "|‹", "Home"),
    earlier: button("Previous street", "«", "Shift ←"),
    back: button("Back", "‹", "←"),
    play: button("Play", "▶", "Space"),
    next: button("Forward", "›", "→"),
    later: button("Next street", "»", "Shift →"),
    last: button("End of the hand", "›|", "End"),
  };
  const row = make("div", "row", ...Object.values(buttons), make("label", "", "Speed ", speed));
  const street = make("div", "streets");
  street.setAttribute("role", "group");
  street.setAttribute("aria-label", "Streets");
  return { ...buttons, slider, speed, row, street };
}

function button(name, sign, key) {
  const node = make("button");
  node.type = "button";
  node.title = `${name} (${key})`;
  label(node, name, sign);
  return node;
}

function label(node, name, sign) {
  node.setAttribute("aria-label", name);
  put(node, sign);
}

function streetButton({ at, name }) {
  const node = make("button", "", name);
  node.type = "button";
  node.dataset.at = at;
  return node;
}
