/** One seat on the page: who sits there, chips, cards, bet, button, and what it does or has won. */

import { layCards } from "./cards.js";
import { clock } from "./clock.js";
import { make, nameTag, put, rename, visible } from "./dom.js";
import { heldBy } from "./games.js";
import { isAllIn, isPlaying } from "./reducer.js";
import { chips, nameOf, rankInWords, shortChips } from "./words.js";

/** A seat's element and a function that shows a state in it. */
export function seatView(number) {
  const parts = {
    cards: make("div", "cards"),
    mark: make("span", "mark"),
    name: nameTag("name", ""),
    stack: make("span", "stack"),
    tag: make("span", "tag"),
    bet: make("span", "bet"),
    button: make("span", "button", "D"),
    clock: clock(),
  };
  parts.mark.setAttribute("aria-hidden", "true");
  parts.button.title = "dealer button";
  parts.button.setAttribute("role", "img");
  parts.button.setAttribute("aria-label", "dealer button");
  const who = make("div", "who", parts.name, parts.stack);
  const plate = make("div", "plate", parts.mark, who, parts.clock.node);
  const node = make("li", `seat c${number}`, parts.cards, plate, parts.tag, parts.bet, parts.button);
  node.dataset.seat = number;
  return { node, update: (state) => update(node, parts, state, state.seats[number]) };
}

function update(node, parts, state, seat) {
  const free = seat.team === null && !seat.dealt;
  const name = free ? "free" : nameOf(seat);
  const turn = state.turn?.seat === seat.seat ? state.turn : null;
  for (const [flag, on] of Object.entries({
    free,
    mine: state.me?.seat === seat.seat,
    out: seat.out && !seat.dealt,
    away: !free && !seat.connected,
    folded: seat.folded,
    turn: turn !== null,
    won: seat.won > 0,
    lost: state.hand?.over === true && seat.dealt && seat.won === 0,
  })) {
    node.classList.toggle(flag, on);
  }
  rename(parts.name, name);
  put(parts.mark, free ? "" : firstLetter(name));
  amount(parts.stack, free ? null : seat.stack);
  amount(parts.bet, seat.bet > 0 ? seat.bet : null);
  tag(parts.tag, free ? null : said(state, seat));
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

function tag(node, words) {
  visible(node, words !== null);
  put(node, words?.text ?? "");
  node.dataset.kind = words?.kind ?? "";
}

/** The few words on a seat, the most telling first. */
function said(state, seat) {
  if (seat.won > 0) {
    const rank = seat.rank === null ? "" : ` · ${rankInWords(seat.rank)}`;
    return { kind: "win", text: `+${shortChips(seat.won)}${rank}` };
  }
  if (seat.out) return { kind: "out", text: "out" };
  if (seat.rank !== null) return { kind: "rank", text: rankInWords(seat.rank) };
  if (isAllIn(seat)) return { kind: "all-in", text: "all-in" };
  if (seat.did !== null) return { kind: seat.did, text: seat.late ? `${seat.did}, time up` : seat.did };
  if (!seat.connected) return { kind: "away", text: "away" };
  return isPlaying(state) && !seat.dealt ? { kind: "waits", text: "next hand" } : null;
}

function held({ hand }, seat) {
  if (!seat.dealt || seat.folded || hand === null) return [];
  return seat.cards ?? heldBy(seat, hand).map((card, k) => card ?? seat.hole[k] ?? null);
}

function firstLetter(name) {
  return String.fromCodePoint(name.codePointAt(0)).toUpperCase();
}
