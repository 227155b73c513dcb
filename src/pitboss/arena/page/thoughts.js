/** What language models thought in a hand: one entry per answer, in order. All of it is text from strangers. */

import { make, visible } from "./dom.js";

const SECOND = 1000; // milliseconds

/** Build the list; returns its element and `show(thoughts)`. */
export function thoughtsView() {
  const list = make("ol", "thoughts");
  const node = make("details", "thinking", make("summary", "", "What language models thought"), list);
  visible(node, false);
  return {
    node,
    /** Show these thoughts; without any, nothing. */
    show(thoughts) {
      list.replaceChildren(...thoughts.map(entry));
      visible(node, thoughts.length > 0);
    },
  };
}

/** One answer: its move, what it took, and the model's words. */
function entry({ name, move, reasoning, ms, tokens_in: read = 0, tokens_out: written = 0, usd = 0, fallback }) {
  const facts = [`${(ms / SECOND).toFixed(1)} s`, `${read} + ${written} tokens`];
  if (usd > 0) facts.push(`${usd.toFixed(4)} USD`);
  const head = make("p", "move", `${name}: ${move} (${facts.join(", ")})`);
  const why = fallback === undefined ? [] : [make("p", "fallback", `The seat played itself: the model ${fallback}.`)];
  return make("li", "", head, ...why, make("p", "reasoning", reasoning));
}
