/** What a screen reader is told of a table without being asked: what hands came to, a sentence now and then. */

import { put } from "./dom.js";
import { plain } from "./words.js";

const KINDS = ["win", "out", "match"];
const SELDOM = 6000; // milliseconds between two sentences, for somebody has to hear them out

/** A function that tells a state's news in an element that is read out. */
export function newsView(node) {
  let next = null; // the first line that was not looked at
  let waiting = [];
  let timer = 0;

  function tell() {
    timer = 0;
    if (waiting.length === 0) return;
    put(node, waiting.at(-1).filter(Boolean).join(". "));
    waiting = [];
    timer = setTimeout(tell, SELDOM);
  }

  return ({ log, said, hand, match }) => {
    const fresh = log.filter(({ n, kind }) => n >= (next ?? said) && KINDS.includes(kind)).map(plain);
    next = said;
    if (fresh.length === 0) return;
    const name = match === null && hand?.number ? `Hand ${hand.number}` : "";
    waiting.push([name, ...fresh]);
    if (timer === 0) tell();
  };
}
