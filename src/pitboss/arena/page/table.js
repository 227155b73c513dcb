/** The table on the page: draws a state into the document, seats around the felt and the middle of it. */

import { layCards } from "./cards.js";
import { make, nameTag, put, visible } from "./dom.js";
import { ordinal, standings } from "./leaders.js";
import { places } from "./ring.js";
import { dealtInAll, streetInWords } from "./layout.js";
import { isPlaying, middle, pots } from "./reducer.js";
import { seatView } from "./seats.js";
import { chips, nameOf, rankInWords, shortChips } from "./words.js";

/** A function that shows a state in an empty element of class `felt`; one's own seat, if one has any, is the nearest. */
export function tableView(felt) {
  const list = make("ol", "seats");
  const parts = { street: make("p", "street"), total: make("p", "total"), board: make("div", "board"), below: make("div", "below") };
  felt.append(make("div", "cloth", make("div", "centre", ...Object.values(parts))), list);
  let seats = [];
  let nearest = null;
  return (state) => {
    const near = state.me?.seat ?? 0;
    if (seats.length !== state.seats.length || nearest !== near) {
      nearest = near;
      seats = state.seats.map(({ seat }) => seatView(seat));
      list.replaceChildren(...seats.map(({ node }) => node));
      places(seats.length).forEach((place, k) => stand(seats[(k + near) % seats.length].node, place));
    }
    const rows = standings(state);
    for (const seat of seats) seat.update(state, rows);
    centre(parts, state);
  };
}

/** Tell the style sheet where a seat stands; it decides how far out that is. */
function stand(node, { x, y }) {
  node.style.setProperty("--x", x.toFixed(4));
  node.style.setProperty("--y", y.toFixed(4));
}

function centre({ street, total, board, below }, state) {
  const { hand } = state;
  put(street, streetLine(state));
  const inMiddle = middle(state);
  visible(total, inMiddle > 0);
  put(total, inMiddle > 0 ? `Pot ${shortChips(inMiddle)}` : "");
  total.title = inMiddle > 0 ? `${chips(inMiddle)} chips` : "";
  const room = hand === null || state.match !== null ? 0 : Math.max(dealtInAll(hand.game, "board"), hand.board.length);
  visible(board, room > 0);
  layCards(board, Array.from({ length: room }, (_, k) => hand?.board[k]));
  const nodes = underBoard(state);
  const key = nodes.map((node) => node.textContent).join("\n");
  if (below.dataset.key === key) return; // the same words: leave them, so that nothing flickers
  below.dataset.key = key;
  below.replaceChildren(...nodes);
}

/** The street and, where it is not the ordinary one, the game. */
function streetLine({ hand, match }) {
  if (hand === null || hand.over || match !== null) return "";
  const street = streetInWords(hand.street);
  if (hand.game.variant === "HUNL") return street;
  return street === "" ? hand.game.title : `${hand.game.title} · ${street}`;
}

/** What stands under the board: the outcome, the side pots, or what the table waits for. */
function underBoard(state) {
  if (state.match !== null) return matchWon(state);
  if (state.hand === null) return waiting(state);
  if (state.hand.voided !== null) return [make("p", "note", "Hand void: everybody has the chips it began with.")];
  const winners = state.seats.filter((seat) => seat.won > 0);
  if (winners.length > 0) return winners.map(winnerLine);
  const layers = pots(state);
  return isPlaying(state) && layers.length > 1 ? [make("ul", "pots", ...layers.map(potNode))] : [];
}

function potNode({ amount }, number) {
  const name = number === 0 ? "main" : number === 1 ? "side" : `side ${number}`;
  return make("li", "pot", make("span", "", name), " ", make("b", "", shortChips(amount)));
}

function winnerLine(seat) {
  const made = seat.rank === null ? "" : ` with ${rankInWords(seat.rank)}`;
  return make("p", "winner", nameTag("name", nameOf(seat)), make("span", "", ` wins ${shortChips(seat.won)}${made}`));
}

/** The end of a match: who won it, and then the others in the order in which they were out, last first. */
function matchWon(state) {
  const { winners, reason } = state.match;
  const names = winners.map(({ team }) => make("p", "crown", nameTag("name", team)));
  const verb = names.length > 1 ? "share the match" : "wins the match";
  const hands = state.hand?.number ? ` after ${chips(state.hand.number)} ${state.hand.number === 1 ? "hand" : "hands"}` : "";
  const how = `${verb}${hands}, ${HOW[reason] ?? "last one standing"}`;
  const others = standings(state).filter(({ seat }) => !winners.some((winner) => winner.seat === seat));
  const list = make("ol", "podium", ...others.slice(0, LISTED).map(placeNode));
  return [...names, make("p", "note", how), ...(others.length > 0 ? [list] : [])];
}

const LISTED = 5; // how many stand in the middle; all of them stand beside the table
const HOW = { max_hands: "most chips when the last hand was played", too_few: "as too few were left to play" };

function placeNode({ place, team, seat, chips: stack }) {
  const amount = stack > 0 ? [make("span", "amount", shortChips(stack))] : [];
  return make("li", "", make("span", "at", ordinal(place)), nameTag(`name c${seat}`, team), ...amount);
}

function waiting(state) {
  if (state.table === null) return [make("p", "note", "Looking for a table…")];
  const taken = state.seats.filter((seat) => seat.team !== null).length;
  const count = `${taken} of ${state.seats.length} seats taken`;
  return [make("p", "headline", "Waiting for the first hand"), make("p", "note", count)];
}
