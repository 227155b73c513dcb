/**
 * The page as a whole: its views, the address that says which is shown, and what the head of the page says of it.
 *
 * A view is a module in views/ with `open(node, page)`, called once, when it is first wanted. It gives back
 * `show(place)`, which shows what an address names, and is called again when that changes; `close()`, when another view
 * is shown; and, where it wants to, `refresh()`, when there turn out to be several tables or one.
 */

import { readPlace, VIEWS, writePlace } from "./address.js";
import { make, put } from "./dom.js";
import { preference } from "./preferences.js";
import { ask, chooser } from "./tables.js";

const find = (selector) => document.querySelector(selector);
const links = new Map([...VIEWS].map(([view, words]) => [view, linkTo(view, words)]));
const opened = {}; // views that were wanted, by name
const loading = {}; // and what says when they are there
let current = null; // the name of the one that is shown
let line = null; // the connection whose state the head shows
let table = null; // the table that links lead to
let arena = { command: "pitboss" };

find("#views").append(...links.values());
find("#views").hidden = links.size < 2;

function linkTo(view, words) {
  const link = make("a", "", words);
  link.href = writePlace({ view });
  return link;
}

/** What views may ask of the page. */
const page = {
  /** Show another place, as a link would. */
  go(place) {
    history.pushState(null, "", writePlace(place));
    arrive();
  },
  /** Let the address name a place that is shown already. */
  stay: (place) => history.replaceState(null, "", writePlace(place)),
  /** Whether there are several tables. */
  several: () => tables.several(),
  /** A table's entry in the arena's list, undefined until it is known. */
  summary: (id) => tables.find(id),
  /** All tables as they are now. */
  tables: () => tables.refresh(),
  /** What the arena says of itself: `command`, `bots`, `keep_open`; the least of it until it has. */
  arena: () => arena,
  /** Say at which table one is. */
  atTable(id) {
    table = id;
    tables.mark(id);
    for (const [view, link] of links) link.href = writePlace({ view, table });
  },
  /** Say what the window is named after. */
  title(words) {
    document.title = `${words} · pitboss arena`;
  },
  /** Say how the connection is, `{ name, wait, reason }`; `retry` of the line is called on demand. */
  connection({ name, wait, reason }, of) {
    line = of;
    const node = find("#connection");
    node.dataset.phase = name;
    const why = reason === "" ? "" : ` (${reason})`;
    put(node.querySelector(".phase"), PHASES[name] ?? `connection lost${why}, next try in ${Math.ceil(wait / 1000)} s`);
    find("#retry").hidden = name !== "lost";
  },
};
const PHASES = { connecting: "connecting", live: "live" };

const tables = chooser(
  find("#tables"),
  (id) => page.go({ view: current, table: id }),
  () => opened[current]?.refresh?.(),
);

/** Load a view and open it in its element; where that fails it is tried anew when it is next wanted. */
async function load(view) {
  try {
    opened[view] = (await import(`./views/${view}.js`)).open(find(`#${view}-view`), page);
  } catch (error) {
    delete loading[view];
    throw error;
  }
}

/** Show what the address names. */
async function arrive() {
  const place = readPlace(location.search);
  const { view } = place;
  if (place.table !== null) page.atTable(place.table);
  if (current !== view) opened[current]?.close();
  current = view;
  document.body.dataset.view = view;
  for (const [name, link] of links) {
    find(`#${name}-view`).hidden = name !== view;
    if (name === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  loading[view] ??= load(view); // once, however often it is wanted meanwhile
  await loading[view];
  if (current === view) opened[view].show(place); // while it was loaded one may have gone on
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (link === null || !plain || link.target !== "" || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname !== new URL("./", document.baseURI).pathname) return;
  event.preventDefault();
  history.pushState(null, "", url);
  arrive();
});
find("#retry").addEventListener("click", () => line?.retry());
addEventListener("popstate", arrive);
const light = matchMedia("(prefers-color-scheme: light)").matches ? "on" : "off";
preference(find("#theme"), "light", light, (on) => {
  document.documentElement.dataset.theme = on ? "light" : "dark";
});
ask("api/arena", arena).then((answer) => {
  arena = answer;
  opened[current]?.refresh?.();
});
preference(find("#deck"), "four-colours", "off", (on) => document.body.classList.toggle("four-colours", on));
arrive();
