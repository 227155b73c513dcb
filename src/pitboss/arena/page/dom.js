/** Helpers that build and change the document; text is always added as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** Create an element with a class and children, which are nodes or plain text. */
export function make(tag, className = "", ...children) {
  const node = document.createElement(tag);
  if (className !== "") node.className = className;
  node.append(...children);
  return node;
}

/** Create an SVG element with attributes and children. */
export function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Set an element's text, if it differs. */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Show or hide an element. */
export function visible(node, shown) {
  if (node.hidden === shown) node.hidden = !shown;
}

/** Create an element for a name from outside: its own text direction, cut if too long, complete in the tooltip. */
export function nameTag(className, name) {
  const node = make("bdi", className, name);
  node.title = name;
  return node;
}

/** Change the name in a name tag. */
export function rename(node, name) {
  put(node, name);
  if (node.title !== name) node.title = name;
}

/** Return whether the reader's system asks for reduced motion. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
