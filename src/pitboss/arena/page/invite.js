/** How to take a free seat: commands to copy, and the address for bots in other languages. */

import { put, visible } from "./dom.js";
import { botAddress } from "./live.js";
import { freeSeats } from "./reducer.js";

/** Return a function that shows the invitation for a state; `page` knows the arena and its tables. */
export function inviteView(node, page) {
  const [summary, address] = ["summary", ".address"].map((name) => node.querySelector(name));
  const [make, join] = node.querySelectorAll(".command");
  for (const row of node.querySelectorAll(".copyable")) copying(row);
  let touched = false;
  summary.addEventListener("click", () => {
    touched = true;
  });
  return (state) => {
    const { free, listed } = room(state, page.summary(state.table?.id));
    visible(node, free > 0 && state.match === null && state.table !== null);
    if (node.hidden) return;
    const { command, bots } = page.arena();
    const url = bots === undefined ? botAddress(state.table.id, page.several()) : withTable(bots, state.table.id, page.several());
    const seats = free === 1 ? "One seat is free" : `${free} seats are free`;
    put(summary, listed ? `${seats} for teams on the organiser's list` : `${seats}: take one`);
    put(address, url);
    put(make, `${command} arena new my_bot.py`);
    put(join, `${command} arena join my_bot.py ${url.includes("?") ? `'${url}'` : url}`); // quoted: some shells expand a ?
    const open = state.hand === null; // once a hand is played, the log needs the room
    if (!touched && node.open !== open) node.open = open;
  };
}

/** Return the number of free seats, and whether they are only for listed teams: from the arena's list, else from the table. */
function room(state, summary) {
  if (summary?.free !== undefined) return { free: summary.over ? 0 : Math.min(summary.free, chairs(state)), listed: !summary.open };
  return { free: chairs(state), listed: false };
}

function chairs(state) {
  return freeSeats(state).length;
}

/** Return the address for bots, with the table if there are several. */
function withTable(bots, table, several) {
  return table === "T-1" && !several ? bots : `${bots}?${new URLSearchParams({ table })}`;
}

/** Make a row's button copy the row's text. */
function copying(row) {
  const button = row.querySelector("button");
  const text = row.querySelector("code");
  button.addEventListener("click", async () => {
    put(button, (await copied(text)) ? "Copied" : "Selected");
    setTimeout(() => put(button, "Copy"), 2000);
  });
}

/** Copy a node's text; where the browser forbids that (a page without TLS), select it so that the reader can copy it. */
async function copied(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(node);
    return false;
  }
}
