/**
 * The player's hand and the moves of a game other than poker.
 *
 * A card that is the whole of one move is played by a click, by dragging it to the table or by Enter. Where cards belong to
 * several moves, they are chosen first, and a button plays them. A move without cards of the hand is a button. A move with
 * an amount has a number field and a slider.
 */

import { make, put, visible } from "./dom.js";
import { ownHand } from "./sight.js";
import { chips } from "./words.js";
import { cardButton, laySlots, plainSlot } from "./zones.js";

const QUIET = 250; // milliseconds after a question in which keys are ignored: they were meant for something else
const FAR = 12; // pixels from which a movement of the pointer is a drag
const LISTED = 12; // moves of chosen cards that are offered as buttons

/**
 * Return the element with the hand and the moves, `update(state, question)`, `key(event)` and `again()`, which allows
 * another answer after a refused one. Calls `answer(message)` with the choice and `explain(sentence)`.
 */
export function moveControls(answer, explain) {
  const hand = make("div", "my-hand");
  const buttons = make("ul", "moves");
  const node = make("div", "playing", hand, buttons);
  hand.setAttribute("role", "group");
  buttons.setAttribute("aria-label", "Your moves");
  let moves = []; // the moves of the open question; empty if there is none
  let held = []; // the cards of the hand
  let asked = null; // the question, by its turn
  let ready = false; // whether keys count; they do not in the first moment of a question
  let waking = 0;
  let sent = false;
  let offered = ""; // what the buttons show
  let current = null; // the button of the card that is reached by the tab key
  const chosen = new Set(); // the keys of buttons

  // --- what is possible

  /** Return the moves that use cards of the hand, all of the given ones among them. */
  function movesWith(cards) {
    return moves.filter((move) => isOfHand(move) && hasAll(move.cards, cards));
  }

  function isOfHand({ cards }) {
    return cards.length > 0 && hasAll(held, cards);
  }

  /** Return the cards that are chosen, with another one if it is given. */
  function together(...more) {
    return [...cardButtons().filter((button) => chosen.has(button.dataset.key)).map(cardOf), ...more];
  }

  function isLegal(card) {
    return movesWith(together(card)).length > 0 || (chosen.size > 0 && movesWith([card]).length > 0);
  }

  /** Return the moves that are offered as buttons now. */
  function offers() {
    const others = moves.filter((move) => !isOfHand(move));
    if (chosen.size === 0) return others;
    const exact = movesWith(together());
    return [...exact.toSorted((a, b) => a.cards.length - b.cards.length).slice(0, LISTED), ...others];
  }

  function play(move, amount) {
    if (sent) return;
    const more = amount === undefined ? {} : { amount };
    wake(false);
    sent = answer({ type: "move", index: move.index, ...more });
    chosen.clear();
    lay();
  }

  /** Play a card if it is the whole of the only move with it, or else choose it. */
  function take(button) {
    const [card, key] = [cardOf(button), button.dataset.key];
    if (asked === null) {
      explain("It is not your turn.", { isCalm: true });
      return;
    }
    const alone = movesWith([card]);
    if (alone.length === 0) {
      explain("This card cannot be played now.", { isCalm: true });
      return;
    }
    explain("");
    if (chosen.size === 0 && alone.length === 1 && alone[0].cards.length === 1 && !isSized(alone[0])) {
      play(alone[0]);
      return;
    }
    if (chosen.has(key)) chosen.delete(key);
    else {
      if (movesWith(together(card)).length === 0) chosen.clear();
      chosen.add(key);
    }
    lay();
  }

  // --- what is shown

  function update(state, question) {
    const zone = ownHand(state);
    const turn = question === null ? null : `${question.hand} ${question.turn}`;
    const next = question === null ? [] : (state.view?.moves ?? []);
    const fresh = turn !== asked || next.length !== moves.length;
    const had = node.contains(document.activeElement) || document.activeElement === document.body;
    moves = next;
    held = (zone?.cards ?? []).filter((card) => card !== null);
    if (fresh) {
      asked = turn;
      sent = false;
      wake(turn !== null);
      chosen.clear();
    }
    visible(hand, zone !== null);
    laySlots(hand, (zone?.cards ?? []).map((card) => ({ card })), ({ card }, old) => old ?? newCard(card, state.view.legend));
    if (hand.children.length === 0) hand.replaceChildren(plainSlot(undefined));
    for (const key of chosen) if (!cardButtons().some((button) => button.dataset.key === key)) chosen.delete(key);
    lay();
    if (fresh && had && asked !== null && node.offsetParent !== null) (reachable() ?? firstButton())?.focus({ preventScroll: true });
  }

  /** Count keys after a moment, since the next one may have been meant for something else. */
  function wake(on) {
    clearTimeout(waking);
    ready = false;
    node.classList.remove("ready");
    if (!on) return;
    waking = setTimeout(() => {
      ready = true;
      node.classList.add("ready");
    }, QUIET);
  }

  function newCard(card, legend) {
    if (card === null) return plainSlot(null);
    const button = cardButton(card, legend);
    button.addEventListener("click", () => take(button));
    button.addEventListener("focus", () => reach(button));
    return button;
  }

  /** Show which cards can be played and are chosen, and the buttons. */
  function lay() {
    let legal = 0;
    for (const button of cardButtons()) {
      const can = moves.length > 0 && isLegal(cardOf(button));
      const isChosen = chosen.has(button.dataset.key);
      legal += can;
      button.classList.toggle("legal", can);
      button.classList.toggle("chosen", isChosen);
      button.setAttribute("aria-disabled", String(!can));
      const state = asked === null ? "" : isChosen ? ", chosen" : can ? ", can be played" : ", cannot be played now";
      button.setAttribute("aria-label", `${button.dataset.name}${state}`);
    }
    hand.classList.toggle("asked", moves.some(isOfHand));
    hand.setAttribute("aria-label", `Your hand: ${held.length} card${held.length === 1 ? "" : "s"}${asked === null ? "" : `, ${legal} can be played`}`);
    const there = cardButtons();
    reach(there.find((button) => button === current && (asked === null || button.classList.contains("legal"))) ?? there.find((button) => button.classList.contains("legal")) ?? there[0] ?? null);
    const now = offers();
    const key = JSON.stringify([asked, now.map(({ index }) => index)]);
    if (key === offered) return;
    offered = key;
    if (now.length > 0) buttons.classList.add("used"); // from now on it keeps its height
    buttons.replaceChildren(...now.map((move, k) => make("li", "", ...moveNodes(move, k))));
  }

  function moveNodes(move, k) {
    const hint = make("kbd", "", String(k + 1));
    hint.setAttribute("aria-hidden", "true");
    const words = make("span", "", capital(move.text));
    const button = make("button", `choice move${isOfHand(move) ? " take" : ""}`, words, ...(k < 9 ? [hint] : []));
    button.type = "button";
    if (k < 9) button.setAttribute("aria-keyshortcuts", String(k + 1));
    if (!isSized(move)) {
      button.addEventListener("click", () => play(move));
      return [button];
    }
    const [exact, slider] = [field("number", move), field("range", move)];
    const size = (from) => {
      for (const one of [exact, slider]) if (one !== from) one.value = from.value;
      put(words, `${capital(move.text)} ${chips(Number(from.value))}`);
    };
    for (const one of [exact, slider]) one.addEventListener("input", () => size(one));
    size(exact);
    const form = make("form", "sized", button, exact, slider);
    button.type = "submit";
    form.noValidate = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const amount = exact.value === "" ? Number.NaN : Number(exact.value);
      if (Number.isSafeInteger(amount) && amount >= move.least && amount <= move.most) play(move, amount);
      else {
        explain(`Enter a whole number from ${chips(move.least)} to ${chips(move.most)}.`);
        exact.focus();
      }
    });
    return [form];
  }

  function cardButtons() {
    return [...hand.children].filter((child) => child.tagName === "BUTTON");
  }

  // --- keys

  /** Make one card the one that the tab key reaches. */
  function reach(card) {
    current = card;
    for (const button of cardButtons()) button.tabIndex = button === card ? 0 : -1;
  }

  function reachable() {
    return moves.some(isOfHand) ? cardButtons().find((button) => button.tabIndex === 0) : undefined;
  }

  function firstButton() {
    return buttons.querySelector("button");
  }

  /** Handle a key pressed anywhere on the page; returns whether it was handled. */
  function key(event) {
    const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return false;
    const isEarly = asked !== null && !ready;
    if (["Enter", " "].includes(event.key) && node.contains(event.target)) return event.repeat || isEarly;
    if (event.key === "Escape" && chosen.size > 0) {
      chosen.clear();
      lay();
      return true;
    }
    if (/^[1-9]$/.test(event.key)) {
      const button = buttons.querySelector(`[aria-keyshortcuts="${event.key}"]`);
      if (button === null || event.repeat || isEarly) return false;
      const exact = button.parentNode.querySelector("input[type=number]");
      if (exact === null) button.click();
      else {
        exact.focus();
        exact.select();
      }
      return true;
    }
    return ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key) && step(event);
  }

  /** Go to the next card in a direction. */
  function step({ key: pressed, target }) {
    const all = cardButtons();
    if (all.length === 0 || (target !== document.body && !hand.contains(target))) return false;
    const at = all.findIndex((button) => button.tabIndex === 0);
    const inHand = hand.contains(target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[pressed];
    all[inHand ? Math.max(0, Math.min(all.length - 1, to)) : at].focus();
    return true;
  }

  // --- dragging

  hand.addEventListener("pointerdown", (down) => {
    const button = down.target.closest("button.legal");
    if (button === null || down.button !== 0) return;
    let dragged = false;
    button.setPointerCapture(down.pointerId); // the first movement may leave the card
    const move = (event) => {
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!dragged && Math.hypot(x, y) < FAR) return;
      dragged = true;
      button.classList.add("dragged");
      button.style.translate = `${x}px ${y}px`;
    };
    const end = (event) => {
      for (const [name, listener] of listeners) button.removeEventListener(name, listener);
      button.style.translate = "";
      button.classList.remove("dragged");
      if (!dragged) return;
      button.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => button.removeEventListener("click", swallow, { capture: true }), 0);
      if (event.type === "pointerup" && event.clientY < hand.getBoundingClientRect().top) take(button);
    };
    const listeners = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
    for (const [name, listener] of listeners) button.addEventListener(name, listener);
  });

  return {
    node,
    update,
    key,
    again() {
      sent = false;
      wake(asked !== null);
    },
  };
}

function cardOf(button) {
  return button.dataset.spot;
}

/** Return whether all of some cards are among others, equal ones as often. */
function hasAll(cards, some) {
  const left = [...cards];
  return some.every((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

function isSized({ least, most }) {
  return typeof least === "number" && typeof most === "number" && least < most;
}

function field(type, { text, least, most }) {
  const node = make("input");
  [node.type, node.min, node.max, node.step, node.value] = [type, least, most, 1, least].map(String);
  node.setAttribute("aria-label", type === "number" ? `Amount to ${text}` : `Amount to ${text}, as a slider`);
  return node;
}

function capital(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
