/** What stands beside the table: where to point a bot while seats are free, and the standings at the end of a match. */

import { make, nameTag, put, visible } from "./dom.js";
import { botAddress } from "./live.js";
import { chips } from "./words.js";

/** A function that shows a state's invitation to bots; `several()` tells whether there are other tables too. */
export function inviteView(node, several) {
  const [summary, address, command] = ["summary", ".address", ".command"].map((name) => node.querySelector(name));
  for (const row of node.querySelectorAll(".copyable")) copying(row);
  let touched = false;
  summary.addEventListener("click", () => {
    touched = true;
  });
  return (state) => {
    const free = state.seats.filter((seat) => seat.team === null && !seat.dealt).length;
    visible(node, free > 0 && state.match === null && state.table !== null);
    if (node.hidden) return;
    const url = botAddress(state.table.id, several());
    put(summary, free === 1 ? "One seat is free: point a bot here" : `${free} seats are free: point a bot here`);
    put(address, url);
    put(command, `pitboss arena join mybot.py ${url}`);
    const open = state.hand === null; // once a hand is played, the log needs the room
    if (!touched && node.open !== open) node.open = open;
  };
}

/** Let a row's button copy the row's text. */
function copying(row) {
  const button = row.querySelector("button");
  const text = row.querySelector("code");
  button.addEventListener("click", async () => {
    put(button, (await copied(text)) ? "Copied" : "Selected");
    setTimeout(() => put(button, "Copy"), 2000);
  });
}

/** Copy a node's text; where the browser does not allow it (a page without TLS), select it for the reader to copy. */
async function copied(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(node);
    return false;
  }
}

/** A function that shows the standings. */
export function standingsView(node) {
  let shown = null;
  return ({ match }) => {
    if (match === shown) return;
    shown = match;
    visible(node, match !== null);
    const teams = match?.standings ?? [];
    node.querySelector("tbody").replaceChildren(...teams.map((team) => row(team, placeOf(team, teams))));
  };
}

/** Teams with equal chips share a place. */
function placeOf({ stack }, teams) {
  return 1 + teams.filter((other) => other.stack > stack).length;
}

function row({ seat, team, stack }, place) {
  const number = make("td", "place", String(place));
  return make("tr", "", number, make("td", "", nameTag(`name c${seat}`, team)), make("td", "amount", chips(stack)));
}
