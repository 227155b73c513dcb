"use strict";
// The map of a run: hover shows a game, a click picks it, two picked games are compared, filters dim the rest.
const record = JSON.parse(document.getElementById("record").textContent);
const games = record.games;
const byId = (id) => document.getElementById(id);
const panel = byId("panel");
const picked = [];
let comparing = false;

function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

const figure = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));
const range = (one) => `${figure(one.low)} to ${figure(one.high)}`;
const label = (name) => record.labels[name] || name;
const stars = (game) => (game.stars ? `★ ${game.stars.toFixed(1)} (${game.ratings.length})` : "");

// --- the map

const buttons = games.map((game) => {
  const button = document.querySelector(`[data-cell="${game.cell[0]},${game.cell[1]}"]`);
  button.addEventListener("mouseenter", () => picked.length || show([game]));
  button.addEventListener("focus", () => picked.length || show([game]));
  button.addEventListener("click", () => pick(game));
  return button;
});

function pick(game) {
  if (comparing && picked.length === 1 && picked[0] !== game) picked.push(game);
  else if (picked.length === 1 && picked[0] === game) picked.length = 0;
  else picked.splice(0, picked.length, game);
  comparing = false;
  games.forEach((one, at) => {
    buttons[at].classList.toggle("one", picked[0] === one);
    buttons[at].classList.toggle("two", picked[1] === one);
  });
  show(picked);
}

function colour() {
  const name = byId("measure").value;
  const values = games.map((game) => (game.measures[name] || { mean: 0 }).mean);
  const low = Math.min(...values);
  const high = Math.max(...values);
  games.forEach((game, at) => {
    const share = high > low ? (values[at] - low) / (high - low) : 0.5;
    buttons[at].className = buttons[at].className.replace(/\bl\d\b/, "").trim();
    buttons[at].classList.add(`l${Math.min(9, Math.floor(10 * share))}`);
  });
  byId("meaning").textContent = record.meanings[name] || "";
}

// --- filters

function shown(game) {
  const betting = byId("betting").value;
  const phase = byId("phase").value;
  if ((betting === "with" && !game.bets) || (betting === "without" && game.bets)) return false;
  if (phase && !game.phases.includes(phase)) return false;
  const name = byId("measure").value;
  const values = games.map((one) => (one.measures[name] || { mean: 0 }).mean).sort((a, b) => a - b);
  const least = values[Math.min(values.length - 1, Math.floor((byId("least").value / 100) * values.length))];
  return Number(byId("least").value) === 0 || (game.measures[name] || { mean: 0 }).mean >= least;
}

function filter() {
  let count = 0;
  games.forEach((game, at) => {
    const here = shown(game);
    count += here;
    buttons[at].classList.toggle("off", !here);
  });
  byId("count").textContent = `${count} of ${games.length} games`;
  list();
}

function list() {
  const name = byId("measure").value;
  const rows = games.filter(shown);
  rows.sort((a, b) => (b.measures[name] || { mean: 0 }).mean - (a.measures[name] || { mean: 0 }).mean);
  const body = byId("list");
  body.replaceChildren();
  for (const game of rows) {
    const row = element("tr");
    const cell = element("td", undefined, "text");
    cell.append(link(game));
    row.append(cell, element("td", figure((game.measures[name] || { mean: 0 }).mean)));
    row.append(element("td", String(game.players)), element("td", game.bets ? "yes" : ""), element("td", stars(game)));
    body.append(row);
  }
  byId("listed").textContent = label(name);
}

// --- what is shown beside the map

function link(game) {
  if (!game.page) return element("span", game.title);
  const made = element("a", game.title);
  made.href = game.page;
  return made;
}

function show(chosen) {
  panel.replaceChildren();
  if (!chosen.length) {
    panel.append(element("p", "Point at a cell to see its game; click to keep it here.", "soft"));
    return;
  }
  const heading = element("h2");
  chosen.forEach((game, at) => heading.append(...(at ? [" and "] : []), link(game)));
  panel.append(heading);
  for (const game of chosen) {
    panel.append(element("p", `${game.aim} ${stars(game)}`));
    panel.append(element("p", `${game.players} players · ${game.phases.join(", ")} · most like ${game.nearest}`, "soft"));
  }
  if (picked.length === 1) {
    const button = element("button", comparing ? "Now click another cell" : "Compare with another");
    button.id = "compare";
    button.addEventListener("click", () => {
      comparing = true;
      show(picked);
    });
    panel.append(button);
  }
  panel.append(table(chosen));
  if (chosen.length === 2) panel.append(...rules(chosen[0], chosen[1]));
}

function table(chosen) {
  const wide = element("div", undefined, "wide");
  const made = element("table");
  const head = element("tr");
  head.append(element("th", "measure"));
  for (const game of chosen) head.append(element("th", chosen.length > 1 ? game.title : "mean, and 95 % interval"));
  if (chosen.length > 1) head.append(element("th", "clear?"));
  made.append(head);
  for (const name of record.order) {
    const values = chosen.map((game) => game.measures[name]);
    if (values.some((value) => !value) || values.every((value) => !value.high && !value.mean)) continue;
    const row = element("tr");
    const first = element("td", label(name));
    first.title = record.meanings[name] || "";
    row.append(first);
    for (const value of values) {
      const cell = element("td", figure(value.mean));
      cell.append(element("small", range(value)));
      row.append(cell);
    }
    if (values.length > 1) {
      const apart = values[0].low > values[1].high || values[1].low > values[0].high;
      row.append(element("td", apart ? "yes" : "no"));
    }
    made.append(row);
  }
  wide.append(made);
  return wide;
}

function rules(one, two) {
  const parts = [];
  for (const [mine, theirs, whose] of [[one, two, one.title], [two, one, two.title]]) {
    const only = mine.rules.filter((rule) => !theirs.rules.includes(rule));
    parts.push(element("h3", only.length ? `Only in ${whose}` : `Nothing only in ${whose}`));
    const items = element("ul");
    for (const rule of only) items.append(element("li", rule));
    parts.push(items);
  }
  return parts;
}

for (const id of ["measure", "betting", "phase", "least"]) {
  byId(id).addEventListener("input", () => {
    colour();
    filter();
  });
}
colour();
filter();
show([]);
