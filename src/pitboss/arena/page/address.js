/** Where on the page one is: the view, the table, and in a replay the hand and the position, as the address says it. */

/** The views there are and what links to them say, the one of a plain address first. */
export const VIEWS = new Map([
  ["table", "Table"],
  ["lobby", "Lobby"],
  ["replay", "Replay"],
  ["play", "Play"],
  ["teams", "Teams"],
]);

const [PLAIN] = VIEWS.keys();

/**
 * The place that an address's query names: `{ view, table, hand, at }`, null where it says nothing. A hand is named by its
 * number or its id, which ends with it; it is NaN where it is named otherwise.
 */
export function readPlace(search) {
  const given = new URLSearchParams(search);
  const view = given.get("view");
  return {
    view: VIEWS.has(view) ? view : PLAIN,
    table: given.get("table"),
    hand: handNumber(given.get("hand")),
    at: wholeNumber(given.get("at")),
  };
}

/** The query that names a place. */
export function writePlace({ view = PLAIN, table = null, hand = null, at = null }) {
  const said = Object.entries({ view: view === PLAIN ? null : view, table, hand, at });
  const query = new URLSearchParams(said.filter(([, value]) => value !== null)).toString();
  return query === "" ? "./" : `?${query}`;
}

function handNumber(text) {
  if (text === null) return null;
  return wholeNumber(/^(?:H-[\d-]*-)?(\d+)$/.exec(text)?.[1] ?? null) ?? Number.NaN;
}

function wholeNumber(text) {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
