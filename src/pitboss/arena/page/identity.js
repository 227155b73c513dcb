/** Who one is at a table: a team's name and its code, kept on this machine so that one is back after a reload. */

import { remember, remembered } from "./preferences.js";

const NAME = "player";

/** What is kept of a table: `{ team, code }`, null where one has not sat there. */
export function identityAt(table) {
  try {
    const { team, code } = JSON.parse(remembered(key(table)) ?? "");
    return typeof team === "string" && typeof code === "string" ? { team, code } : null;
  } catch {
    return null;
  }
}

/** The name to begin with: one's own at this table, or the one last used. */
export function usualName(table) {
  return identityAt(table)?.team ?? remembered(NAME) ?? "";
}

/** Who one will be at a table: the code is the one given, the one kept for this name, or a new one. */
export function identity(table, team, given) {
  const kept = identityAt(table);
  return { team, code: given || (kept?.team === team ? kept.code : newCode()) };
}

/** Keep who one is at a table. */
export function keep(table, { team, code }) {
  remember(NAME, team);
  remember(key(table), JSON.stringify({ team, code }));
}

/** Whether this window sits at a table: then a reload brings it back without asking. */
export function isSitting(table) {
  try {
    return sessionStorage.getItem(key(table)) !== null;
  } catch {
    return false;
  }
}

/** Note that this window sits at a table, or does not any more. */
export function noteSitting(table, sits) {
  try {
    if (sits) sessionStorage.setItem(key(table), "sits");
    else sessionStorage.removeItem(key(table));
  } catch {
    // a browser that keeps nothing asks for the name again
  }
}

function key(table) {
  return `seat:${table}`;
}

/** A code that nobody guesses. */
function newCode() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
