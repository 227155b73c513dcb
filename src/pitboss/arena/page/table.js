/** The table on the page: draws a state as seats around the felt, with the board and the pots in the middle. */

import { layCards } from "./cards.js";
import { make, nameTag, put, visible } from "./dom.js";
import { dealtInAll, streetInWords } from "./layout.js";
import { isPlaying, middle, pots } from "./reducer.js";
import { rulesButton } from "./rules.js";
import { seatView } from "./seats.js";
import { zonesOf } from "./sight.js";
import { ordinal, standings } from "./standings.js";
import { chips, nameOf, rankInWords, shortChips, signed } from "./words.js";
import { layZones } from "./zones.js";

const ROUNDNESS = 2.6; // 2 is an ellipse; a larger value moves seats into the corners
const ASPECT = 1.6;
const STEPS = 2000;

/**
 * Return a function that shows a state in an empty element of class `felt`; the player's own seat is the nearest.
 * `choose(seat)` is called when the reader chooses a free seat of a cash table; `findRules(table)` returns a
 * game's rules, if there is a server to ask.
 */
export function tableView(felt, choose = null, findRules = null) {
  const list = make("ol", "seats");
  const parts = {
    street: make("p", "street"),
    total: make("p", "total"),
    board: make("div", "board"),
    more: make("div", "more-boards"), // of a game with several boards, or a board that is dealt several times
    zones: make("div", "zones shared"),
    below: make("div", "below"),
  };
  const rules = rulesButton(findRules);
  felt.append(make("div", "cloth", make("div", "centre", ...Object.values(parts))), list, rules.node);
  let seats = [];
  let nearest = null;
  let directions = new Map(); // by seat
  return (state) => {
    const near = state.me?.seat ?? 0;
    if (seats.length !== state.seats.length || nearest !== near) {
      nearest = near;
      seats = state.seats.map(({ seat }) => seatView(seat, choose));
      list.replaceChildren(...seats.map(({ node }) => node));
      const round = places(seats.length).map((place, k) => [(k + near) % seats.length, place]);
      for (const [seat, place] of round) setPlace(seats[seat].node, place);
      directions = new Map(round);
    }
    const rows = standings(state);
    for (const seat of seats) seat.update(state, rows);
    felt.classList.toggle("any", state.view !== null);
    centre(parts, state, directions);
    rules.update(state);
  };
}

/** Pass a seat's place to the style sheet, which decides the distance from the middle. */
function setPlace(node, { x, y }) {
  node.style.setProperty("--x", x.toFixed(4));
  node.style.setProperty("--y", y.toFixed(4));
}

function centre({ street, total, board, more, zones, below }, state, places) {
  const { hand } = state;
  renew(street, state.view === null ? [make("span", "", streetLine(state))] : factNodes(state));
  const inMiddle = state.view === null ? middle(state) : state.view.pots.reduce((sum, { amount }) => sum + amount, 0);
  visible(total, inMiddle > 0);
  put(total, inMiddle > 0 ? `Pot ${shortChips(inMiddle)}` : "");
  total.title = inMiddle > 0 ? `${chips(inMiddle)} chips` : "";
  const room = hand === null || state.match !== null ? 0 : Math.max(dealtInAll(hand.game, "board"), hand.board.length);
  visible(board, room > 0);
  layCards(board, Array.from({ length: room }, (_, k) => hand?.board[k]));
  const others = room === 0 ? [] : boardsBelow(hand, room);
  visible(more, others.length > 0);
  while (more.children.length > others.length) more.lastChild.remove();
  while (more.children.length < others.length) more.append(make("div", "board"));
  others.forEach((cards, k) => layCards(more.children[k], cards));
  visible(zones, state.view !== null && state.match === null);
  if (!zones.hidden) layZones(zones, sharedZones(state), { places, marks: marksOf(state), legend: state.view.legend });
  const nodes = state.view === null || state.match !== null ? underBoard(state) : underZones(state);
  renew(below, nodes);
}

/** Replace a node's children if their text differs; without need it would flicker. */
function renew(node, children) {
  const key = children.map((child) => child.textContent).join("\n");
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.replaceChildren(...children);
}

/** Return the street and, unless it is no-limit hold'em, the game. */
function streetLine({ hand, match }) {
  if (hand === null || hand.over || match !== null) return "";
  const street = streetInWords(hand.street);
  if (hand.game.variant === "HUNL") return street;
  return street === "" ? hand.game.title : `${hand.game.title} · ${street}`;
}

/** Return the boards below the first one, each with its empty places. */
function boardsBelow({ game, more }, room) {
  const count = Math.max((game.boards ?? 1) - 1, more.length);
  return Array.from({ length: count }, (_, k) => Array.from({ length: room }, (_, place) => more[k]?.[place]));
}

/** Return a game's name and its facts, such as the round. */
function factNodes({ view, match }) {
  const facts = match === null ? view.facts : [];
  return [make("b", "fact game", view.title), ...facts.map(({ title, text }) => make("span", "fact", `${title} `, make("b", "", text)))];
}

/** Return the zones in the middle: a finished trick stays until the next card is led, and can be looked up after that. */
function sharedZones(state) {
  const zones = zonesOf(state, null);
  const { trick } = state;
  const open = zones.find(({ layout }) => layout === "trick");
  if (open === undefined) return zones;
  const stays = trick !== null && open.count === 0;
  const shown = zones.map((zone) => (zone === open && stays ? { ...trick, name: open.name, done: true } : zone));
  const last = { ...(trick ?? { name: "last", title: "Last trick", seat: null, cards: [], count: 0 }), layout: "row" };
  return [...shown, stays ? { ...last, cards: [], count: 0 } : last];
}

/** Return the first letter of each seat's name. */
function marksOf({ seats }) {
  return new Map(seats.map((seat) => [seat.seat, String.fromCodePoint(nameOf(seat).codePointAt(0)).toUpperCase()]));
}

/** Return the elements under the zones: the result of the game, or its pots if there are several. */
function underZones(state) {
  if (state.hand?.voided) return [make("p", "note", "The game is void: all chips are returned.")];
  if (state.hand?.over === true) {
    const gains = state.seats.filter(({ gain }) => gain !== 0).toSorted((a, b) => b.gain - a.gain);
    return gains.filter(({ gain }) => gain > 0).map((seat) => make("p", "winner", nameTag("name", nameOf(seat)), make("span", "", ` ${signed(seat.gain)}`)));
  }
  return state.view.pots.length > 1 ? [make("ul", "pots", ...state.view.pots.map(potNode))] : [];
}

/** Return the elements under the board: the result, the side pots, or what the table waits for. */
function underBoard(state) {
  if (state.match !== null) return matchWon(state);
  if (state.hand === null) return waiting(state);
  if (state.hand.voided !== null) return [make("p", "note", "Hand void: all chips are returned.")];
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

/** Return the result of a match: the winners, then the other teams by place. */
function matchWon(state) {
  const { winners, reason } = state.match;
  const names = winners.map(({ team }) => make("p", "crown", nameTag("name", team)));
  const verb = names.length > 1 ? "share the match" : "wins the match";
  const hands = state.hand?.number ? ` after ${chips(state.hand.number)} ${state.hand.number === 1 ? "hand" : "hands"}` : "";
  const way = state.view !== null && reason === "max_hands" ? "with the best result" : (HOW[reason] ?? "last one standing");
  const how = `${verb}${hands}, ${way}`;
  const others = standings(state).filter(({ seat }) => !winners.some((winner) => winner.seat === seat));
  const list = make("ol", "podium", ...others.slice(0, LISTED).map(placeNode));
  return [...names, make("p", "note", how), ...(others.length > 0 ? [list] : [])];
}

const LISTED = 5; // places shown in the middle; the standings next to the table have all of them
const HOW = { max_hands: "with the most chips after the last hand", too_few: "because too few players were left" };

function placeNode({ place, team, seat, chips: stack, won = null }) {
  const amount = stack > 0 ? [make("span", "amount", won === null ? shortChips(stack) : signed(won))] : [];
  return make("li", "", make("span", "at", ordinal(place)), nameTag(`name c${seat}`, team), ...amount);
}

function waiting(state) {
  if (state.table === null) return [make("p", "note", "Looking for a table…")];
  const taken = state.seats.filter((seat) => seat.team !== null).length;
  const count = `${taken} of ${state.seats.length} seats taken`;
  return [make("p", "headline", "Waiting for the first hand"), make("p", "note", count)];
}

/** Return the place of each of `count` seats at even distances, clockwise from the near side; coordinates from -1 to 1, y downwards. */
export function places(count) {
  const track = Array.from({ length: STEPS + 1 }, (_, k) => point((2 * Math.PI * k) / STEPS));
  const lengths = [0];
  for (let k = 1; k <= STEPS; k += 1) lengths.push(lengths[k - 1] + distance(track[k - 1], track[k]));
  return Array.from({ length: count }, (_, k) => along(track, lengths, (lengths[STEPS] * k) / count));
}

/** Return the point at a distance along the track. */
function along(track, lengths, wanted) {
  const after = lengths.findIndex((length) => length >= wanted);
  if (after === 0) return track[0];
  const part = (wanted - lengths[after - 1]) / (lengths[after] - lengths[after - 1]);
  const [from, to] = [track[after - 1], track[after]];
  return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) };
}

function point(angle) {
  const bend = (value) => Math.sign(value) * Math.abs(value) ** (2 / ROUNDNESS);
  return { x: -bend(Math.sin(angle)), y: bend(Math.cos(angle)) };
}

function distance(a, b) {
  return Math.hypot((a.x - b.x) * ASPECT, a.y - b.y);
}
