/** Zones of a table view: fans, rows, piles and tricks of cards. A zone, and a card in it, stays the same element. */

import { back, cardName, cornered, face, isPlaying, slot } from "./cards.js";
import { make, put, visible } from "./dom.js";

/**
 * Show zones in a node. `places` has a direction for each seat, which a trick needs, `marks` a letter for each seat, and
 * `legend` the meaning of named cards.
 */
export function layZones(node, zones, { places = new Map(), marks = new Map(), legend = {} } = {}) {
  const there = new Map([...node.children].map((child) => [child.dataset.zone, child]));
  const nodes = zones.map((zone) => there.get(keyOf(zone)) ?? zoneNode(zone));
  zones.forEach((zone, k) => fill(nodes[k], zone, { places, marks, legend }));
  if (nodes.length !== node.children.length || nodes.some((one, k) => node.children[k] !== one)) node.replaceChildren(...nodes);
}

function keyOf({ name, seat, layout }) {
  return `${name} ${seat ?? "all"} ${layout}`;
}

function zoneNode(zone) {
  const title = make("span", "zone-title");
  title.setAttribute("aria-hidden", "true");
  const node = make("div", `zone ${zone.layout}`, make("div", "spread"), make("span", "number"), title);
  node.dataset.zone = keyOf(zone);
  node.dataset.name = zone.name;
  return node;
}

function fill(node, zone, options) {
  const [spread, number, title] = node.children;
  const cards = shownOf(zone);
  const hidden = cards.every(({ card }) => card === null);
  node.setAttribute("role", hidden ? "img" : "group");
  node.setAttribute("aria-label", `${zone.title}: ${inWords(zone, hidden)}`);
  node.classList.toggle("done", zone.done === true);
  node.classList.toggle("empty", zone.count === 0);
  node.classList.toggle("deep", zone.layout === "pile" && zone.count > 1);
  put(title, zone.title);
  visible(number, zone.layout !== "trick" && (zone.count > cards.length || (hidden && zone.count > 0)));
  put(number, String(zone.count));
  number.setAttribute("aria-hidden", "true");
  laySlots(spread, cards, (entry, old) => slotNode(entry, zone, options, old));
}

/** Return the cards of a zone that are drawn: of a pile only the top one. */
function shownOf({ cards, layout }) {
  const entries = cards.map((card) => (card === null || typeof card === "string" ? { card } : card));
  return layout === "pile" ? entries.slice(-1) : entries;
}

function inWords({ count }, hidden) {
  if (count === 0) return "empty";
  return `${count}${hidden ? " hidden" : ""} card${count === 1 ? "" : "s"}`;
}

/** Show a slot for each card in a node; the slot of a card that is already there stays, in its new place. */
export function laySlots(node, cards, build) {
  const there = new Map([...node.children].map((child) => [child.dataset.key, child]));
  const seen = new Map();
  const nodes = cards.map((entry) => {
    const number = seen.get(entry.card) ?? 0; // several cards may be equal
    seen.set(entry.card, number + 1);
    const key = `${entry.card ?? "back"} ${number}`;
    const made = build(entry, there.get(key));
    made.dataset.key = key;
    there.delete(key);
    return made;
  });
  if (nodes.length !== node.children.length || nodes.some((one, k) => node.children[k] !== one)) node.replaceChildren(...nodes);
}

function slotNode({ card, seat = null }, { layout, seat: owner }, { places, marks, legend }, old) {
  const isSmall = layout === "pile" && owner !== null && card !== null && isPlaying(card);
  const made = old ?? make("span", "slot", card === null ? back() : isSmall ? face(card) : cornered(card, legend[card]));
  if (card !== null) made.dataset.spot = card;
  if (layout !== "trick") {
    if (owner !== null) made.dataset.from = owner;
    return made;
  }
  const { x, y } = places.get(seat) ?? { x: 0, y: 0 };
  made.style.setProperty("--x", x.toFixed(3));
  made.style.setProperty("--y", y.toFixed(3));
  if (seat === null) return made;
  made.dataset.from = seat;
  if (made.children.length < 2) made.append(make("span", `by c${seat}`, marks.get(seat) ?? ""));
  made.lastChild.setAttribute("aria-hidden", "true");
  return made;
}

/** Return a button for a card in the player's hand. */
export function cardButton(card, legend) {
  const made = make("button", "slot", cornered(card, legend[card]));
  made.type = "button";
  made.dataset.spot = card;
  made.dataset.name = legend[card] === undefined ? cardName(card) : `${card}: ${legend[card]}`;
  return made;
}

/** Return an empty place or a hidden card in the player's hand. */
export function plainSlot(card) {
  return make("span", "slot", card === null ? back() : slot());
}
