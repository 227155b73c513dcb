/** The address of a place on the page: the view, the table, and in a replay the hand and the position. */

/** The views and the text of their links; the first one is shown where the address names none. */
export const VIEWS = new Map([
  ["table", "Table"],
  ["lobby", "Lobby"],
  ["replay", "Replay"],
  ["play", "Play"],
  ["teams", "Teams"],
]);

const [PLAIN] = VIEWS.keys();

/**
 * Return the place in an address's query as `{ view, table, hand, at }`, null for each part that is absent. A hand is given
 * as its number or its id; `hand` is NaN where it is neither.
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

/** Return the query for a place. */
export function writePlace({ view = PLAIN, table = null, hand = null, at = null }) {
  const parts = Object.entries({ view: view === PLAIN ? null : view, table, hand, at });
  const query = new URLSearchParams(parts.filter(([, value]) => value !== null)).toString();
  return query === "" ? "./" : `?${query}`;
}

function handNumber(text) {
  if (text === null) return null;
  return wholeNumber(/^(?:H-[\d-]*-)?(\d+)$/.exec(text)?.[1] ?? null) ?? Number.NaN;
}

function wholeNumber(text) {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
