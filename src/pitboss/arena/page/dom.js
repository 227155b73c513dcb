/** Small helpers to build and change the document; text goes in as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** A new element with a class and children, which are nodes or plain text. */
export function make(tag, className = "", ...children) {
  const node = document.createElement(tag);
  if (className !== "") node.className = className;
  node.append(...children);
  return node;
}

/** A new SVG element with attributes and children. */
export function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Set an element's text, leaving it alone where nothing changes. */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Show an element or not. */
export function visible(node, shown) {
  if (node.hidden === shown) node.hidden = !shown;
}

/** A stranger's name: on its own in the order of writing, cut where too long, whole in its tooltip. */
export function nameTag(className, name) {
  const node = make("bdi", className, name);
  node.title = name;
  return node;
}

/** Change a name tag. */
export function rename(node, name) {
  put(node, name);
  if (node.title !== name) node.title = name;
}

/** Whether the reader has asked for little motion. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
