/** The statistics of a table's teams, and the errors of one's own team. */

import { make, put, visible } from "../dom.js";
import { winningsChart } from "../chart.js";
import { errorLog } from "../errors.js";
import { inOrder, teamCard, teamTable } from "../figures.js";
import { chips } from "../words.js";

const AGAIN = 5000; // milliseconds until the figures are fetched again
const SOON = 1500; // the same while hands are still being counted

/** Open the view in its element; see main.js. */
export function open(node, page) {
  const head = make("h2", "", "Teams");
  const state = make("p", "note");
  state.setAttribute("role", "status");
  const chart = make("div", "all-lines");
  const rows = make("div", "scrolled");
  rows.tabIndex = 0;
  rows.setAttribute("role", "region");
  rows.setAttribute("aria-label", "Figures of all teams");
  const cards = make("div", "team-cards");
  const errors = errorLog();
  node.append(make("div", "figures", head, state, chart, rows, cards, errors.node));
  let wanted = null; // the table that is shown
  let timer = 0;
  let latest = "";

  async function look() {
    clearTimeout(timer);
    const table = wanted;
    const { figures, sentence } = document.hidden ? {} : await ask(table);
    if (table !== wanted || wanted === null) return; // another table was chosen meanwhile
    if (figures !== undefined) show(table, figures);
    if (sentence !== undefined) put(state, sentence);
    timer = setTimeout(look, figures?.read === undefined ? AGAIN : SOON);
  }

  function show(table, figures) {
    const fresh = JSON.stringify(figures);
    if (fresh === latest) return;
    latest = fresh;
    put(head, `Teams of ${table}`);
    put(state, howFar(figures));
    const teams = inOrder(figures.teams);
    const none = teams.length === 0;
    for (const part of [chart, rows, cards]) visible(part, !none);
    if (none) return;
    const unit = figures.unit === "bb" ? "bb" : "points";
    const lines = teams.map(({ seat, line, joined }) => {
      return { className: `c${seat}`, from: joined, points: line.map(([hands, won]) => [hands, won]) };
    });
    const size = { width: Math.max(300, chart.clientWidth), height: 260 };
    const words = teams.map(({ team, won }) => `${team} ${won < 0 ? "lost" : "won"} ${chips(Math.abs(won))}`);
    const label = `Winnings over the hands: ${words.join(", ")}`;
    chart.replaceChildren(winningsChart(lines, { label, unit, across: "hands of the table", ...size }));
    rows.replaceChildren(teamTable({ ...figures, teams }));
    cards.replaceChildren(...teams.map((team) => teamCard(team, figures, table)));
  }

  return {
    async show({ table }) {
      latest = "";
      wanted = table ?? (await firstTable());
      if (wanted === null) {
        put(state, "There is no table yet.");
        return;
      }
      page.atTable(wanted);
      page.title("Teams", wanted);
      errors.at(wanted);
      look();
    },
    close() {
      wanted = null;
      clearTimeout(timer);
    },
  };
}

/** Return what a table's figures cover. */
function howFar({ hands, finished, read, since, teams }) {
  if (finished === 0) return "No hand is finished yet.";
  if (teams.length === 0) return "The hands are being counted…";
  const counted = read === undefined ? `${chips(hands)} finished hand${hands === 1 ? "" : "s"}` : `${chips(read)} of ${chips(finished)} hands so far; more are being counted`;
  return `Over ${counted}. Times and errors are counted from the server's start${since > 1 ? `, hand ${chips(since)}` : ""}.`;
}

async function ask(table) {
  try {
    const answer = await fetch(new URL(`api/tables/${encodeURIComponent(table)}/teams`, document.baseURI));
    if (answer.ok) return { figures: await answer.json() };
    return { sentence: sentenceOf(await answer.text()) };
  } catch {
    return { sentence: "The server does not answer. Trying again in a moment." };
  }
}

async function firstTable() {
  try {
    const tables = await (await fetch(new URL("api/tables", document.baseURI))).json();
    return (tables.find(({ over }) => !over) ?? tables.at(-1))?.table_id ?? null;
  } catch {
    return null;
  }
}

function sentenceOf(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
