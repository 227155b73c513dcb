/** The form with which a person takes a seat, or returns to it. */

import { identity, identityAt, usualName } from "./identity.js";
import { make, put, visible } from "./dom.js";
import { freeSeats } from "./reducer.js";
import { chips } from "./words.js";

/** Return the form's element and functions; calls `sit({ team, code })` when the form is submitted. */
export function joinForm(sit) {
  const buyIn = make("input");
  [buyIn.type, buyIn.name, buyIn.inputMode, buyIn.step] = ["number", "buy_in", "numeric", "1"];
  const range = make("span", "range");
  const bringing = make("label", "", "Buy-in ", buyIn, range);
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
  const node = make("form", "joining", head, make("label", "", "Your name ", name), bringing, button, given, trouble);
  node.noValidate = true; // the server explains what is wrong
  let table = null;
  let chosen = null; // the seat that is wanted at a cash table

  node.addEventListener("submit", (event) => {
    event.preventDefault();
    const team = name.value.trim();
    if (team === "") {
      put(trouble, "Enter a name. It is shown at your seat.");
      name.focus();
      return;
    }
    const wanted = Number(buyIn.value);
    if (!bringing.hidden && (!Number.isSafeInteger(wanted) || wanted < 1)) {
      put(trouble, "Enter a whole number of chips to bring.");
      buyIn.focus();
      return;
    }
    put(trouble, "");
    const cash = bringing.hidden ? {} : { buy_in: wanted, ...(chosen === null ? {} : { seat: chosen }) };
    sit({ ...identity(table, team, code.value), cash });
  });

  return {
    node,
    /** Show the table's state: whether a seat is free, or is one's own. */
    update(state) {
      const { table: at, seats, match } = state;
      const id = at?.id ?? null;
      if (id !== table && id !== null) {
        table = id;
        chosen = null;
        offerBuyIn(at.config);
        if (document.activeElement !== name || name.value === "") name.value = usualName(id);
      }
      const mine = table === null ? null : identityAt(table);
      const seated = mine !== null && seats.some((seat) => seat.team === mine.team);
      const free = freeSeats(state).length;
      if (chosen !== null && !freeSeats(state).some(({ seat }) => seat === chosen)) chosen = null;
      const back = seated && name.value.trim() === mine.team;
      visible(bringing, at?.config.cash === true && !back);
      put(head, headline({ at, seated, free, over: match !== null, team: mine?.team }));
      put(button, back ? "Back to my seat" : chosen === null ? "Take a seat" : `Take seat ${chosen}`);
    },
    say(sentence, { isCalm = false } = {}) {
      put(trouble, sentence);
      trouble.classList.toggle("calm", isCalm);
    },
    focus: () => name.focus(),
    /** Choose a free seat; the next thing to do has the focus. */
    choose(seat) {
      chosen = seat;
      put(button, `Take seat ${seat}`);
      (name.value.trim() === "" ? name : button).focus();
    },
    team: () => name.value.trim(),
    show: (on) => visible(node, on),
  };

  /** Show the buy-ins that the table allows, and suggest the largest. */
  function offerBuyIn({ min_buy_in: least = 0, starting_stack: most }) {
    [buyIn.min, buyIn.max, buyIn.value] = [least, most, most].map(String);
    put(range, `${chips(least)} to ${chips(most)}`);
  }
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
