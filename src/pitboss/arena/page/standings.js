/** The standings next to the table: the order of the teams during the match, and the final places. */

import { make, nameTag, put, visible } from "./dom.js";
import { isPoker } from "./layout.js";
import { gain } from "./reducer.js";
import { chips as inFull, shortChips, signed } from "./words.js";

/** Return a function that shows a state's standings in a table of the page. */
export function standingsView(node) {
  const [heading, body] = [node.querySelector("h2"), node.querySelector("tbody")];
  return (state) => {
    const rows = standings(state);
    visible(node, state.hand !== null && rows.length > 0);
    const cash = state.table?.config.cash === true;
    put(heading, cash ? "Won and lost" : state.match === null ? "Standings" : "Final standings");
    const key = JSON.stringify([rows, state.match !== null]);
    if (body.dataset.key === key) return;
    body.dataset.key = key;
    const most = Math.max(1, ...rows.map((row) => row.chips));
    node.classList.toggle("plain", !isPoker(state.table)); // totals are near each other: no bars
    body.replaceChildren(...rows.map((row) => rowNode(row, most, state.match !== null)));
  };
}

/** Return a team's row. A team that is out has no place before the match is over, since others may be out later. */
function rowNode({ seat, team, chips: stack, place, gone = false, won = null }, most, over) {
  const bar = make("span", "share");
  bar.style.setProperty("--part", (stack / most).toFixed(3));
  bar.setAttribute("aria-hidden", "true");
  const amount = make("td", "amount", won === null ? shortChips(stack) : signed(won));
  if (won !== null) amount.title = `${inFull(stack)} chips`;
  return make(
    "tr",
    `c${seat}${stack === 0 && !over ? " out" : gone ? " gone" : ""}`,
    make("td", "place", stack === 0 && !over ? "out" : String(place)),
    make("td", "", nameTag("name", team), bar),
    amount,
  );
}

/**
 * Return the teams from the most chips to the fewest, `{ seat, team, chips, place, gone, won }`; equal chips share a place.
 * At a cash table the order is by what they have won. `won` is null in a match of poker.
 */
export function standings(state) {
  if (state.match !== null) return finalStandings(state, state.match.standings);
  const begun = new Map(state.hand?.over === false ? state.hand.begun.map(({ seat, stack }) => [seat, stack]) : []);
  const rows = state.seats
    .filter((seat) => seat.team !== null)
    .map((seat) => {
      const stack = begun.get(seat.seat) ?? seat.stack;
      const gone = !seat.connected || seat.away || seat.intent > 0;
      return { seat: seat.seat, team: seat.team, chips: stack, gone, won: gain(state, seat, stack) };
    });
  return ranked(rows);
}

/** Return the final standings, with the places in the message, or places by chips if it has none. */
function finalStandings(state, rows) {
  const named = rows.map(({ seat, team, stack, place }) => ({ seat, team, chips: stack, place, won: gain(state, {}, stack) }));
  return named.every(({ place }) => place !== undefined) ? named.toSorted((a, b) => a.place - b.place) : ranked(named);
}

function ranked(rows) {
  const worth = ({ chips, won = null }) => won ?? chips;
  const place = (row) => 1 + rows.filter((other) => worth(other) > worth(row)).length;
  return rows.map((row) => ({ ...row, place: place(row) })).sort((a, b) => a.place - b.place || a.seat - b.seat);
}

/** Return a place as an ordinal: 1st, 2nd, 3rd, 4th. */
export function ordinal(place) {
  const [tens, ones] = [Math.floor(place / 10) % 10, place % 10];
  return `${place}${tens === 1 ? "th" : (["th", "st", "nd", "rd"][ones] ?? "th")}`;
}
