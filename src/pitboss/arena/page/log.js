/** The log on the page, whose newest line stays in view unless the reader scrolls back, and the news for screen readers. */

import { cardWord } from "./cards.js";
import { make, nameTag, put } from "./dom.js";
import { plain } from "./words.js";

const KINDS = ["win", "out", "match"];
const SELDOM = 6000; // milliseconds between two sentences, so that each is read to its end
const NEAR = 40; // pixels from the end that still count as reading the newest line

/** Return a function that shows a state's log in a list. */
export function logView(list) {
  let next = 0;
  let following = true;
  const follow = () => {
    if (following) list.scrollTop = list.scrollHeight;
  };
  list.addEventListener("scroll", () => {
    following = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
  });
  new ResizeObserver(follow).observe(list); // parts above the list appear and disappear
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

/** Return a line as an element. */
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

/** Return a function that puts a state's news into an element for screen readers: the results of hands. */
export function newsView(node) {
  let next = null; // the first line that was not looked at yet
  let waiting = [];
  let timer = 0;

  function announce() {
    timer = 0;
    if (waiting.length === 0) return;
    put(node, waiting.at(-1).filter(Boolean).join(". "));
    waiting = [];
    timer = setTimeout(announce, SELDOM);
  }

  return ({ log, said, hand, match }) => {
    const fresh = log.filter(({ n, kind }) => n >= (next ?? said) && KINDS.includes(kind)).map(plain);
    next = said;
    if (fresh.length === 0) return;
    const name = match === null && hand?.number ? `Hand ${hand.number}` : "";
    waiting.push([name, ...fresh]);
    if (timer === 0) announce();
  };
}
