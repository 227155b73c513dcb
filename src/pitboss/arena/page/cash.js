/** A person's place at a cash table: the buttons to sit out, return, bring chips and leave, and what the seat owes. */

import { make, put, visible } from "./dom.js";
import { isPlaying } from "./reducer.js";
import { chips } from "./words.js";

const PLAYS = 0; // intents, as in the protocol's lobby
const WAITS = 1;
const PAUSES = 2;
const LEAVES = 3;

/**
 * Return the element with the buttons and `update(state)`. Calls `send(message)`, which returns whether it was sent, and
 * `explain(sentence, { isCalm })`.
 */
export function cashControls(send, explain) {
  const back = plain("back", "Playing");
  const wait = plain("wait", "Next big blind");
  const pause = plain("pause", "Sit out");
  const leave = plain("leave", "Leave the table");
  const amount = make("input");
  [amount.type, amount.name, amount.inputMode, amount.min, amount.step] = ["number", "top_up", "numeric", "1", "1"];
  amount.setAttribute("aria-label", "Chips to bring");
  const bring = make("button", "bring", "Top up");
  const topUp = make("form", "topping", amount, bring);
  topUp.noValidate = true;
  const states = make("div", "states", back, wait, pause);
  states.setAttribute("role", "group");
  states.setAttribute("aria-label", "Your place at the table");
  const owing = make("p", "owing");
  owing.setAttribute("role", "status");
  const node = make("div", "cash", states, topUp, leave, owing);
  let shown = null; // the state that is shown
  let warned = null; // the button whose first click was only explained, because it folds a hand
  let coming = 0; // the chips asked for in this hand, which come when it is over
  let suggested = ""; // the top-up in the field, unless the player has typed another

  back.title = "Play every hand; missed blinds are paid at once";
  wait.title = "Sit out until the seat has the big blind; then nothing is owed";
  pause.title = "Keep the seat without playing";

  function ask(button, message) {
    if (button.getAttribute("aria-disabled") === "true") return;
    if (message.type !== "sit_in" && isInHand(shown) && warned !== button) {
      warned = button;
      explain("This folds your hand. Choose it again to do so.");
      return;
    }
    warned = null;
    explain(send(message) ? "" : "The connection is lost. Nothing was sent.");
  }

  back.addEventListener("click", () => ask(back, { type: "sit_in" }));
  wait.addEventListener("click", () => ask(wait, { type: "sit_out", until: "big_blind" }));
  pause.addEventListener("click", () => ask(pause, { type: "sit_out" }));
  leave.addEventListener("click", () => ask(leave, { type: "leave" }));
  topUp.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = Number(amount.value);
    if (!Number.isSafeInteger(wanted) || wanted < 1) {
      explain("Enter a whole number of chips.");
      amount.focus();
    } else if (send({ type: "top_up", amount: wanted })) {
      const waits = isPlaying(shown);
      if (waits && wanted <= mostToBring(shown)) coming += wanted; // the server refuses more
      amount.blur(); // the next key is an answer, not a digit
      explain(waits ? "The chips come when the hand is over." : "", { isCalm: true });
      update(shown);
    } else explain("The connection is lost. Nothing was sent.");
  });

  function mostToBring(state) {
    const { stack, bet } = state.seats[state.me.seat];
    return (state.table?.config.starting_stack ?? 0) - stack - bet - coming;
  }

  /** Show the own seat of a state. */
  function update(state) {
    if (state.hand?.id !== shown?.hand?.id) warned = null;
    if (state.hand?.id !== shown?.hand?.id || !isPlaying(state)) coming = 0;
    shown = state;
    const { intent, owes } = state.seats[state.me.seat];
    for (const [button, which] of [[back, PLAYS], [wait, WAITS], [pause, PAUSES]]) {
      button.setAttribute("aria-pressed", String(intent === which));
      button.setAttribute("aria-disabled", String(intent === which || intent === LEAVES));
    }
    leave.setAttribute("aria-disabled", String(intent === LEAVES));
    put(back, intent === PLAYS ? "Playing" : owes > 0 ? `I'm back: pay ${chips(owes)}` : "I'm back");
    put(owing, owes > 0 ? OWING[intent](chips(owes)) : "");
    const most = mostToBring(state);
    visible(topUp, most > 0 && intent !== LEAVES);
    if (amount.value === suggested || document.activeElement !== amount) {
      suggested = String(Math.max(0, most));
      amount.value = suggested;
    }
  }

  return { node, update };
}

const MISSED = "because blinds passed your seat while you sat out";
const OWING = [
  (amount) => `You owe ${amount}, ${MISSED}. It is paid into the pot with your next hand.`,
  (amount) => `You owe ${amount}, ${MISSED}. With the big blind you owe nothing.`,
  (amount) => `You owe ${amount}, ${MISSED}. You pay it when you are back, or nothing if you wait for the next big blind.`,
  () => "",
];

/** Return whether the player has a hand that can still be folded. */
function isInHand(state) {
  const { dealt, folded, stack } = state.seats[state.me.seat];
  return isPlaying(state) && dealt && !folded && stack > 0;
}

function plain(name, words) {
  const button = make("button", name, words);
  button.type = "button";
  return button;
}
