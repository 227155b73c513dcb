/** The standings next to the table: the order of the teams during the match, and the final places. */

import { make, nameTag, put, visible } from "./dom.js";
import { shortChips } from "./words.js";

/** Return a function that shows a state's standings in a table of the page. */
export function standingsView(node) {
  const [heading, body] = [node.querySelector("h2"), node.querySelector("tbody")];
  return (state) => {
    const rows = standings(state);
    visible(node, state.hand !== null && rows.length > 0);
    put(heading, state.match === null ? "Standings" : "Final standings");
    const key = JSON.stringify([rows, state.match !== null]);
    if (body.dataset.key === key) return;
    body.dataset.key = key;
    const most = Math.max(1, ...rows.map((row) => row.chips));
    body.replaceChildren(...rows.map((row) => rowNode(row, most, state.match !== null)));
  };
}

/** Return a team's row. A team that is out has no place before the match is over, since others may be out later. */
function rowNode({ seat, team, chips: stack, place, gone = false }, most, over) {
  const bar = make("span", "share");
  bar.style.setProperty("--part", (stack / most).toFixed(3));
  bar.setAttribute("aria-hidden", "true");
  return make(
    "tr",
    `c${seat}${stack === 0 && !over ? " out" : gone ? " gone" : ""}`,
    make("td", "place", stack === 0 && !over ? "out" : String(place)),
    make("td", "", nameTag("name", team), bar),
    make("td", "amount", shortChips(stack)),
  );
}

/** Return the teams from the most chips to the fewest, `{ seat, team, chips, place, gone }`; equal chips share a place. */
export function standings(state) {
  if (state.match !== null) return finalStandings(state.match.standings);
  const begun = new Map(state.hand?.over === false ? state.hand.begun.map(({ seat, stack }) => [seat, stack]) : []);
  const rows = state.seats
    .filter((seat) => seat.team !== null)
    .map(({ seat, team, stack, connected, away }) => ({ seat, team, chips: begun.get(seat) ?? stack, gone: !connected || away }));
  return ranked(rows);
}

/** Return the final standings, with the places in the message, or places by chips if it has none. */
function finalStandings(rows) {
  const named = rows.map(({ seat, team, stack, place }) => ({ seat, team, chips: stack, place }));
  return named.every(({ place }) => place !== undefined) ? named.toSorted((a, b) => a.place - b.place) : ranked(named);
}

function ranked(rows) {
  const place = ({ chips }) => 1 + rows.filter((other) => other.chips > chips).length;
  return rows.map((row) => ({ ...row, place: place(row) })).sort((a, b) => a.place - b.place || a.seat - b.seat);
}

/** Return a place as an ordinal: 1st, 2nd, 3rd, 4th. */
export function ordinal(place) {
  const [tens, ones] = [Math.floor(place / 10) % 10, place % 10];
  return `${place}${tens === 1 ? "th" : (["th", "st", "nd", "rd"][ones] ?? "th")}`;
}
