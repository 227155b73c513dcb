/** A game as described in the table's config: its name, and what is dealt on each street. */

const ORDINALS = ["", "First", "Second", "Third", "Fourth", "Fifth"];

/** Return the game named `variant`; a game that the table does not describe has no cards and its variant as its name. */
export function gameOf(table, variant = table?.config.variant ?? "") {
  return table?.config.games?.find((game) => game.variant === variant) ?? { variant, title: variant, streets: [] };
}

/** Return whether a table plays poker, which has a big blind or a small bet; any other game has table views. */
export function isPoker(table) {
  return (table?.config.bb ?? 0) > 0;
}

/** Return a seat's cards as all can see them: cards dealt face down, then face up, then face down again. */
export function heldBy({ up, down, thrown = 0 }, { game }) {
  const first = Math.max(0, (game.streets[0]?.hole ?? 0) - thrown);
  return [...Array(first).fill(null), ...up, ...Array(down).fill(null)];
}

/** Return how many cards of a kind, `board` or `up`, are dealt in all. */
export function dealtInAll({ streets }, kind) {
  return streets.reduce((sum, street) => sum + (street[kind] ?? 0), 0);
}

/** Return a street's name in words. */
export function streetInWords(name) {
  if (name === null) return "";
  const words = name.toLowerCase().replaceAll("_", " ");
  if (words.startsWith("pre ")) return `Before the ${words.slice(4)}`;
  const draw = /^draw (\d)$/.exec(words);
  return draw === null ? words.charAt(0).toUpperCase() + words.slice(1) : `${ORDINALS[draw[1]] ?? draw[1]} draw`;
}
