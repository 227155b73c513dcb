/** The arena's list of tables: a menu to choose one, and the list for other modules. */

import { make, visible } from "./dom.js";

const AGAIN = 20_000; // milliseconds until the list is fetched again
const MANY = 50; // tables; with more than this, the lobby is used to choose

/** Fill the menu and keep it up to date; calls `choose(id)` with a chosen table, and `changed()` when the list has arrived. */
export function chooser(node, choose, changed) {
  const select = node.querySelector("select");
  let current = null;
  let labels = "";
  let list = [];
  let timer = 0;

  async function refresh() {
    clearTimeout(timer);
    if (!document.hidden) show(await ask("api/tables", []));
    timer = setTimeout(refresh, AGAIN);
    return list;
  }

  function show(tables) {
    const lost = current !== null && !tables.some((table) => table.table_id === current);
    visible(node, tables.length <= MANY && (tables.length > 1 || (tables.length === 1 && lost)));
    const fresh = JSON.stringify(tables.slice(0, MANY).map(label));
    if (fresh !== labels && document.activeElement !== select) {
      labels = fresh;
      select.replaceChildren(...tables.slice(0, MANY).map(option));
    }
    if (current !== null) select.value = current;
    document.body.classList.toggle("several", !node.hidden);
    list = tables;
    changed();
  }

  select.addEventListener("change", () => choose(select.value));
  refresh();
  return {
    /** Return whether there are several tables. */
    several: () => list.length > 1,
    /** Return a table's entry in the list, undefined if it has none or the list has not arrived. */
    find: (id) => list.find((table) => table.table_id === id),
    /** Fetch the list now. */
    refresh,
    /** Mark the table that is shown. */
    mark(id) {
      current = id;
      select.value = id;
    },
  };
}

/** Return an answer of the arena as JSON, or the given value if there is none. */
export async function ask(path, otherwise) {
  try {
    const answer = await fetch(new URL(path, document.baseURI));
    return answer.ok ? await answer.json() : otherwise;
  } catch {
    return otherwise; // the state of the connection shows that the server is away
  }
}

/** Return the rules of a table's game in English, or null if there are none. */
export async function findRules(table) {
  return (await ask(`api/tables/${encodeURIComponent(table)}`, null))?.rules ?? null;
}

/** Send a player's rating of a table's game, `{ team, code, stars, word }`; return null, or a sentence if it was refused. */
export async function rate(table, rating) {
  try {
    const address = new URL(`api/tables/${encodeURIComponent(table)}/ratings`, document.baseURI);
    const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(rating) });
    return answer.ok ? null : `Not stored: ${(await answer.text()) || "the server refused it"}`;
  } catch {
    return "The server does not answer. Try again in a moment.";
  }
}

/** Return the number of a table's hand, null before the first. */
export function handNumber({ hand_id: hand }) {
  const number = /(\d+)$/.exec(hand ?? "");
  return number === null ? null : Number(number[1]);
}

function label({ table_id: id, players, config, over }) {
  return `${id} · ${players.length}/${config.seats}${over ? " · over" : ""}`;
}

function option(table) {
  const node = make("option", "", label(table));
  node.value = table.table_id;
  return node;
}
