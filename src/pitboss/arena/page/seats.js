/** One seat on the page: team, chips, cards, bet, dealer button, and its action or winnings. */

import { layCards } from "./cards.js";
import { clock } from "./clock.js";
import { make, nameTag, put, rename, visible } from "./dom.js";
import { heldBy } from "./layout.js";
import { freeSeats, isAllIn, isPlaying, shareOf } from "./reducer.js";
import { ordinal } from "./standings.js";
import { chips, nameOf, rankInWords, shortChips } from "./words.js";

/** Return a seat's element and a function that shows a state in it. */
export function seatView(number) {
  const parts = {
    cards: make("div", "cards"),
    mark: make("span", "mark"),
    name: nameTag("name", ""),
    stack: make("span", "stack"),
    place: make("span", "standing"),
    tag: make("span", "tag"),
    equity: make("span", "equity"),
    bet: make("span", "bet"),
    button: make("span", "button", "D"),
    clock: clock(),
  };
  parts.mark.setAttribute("aria-hidden", "true");
  parts.button.title = "dealer button";
  parts.button.setAttribute("role", "img");
  parts.button.setAttribute("aria-label", "dealer button");
  const who = make("div", "who", parts.name, make("span", "has", parts.stack, parts.place));
  const plate = make("div", "plate", parts.mark, who, parts.clock.node);
  const node = make("li", `seat c${number}`, parts.cards, plate, parts.tag, parts.equity, parts.bet, parts.button);
  node.dataset.seat = number;
  return { node, update: (state, rows) => update(node, parts, state, state.seats[number], rows) };
}

/** Show a seat; `rows` are the standings. */
function update(node, parts, state, seat, rows) {
  const free = seat.team === null && !seat.dealt; // no team is there; the word tells whether one can come
  const name = !free ? nameOf(seat) : freeSeats(state).includes(seat) ? "free" : "empty";
  const turn = state.turn?.seat === seat.seat ? state.turn : null;
  for (const [flag, on] of Object.entries({
    free,
    mine: state.me?.seat === seat.seat,
    out: seat.out && !seat.dealt,
    away: !free && (!seat.connected || seat.away),
    folded: seat.folded,
    turn: turn !== null,
    won: seat.won > 0 || isChampion(state, seat),
    lost: state.hand?.over === true && seat.dealt && seat.won === 0,
  })) {
    node.classList.toggle(flag, on);
  }
  rename(parts.name, name);
  put(parts.mark, free ? "" : firstLetter(name));
  amount(parts.stack, free ? null : seat.stack);
  standing(parts.place, free || seat.out ? null : rows.find((row) => row.seat === seat.seat), rows);
  amount(parts.bet, seat.bet > 0 ? seat.bet : null);
  tag(parts.tag, free ? null : tagOf(state, seat));
  worth(parts.equity, state.hand?.faceUp === true ? undefined : shareOf(state, seat)); // a run-out has it in the tag
  layCards(parts.cards, held(state, seat));
  parts.cards.classList.toggle("many", parts.cards.children.length > 2);
  visible(parts.button, state.hand?.button === seat.seat);
  parts.clock.update(turn, state.table?.config ?? {});
}

function amount(node, value) {
  visible(node, value !== null);
  put(node, value === null ? "" : shortChips(value));
  node.title = value === null ? "" : `${chips(value)} chips`;
}

/** Show a seat's place, with a star for the leader unless it is away; no place while all have the same chips. */
function standing(node, row, rows) {
  const placed = row !== undefined && row !== null && rows.some(({ chips: others }) => others !== rows[0].chips);
  visible(node, placed);
  const leads = placed && row.place === 1 && !row.gone;
  put(node, placed ? `${leads ? "★ " : ""}${ordinal(row.place)}` : "");
  node.classList.toggle("leads", leads);
}

function isChampion({ match }, { seat }) {
  return match !== null && match.winners.some((winner) => winner.seat === seat);
}

function tag(node, words) {
  visible(node, words !== null);
  put(node, words?.text ?? "");
  node.dataset.kind = words?.kind ?? "";
}

/** Show a hand's equity, if it is known. */
function worth(node, share) {
  visible(node, share !== undefined);
  put(node, share === undefined ? "" : percent(share));
  node.title = share === undefined ? "" : `${(100 * share).toFixed(1)} % of the pot on average`;
}

/** Return a share in percent; only a certain result is 0 or 100. */
function percent(share) {
  if (share <= 0 || share >= 1) return `${share <= 0 ? 0 : 100}%`;
  return `${Math.min(99, Math.max(1, Math.round(100 * share)))}%`;
}

/** Return the text of a seat's tag, the most important one. */
function tagOf(state, seat) {
  if (state.match !== null) return null; // the standings show the result
  if (seat.won > 0) {
    const rank = seat.rank === null ? "" : ` · ${rankInWords(seat.rank)}`;
    return { kind: "win", text: `+${shortChips(seat.won)}${rank}` };
  }
  if (seat.out) return { kind: "out", text: "out" };
  if (seat.rank !== null) return { kind: "rank", text: rankInWords(seat.rank) };
  const share = state.hand?.faceUp === true && !seat.folded ? shareOf(state, seat) : undefined;
  const odds = share === undefined ? [] : [percent(share)];
  if (isAllIn(seat)) return { kind: "all-in", text: ["all-in", ...odds].join(" · ") };
  if (odds.length > 0) return { kind: "odds", text: odds[0] };
  if (state.turn?.seat === seat.seat) return slow(seat);
  if (seat.did !== null) return { kind: seat.did, text: seat.late ? `${seat.did}, ${seat.away ? "away" : "time up"}` : seat.did };
  return slow(seat, isPlaying(state) && !seat.dealt ? { kind: "waits", text: "next hand" } : null);
}

/** Return the tag of a seat that may not act soon. */
function slow({ away, connected }, otherwise = { kind: "thinks", text: "thinking" }) {
  if (away) return { kind: "away", text: "away" };
  return connected ? otherwise : { kind: "away", text: "disconnected" };
}

function held({ hand, match }, seat) {
  if (!seat.dealt || (seat.folded && !seat.known) || hand === null || match !== null) return [];
  return seat.cards ?? heldBy(seat, hand).map((card, k) => card ?? seat.hole[k] ?? null);
}

function firstLetter(name) {
  return String.fromCodePoint(name.codePointAt(0)).toUpperCase();
}
