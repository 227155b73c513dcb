/**
 * The table view of a game other than poker, as part of the state.
 *
 * A view has seats, zones of cards, pots, facts and, for the seat to act, moves; the server describes them. The last card
 * of a trick is never in a view, since the trick is taken at once, so that the finished trick is found here.
 */

/** Return the state with a new table view. */
export function seen(state, view) {
  const legend = Object.fromEntries((view.legend ?? []).map(({ title, text }) => [title, text]));
  return { ...state, view: { ...view, legend }, trick: lastTrick(state, view) };
}

/** Return the view of a seat, undefined if it is not in the game. */
export function seatIn({ view }, seat) {
  return view?.seats.find((one) => one.seat === seat);
}

/** Return the zones of a seat, or of the whole table if it is null; the player's own hand is left out. */
export function zonesOf({ view, me }, seat) {
  if (view === null) return [];
  return view.zones.filter((zone) => zone.seat === seat && !(me !== null && isOwnHand(zone, me)));
}

/** Return the player's hand: the fan of the own seat. */
export function ownHand({ view, me }) {
  return (me === null ? undefined : view?.zones.find((zone) => isOwnHand(zone, me))) ?? null;
}

function isOwnHand({ seat, layout }, me) {
  return seat === me.seat && layout === "fan";
}

/** Return the last finished trick after a view. */
function lastTrick({ view: before, trick }, after) {
  const [old, now] = [trickIn(before), trickIn(after)];
  if (old === null || now === null || old.count === 0 || continues(old, now)) return trick;
  const fresh = openCards(after).filter((card) => !openCards(before).includes(card) && !now.cards.some((one) => one.card === card));
  const last = fresh.length === 1 ? fresh[0] : null;
  return { ...old, name: "last", title: "Last trick", count: old.count + 1, cards: [...old.cards, { card: last, seat: before.turn }] };
}

function trickIn(view) {
  return view?.zones.find(({ layout }) => layout === "trick") ?? null;
}

function continues(old, now) {
  return old.cards.length <= now.cards.length && old.cards.every(({ card, seat }, k) => now.cards[k].card === card && now.cards[k].seat === seat);
}

/** Return the cards that lie face up outside hands. */
function openCards({ zones }) {
  const open = zones.filter(({ layout }) => layout !== "fan").flatMap(({ cards }) => cards.map((one) => one?.card ?? one));
  return open.filter((card) => typeof card === "string");
}
