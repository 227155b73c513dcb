/** The lobby: a card for each table with its players, missing teams and a chart of the match. */

import { writePlace } from "../address.js";
import { chart } from "../chart.js";
import { make, nameTag, put, visible } from "../dom.js";
import { ask, handNumber } from "../tables.js";
import { isPoker } from "../layout.js";
import { chips, shortChips, signed } from "../words.js";

const OFTEN = 2000; // milliseconds between two looks at the tables
const SELDOM = 10_000; // the same for more than MANY tables
const MANY = 200;
const PAGE = 48; // tables shown before the reader asks for more
const CHART_AGAIN = 15_000; // milliseconds until a chart is drawn again

/** Open the view in its element; see main.js. */
export function open(node, page) {
  const head = make("h2", "lobby-head", "Tables");
  const search = make("input");
  [search.type, search.placeholder] = ["search", "a team or a table"];
  const finding = make("label", "find", "Find ", search);
  const list = make("ul", "cards-of-tables");
  const none = make("p", "note", "Looking for tables…");
  const more = make("button", "more", "Show more");
  more.type = "button";
  node.append(make("div", "lobby-bar", head, finding), none, list, more);

  const cards = new Map(); // by table
  let tables = [];
  let most = PAGE;
  let timer = 0;
  let charting = false;

  const inSight = new Set();
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inSight.add(target.dataset.table);
      else inSight.delete(target.dataset.table);
    }
    drawCharts();
  });

  search.addEventListener("input", () => {
    most = PAGE;
    render();
  });
  more.addEventListener("click", () => {
    most += 4 * PAGE;
    render();
  });

  async function look() {
    clearTimeout(timer);
    timer = -1;
    const found = document.hidden ? tables : await ask("api/tables", null);
    if (timer !== -1) return; // the view was closed meanwhile
    const name = found === null ? "lost" : "live";
    page.connection({ name, wait: OFTEN, reason: "" }, { retry: look });
    if (found !== null) tables = found.toSorted(byInterest);
    render();
    timer = setTimeout(look, tables.length > MANY ? SELDOM : OFTEN);
    drawCharts();
  }

  function render() {
    const wanted = search.value.trim().toLowerCase();
    const found = wanted === "" ? tables : tables.filter((table) => isFound(table, wanted));
    const shown = found.slice(0, most);
    put(head, `${chips(tables.length)} ${tables.length === 1 ? "table" : "tables"}${states(tables)}`);
    visible(finding, tables.length > 6);
    visible(none, shown.length === 0);
    put(none, tables.length === 0 ? "No table is open." : "No table or team has this name.");
    visible(more, found.length > most);
    put(more, `Show more of ${chips(found.length)}`);
    const names = new Set(shown.map((table) => table.table_id));
    for (const [id, card] of cards) {
      if (names.has(id)) continue;
      sight.unobserve(card.node);
      inSight.delete(id);
      cards.delete(id);
    }
    for (const table of shown) cardOf(table).update(table);
    const nodes = shown.map((table) => cards.get(table.table_id).node);
    if (nodes.length !== list.children.length || nodes.some((one, k) => list.children[k] !== one)) list.replaceChildren(...nodes);
  }

  function cardOf({ table_id: id }) {
    const known = cards.get(id);
    if (known !== undefined) return known;
    const card = tableCard(id);
    cards.set(id, card);
    sight.observe(card.node);
    return card;
  }

  /** Draw the charts in view that are old, one after another. */
  async function drawCharts() {
    if (charting) return;
    charting = true;
    for (const id of [...inSight]) {
      const card = cards.get(id);
      if (card?.isChartOld()) await card.drawChart();
    }
    charting = false;
  }

  return {
    show() {
      page.title("Tables");
      page.connection({ name: "connecting", wait: 0, reason: "" }, null);
      look();
    },
    close() {
      clearTimeout(timer);
      timer = 0;
    },
  };
}

const STATES = ["running", "waiting", "over"];

function rank(table) {
  return table.over ? 2 : table.hand_id === null && table.phase !== null ? 1 : 0;
}

/** Return how many tables are in each state, such as ": 1 running, 1 over". */
function states(tables) {
  const counts = STATES.map((name, k) => [tables.filter((table) => rank(table) === k).length, name]);
  const parts = counts.filter(([count]) => count > 0).map(([count, name]) => `${chips(count)} ${name}`);
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

/** Order tables: running, then waiting, then over with the newest first. */
function byInterest(a, b) {
  return rank(a) - rank(b) || (rank(a) === 2 ? -1 : 1) * a.table_id.localeCompare(b.table_id, "en", { numeric: true });
}

function isFound({ table_id: id, players, missing = [] }, wanted) {
  return [id, ...players.map(({ team }) => team), ...missing].some((name) => name.toLowerCase().includes(wanted));
}

/** Return a table's card: its element, and functions that update it. */
function tableCard(id) {
  const link = make("a", "table-name", id);
  link.href = writePlace({ table: id });
  const state = make("span", "state");
  const seats = make("ol", "few-seats");
  const picture = make("div", "picture");
  const missing = make("p", "missing");
  const node = make("li", "table-card", make("div", "head", link, state), seats, picture, missing);
  node.dataset.table = id;
  let shown = "";
  let players = [];
  let drawn = { at: -Infinity, hand: null };
  let current = null;

  function update(table) {
    current = table;
    const key = JSON.stringify([table.players, table.hand_id, table.over, table.free, table.missing]);
    if (key === shown) return;
    shown = key;
    players = table.players;
    node.classList.toggle("over", table.over);
    put(state, stateOf(table));
    const most = Math.max(1, ...players.map(({ stack }) => stack));
    const begun = isPoker(table) ? null : table.config.starting_stack;
    node.classList.toggle("plain", begun !== null);
    const of = { most, over: table.over, begun };
    seats.replaceChildren(...players.toSorted((a, b) => b.stack - a.stack).map((player) => seatRow(player, of)));
    const absent = missingOf(table);
    visible(missing, absent !== "");
    put(missing, absent);
  }

  async function drawChart() {
    const history = await ask(`api/tables/${encodeURIComponent(id)}/history`, null);
    drawn = { at: performance.now(), hand: current.hand_id };
    if (history === null || history.hands.length < 2) return;
    picture.replaceChildren(chart(history, (seat) => players.find((player) => player.seat === seat)?.team ?? `Seat ${seat}`));
  }

  function isChartOld() {
    if (current === null || current.hand_id === drawn.hand) return current?.hand_id === null && drawn.at === -Infinity;
    return performance.now() - drawn.at > CHART_AGAIN;
  }

  return { node, update, drawChart, isChartOld };
}

/** Return a player's row; `begun` are the chips that each began with in a game other than poker, else null. */
function seatRow({ seat, team, stack, connected, away }, { most, over, begun }) {
  const bar = make("span", "share");
  bar.style.setProperty("--part", (stack / most).toFixed(3));
  const state = stack === 0 ? " out" : !over && (!connected || away) ? " gone" : "";
  return make("li", `c${seat}${state}`, nameTag("name", team), make("span", "amount", stack === 0 ? "out" : begun === null ? shortChips(stack) : signed(stack - begun)), bar);
}

function stateOf(table) {
  const { config } = table;
  const number = handNumber(table);
  const game = isPoker(table) ? "" : `${config.variant.replaceAll("_", " ")} · `;
  return `${game}${stage(table, number)}`;
}

function stage({ over, players, config, free = 0, open }, number) {
  if (over) return "over";
  const seats = free > 0 && open ? ` · ${free} free` : "";
  if (number === null) return players.length === 0 ? `empty${seats}` : `${players.length} of ${config.seats} seats taken${seats}`;
  return `hand ${chips(number)}${config.max_hands ? ` of ${chips(config.max_hands)}` : ""}${seats}`;
}

/** Return the missing teams: listed but not come, disconnected, or away. */
function missingOf({ over, players, missing = [] }) {
  if (over) return "";
  const still = players.filter(({ stack }) => stack > 0);
  const absent = [
    ...missing.map((team) => `${team} (not come)`),
    ...still.filter(({ connected, away }) => !connected && !away).map(({ team }) => `${team} (disconnected)`),
    ...still.filter(({ away }) => away).map(({ team }) => `${team} (away)`),
  ];
  return absent.length === 0 ? "" : `Missing: ${absent.join(", ")}`;
}
