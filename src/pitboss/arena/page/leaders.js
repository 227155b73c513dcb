/** Who leads: everybody at a table with chips and place, from what the last finished hand left behind. */

/** Teams from the most chips down, `{ seat, team, chips, place }`; equal chips share a place. */
export function standings(state) {
  if (state.match !== null) return finalStandings(state.match.standings);
  const begun = new Map(state.hand?.over === false ? state.hand.begun.map(({ seat, stack }) => [seat, stack]) : []);
  const rows = state.seats
    .filter((seat) => seat.team !== null)
    .map(({ seat, team, stack }) => ({ seat, team, chips: begun.get(seat) ?? stack }));
  return ranked(rows);
}

/** The end of a match: places as the table says them, by chips where it does not. */
function finalStandings(rows) {
  const named = rows.map(({ seat, team, stack, place }) => ({ seat, team, chips: stack, place }));
  return named.every(({ place }) => place !== undefined) ? named.toSorted((a, b) => a.place - b.place) : ranked(named);
}

function ranked(rows) {
  const place = ({ chips }) => 1 + rows.filter((other) => other.chips > chips).length;
  return rows.map((row) => ({ ...row, place: place(row) })).sort((a, b) => a.place - b.place || a.seat - b.seat);
}

/** Places as one says them: 1st, 2nd, 3rd, 4th. */
export function ordinal(place) {
  const [tens, ones] = [Math.floor(place / 10) % 10, place % 10];
  return `${place}${tens === 1 ? "th" : (["th", "st", "nd", "rd"][ones] ?? "th")}`;
}
