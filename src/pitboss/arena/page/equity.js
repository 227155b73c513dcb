/**
 * What share of the pot each hand can expect where the board is everybody's: hold'em, short deck, Omaha, hi-lo.
 *
 * All boards are counted where that is quick; else some are drawn, the same for the same cards. A hand is four masks,
 * one a suit, with a bit a rank, so that whatever is asked of it is a few operations on whole numbers.
 */

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const WORK = 150_000; // hands to be looked at, at most: some ten milliseconds
const DEALING = 8; // what a board costs beside its hands
const LEAST = 500; // boards that are drawn, at least
const NO_LOW = 256; // above every low

/** How many bits are set, and the rank with which the best straight ends, from 1, for every set of ranks. */
const [COUNT, STRAIGHT, SHORT_STRAIGHT] = [new Uint8Array(8192), new Uint8Array(8192), new Uint8Array(8192)];
for (let ranks = 1; ranks < 8192; ranks++) {
  COUNT[ranks] = COUNT[ranks >> 1] + (ranks & 1);
  for (let top = 12; top >= 4 && STRAIGHT[ranks] === 0; top--) {
    if (((ranks >> (top - 4)) & 31) === 31) STRAIGHT[ranks] = SHORT_STRAIGHT[ranks] = top + 1;
  }
  const ace = ranks >> 12 === 1;
  if (STRAIGHT[ranks] === 0 && ace && (ranks & 15) === 15) STRAIGHT[ranks] = 4; // the wheel ends with the five
  if (SHORT_STRAIGHT[ranks] === 0 && ace && ((ranks >> 4) & 15) === 15) SHORT_STRAIGHT[ranks] = 8; // with the nine
}

/** The classes of hands from the eighth down; in short deck a flush beats a full house. */
const WHOLE = { straights: STRAIGHT, flush: 5, full: 6, lowest: 0 };
const SHORT = { straights: SHORT_STRAIGHT, flush: 6, full: 5, lowest: 4 };

const GAMES = {
  T: { deck: WHOLE, hole: 2, fromTwo: false, low: false },
  S: { deck: SHORT, hole: 2, fromTwo: false, low: false },
  O: { deck: WHOLE, hole: 4, fromTwo: true, low: false },
  "O/8": { deck: WHOLE, hole: 4, fromTwo: true, low: true },
  O5: { deck: WHOLE, hole: 5, fromTwo: true, low: false },
  "O5/8": { deck: WHOLE, hole: 5, fromTwo: true, low: true },
  O6: { deck: WHOLE, hole: 6, fromTwo: true, low: false },
};

/**
 * The share of the pot that each hand wins on average, all of 1; null where that cannot be said: the game has no board
 * of everybody's, a card is not known, or one stands twice. `dead` cards are known not to come.
 */
export function equities(hands, board, variant, dead = []) {
  const game = GAMES[(variant === "HUNL" ? "NT" : variant).slice(1)];
  if (game === undefined || hands.length === 0 || board.length > 5) return null;
  if (hands.some((hand) => hand.length !== game.hole)) return null;
  const cards = [...hands.flat(), ...board, ...dead].map(numberOf);
  if (cards.includes(-1) || new Set(cards).size < cards.length) return null;
  const seen = new Set(cards);
  const left = [];
  for (let card = 4 * game.deck.lowest; card < 52; card++) if (!seen.has(card)) left.push(card);
  const missing = 5 - board.length;
  if (left.length < missing) return null;
  const judge = judging(game, hands.map((hand) => hand.map(numberOf)));
  const boards = choose(left.length, missing);
  const most = Math.max(LEAST, Math.floor(WORK / (judge.cost * hands.length + DEALING)));
  const deal = [...board.map(numberOf), ...Array(missing).fill(0)];
  if (boards <= most) everyBoard(left, deal, board.length, 0, judge.take);
  else someBoards(left, deal, board.length, most, judge.take);
  return judge.shares.map((share) => share / judge.boards());
}

function numberOf(card) {
  const [rank, suit] = typeof card === "string" && card.length === 2 ? card : "??";
  const number = 4 * RANKS.indexOf(rank) + SUITS.indexOf(suit);
  return RANKS.includes(rank) && SUITS.includes(suit) ? number : -1;
}

function choose(n, k) {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return Math.round(ways);
}

// --- boards

function everyBoard(left, deal, at, from, take) {
  if (at === deal.length) return take(deal);
  for (let k = from; k <= left.length - (deal.length - at); k++) {
    deal[at] = left[k];
    everyBoard(left, deal, at + 1, k + 1, take);
  }
}

/** Boards drawn one like another; a generator with a seed, because the same cards must always be worth the same. */
function someBoards(left, deal, first, count, take) {
  let seed = 0x9e3779b9;
  const below = (n) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * n);
  };
  for (let round = 0; round < count; round++) {
    for (let at = first; at < deal.length; at++) {
      const k = at - first;
      const other = k + below(left.length - k);
      [left[k], left[other]] = [left[other], left[k]];
      deal[at] = left[k];
    }
    take(deal);
  }
}

// --- hands

/** What is needed to judge boards: `take(board)` adds to `shares` what each hand wins on it. */
function judging({ deck, fromTwo, low }, hands) {
  const shares = hands.map(() => 0);
  const highs = new Int32Array(hands.length);
  const lows = new Int32Array(hands.length);
  const pairs = hands.map((hand) => (fromTwo ? pairsOf(hand) : [hand]).map(masks));
  const threes = fromTwo ? TRIPLES.length : 1;
  let boards = 0;
  const take = (board) => {
    boards += 1;
    const dealt = fromTwo ? TRIPLES.map((places) => masks(places.map((k) => board[k]))) : [masks(board)];
    for (let k = 0; k < hands.length; k++) {
      let high = -1;
      let least = NO_LOW;
      for (const pair of pairs[k]) {
        for (const three of dealt) {
          const clubs = pair[0] | three[0];
          const diamonds = pair[1] | three[1];
          const hearts = pair[2] | three[2];
          const spades = pair[3] | three[3];
          high = Math.max(high, highOf(clubs, diamonds, hearts, spades, deck));
          if (low) least = Math.min(least, lowOf(clubs | diamonds | hearts | spades));
        }
      }
      highs[k] = high;
      lows[k] = -least;
    }
    const split = low && lows.some((least) => least > -NO_LOW);
    share(shares, highs, split ? 0.5 : 1);
    if (split) share(shares, lows, 0.5);
  };
  return { take, shares, boards: () => boards, cost: 2 + pairs[0].length * threes };
}

const TRIPLES = pairsOf([0, 1, 2, 3, 4]).map((left) => [0, 1, 2, 3, 4].filter((k) => !left.includes(k)));

function pairsOf(cards) {
  return cards.flatMap((one, k) => cards.slice(k + 1).map((other) => [one, other]));
}

function masks(cards) {
  const suits = [0, 0, 0, 0];
  for (const card of cards) suits[card & 3] |= 1 << (card >> 2);
  return suits;
}

/** Share a part of the pot between those with the highest value. */
function share(shares, values, part) {
  let best = values[0];
  let winners = 0;
  for (let k = 0; k < values.length; k++) {
    if (values[k] > best) [best, winners] = [values[k], 1];
    else if (values[k] === best) winners += 1;
  }
  for (let k = 0; k < values.length; k++) if (values[k] === best) shares[k] += part / winners;
}

/** How strong the best five of these cards are: the class, the ranks that make it, and the others as a set. */
function highOf(a, b, c, d, { straights, flush, full }) {
  const any = a | b | c | d;
  const suited = COUNT[a] > 4 ? a : COUNT[b] > 4 ? b : COUNT[c] > 4 ? c : COUNT[d] > 4 ? d : 0;
  if (suited !== 0 && straights[suited] !== 0) return value(8, straights[suited], 0, 0);
  const twice = (a & b) | (a & c) | (a & d) | (b & c) | (b & d) | (c & d);
  if (twice === 0) {
    if (suited !== 0) return value(flush, 0, 0, highest(suited, 5));
    return straights[any] !== 0 ? value(4, straights[any], 0, 0) : value(0, 0, 0, highest(any, 5));
  }
  const four = a & b & c & d;
  if (four !== 0) return value(7, top(four), 0, highest(any & ~(1 << top(four)), 1));
  const thrice = (a & b & c) | (a & b & d) | (a & c & d) | (b & c & d);
  const three = thrice === 0 ? -1 : top(thrice);
  const other = three < 0 ? 0 : twice & ~(1 << three);
  const filled = other === 0 ? -1 : value(full, three, top(other), 0);
  const coloured = suited === 0 ? -1 : value(flush, 0, 0, highest(suited, 5));
  if (filled >= 0 || coloured >= 0) return Math.max(filled, coloured);
  if (straights[any] !== 0) return value(4, straights[any], 0, 0);
  if (three >= 0) return value(3, three, 0, highest(any & ~(1 << three), 2));
  const pair = top(twice);
  const second = twice & ~(1 << pair);
  if (second === 0) return value(1, pair, 0, highest(any & ~(1 << pair), 3));
  return value(2, pair, top(second), highest(any & ~(1 << pair) & ~(1 << top(second)), 1));
}

function value(made, first, second, others) {
  return (((made << 4) | first) << 17) | (second << 13) | others;
}

function top(ranks) {
  return 31 - Math.clz32(ranks);
}

/** The so many highest of a set of ranks. */
function highest(ranks, count) {
  for (let more = COUNT[ranks] - count; more > 0; more--) ranks &= ranks - 1;
  return ranks;
}

/** Five different ranks of eight or less as a number, the lower the better; `NO_LOW` where there are none. */
function lowOf(any) {
  const low = ((any & 127) << 1) | (any >> 12);
  const more = COUNT[low] - 5;
  if (more < 0) return NO_LOW;
  let kept = low;
  for (let k = 0; k < more; k++) kept &= ~(1 << top(kept));
  return kept;
}
