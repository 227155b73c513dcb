/** The viewer in a single file: the hands are in the document itself, with a list of them and the hand that is shown. */

import { make, put, visible } from "./dom.js";
import { handList } from "./handlist.js";
import { isPoker } from "./layout.js";
import { stepper } from "./stepper.js";
import { countIn, whole } from "./words.js";

const record = JSON.parse(document.querySelector("#record").textContent);
const hands = new Map(record.hands.map((hand) => [hand.number, hand]));
const title = make("h1", "title");
const note = make("p", "note");
note.setAttribute("role", "status");
const viewer = make("div", "viewer");
const list = handList(make("aside", "hands"), { ask, place: (number) => `#hand=${number}`, files: null });
document
  .querySelector("#replay-view")
  .append(make("div", "stage", make("header", "", title), make("p", "note about", record.note), note, viewer), list.node);
let shown = null;
countIn(record.unit);
list.ofPoker(record.hands.every(({ before: [table] }) => isPoker(table)));
const steps = stepper(viewer, (at) => {
  if (shown !== null) history.replaceState(null, "", `#hand=${shown}&at=${at}`);
});

/** Answer a query for hands in the way an arena does. */
async function ask(query) {
  const given = new URLSearchParams(query);
  const team = given.get("team");
  const seatIn = (hand) => Object.keys(hand.teams).find((seat) => hand.teams[seat] === team);
  const won = (hand) => (team === null ? Object.values(hand.delta) : [hand.delta[seatIn(hand)] ?? 0]);
  const before = Number(given.get("before") ?? Infinity);
  const like = [...hands.values()].filter(
    (hand) =>
      (team === null || hand.delta[seatIn(hand)] !== undefined) &&
      (!given.has("showdown") || hand.showdown) &&
      (!given.has("all_in") || hand.all_in) &&
      hand.number < before,
  );
  const size = {
    newest: () => 0,
    pots: (hand) => -hand.pot,
    wins: (hand) => -Math.max(...won(hand)),
    losses: (hand) => Math.min(...won(hand)),
  }[given.get("sort")];
  const sorted = like
    .filter((hand) => !["wins", "losses"].includes(given.get("sort")) || size(hand) < 0)
    .sort((a, b) => size(a) - size(b) || (given.get("sort") === "newest" ? b.number - a.number : a.number - b.number));
  const limit = Number(given.get("limit"));
  const names = [...new Set(like.flatMap((hand) => Object.values(hand.teams)))];
  const all = [...new Set(record.hands.flatMap((hand) => Object.values(hand.teams)))];
  return {
    hands: sorted.slice(0, limit),
    more: sorted.length > limit,
    finished: hands.size,
    teams: Object.fromEntries((team === null || names.length > 0 ? all : []).entries()),
  };
}

/** Show the hand and position in the address. */
async function arrive() {
  const given = new URLSearchParams(location.hash.slice(1));
  const asked = given.get("hand");
  const number = asked === null ? (record.hands[0]?.number ?? null) : /^\d{1,15}$/.test(asked) ? Number(asked) : NaN;
  await list.load(record.title, number);
  const hand = hands.get(number);
  visible(viewer, hand !== undefined);
  put(title, hand === undefined ? record.title : `${record.title} · hand ${whole(number)}${hand.label ? ` (${hand.label})` : ""}`);
  if (hand === undefined) {
    shown = null;
    return put(note, number === null ? "This file has no hands." : `This file has no hand ${asked}.`);
  }
  const at = /^\d{1,15}$/.test(given.get("at") ?? "") ? Number(given.get("at")) : null;
  const past = steps.show(hand, at);
  shown = number;
  put(note, past ? `This hand has no position ${at}; its end is shown.` : "");
  list.mark(number);
  document.title = `Hand ${number} · ${record.title}`;
}

addEventListener("hashchange", arrive);
arrive();
