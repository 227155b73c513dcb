/** What a page's document does wrong to those who read it by keyboard, by ear or with weak eyes; evaluated in the page. */
() => {
/** Ids, headings, lists and reach; each complaint says where. */
const inDocument = () => {
  const wrong = [];
  const where = (node) => `${node.tagName.toLowerCase()}${node.id && "#" + node.id}.${node.className?.baseVal ?? node.className}`;
  const seen = (node) => node.checkVisibility({ checkVisibilityCSS: true, contentVisibilityAuto: true });
  const all = [...document.body.querySelectorAll("*")].filter(seen);

  if (!document.documentElement.lang) wrong.push("the document has no language");
  if (!document.title) wrong.push("the document has no title");
  if (document.querySelectorAll("main").length !== 1) wrong.push("there is not one main part");
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  for (const id of ids.filter((id, k) => ids.indexOf(id) !== k)) wrong.push(`two elements are #${id}`);
  for (const node of document.querySelectorAll("[aria-labelledby], [aria-describedby], [for]")) {
    for (const name of ["aria-labelledby", "aria-describedby", "for"]) {
      const id = node.getAttribute(name);
      if (id !== null && document.getElementById(id) === null) wrong.push(`${where(node)} names #${id}, which is not there`);
    }
  }
  let level = 0;
  for (const heading of all.filter((node) => /^H[1-6]$/.test(node.tagName))) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) wrong.push(`${where(heading)} comes after a heading of level ${level}`);
    level = next;
  }
  for (const node of all) {
    const [tag, parent] = [node.tagName, node.parentElement.tagName];
    if (["OL", "UL"].includes(parent) && tag !== "LI") wrong.push(`${where(node)} stands in a list`);
    if (tag === "LI" && !["OL", "UL"].includes(parent)) wrong.push(`${where(node)} stands in no list`);
    if (tag === "LI" && !["list", null].includes(node.parentElement.getAttribute("role"))) wrong.push(`${where(node)} stands in no list`);
    if (node.tabIndex > 0) wrong.push(`${where(node)} goes before its turn`);
    if (node.closest("[aria-hidden=true]") && node.tabIndex >= 0) wrong.push(`${where(node)} is hidden and can be reached`);
    const scrolls = node.scrollHeight > node.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(node).overflowY);
    const within = node.querySelector("a[href], button, input, select, [tabindex='0']") !== null;
    if (scrolls && !within && node.tabIndex < 0) wrong.push(`${where(node)} scrolls and cannot be reached`);
  }
  return wrong;
};

/** Text that stands out too little from what is behind it: 4.5 to 1, or 3 to 1 where it is large. */
const inColours = () => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const read = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((one, k) => one * a + under[k] * (1 - a));
  const light = (colour) => {
    const [r, g, b] = colour.map((one) => (one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [a, b] = [light(one), light(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const inGradient = (image) => (image.match(/rgba?\([^)]*\)/g) ?? []).map(read);

  /** The colours that may lie behind a node: of the table's cloth there are two. */
  const behind = (node) => {
    const layers = [];
    for (let at = node; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      const cloth = at.classList.contains("cloth") ? getComputedStyle(at, "::before") : null;
      const shades = [style, ...(cloth?.content && cloth.display !== "none" ? [cloth] : [])].flatMap((one) => inGradient(one.backgroundImage));
      layers.push([read(style.backgroundColor), ...shades].filter(([, , , a]) => a > 0));
      if (layers.at(-1).some(([, , , a]) => a === 1)) break;
    }
    return layers.reverse().reduce(
      (unders, shades) => (shades.length === 0 ? unders : shades.flatMap((shade) => unders.map((under) => over(shade, under)))),
      [[255, 255, 255]],
    );
  };

  const wrong = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === "" || !node.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
    if (node.closest("option, .spoken, noscript, thead, :disabled")) continue;
    const style = getComputedStyle(node);
    const size = parseFloat(style.fontSize);
    if (size === 0) continue;
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    let opacity = 1;
    for (let at = node; at !== null; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const [r, g, b, a] = read(node instanceof SVGElement ? style.fill : style.color);
    if (node instanceof SVGElement) continue; // a card's rank on its own paper, tested by its colours
    for (const under of behind(node)) {
      const found = ratio(over([r, g, b, a * opacity], under), under);
      if (found < least - 0.01) {
        wrong.push(`${walker.currentNode.data.trim().slice(0, 30)} (${node.className}) stands out ${found.toFixed(2)} to 1`);
        break;
      }
    }
  }
  return wrong;
};

return [...inDocument(), ...inColours()];
}
