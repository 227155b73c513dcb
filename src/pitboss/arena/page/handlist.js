/** A list of finished hands with filters and an order, and a button for more. */

import { make, nameTag, put, visible } from "./dom.js";
import { shortChips, whole } from "./words.js";

const SORTS = [
  ["newest", "Newest"],
  ["losses", "Biggest losses"],
  ["wins", "Biggest wins"],
  ["pots", "Biggest pots"],
];
const AT_ONCE = 50;

/**
 * Build the list in an element. `ask(query)` returns hands as `/api/tables/…/hands` does, `place(number)` the address of one
 * hand, and `files()` the address of a file with all of them; `files` is null if there is none. Returns `load(table, hand)`,
 * which returns the newest hand's number, and `mark(number)`.
 */
export function handList(node, { ask, place, files }) {
  const team = labelled("Team", make("select"));
  const sort = labelled("Order", make("select", "", ...SORTS.map(([value, words]) => new Option(words, value))));
  const showdown = box("Showdown");
  const allIn = box("All-in");
  const hands = make("ol", "list");
  const note = make("p", "note");
  const more = make("button", "", "More");
  const all = make("a", "file", "All hands as PHH");
  more.type = "button";
  all.setAttribute("download", "");
  let poker = true;
  const filters = make("div", "filters", team.node, sort.node, showdown.node, allIn.node);
  node.setAttribute("aria-label", "Finished hands");
  node.append(make("h2", "", "Finished hands"), filters, note, hands, make("p", "foot", more, " ", all));
  let current = null; // the table whose hands are listed
  let marked = null;
  let last = null; // the number of the last hand in the list, if there are more
  let loading = 0; // counts requests, so that only the last answer is used

  function query(before) {
    const wanted = { sort: sort.input.value, limit: AT_ONCE };
    if (team.input.value !== "") wanted.team = team.input.value;
    if (showdown.input.checked) wanted.showdown = 1;
    if (allIn.input.checked) wanted.all_in = 1;
    if (before !== null) wanted.before = before;
    return new URLSearchParams(wanted).toString();
  }

  async function fill(before) {
    const mine = ++loading;
    const found = await ask(query(before));
    if (mine !== loading) return found;
    const rows = found.hands.map((hand) => row(hand, hand.teams ?? found.teams));
    if (before === null) hands.replaceChildren(...rows);
    else hands.append(...rows);
    teams(found.teams);
    last = found.more && sort.input.value === "newest" ? found.hands.at(-1).number : null;
    visible(more, last !== null);
    visible(all, poker && files !== null && found.finished > 0);
    if (files !== null) all.href = files();
    const unread = found.read === undefined ? "" : `${whole(found.read)} of ${whole(found.finished)} hands are read so far. `;
    put(note, `${unread}${hands.children.length === 0 ? "No hand matches." : ""}`);
    visible(note, note.textContent !== "");
    mark(marked);
    return found;
  }

  function teams(named) {
    const names = Object.values(named);
    const there = [...team.input.options].slice(1).map((option) => option.value);
    if (names.length === there.length && names.every((name, k) => name === there[k])) return;
    const chosen = team.input.value;
    team.input.replaceChildren(new Option("all teams", ""), ...names.map((name) => new Option(name, name)));
    team.input.value = names.includes(chosen) ? chosen : "";
  }

  /** Return a hand's row in the list; `teams` are the teams by seat, unless the hand has its own. */
  function row(hand, teams) {
    const named = hand.teams ?? teams;
    const seat = Object.keys(named).find((key) => named[key] === team.input.value) ?? null;
    const pot = poker ? ` · pot ${shortChips(hand.pot)} ` : " ";
    const link = make("a", "", make("b", "", `Hand ${whole(hand.number)}`), pot);
    link.href = place(hand.number);
    for (const key of seat === null ? hand.winners : [seat]) {
      const won = hand.delta[key] ?? 0;
      const sign = won > 0 ? "+" : won < 0 ? "−" : "±";
      link.append(" ", nameTag(`name c${key}`, named[key] ?? `Seat ${key}`), ` ${sign}${shortChips(Math.abs(won))}`);
    }
    for (const [on, words] of [[poker && hand.all_in, "all-in"], [poker && hand.showdown, "showdown"], [hand.voided === true, "void"]]) {
      if (on) link.append(" ", make("span", "kind", words));
    }
    const item = make("li", "", link);
    item.dataset.number = hand.number;
    return item;
  }

  function mark(number) {
    marked = number;
    for (const item of hands.children) {
      if (Number(item.dataset.number) === number) item.firstChild.setAttribute("aria-current", "true");
      else item.firstChild.removeAttribute("aria-current");
    }
  }

  const fail = (error) => [put(note, error.message), visible(note, true)];
  for (const { input } of [team, sort, showdown, allIn]) input.addEventListener("change", () => fill(null).catch(fail));
  more.addEventListener("click", () => fill(last).catch(fail));
  return {
    node,
    mark,
    /** Show what only poker has: pots, showdowns, files. */
    ofPoker(is) {
      poker = is;
      for (const part of [showdown.node, allIn.node, sort.node]) visible(part, is);
    },
    /** List a table's hands, unless the wanted hand is already in the list; returns the newest hand's number. */
    async load(table, hand) {
      const listed = [...hands.children].some((item) => Number(item.dataset.number) === hand);
      if (table === current && listed) return hand;
      if (table !== current) team.input.replaceChildren(new Option("all teams", ""));
      current = table;
      const found = await fill(null);
      return found.hands[0]?.number ?? null;
    },
  };
}

function labelled(words, input) {
  return { input, node: make("label", "", `${words} `, input) };
}

function box(words) {
  const input = make("input");
  input.type = "checkbox";
  return { input, node: make("label", "", input, ` ${words}`) };
}
