/** The log on the page: lines are added at the end, and the newest is in sight unless one scrolls back. */

import { cardWord } from "./cards.js";
import { make, nameTag } from "./dom.js";

const NEAR = 40; // pixels from the end that still count as reading the newest line

/** A function that shows a state's log in a list. */
export function logView(list) {
  let next = 0;
  let following = true;
  const follow = () => {
    if (following) list.scrollTop = list.scrollHeight;
  };
  list.addEventListener("scroll", () => {
    following = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
  });
  new ResizeObserver(follow).observe(list); // what is above it may come and go
  return (state) => {
    if (state.said < next) [next] = [0, list.replaceChildren()];
    const first = state.log[0]?.n ?? state.said;
    while (list.firstChild !== null && Number(list.firstChild.dataset.n) < first) list.firstChild.remove();
    const fresh = state.log.filter((line) => line.n >= next);
    next = state.said;
    list.append(...fresh.map(lineNode));
    if (fresh.length > 0) follow();
  };
}

/** A line as an element. */
export function lineNode(line) {
  const node = make("li", `line ${line.kind}`, ...line.parts.flatMap(partNodes));
  node.dataset.n = line.n;
  return node;
}

function partNodes(part) {
  if (part.team !== undefined) return [nameTag(`name c${part.seat}`, part.team)];
  if (part.cards !== undefined) return part.cards.flatMap((card, k) => [k > 0 ? " " : "", cardWord(card)]);
  return [part];
}
