/** The form with which a person takes a seat, or returns to it. */

import { identity, identityAt, usualName } from "./identity.js";
import { make, put, visible } from "./dom.js";
import { freeSeats } from "./reducer.js";

/** Return the form's element and functions; calls `sit({ team, code })` when the form is submitted. */
export function joinForm(sit) {
  const name = make("input");
  name.maxLength = 64;
  name.autocomplete = "nickname";
  name.name = "team";
  const code = make("input");
  [code.type, code.maxLength, code.autocomplete, code.name] = ["password", 128, "off", "code"];
  const button = make("button", "choice take", "Take a seat");
  const head = make("p", "headline", "Take a seat");
  const trouble = make("p", "trouble");
  trouble.setAttribute("role", "alert");
  const given = make(
    "details",
    "given",
    make("summary", "", "I was given a code"),
    make("label", "", "Code ", code),
    make("p", "note", "Without a code, this browser creates one and keeps it. Only this browser can then return to your seat."),
  );
  const node = make("form", "joining", head, make("label", "", "Your name ", name), button, given, trouble);
  let table = null;

  node.addEventListener("submit", (event) => {
    event.preventDefault();
    const team = name.value.trim();
    if (team === "") {
      put(trouble, "Enter a name. It is shown at your seat.");
      name.focus();
      return;
    }
    put(trouble, "");
    sit(identity(table, team, code.value));
  });

  return {
    node,
    /** Show the table's state: whether a seat is free, or is one's own. */
    update(state) {
      const { table: at, seats, match } = state;
      const id = at?.id ?? null;
      if (id !== table && id !== null) {
        table = id;
        if (document.activeElement !== name || name.value === "") name.value = usualName(id);
      }
      const mine = table === null ? null : identityAt(table);
      const seated = mine !== null && seats.some((seat) => seat.team === mine.team);
      const free = freeSeats(state).length;
      put(head, headline({ at, seated, free, over: match !== null, team: mine?.team }));
      put(button, seated && name.value.trim() === mine.team ? "Back to my seat" : "Take a seat");
    },
    say(sentence) {
      put(trouble, sentence);
    },
    focus: () => name.focus(),
    team: () => name.value.trim(),
    show: (on) => visible(node, on),
  };
}

/** Return whether a team has a seat at a table, or can take one. */
export function canJoin(state, { team }) {
  const isSeated = state.match === null && state.seats.some((seat) => seat.team === team);
  return isSeated || freeSeats(state).length > 0;
}

function headline({ at, seated, free, over, team }) {
  if (at === null) return "Looking for a table…";
  if (over) return "This match is over. Choose another table.";
  if (seated) return `${team} has a seat here, with its chips.`;
  const full = at.config.freeze_out ? "No more seats are given." : "All seats are taken.";
  if (free === 0) return `${full} You can watch, or choose another table.`;
  return free === 1 ? "One seat is free: take it" : `${free} seats are free: take one`;
}
