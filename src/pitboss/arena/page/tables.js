/** The arena's tables as its list says them: a chooser where there are a few, and the list for whoever asks. */

import { make, visible } from "./dom.js";

const AGAIN = 20_000; // milliseconds until the list is asked for again
const MANY = 50; // tables; from here on the lobby is the place to choose

/**
 * Fill the chooser and keep it up to date; `choose(id)` is called with the table one picks, and `changed()` when
 * something of the list may matter to who looks at a table.
 */
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
    list = tables;
    changed();
  }

  select.addEventListener("change", () => choose(select.value));
  refresh();
  return {
    /** Whether there are several tables. */
    several: () => list.length > 1,
    /** A table's entry in the list, undefined where it has none or the list has not come. */
    find: (id) => list.find((table) => table.table_id === id),
    /** The list as it is now. */
    refresh,
    /** Mark the table that is shown. */
    mark(id) {
      current = id;
      select.value = id;
    },
  };
}

/** An answer of the arena as JSON, or what is given where there is none. */
export async function ask(path, otherwise) {
  try {
    const answer = await fetch(new URL(path, document.baseURI));
    return answer.ok ? await answer.json() : otherwise;
  } catch {
    return otherwise; // the connection's own state says that the server is away
  }
}

/** The number of a table's hand, null before the first. */
export function handNumber({ hand_id: hand }) {
  const number = /(\d+)$/.exec(hand ?? "");
  return number === null ? null : Number(number[1]);
}

function label(table) {
  const { table_id: id, players, config } = table;
  const number = handNumber(table);
  const at = table.over ? " · over" : number === null ? "" : ` · hand ${number}`;
  return `${id} · ${players.length}/${config.seats}${at}`;
}

function option(table) {
  const node = make("option", "", label(table));
  node.value = table.table_id;
  return node;
}
