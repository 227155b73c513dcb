/** The question after a game: how was it? From 1 to 5, and a word. */

import { make, put, visible } from "./dom.js";

const NAMES = ["1, dull", "2", "3", "4", "5, great"];

/** Return the form's element and `update(state)`; `send(table, rating)` returns null, or a sentence if it was refused. */
export function ratingForm(send) {
  const choices = NAMES.map((name, k) => {
    const input = make("input");
    [input.type, input.name, input.value] = ["radio", "stars", String(k + 1)];
    input.setAttribute("aria-label", name);
    return make("label", "", input, make("span", "", String(k + 1)));
  });
  const scale = make("div", "scale", make("span", "end", "dull"), ...choices, make("span", "end", "great"));
  scale.setAttribute("role", "radiogroup");
  scale.setAttribute("aria-label", "From 1, dull, to 5, great");
  const word = make("input");
  [word.type, word.name, word.maxLength, word.autocomplete] = ["text", "word", 200, "off"];
  const button = make("button", "choice", "Send");
  const said = make("p", "rated");
  said.setAttribute("role", "status");
  const form = make("form", "", scale, make("label", "word", "In a word ", word), button);
  form.noValidate = true;
  const node = make("section", "rating", make("h2", "", "How was this game?"), form, said);
  node.hidden = true;
  let table = null; // the table that is asked about
  let done = null; // the table that has been rated

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const stars = Number(form.elements.stars.value);
    if (stars === 0) {
      put(said, "Choose a number from 1 to 5.");
      return;
    }
    const refused = await send(table, { stars, word: word.value.trim() });
    put(said, refused ?? "Thank you. Your answer helps to find better games.");
    if (refused !== null) return;
    done = table;
    visible(form, false);
  });

  return {
    node,
    /** Ask once a game other than poker is over, until it is answered; `stored` is whether the server stores answers. */
    update({ table: at, view, hand, me }, stored) {
      if (!stored || at === null || view === null || me === null) return;
      if (at.id !== table) {
        table = at.id;
        visible(form, done !== table);
        put(said, "");
        visible(node, false);
      }
      if (hand?.over === true) visible(node, true);
    },
  };
}
