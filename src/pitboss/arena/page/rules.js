/** The rules of a game, one click away: a button, and a dialog with the server's sentences. */

import { make, put, visible } from "./dom.js";

/** Return the button and `update(state)`. `find(table)`, if given, returns rules that no message had. */
export function rulesButton(find) {
  const open = make("button", "rules-open", "Rules");
  open.type = "button";
  const heading = make("h2", "", "Rules");
  const text = make("div", "rules-text");
  text.tabIndex = 0;
  const close = make("button", "", "Close");
  close.type = "button";
  const dialog = make("dialog", "rules", heading, text, close);
  dialog.setAttribute("aria-label", "Rules of the game");
  const node = make("div", "rules-of", open, dialog);
  let shown = null; // the state that is shown

  open.addEventListener("click", async () => {
    put(heading, `Rules of ${shown.view.title}`);
    put(text, shown.rules === null ? "Looking for the rules…" : "");
    dialog.showModal();
    const rules = shown.rules ?? (await find(shown.table.id));
    text.replaceChildren(...(rules === null ? [make("p", "", "The server has no rules for this game.")] : paragraphs(rules)));
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close(); // outside its box
  });

  return {
    node,
    update(state) {
      shown = state;
      visible(node, state.view !== null && (state.rules !== null || find !== null));
    },
  };
}

/** Return rules as paragraphs and lists: an empty line separates paragraphs, and a line of a list begins with "- ". */
function paragraphs(rules) {
  return rules.trim().split(/\n\s*\n/).flatMap((block) => {
    const lines = block.split("\n");
    const first = lines.findIndex((line) => /^\s*[-*] /.test(line));
    if (first === -1) return [paragraph(block)];
    const items = lines.slice(first).map((line) => make("li", "", line.replace(/^\s*[-*] /, "")));
    return [...(first > 0 ? [paragraph(lines.slice(0, first).join(" "))] : []), make("ul", "", ...items)];
  });
}

function paragraph(text) {
  const heading = /^#+ (.*)/.exec(text);
  return heading === null ? make("p", "", text.replaceAll("\n", " ")) : make("h3", "", heading[1]);
}
