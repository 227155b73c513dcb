/** The list of tables to choose from, where there are several. */

import { make, visible } from "./dom.js";

const AGAIN = 20_000; // milliseconds until the list is asked for again

/**
 * Fill the chooser and keep it up to date; `choose(id)` is called with the table one picks, and `changed()` when there
 * turn out to be several tables, or one.
 */
export function chooser(node, choose, changed) {
  const select = node.querySelector("select");
  let current = null;
  let labels = "";
  let several = false;

  async function refresh() {
    if (!document.hidden) show(await fetchTables());
    setTimeout(refresh, AGAIN);
  }

  function show(tables) {
    const lost = current !== null && !tables.some((table) => table.table_id === current);
    visible(node, tables.length > 1 || (tables.length === 1 && lost));
    const fresh = JSON.stringify(tables.map(label));
    if (fresh !== labels && document.activeElement !== select) {
      labels = fresh;
      select.replaceChildren(...tables.map(option));
    }
    if (current !== null) select.value = current;
    if (several !== tables.length > 1) {
      several = !several;
      changed();
    }
  }

  select.addEventListener("change", () => choose(select.value));
  refresh();
  return {
    /** Whether there are several tables. */
    several: () => several,
    /** Mark the table that is shown. */
    mark(id) {
      current = id;
      select.value = id;
    },
  };
}

async function fetchTables() {
  try {
    const answer = await fetch(new URL("api/tables", document.baseURI));
    return answer.ok ? await answer.json() : [];
  } catch {
    return []; // the connection's own state says that the server is away
  }
}

function label({ table_id: id, players, config, hand_id: hand }) {
  const number = /(\d+)$/.exec(hand ?? "");
  return `${id} · ${players.length}/${config.seats}${number === null ? "" : ` · hand ${Number(number[1])}`}`;
}

function option(table) {
  const node = make("option", "", label(table));
  node.value = table.table_id;
  return node;
}
