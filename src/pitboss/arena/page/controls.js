/** The controls to answer a question: buttons, sizes, slider and number field, and keys that do the same. */

import { cardName, face } from "./cards.js";
import { make, put, visible } from "./dom.js";
import { passing, raising, usualSizes, whyNot, within } from "./sizes.js";
import { chips } from "./words.js";

const QUIET = 250; // milliseconds after a question in which keys are ignored: they were meant for something else

/**
 * Return the element with all controls, `update(question)` (null when there is none) and `key(event)`.
 *
 * Calls `send(message)` with the player's choice, without its hand and turn, and `explain(sentence)` if it is not possible.
 */
export function controls(send, explain) {
  const parts = build();
  let asked; // undefined until the first update
  let ready = false; // whether keys count
  let waking = 0;
  let to = 0; // the total to raise to
  let folding = false; // fold was chosen once although checking is free
  const discard = new Set();

  function answer(message) {
    parts.node.classList.remove("ready");
    send(message);
  }

  /** Count keys after a moment, if there is a question. */
  function wake(on) {
    clearTimeout(waking);
    ready = false;
    parts.node.classList.remove("ready");
    if (!on) return;
    waking = setTimeout(() => {
      ready = true;
      parts.node.classList.add("ready");
    }, QUIET);
  }

  const may = (action) => asked?.legal?.includes(action) === true;

  function fold() {
    if (!may("FOLD")) return;
    if (may("CHECK") && !folding) {
      folding = true;
      explain("Checking is free. To fold anyway, choose fold again.");
      return;
    }
    answer({ type: "action", action: "FOLD" });
  }

  function pass() {
    const chosen = asked?.legal === undefined ? null : passing(asked);
    if (chosen !== null) answer({ type: "action", action: chosen.action });
  }

  function raise() {
    if (!may("RAISE_TO")) return;
    const why = whyNot(asked, to);
    if (why === null) answer({ type: "action", action: "RAISE_TO", amount: to });
    else {
      explain(why);
      parts.exact.focus();
    }
  }

  function change() {
    if (may("DRAW") && asked.must !== undefined && discard.size !== asked.must) {
      explain(`Choose exactly ${asked.must === 1 ? "one card" : `${asked.must} cards`}.`);
      return;
    }
    if (may("DRAW")) answer({ type: "action", action: "DRAW", discard: asked.hole.filter((card) => discard.has(card)) });
  }

  function size(total, from) {
    to = total;
    if (from !== parts.exact) parts.exact.value = String(total);
    if (from !== parts.slider) parts.slider.value = String(total);
    const fits = whyNot(asked, total) === null;
    put(parts.raise.firstChild, raising(asked, fits ? total : within(asked, total || 0)));
    parts.slider.setAttribute("aria-valuetext", `${chips(Number(parts.slider.value))} chips`);
    for (const button of parts.sizes.children) button.setAttribute("aria-pressed", String(Number(button.value) === total));
  }

  function step(event) {
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 5, PageDown: -5 }[event.key];
    const sideways = event.target === parts.exact && /Left|Right/.test(event.key);
    if (by === undefined || sideways || !may("RAISE_TO")) return;
    event.preventDefault();
    size(within(asked, to + by * asked.step), null);
  }

  function toggle(card, button) {
    if (discard.has(card)) discard.delete(card);
    else discard.add(card);
    button.setAttribute("aria-pressed", String(discard.has(card)));
    nameChange();
  }

  function nameChange() {
    const count = discard.size;
    if (asked.must !== undefined) put(parts.change.firstChild, `Discard ${count} of ${asked.must}`);
    else put(parts.change.firstChild, count === 0 ? "Stand pat" : `Change ${count} card${count === 1 ? "" : "s"}`);
  }

  parts.fold.addEventListener("click", fold);
  parts.pass.addEventListener("click", pass);
  parts.change.addEventListener("click", change);
  parts.node.addEventListener("submit", (event) => {
    event.preventDefault();
    raise();
  });
  parts.slider.addEventListener("input", () => size(Number(parts.slider.value), parts.slider));
  parts.exact.addEventListener("input", () => {
    const total = parts.exact.value === "" ? Number.NaN : Number(parts.exact.value);
    size(total, parts.exact);
  });
  parts.sizes.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button !== null && may("RAISE_TO")) size(Number(button.value), null);
  });
  for (const input of [parts.slider, parts.exact]) input.addEventListener("keydown", step);

  /** Show a question; a question that is already shown stays as it is. */
  function update(question) {
    if (question === asked) return;
    const had = parts.node.contains(document.activeElement);
    if (document.activeElement === parts.exact) parts.exact.blur(); // the next key is an answer, not a digit of the last one
    asked = question;
    wake(question !== null);
    folding = false;
    discard.clear();
    parts.node.classList.toggle("asked", asked !== null);
    const drawing = may("DRAW");
    const running = may("RUNS");
    visible(parts.betting, !drawing && !running);
    visible(parts.running, running);
    if (running) parts.running.replaceChildren(...Array.from({ length: asked.runs }, (_, k) => runButton(k + 1)));
    visible(parts.drawing, drawing);
    enable(parts.fold, may("FOLD"));
    const chosen = asked?.legal === undefined ? null : passing(asked);
    enable(parts.pass, chosen !== null);
    put(parts.pass.firstChild, chosen?.words ?? "Check");
    enable(parts.raise, may("RAISE_TO"));
    put(parts.raise.firstChild, "Raise");
    const sized = may("RAISE_TO") && asked.least < asked.most;
    parts.sizing.classList.toggle("off", !sized);
    parts.sizing.inert = !sized;
    if (may("RAISE_TO")) offerSizes();
    if (drawing) offerCards();
    if (had && !parts.node.contains(document.activeElement)) firstOf(parts.node)?.focus();
  }

  function runButton(number) {
    const words = ["Once", "Twice"][number - 1] ?? `${number} times`;
    const button = actButton("move", words, String(number));
    button.dataset.key = String(number);
    button.addEventListener("click", () => answer({ type: "action", action: "RUNS", amount: number }));
    return button;
  }

  function offerSizes() {
    const sizes = usualSizes(asked);
    parts.sizes.replaceChildren(...sizes.map(({ name, to: total, key }) => sizeButton(name, total, key)));
    for (const input of [parts.slider, parts.exact]) [input.min, input.max] = [asked.least, asked.most].map(String);
    size(asked.least, null);
  }

  function offerCards() {
    parts.cards.replaceChildren(
      ...asked.hole.map((card, k) => {
        const button = make("button", "throw", face(card), make("kbd", "", String(k + 1)));
        button.type = "button";
        button.dataset.key = String(k + 1);
        button.setAttribute("aria-pressed", "false");
        button.setAttribute("aria-label", `throw away the ${cardName(card)}`);
        button.addEventListener("click", () => toggle(card, button));
        return button;
      }),
    );
    nameChange();
  }

  /** Handle a key pressed anywhere on the page; returns whether it was handled. */
  function key(event) {
    if (event.key === "Escape" && parts.node.contains(event.target) && isTyping(event.target)) {
      event.target.blur();
      return true;
    }
    const pressed = event.key.toLowerCase();
    const typing = isTyping(event.target) && !(event.target === parts.exact && /^[fcr]$/.test(pressed)); // letters are not part of a number
    if (!asked || event.repeat || event.ctrlKey || event.metaKey || event.altKey || typing) return false;
    const act = { f: fold, c: pass, d: change, r: toRaise }[pressed] ?? numbered(pressed) ?? null;
    if (act === null) return false;
    if (ready) act();
    return true;
  }

  /** Move to the choice of a size; if a size is chosen, or only one is possible, raise. */
  function toRaise() {
    if (!may("RAISE_TO")) return;
    const chosen = [parts.raise, parts.exact, parts.slider].includes(document.activeElement);
    if (chosen) raise();
    else if (parts.sizing.inert) parts.raise.focus();
    else {
      parts.exact.focus();
      parts.exact.select();
    }
  }

  /** Return what a number key does: choose the size or the card with that number. */
  function numbered(pressed) {
    if (!/^[1-9]$/.test(pressed)) return null;
    const row = may("RUNS") ? parts.running : may("DRAW") ? parts.cards : parts.sizes;
    const button = may("DRAW") || may("RAISE_TO") || may("RUNS") ? row.querySelector(`[data-key="${pressed}"]`) : null;
    if (button === null) return null;
    return () => {
      button.click();
      if (row === parts.sizes) parts.raise.focus();
    };
  }

  update(null);
  return { node: parts.node, update, key };
}

function build() {
  const fold = actButton("fold", "Fold", "F");
  const pass = actButton("pass", "Check", "C");
  const raise = actButton("raise", "Raise", "R");
  raise.type = "submit";
  raise.title = "R: choose a size. R again, or Enter: raise.";
  put(raise.lastChild, "R R");
  const change = actButton("change", "Stand pat", "D");
  const sizes = make("div", "sizes");
  sizes.setAttribute("role", "group");
  sizes.setAttribute("aria-label", "Usual sizes");
  const slider = input("range", "Size of the raise");
  const exact = input("number", "Raise to, in chips");
  exact.inputMode = "numeric";
  exact.step = "1";
  const sizing = make("div", "sizing", sizes, slider, exact);
  const betting = make("div", "betting", make("div", "acts", fold, pass, raise), sizing);
  const cards = make("div", "throws");
  cards.setAttribute("role", "group");
  cards.setAttribute("aria-label", "Cards to throw away");
  const drawing = make("div", "drawing", cards, change);
  const running = make("div", "running");
  running.setAttribute("role", "group");
  running.setAttribute("aria-label", "How often the rest of the board is dealt");
  const node = make("form", "acting", betting, drawing, running);
  node.noValidate = true;
  return { node, betting, fold, pass, raise, sizing, sizes, slider, exact, drawing, cards, change, running };
}

function actButton(name, words, key) {
  const hint = make("kbd", "", key);
  hint.setAttribute("aria-hidden", "true");
  const button = make("button", `choice ${name}`, make("span", "", words), hint);
  button.type = "button";
  button.setAttribute("aria-keyshortcuts", key);
  return button;
}

function sizeButton(name, total, key) {
  const hint = make("kbd", "", String(key));
  hint.setAttribute("aria-hidden", "true");
  const button = make("button", "size", make("span", "", name), make("b", "", chips(total)), hint);
  button.type = "button";
  button.value = String(total);
  button.dataset.key = String(key);
  button.setAttribute("aria-pressed", "false");
  return button;
}

function input(type, label) {
  const node = make("input");
  node.type = type;
  node.setAttribute("aria-label", label);
  return node;
}

/** Enable or disable a button; a disabled one keeps its place and the focus. */
function enable(button, on) {
  button.setAttribute("aria-disabled", String(!on));
}

function firstOf(node) {
  return [...node.querySelectorAll('button:not([aria-disabled="true"])')].find((button) => button.offsetParent !== null);
}

function isTyping(node) {
  return node instanceof HTMLElement && node.matches("input:not([type=range]), select, textarea");
}
