/** What the server has refused, in words for the person who sits here. */

/** Why there is no seat, as a sentence that says what to do. */
export function whyNoSeat({ code, msg, wait }) {
  if (code === "TEAM_TAKEN" && /looks like/.test(msg)) return `${sentence(msg)} Take another name.`;
  if (code === "TEAM_TAKEN" && /on the organiser's list/.test(msg)) return SEATS.NOT_ITS_CODE;
  if (code === "BAD_SCHEMA") return `This name cannot be used: ${withoutPlace(msg)}.`;
  if (code === "TABLE_FULL") return `${sentence(withoutPlace(msg))} Watch this table, or go to another.`;
  if (code === "RATE_LIMITED") return `${sentence(msg)} Try again in ${Math.max(1, Math.ceil(wait / 1000))} s.`;
  return SEATS[code] ?? `No seat: ${msg}.`;
}

const SEATS = {
  TEAM_TAKEN: "Somebody plays here under this name, with another code. Take another name, or enter the name's code.",
  NOT_ITS_CODE: "This is not the team's code. Enter the one that the organiser has for it.",
  TEAM_UNKNOWN: "This table is for the teams on the organiser's list, and this name is not on it. Ask the organiser.",
  REPLACED: "Your seat was taken over by another window or program with your name and code.",
};

/** What was wrong with an answer. */
export function whyRefused({ code, msg }) {
  if (code === "INVALID_ACTION") return `Not possible: ${withoutRule(msg)}. It is still your turn.`;
  return ANSWERS[code] ?? `Refused: ${withoutRule(msg)}.`;
}

const ANSWERS = {
  ACTION_TOO_LATE: "Too late: your time was up, and the table has played on.",
  OUT_OF_TURN: "It is not your turn.",
  RATE_LIMITED: "Too much at once: wait a moment.",
  RESUME_AHEAD: "The table has lost something of what you saw before; it goes on from here. Tell the organiser.",
};

/** A rule's name, with which some refusals begin, says nothing to a person. */
function withoutRule(msg) {
  return msg.replace(/^[a-z_]+: /, "").replace(/\.$/, "");
}

function withoutPlace(msg) {
  return msg.replace(/ - at `.*`$/, "").replace(/\.$/, "");
}

function sentence(msg) {
  return `${msg.charAt(0).toUpperCase()}${msg.slice(1).replace(/\.$/, "")}.`;
}
