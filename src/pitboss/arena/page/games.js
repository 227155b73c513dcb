/** What the page has to know of a game to draw it: its name, its streets, how many cards a seat holds, and the board. */

const FLOP = ["PRE_FLOP", "FLOP", "TURN", "RIVER"];
const STUD = ["THIRD_STREET", "FOURTH_STREET", "FIFTH_STREET", "SIXTH_STREET", "SEVENTH_STREET"];
const DRAWS = ["PRE_DRAW", "DRAW_1", "DRAW_2", "DRAW_3"];

const BETTING = { N: "No-limit", P: "Pot-limit", F: "Limit" };
const GAMES = {
  T: { name: "hold'em", streets: FLOP, hole: 2, board: 5 },
  S: { name: "short deck", streets: FLOP, hole: 2, board: 5 },
  O: { name: "Omaha", streets: FLOP, hole: 4, board: 5 },
  "O/8": { name: "Omaha hi-lo", streets: FLOP, hole: 4, board: 5 },
  O5: { name: "five-card Omaha", streets: FLOP, hole: 5, board: 5 },
  "O5/8": { name: "five-card Omaha hi-lo", streets: FLOP, hole: 5, board: 5 },
  O6: { name: "six-card Omaha", streets: FLOP, hole: 6, board: 5 },
  "7S": { name: "seven-card stud", streets: STUD, hole: 0, board: 0 },
  "7S/8": { name: "seven-card stud hi-lo", streets: STUD, hole: 0, board: 0 },
  R: { name: "razz", streets: STUD, hole: 0, board: 0 },
  "5D": { name: "five-card draw", streets: DRAWS.slice(0, 2), hole: 5, board: 0 },
  "2L1D": { name: "deuce-to-seven single draw", streets: DRAWS.slice(0, 2), hole: 5, board: 0 },
  "2L3D": { name: "deuce-to-seven triple draw", streets: DRAWS, hole: 5, board: 0 },
  B: { name: "badugi", streets: DRAWS, hole: 4, board: 0 },
};

/** Streets as one says them. */
export const STREETS = {
  ...{ PRE_FLOP: "Before the flop", FLOP: "Flop", TURN: "Turn", RIVER: "River", SHOWDOWN: "Showdown" },
  ...{ THIRD_STREET: "Third street", FOURTH_STREET: "Fourth street", FIFTH_STREET: "Fifth street" },
  ...{ SIXTH_STREET: "Sixth street", SEVENTH_STREET: "Seventh street", PRE_DRAW: "Before the draw" },
  ...{ DRAW_1: "First draw", DRAW_2: "Second draw", DRAW_3: "Third draw" },
};

/** The game that `variant` names; one that is not known is drawn as hold'em and goes by its code. */
export function gameOf(variant) {
  const code = variant === "HUNL" ? "NT" : variant;
  const game = GAMES[code.slice(1)];
  if (game === undefined || BETTING[code[0]] === undefined) return { ...GAMES.T, title: variant };
  return { ...game, title: `${BETTING[code[0]]} ${game.name}` };
}

/** A seat's cards as everybody sees them: in stud two are dealt face down, then four face up, then one face down. */
export function heldBy(seat, hand) {
  const { streets, hole } = gameOf(hand.variant);
  if (streets !== STUD) return Array(hole).fill(null);
  return [null, null, ...seat.up, ...Array(seat.down).fill(null)];
}
