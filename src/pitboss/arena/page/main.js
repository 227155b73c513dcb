/**
 * The page: its views, the address that selects one, and the header.
 *
 * A view is a module in views/ with `open(node, page)`, called once, when the view is first needed. It returns
 * `show(place)`, which shows a place and is called again when the address changes; `close()`, called when another view is
 * shown; and optionally `refresh()`, called when the list of tables has changed.
 */

import { readPlace, VIEWS, writePlace } from "./address.js";
import { make, put } from "./dom.js";
import { preference } from "./preferences.js";
import { ask, chooser } from "./tables.js";

const find = (selector) => document.querySelector(selector);
const links = new Map([...VIEWS].map(([view, words]) => [view, linkTo(view, words)]));
const opened = {}; // opened views by name
const loading = {}; // promises of views that are loading
let current = null; // the name of the view that is shown
let line = null; // the connection whose state the header shows
let table = null; // the table that the links lead to
let arena = { command: "pitboss" };

find("#views").append(...links.values());
find("#views").hidden = links.size < 2;

function linkTo(view, words) {
  const link = make("a", "", words);
  link.href = writePlace({ view });
  return link;
}

/** What a view can use of the page. */
const page = {
  /** Go to another place, as a link does. */
  go(place) {
    history.pushState(null, "", writePlace(place));
    arrive();
  },
  /** Set the address to a place that is already shown. */
  stay: (place) => history.replaceState(null, "", writePlace(place)),
  /** Return whether there are several tables. */
  several: () => tables.several(),
  /** Return a table's entry in the arena's list, undefined until it is known. */
  summary: (id) => tables.find(id),
  /** Fetch the list of tables. */
  tables: () => tables.refresh(),
  /** Return the arena's description: `command`, `bots`, `keep_open`, `ratings`; only `command` until it has arrived. */
  arena: () => arena,
  /** Set the table that is shown. */
  atTable(id) {
    table = id;
    tables.mark(id);
    for (const [view, link] of links) link.href = writePlace({ view, table });
  },
  /** Set the window's title from its parts; empty parts are left out. */
  title(...parts) {
    document.title = [...parts, "pitboss arena"].filter((part) => part !== "").join(" · ");
  },
  /** Show the state of the connection; `of.retry` is called when the reader chooses to try again. */
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

/** Load a view and open it in its element; after a failure it is tried again when the view is next needed. */
async function load(view) {
  try {
    opened[view] = (await import(`./views/${view}.js`)).open(find(`#${view}-view`), page);
  } catch (error) {
    delete loading[view];
    throw error;
  }
}

/** Show the place in the address. */
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
  loading[view] ??= load(view);
  await loading[view];
  if (current === view) opened[view].show(place); // another view may have been chosen meanwhile
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
  put(find("#theme"), on ? "Dark mode" : "Light mode");
});
ask("api/arena", arena).then((answer) => {
  arena = answer;
  opened[current]?.refresh?.();
});
preference(find("#deck"), "four-colours", "off", (on) => document.body.classList.toggle("four-colours", on));
arrive();
