/** The standings beside the table: who leads while the match goes on, and who came where when it is over. */

import { make, nameTag, put, visible } from "./dom.js";
import { standings } from "./leaders.js";
import { shortChips } from "./words.js";

/** A function that shows a state's standings in a table of the page. */
export function standingsView(node) {
  const [heading, body] = [node.querySelector("h2"), node.querySelector("tbody")];
  return (state) => {
    const rows = standings(state);
    visible(node, state.hand !== null && rows.length > 0);
    put(heading, state.match === null ? "Who leads" : "Final standings");
    const key = JSON.stringify([rows, state.match !== null]);
    if (body.dataset.key === key) return;
    body.dataset.key = key;
    const most = Math.max(1, ...rows.map((row) => row.chips));
    body.replaceChildren(...rows.map((row) => rowNode(row, most, state.match !== null)));
  };
}

/** Who is out has no place before the match is over: how many others will be is not known yet. */
function rowNode({ seat, team, chips: stack, place }, most, over) {
  const bar = make("span", "share");
  bar.style.setProperty("--part", (stack / most).toFixed(3));
  bar.setAttribute("aria-hidden", "true");
  const node = make(
    "tr",
    stack === 0 && !over ? `c${seat} out` : `c${seat}`,
    make("td", "place", stack === 0 && !over ? "out" : String(place)),
    make("td", "", nameTag("name", team), bar),
    make("td", "amount", shortChips(stack)),
  );
  return node;
}
