/**
 * Cards: playing cards as SVG, and cards with a name of their own.
 *
 * A playing card has a large rank and a large suit that can be read at a small size, or a corner that can be read in a fan.
 */

import { draw, make } from "./dom.js";

const RANKS = {
  ...{ A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven" },
  ...{ 6: "six", 5: "five", 4: "four", 3: "three", 2: "two" },
};
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

/** The shape of each suit in a square of 24. */
const SHAPES = {
  s: "M12 1.5C9.2 5.7 2.5 9.2 2.5 14.3c0 3 2.2 4.9 4.7 4.9 1.6 0 3-.7 3.9-2-.2 2.2-1 3.8-2.6 5.3h7c-1.6-1.5-2.4-3.1-2.6-5.3.9 1.3 2.3 2 3.9 2 2.5 0 4.7-1.9 4.7-4.9 0-5.1-6.7-8.6-9.5-12.8z",
  h: "M12 21.8C7.6 17.6 2 13.4 2 8.1 2 4.8 4.5 2.4 7.4 2.4c2 0 3.7 1 4.6 2.9.9-1.9 2.6-2.9 4.6-2.9 2.9 0 5.4 2.4 5.4 5.7 0 5.3-5.6 9.5-10 13.7z",
  d: "M12 1.2c2.3 4 5 7.4 8.3 10.8-3.3 3.4-6 6.8-8.3 10.8-2.3-4-5-7.4-8.3-10.8C7 8.6 9.7 5.2 12 1.2z",
  c: "M12 1.6a4.7 4.7 0 0 1 3.7 7.6 4.7 4.7 0 1 1-2.6 7.6c.2 2.2 1 3.9 2.7 5.6H8.2c1.7-1.7 2.5-3.4 2.7-5.6a4.7 4.7 0 1 1-2.6-7.6A4.7 4.7 0 0 1 12 1.6z",
};

const PLAYING = /^[2-9TJQKA][shdc]$/;

/** Return whether a card is a playing card with a rank and a suit. */
export function isPlaying(card) {
  return PLAYING.test(card);
}

/** Return a card's name, such as "queen of spades"; a card with a name of its own keeps it. */
export function cardName(card) {
  return PLAYING.test(card) ? `${RANKS[card[0]]} of ${SUITS[card[1]]}` : card;
}

/** Draw a card's face. */
export function face(card) {
  const [rank, suit] = card;
  const svg = draw(
    "svg",
    { class: `card ${suit}`, viewBox: "0 0 50 70", role: "img", "aria-label": cardName(card) },
    draw("rect", { class: "paper", x: 0.5, y: 0.5, width: 49, height: 69, rx: 6 }),
    draw("text", { class: "rank", x: 5, y: 28 }, rank),
    draw("path", { class: "pip", d: SHAPES[suit] ?? "", transform: "translate(15.5 33.5) scale(1.35)" }),
  );
  svg.dataset.card = card;
  return svg;
}

/** Draw a card whose rank and suit are in the corner, where they are seen in a fan; `meaning` explains a named card. */
export function cornered(card, meaning = "") {
  if (!PLAYING.test(card)) return named(card, meaning);
  const [rank, suit] = card;
  const svg = draw(
    "svg",
    { class: `card cornered ${suit}`, viewBox: "0 0 50 70", role: "img", "aria-label": cardName(card) },
    draw("rect", { class: "paper", x: 0.5, y: 0.5, width: 49, height: 69, rx: 6 }),
    draw("text", { class: rank === "T" ? "rank ten" : "rank", x: 12.5, y: 22, "text-anchor": "middle" }, rank === "T" ? "10" : rank),
    draw("path", { class: "pip", d: SHAPES[suit], transform: "translate(5 26) scale(0.62)" }),
    draw("path", { class: "pip", d: SHAPES[suit], transform: "translate(19 37) scale(1.12)" }),
  );
  svg.dataset.card = card;
  return svg;
}

/** Return a hue for a word: cards of one kind have the same colour. */
function hueOf(word) {
  return [...word].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7);
}

/** Draw a card with a name of its own; its meaning begins with its kind and a colon. */
function named(card, meaning) {
  const node = make("span", "card named", make("b", "", card));
  if (meaning !== "") node.append(make("small", "", meaning));
  node.style.setProperty("--hue", hueOf(meaning.split(":")[0]));
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", meaning === "" ? card : `${card}: ${meaning}`);
  node.title = node.getAttribute("aria-label");
  node.dataset.card = card;
  return node;
}

/** Draw a card's back. */
export function back() {
  return draw(
    "svg",
    { class: "card back", viewBox: "0 0 50 70", role: "img", "aria-label": "hidden card" },
    draw("rect", { class: "paper", x: 0.5, y: 0.5, width: 49, height: 69, rx: 6 }),
    draw("rect", { class: "frame", x: 4, y: 4, width: 42, height: 62, rx: 4 }),
    draw("path", { class: "weave", d: weave() }),
  );
}

function weave() {
  const heights = [9, 20, 31, 42];
  return heights.map((y) => `M7 ${y}L25 ${y + 10}L43 ${y}M7 ${y + 19}L25 ${y + 9}L43 ${y + 19}`).join("");
}

/** Draw an empty place for a card. */
export function slot() {
  return draw(
    "svg",
    { class: "card slot", viewBox: "0 0 50 70", "aria-hidden": "true" },
    draw("rect", { class: "frame", x: 1, y: 1, width: 48, height: 68, rx: 6 }),
  );
}

/** Return a card for use in a sentence: two letters, which the style sheet draws as a rank and a coloured suit. */
export function cardWord(card) {
  const word = make("span", `word ${card[1]}`, card[0], make("span", "suit", card[1]));
  word.title = cardName(card);
  return word;
}

/** Show cards in a node and change only the places that differ; null is a hidden card, undefined an empty place. */
export function layCards(node, cards) {
  cards.forEach((card, k) => {
    const key = card === undefined ? "slot" : (card ?? "back");
    const old = node.children[k];
    if (old?.dataset.key === key) return;
    const fresh = card === undefined ? slot() : card === null ? back() : face(card);
    fresh.dataset.key = key;
    if (old === undefined) node.append(fresh);
    else old.replaceWith(fresh);
  });
  while (node.children.length > cards.length) node.lastChild.remove();
}
