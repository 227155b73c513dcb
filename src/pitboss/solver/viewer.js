"use strict";
// The page of a solution: walk the decisions of a street, colour the grid, filter hands, and compare two nodes.

const record = JSON.parse(document.getElementById("record").textContent);
const RANKS = "AKQJT98765432";
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SEATS = { oop: "out of position", ip: "in position" };
const PASSIVE = { fold: "#4f7cac", check: "#3f8f5f", call: "#3f8f5f" };
const BETS = ["#c8553d", "#a63a50", "#d98324", "#7b4b94", "#8c2f39", "#b5651d"];
const state = { at: 0, held: null, show: "actions", suit: "", kind: "", picked: null };

function element(tag, fields = {}, ...parts) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...parts.filter((part) => part !== null));
  return made;
}

function card(name) {
  return element("span", { class: `card ${name[1]}` }, name[0] + SUITS[name[1]]);
}

function colours(node) {
  let bets = 0;
  return node.actions.map((action) => PASSIVE[action] ?? BETS[Math.min(bets++, BETS.length - 1)]);
}

function percent(share, places = 1) {
  return share === null ? "–" : `${(100 * share).toFixed(places)} %`;
}

function chips(number) {
  return number === null ? "–" : number.toFixed(2);
}

/** The numbers of the hands that a class has at a node, after the filters. */
function members(node, group) {
  const player = node.player === "oop" ? 0 : 1;
  const found = [];
  record.groups[player].forEach((of, hand) => {
    const name = record.hands[player][hand];
    const fits = !state.suit || name[1] === state.suit || name[3] === state.suit;
    if (of === group && node.range[hand] > 0 && fits) found.push(hand);
  });
  return found;
}

function kindFits(name) {
  return !state.kind || state.kind === (name.length === 2 ? "pairs" : name[2] === "s" ? "suited" : "offsuit");
}

/** The mean of some hands, counted by how often the player has them, or by how often they meet another hand. */
function mean(hands, of, weights) {
  let sum = 0;
  let weight = 0;
  for (const hand of hands) {
    if (of[hand] === null) continue;
    sum += weights[hand] * of[hand];
    weight += weights[hand];
  }
  return weight ? sum / weight : null;
}

function extent(numbers) {
  const known = numbers.filter((number) => number !== null);
  return known.length ? [Math.min(...known), Math.max(...known)] : [0, 1];
}

/** A colour from red over yellow to green. */
function shade(share) {
  return `hsl(${Math.round(120 * Math.min(Math.max(share, 0), 1))} 55% 38%)`;
}

function grid(node) {
  const names = [];
  for (let row = 0; row < 13; row++) {
    for (let column = 0; column < 13; column++) {
      const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
      names.push(high + low + (row === column ? "" : row < column ? "s" : "o"));
    }
  }
  const paints = colours(node);
  const cells = names.map((name) => {
    const hands = kindFits(name) ? members(node, record.classes.indexOf(name)) : [];
    return { name, hands, ev: mean(hands, node.ev, node.met), equity: mean(hands, node.equity, node.met) };
  });
  const [least, most] = extent(cells.map((cell) => cell.ev));
  const heaviest = Math.max(...cells.map((cell) => cell.hands.reduce((sum, hand) => sum + node.range[hand], 0)), 1e-9);
  const box = element("div", { class: "grid", role: "group", "aria-label": "hands" });
  for (const { name, hands, ev, equity } of cells) {
    const weight = hands.reduce((sum, hand) => sum + node.range[hand], 0);
    const words = { actions: "", ev: chips(ev), equity: percent(equity, 0), range: weight.toFixed(1) }[state.show];
    const cell = element(
      "button",
      {
        "data-hand": name,
        class: hands.length ? null : "none",
        "aria-pressed": String(state.picked === name),
        onclick: () => change({ picked: state.picked === name ? null : name }),
      },
      name,
      hands.length && words ? element("small", {}, words) : null,
    );
    if (hands.length) {
      if (state.show === "actions") {
        let from = 0;
        const stops = node.actions.map((_, at) => {
          const begin = from;
          from += 100 * mean(hands, node.strategy[at], node.range);
          return `${paints[at]} ${begin.toFixed(2)}% ${from.toFixed(2)}%`;
        });
        cell.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
        const shares = node.actions.map((action, at) => `${action} ${percent(mean(hands, node.strategy[at], node.range))}`);
        cell.title = `${name}: ${shares.join(", ")}`;
      } else {
        const share = { ev: most > least ? (ev - least) / (most - least) : 1, equity, range: weight / heaviest }[state.show];
        cell.style.background = shade(share);
        cell.title = `${name}: EV ${chips(ev)}, equity ${percent(equity)}, ${weight.toFixed(2)} hands`;
      }
    }
    box.append(cell);
  }
  return box;
}

function legend(node) {
  const list = element("ul", { class: "legend" });
  colours(node).forEach((colour, at) => {
    const mark = element("i");
    mark.style.background = colour;
    list.append(element("li", {}, mark, `${node.actions[at]} ${percent(node.means.actions[at])}`));
  });
  return list;
}

function table(heads, rows) {
  const body = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));
  const head = element("tr", {}, ...heads.map((name) => element("th", {}, name)));
  return element("div", { class: "wide", tabindex: "0" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

/** The hands of the picked class, or the sum of all that the filters leave. */
function details(node) {
  const player = node.player === "oop" ? 0 : 1;
  const groups = state.picked === null ? record.classes.filter(kindFits) : [state.picked].filter(kindFits);
  const hands = groups.flatMap((name) => members(node, record.classes.indexOf(name)));
  const row = (name, of) => [
    name,
    of.reduce((sum, hand) => sum + node.range[hand], 0).toFixed(2),
    ...node.strategy.map((shares) => percent(mean(of, shares, node.range))),
    chips(mean(of, node.ev, node.met)),
    percent(mean(of, node.equity, node.met)),
  ];
  const rows = [row(state.picked ?? "all shown", hands)];
  if (state.picked !== null) {
    for (const hand of hands) {
      const name = record.hands[player][hand];
      rows.push(row(element("span", {}, card(name.slice(0, 2)), card(name.slice(2))), [hand]));
    }
  }
  return table(["hands", "number", ...node.actions, "EV", "equity"], rows);
}

function cardTable(node) {
  const first = node.cards.find((row) => row.means.length);
  if (!first) return element("p", { class: "soft" }, "No decision follows: the players are all-in.");
  const rows = node.cards.map((row) => [
    card(row.card),
    chips(row.ev[0] ?? null),
    chips(row.ev[1] ?? null),
    ...first.actions.map((_, at) => percent(row.means[at] ?? null)),
  ]);
  return table(["card", "EV out of position", "EV in position", ...first.actions], rows);
}

function side(number, name) {
  const node = record.nodes[number];
  const line = node.line.slice(record.spot.line.length).join(", ") || "the first decision";
  const who = node.player ? `${SEATS[node.player]} to act` : "a card follows";
  const box = element("section", { "data-side": name }, element("h2", {}, line), element("p", { class: "soft" }, `${who}, pot ${node.pot}`));
  if (node.player) {
    const { ev, equity } = node.means;
    const figures = `out of position EV ${chips(ev[0])}, equity ${percent(equity[0])}; in position EV ${chips(ev[1])}, equity ${percent(equity[1])}`;
    box.append(element("p", {}, figures), legend(node), element("div", { class: "pair" }, grid(node), details(node)));
  } else if (node.cards.length) {
    box.append(cardTable(node));
  } else {
    box.append(element("p", { class: "soft" }, "This page has no table for the cards here."));
  }
  return box;
}

function choice(id, label, values) {
  const select = element("select", { id, "aria-label": label, onchange: (event) => change({ [id]: event.target.value }) });
  for (const [value, text] of values) select.append(element("option", { value }, text));
  select.value = state[id];
  return select;
}

function walk() {
  const box = element("nav", { "aria-label": "line" });
  const path = [];
  let number = 0;
  const { line } = record.nodes[state.at];
  const steps = line.slice(record.spot.line.length);
  path.push([record.spot.line.join(", ") || "start", 0]);
  for (const step of steps) {
    const node = record.nodes[number];
    number = node.after[node.actions.indexOf(step)];
    path.push([step, number]);
  }
  for (const [text, to] of path) box.append(element("button", { "data-to": to, onclick: () => change({ at: to }) }, text));
  return box;
}

function following(node) {
  const box = element("div", { class: "tools", "aria-label": "next" });
  node.actions.forEach((action, at) => {
    const to = node.after[at];
    box.append(element("button", { "data-action": action, disabled: to < 0 ? "" : null, onclick: () => change({ at: to }) }, `${action} ›`));
  });
  return box;
}

function change(fields) {
  Object.assign(state, fields);
  const focused = document.activeElement?.dataset ?? {};
  const main = document.getElementById("solution");
  const { spot } = record;
  const figures = `pot ${spot.pot}, stack ${spot.stack}, exploitability ${percent(spot.exploitability, 3)} of the pot after ${spot.iterations} iterations`;
  const notes = [];
  if (spot.locked) notes.push(`${spot.locked} locked ${spot.locked === 1 ? "decision" : "decisions"}.`);
  if (record.left_out) notes.push(`${record.left_out} lines are left out, because the page would be too large.`);
  const held = state.held;
  const tools = element(
    "div",
    { class: "tools" },
    choice("show", "show", [["actions", "actions"], ["ev", "EV"], ["equity", "equity"], ["range", "number of hands"]]),
    choice("suit", "suit", [["", "all suits"], ...Object.entries(SUITS).map(([suit, sign]) => [suit, `with ${sign}`])]),
    choice("kind", "class", [["", "all classes"], ["pairs", "pairs"], ["suited", "suited"], ["offsuit", "offsuit"]]),
    element(
      "button",
      { id: "compare", "aria-pressed": String(held !== null), onclick: () => change({ held: held === null ? state.at : null }) },
      held === null ? "compare with another node" : "stop comparing",
    ),
  );
  main.replaceChildren(
    element("h1", {}, ...spot.board.map(card), record.nodes[0].street),
    element("p", { class: "soft" }, figures),
    ...notes.map((note) => element("p", { class: "soft" }, note)),
    walk(),
    following(record.nodes[state.at]),
    tools,
    element("div", { class: "sides" }, held === null ? null : side(held, "held"), side(state.at, "now")),
  );
  const again = focused.hand ? `[data-side="now"] [data-hand="${focused.hand}"]` : focused.action ? `[data-action="${focused.action}"]` : null;
  if (again) main.querySelector(again)?.focus();
}

change({});
