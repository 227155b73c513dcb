/** One seat on the page: team, chips, cards, bet, dealer button, and its action or winnings. */

import { layCards } from "./cards.js";
import { clock } from "./clock.js";
import { make, nameTag, put, rename, visible } from "./dom.js";
import { heldBy } from "./layout.js";
import { freeSeats, isAllIn, isPlaying, shareOf } from "./reducer.js";
import { seatIn, zonesOf } from "./sight.js";
import { ordinal } from "./standings.js";
import { chips, nameOf, rankInWords, shortChips, signed, whole } from "./words.js";
import { layZones } from "./zones.js";

/** Return a seat's element and a function that shows a state in it; with `choose(seat)` a free seat can be chosen. */
export function seatView(number, choose = null) {
  const parts = {
    cards: make("div", "cards"),
    zones: make("div", "zones"),
    mark: make("span", "mark"),
    name: nameTag("name", ""),
    stack: make("span", "stack"),
    place: make("span", "standing"),
    tag: make("span", "tag"),
    equity: make("span", "equity"),
    bet: make("span", "bet"),
    button: make("span", "button", "D"),
    clock: clock(),
    sit: make("button", "sit", "Sit here"),
  };
  parts.sit.type = "button";
  parts.sit.setAttribute("aria-label", `Sit here, at seat ${number}`);
  parts.sit.addEventListener("click", () => choose?.(number));
  parts.mark.setAttribute("aria-hidden", "true");
  parts.button.title = "dealer button";
  parts.button.setAttribute("role", "img");
  parts.button.setAttribute("aria-label", "dealer button");
  parts.who = make("div", "who", parts.name, make("span", "has", parts.stack, parts.place));
  const plate = make("div", "plate", parts.mark, parts.who, parts.clock.node, parts.sit);
  const node = make("li", `seat c${number}`, parts.cards, parts.zones, plate, parts.tag, parts.equity, parts.bet, parts.button);
  node.dataset.seat = number;
  return { node, update: (state, rows) => update(node, parts, state, state.seats[number], { rows, choose }) };
}

/** Show a seat; `rows` are the standings. */
function update(node, parts, state, seat, { rows, choose }) {
  const free = seat.team === null && !seat.dealt; // no team is there; the word tells whether one can come
  const canSit = free && freeSeats(state).includes(seat);
  const name = !free ? nameOf(seat) : canSit ? "free" : "empty";
  const turn = state.turn?.seat === seat.seat ? state.turn : null;
  const seen = seatIn(state, seat.seat);
  for (const [flag, on] of Object.entries({
    free,
    mine: state.me?.seat === seat.seat,
    out: seat.out && !seat.dealt,
    away: !free && (!seat.connected || seat.away),
    resting: !free && !seat.dealt && RESTS[seat.intent] !== undefined,
    folded: seat.folded || seen?.status === "folded",
    turn: turn !== null,
    won: seat.won > 0 || (seat.gain > 0 && state.match === null) || isChampion(state, seat),
    lost: state.hand?.over === true && seat.dealt && seat.won === 0 && state.view === null,
  })) {
    node.classList.toggle(flag, on);
  }
  visible(parts.sit, choose !== null && canSit && state.me === null && state.table?.config.cash === true);
  visible(parts.who, parts.sit.hidden);
  rename(parts.name, name);
  put(parts.mark, free ? "" : firstLetter(name));
  if (seen === undefined) {
    amount(parts.stack, free ? null : seat.stack);
    standing(parts.place, free || seat.out ? null : rows.find((row) => row.seat === seat.seat), rows);
  } else having(parts.stack, parts.place, seen);
  const bet = seen?.bet ?? seat.bet;
  amount(parts.bet, bet > 0 ? bet : null);
  tag(parts.tag, free ? null : seen === undefined ? tagOf(state, seat) : factsOf(state, seat, seen));
  worth(parts.equity, state.hand?.faceUp === true ? undefined : shareOf(state, seat)); // a run-out has it in the tag
  layCards(parts.cards, seen === undefined ? held(state, seat) : []);
  parts.cards.classList.toggle("many", parts.cards.children.length > 2);
  visible(parts.zones, seen !== undefined && state.match === null);
  if (!parts.zones.hidden) layZones(parts.zones, zonesOf(state, seat.seat), { legend: state.view.legend });
  visible(parts.button, state.view === null && state.hand?.button === seat.seat);
  parts.clock.update(turn, state.table?.config ?? {});
}

function amount(node, value) {
  visible(node, value !== null);
  put(node, value === null ? "" : shortChips(value));
  node.title = value === null ? "" : `${chips(value)} chips`;
}

/** Show a seat's place, with a star for the leader unless it is away; no place while all have the same chips; for cash its result. */
function standing(node, row, rows) {
  if (typeof row?.won === "number") {
    visible(node, row.won !== 0);
    put(node, signed(row.won));
    node.classList.toggle("leads", row.won > 0);
    return;
  }
  const placed = row !== undefined && row !== null && rows.some(({ chips: others }) => others !== rows[0].chips);
  visible(node, placed);
  const leads = placed && row.place === 1 && !row.gone;
  put(node, placed ? `${leads ? "★ " : ""}${ordinal(row.place)}` : "");
  node.classList.toggle("leads", leads);
}

/** Show what a seat has in a game other than poker: its chips, or else its points. */
function having(stack, place, seen) {
  const points = seen.score === null || seen.score === undefined ? "" : `${whole(seen.score)} point${seen.score === 1 ? "" : "s"}`;
  const chipped = seen.stack !== null && seen.stack !== undefined;
  visible(stack, chipped || points !== "");
  put(stack, chipped ? shortChips(seen.stack) : points);
  stack.title = chipped ? `${chips(seen.stack)} chips` : "";
  visible(place, chipped && points !== "");
  put(place, chipped ? points : "");
  place.classList.remove("leads");
}

/** Return the text of a seat's tag in a game other than poker. */
function factsOf(state, seat, { status, role, facts = [] }) {
  if (state.match !== null) return null;
  if (state.hand?.over === true && seat.gain !== 0) return { kind: seat.gain > 0 ? "win" : "loss", text: signed(seat.gain) };
  const more = [...(role === null || role === undefined ? [] : [role.replaceAll("_", " ")]), ...facts];
  if (STATUS[status] !== undefined) return { kind: STATUS[status], text: [STATUS[status], ...facts].join(" · ") };
  if (more.length > 0) return { kind: "facts", text: more.join(" · ") };
  return state.turn?.seat === seat.seat || seat.away || !seat.connected ? slow(seat) : null;
}

const STATUS = { folded: "folded", all_in: "all-in", out: "out" };

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

/** What the seat of a cash table does instead of playing, by its intent. */
const RESTS = { 1: "waits for big blind", 2: "sits out", 3: "leaves" };

/** Return the tag of a seat that may not act soon. */
function slow({ away, connected, dealt, intent, owes }, otherwise = { kind: "thinks", text: "thinking" }) {
  const rests = dealt && intent !== 3 ? undefined : RESTS[intent];
  if (rests !== undefined) return { kind: "rests", text: owes > 0 ? `${rests} · owes ${shortChips(owes)}` : rests };
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
