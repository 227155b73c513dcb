/** A person's team name and code at each table, saved in this browser so that they are still there after a reload. */

import { remember, remembered } from "./preferences.js";

const NAME = "player";

/** Return what is saved for a table, `{ team, code }`, or null. */
export function identityAt(table) {
  try {
    const { team, code } = JSON.parse(remembered(key(table)) ?? "");
    return typeof team === "string" && typeof code === "string" ? { team, code } : null;
  } catch {
    return null;
  }
}

/** Return the name to suggest: the one used at this table, else the one used last. */
export function usualName(table) {
  return identityAt(table)?.team ?? remembered(NAME) ?? "";
}

/** Return the identity for a table; the code is the given one, the saved one for this name, or a new one. */
export function identity(table, team, given) {
  const saved = identityAt(table);
  return { team, code: given || (saved?.team === team ? saved.code : newCode()) };
}

/** Save the identity for a table. */
export function keep(table, { team, code }) {
  remember(NAME, team);
  remember(key(table), JSON.stringify({ team, code }));
}

/** Return whether this window has a seat at a table: a reload then takes the seat again without asking. */
export function isSitting(table) {
  try {
    return sessionStorage.getItem(key(table)) !== null;
  } catch {
    return false;
  }
}

/** Save whether this window has a seat at a table. */
export function noteSitting(table, sits) {
  try {
    if (sits) sessionStorage.setItem(key(table), "sits");
    else sessionStorage.removeItem(key(table));
  } catch {
    // without storage, the page asks for the name again
  }
}

function key(table) {
  return `seat:${table}`;
}

/** Return a random code. */
function newCode() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
