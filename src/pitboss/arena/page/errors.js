/** A team's own errors: the messages that the server refused, requested with the team's code and shown only to that team. */

import { identityAt, usualName } from "./identity.js";
import { make, put, visible } from "./dom.js";
import { chips } from "./words.js";

/** Return the element with its form, and `at(table)`, which sets the table. */
export function errorLog() {
  const name = make("input");
  [name.name, name.maxLength, name.autocomplete] = ["team", 64, "off"];
  const code = make("input");
  [code.name, code.type, code.maxLength, code.autocomplete] = ["code", "password", 128, "off"];
  const button = make("button", "choice", "Show its errors");
  const state = make("p", "note");
  state.setAttribute("role", "status");
  const list = make("ol", "refused");
  const form = make("form", "asking", make("label", "", "Team ", name), make("label", "", "Code ", code), button);
  const intro = make("p", "note", "Messages that the server refused are shown only to their team. Enter the team's code to see yours.");
  const node = make("section", "own-errors", make("h3", "", "Errors of my team"), intro, form, state, list);
  visible(list, false);
  let table = null;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const team = name.value.trim();
    const saved = identityAt(table);
    const secret = code.value || (saved?.team === team ? saved.code : "");
    if (team === "" || secret === "") {
      put(state, "Enter the team's name and its code.");
      return;
    }
    put(state, "Loading…");
    const { found, sentence } = await ask(table, team, secret);
    put(state, sentence ?? summary(found));
    visible(list, found !== undefined && found.errors.length > 0);
    list.replaceChildren(...(found?.errors ?? []).map(row));
  });

  return {
    node,
    at(id) {
      if (id === table) return;
      table = id;
      if (name.value === "") name.value = usualName(id);
      put(state, "");
      visible(list, false);
    },
  };
}

function summary({ errors, since }) {
  const from = since > 1 ? ` since hand ${chips(since)}, when the server started` : "";
  if (errors.length === 0) return `No message was refused${from}.`;
  return errors.length === 1 ? `One message was refused${from}.` : `The last ${chips(errors.length)} refused messages${from}, newest first.`;
}

function row({ code, msg, hand_id: hand, turn, ago_ms: ago }) {
  const when = make("time", "", new Date(Date.now() - ago).toLocaleTimeString());
  when.dateTime = new Date(Date.now() - ago).toISOString();
  const where = [hand ?? "between hands", turn === null ? "" : `turn ${turn}`].filter((part) => part !== "").join(", ");
  return make("li", "", when, make("code", "", code), make("span", "msg", msg), make("span", "where", where));
}

async function ask(table, team, code) {
  try {
    const body = JSON.stringify({ team, code });
    const headers = { "Content-Type": "application/json" };
    const url = new URL(`api/tables/${encodeURIComponent(table)}/errors`, document.baseURI);
    const answer = await fetch(url, { method: "POST", headers, body });
    if (answer.ok) return { found: await answer.json() };
    const text = await answer.text();
    const wait = answer.headers.get("Retry-After");
    const again = wait === null ? "" : ` Try again in ${wait} s.`;
    return { sentence: `${text.charAt(0).toUpperCase()}${text.slice(1)}.${again}` };
  } catch {
    return { sentence: "The server does not answer. Try again in a moment." };
  }
}
