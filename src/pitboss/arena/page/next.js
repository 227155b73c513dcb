/** The way on from a match that is over: a link to another table, followed automatically if the reader is not active. */

import { writePlace } from "./address.js";
import { make, visible } from "./dom.js";

const LOOK = 5000; // milliseconds between two looks for another table
const STAY = 30; // seconds until the page goes there
const READING = ["pointerdown", "keydown", "wheel", "touchstart"];

/** Return a function that shows the link for a state; `page` knows the tables. */
export function nextView(node, page) {
  let over = null; // the table whose match is over
  let timer = 0;
  let reading = false;

  for (const name of READING) addEventListener(name, () => (reading = true), { passive: true });

  async function look() {
    const from = over;
    const tables = (await page.tables()).filter((table) => !table.over && table.table_id !== from);
    if (over === null || over !== from) return;
    const played = tables.filter((table) => table.players.length > 0); // at an empty table there is nothing to see
    const other = played.find((table) => table.free > 0) ?? played[0];
    if (other === undefined) timer = setTimeout(look, LOOK);
    else offer(other.table_id, STAY);
  }

  function offer(id, seconds) {
    const link = make("a", "", `table ${id}`);
    link.href = writePlace({ table: id });
    const when = reading ? "" : `, automatically in ${seconds} s`;
    node.replaceChildren("The match is over. Go on to ", link, when);
    visible(node, true);
    if (reading) return;
    if (seconds === 0) page.go({ table: id });
    else timer = setTimeout(() => offer(id, seconds - 1), 1000);
  }

  return ({ table, match }) => {
    const now = match === null ? null : table.id;
    if (now === over) return;
    over = now;
    clearTimeout(timer);
    reading = false;
    visible(node, false);
    if (over !== null) look();
  };
}
