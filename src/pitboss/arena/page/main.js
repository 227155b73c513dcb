/** The page as a whole: connection, pace, reducer and views, put together. */

import { put } from "./dom.js";
import { watch } from "./live.js";
import { logView } from "./log.js";
import { pacer } from "./pace.js";
import { show, start } from "./reducer.js";
import { inviteView, standingsView } from "./side.js";
import { tableView } from "./table.js";
import { chooser } from "./tables.js";
import { chips } from "./words.js";

const CATCH_UP = 400; // milliseconds after a connection opens in which the hand under way is sent from its start

const find = (selector) => document.querySelector(selector);
const views = [
  tableView(find("#felt")),
  logView(find("#log")),
  inviteView(find("#invite"), () => tables.several()),
  standingsView(find("#standings")),
  headView,
];

let state = start();
let drawing = 0;
let line = null;
let catchingUp = 0;

const pace = pacer((message) => {
  state = show(state, message);
  if (message.type === "table") tables.mark(message.table_id);
  drawing ||= requestAnimationFrame(render); // many messages, one picture
});
const tables = chooser(
  find("#tables"),
  (id) => {
    history.pushState(null, "", `?${new URLSearchParams({ table: id })}`);
    go();
  },
  render,
);

function render() {
  drawing = 0;
  for (const view of views) view(state);
}

/** What the head of the page says of the table. */
function headView({ table, hand }) {
  if (table === null) return;
  const { sb, bb, ante, bring_in: bringIn, move_time_ms: time, max_hands: most } = table.config;
  const number = hand?.number ?? null;
  const of = most === undefined || most === null ? "" : ` of ${chips(most)}`;
  put(find("#hand"), number === null ? table.id : `${table.id} · hand ${chips(number)}${of}`);
  const antes = ante > 0 ? `Ante ${chips(ante)} · ` : "";
  const blinds = bringIn > 0 ? `Bring-in ${chips(bringIn)}, small bet ${chips(bb)} · ` : `Blinds ${chips(sb)}/${chips(bb)} · `;
  put(find("#stakes"), `${bb > 0 ? antes + blinds : ""}${chips(time / 1000)} s a move`);
  document.title = `${number === null ? "" : `Hand ${chips(number)} · `}${table.id} · pitboss arena`;
}

// --- the connection

function go() {
  line?.close();
  pace.clear();
  state = start();
  render();
  const wanted = new URLSearchParams(location.search).get("table");
  if (wanted !== null) tables.mark(wanted);
  line = watch(wanted, {
    receive: pace.push,
    phase: (phase) => {
      clearTimeout(catchingUp);
      pace.setLive(true);
      if (phase.name === "live") catchingUp = setTimeout(() => pace.setLive(!isCalmPace()), CATCH_UP);
      connectionView(phase);
    },
  });
}

const PHASES = { connecting: "connecting", live: "live" };

function connectionView({ name, wait, reason }) {
  const node = find("#connection");
  node.dataset.phase = name;
  const why = reason === "" ? "" : ` (${reason})`;
  put(node.querySelector(".phase"), PHASES[name] ?? `connection lost${why}, next try in ${Math.ceil(wait / 1000)} s`);
  find("#retry").hidden = name !== "lost";
}

find("#retry").addEventListener("click", () => line.retry());
addEventListener("popstate", go);

// --- what the reader prefers

/** A button that is on or off, and stays so on this machine where the browser keeps such things. */
function preference(button, key, fallback, apply) {
  let on = (remembered(key) ?? fallback) === "on";
  const set = () => {
    button.setAttribute("aria-pressed", String(on));
    apply(on);
  };
  button.addEventListener("click", () => {
    on = !on;
    remember(key, on ? "on" : "off");
    set();
  });
  set();
}

function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // a browser that keeps nothing still shows the page
  }
}

function isCalmPace() {
  return find("#pace").getAttribute("aria-pressed") === "true";
}

preference(find("#deck"), "four-colours", "off", (on) => document.body.classList.toggle("four-colours", on));
preference(find("#pace"), "calm-pace", "on", (on) => pace.setLive(!on));
go();
