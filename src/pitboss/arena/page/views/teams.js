/** How the teams of a table have done, and what the server refused of one's own team's messages. */

import { make, put, visible } from "../dom.js";
import { errorLog } from "../errors.js";
import { teamCard, teamTable } from "../figures.js";
import { chips } from "../words.js";
import { winningsChart } from "../winnings.js";

const AGAIN = 5000; // milliseconds until the figures are asked for again
const SOON = 1500; // where not all hands are counted yet

/** Open the view in its element; see main.js for what a view is. */
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
    const { told, sentence } = document.hidden ? {} : await ask(table);
    if (table !== wanted || wanted === null) return; // one has gone on meanwhile
    if (told !== undefined) show(table, told);
    if (sentence !== undefined) put(state, sentence);
    timer = setTimeout(look, told?.read === undefined ? AGAIN : SOON);
  }

  function show(table, told) {
    const fresh = JSON.stringify(told);
    if (fresh === latest) return;
    latest = fresh;
    put(head, `Teams of ${table}`);
    put(state, howFar(told));
    const none = told.teams.length === 0;
    for (const part of [chart, rows, cards]) visible(part, !none);
    if (none) return;
    const unit = told.unit === "bb" ? "bb" : "points";
    const lines = told.teams.map(({ seat, line }) => ({ className: `c${seat}`, points: line.map(([hands, won]) => [hands, won]) }));
    const size = { width: Math.max(300, chart.clientWidth), height: 260 };
    const words = told.teams.map(({ team, won }) => `${team} ${won < 0 ? "lost" : "won"} ${chips(Math.abs(won))}`);
    chart.replaceChildren(winningsChart(lines, { label: `Winnings over the hands: ${words.join(", ")}`, unit, ...size }));
    rows.replaceChildren(teamTable(told));
    cards.replaceChildren(...told.teams.map((team) => teamCard(team, told, table)));
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
      page.title(`Teams · ${wanted}`);
      errors.at(wanted);
      look();
    },
    close() {
      wanted = null;
      clearTimeout(timer);
    },
  };
}

/** What a table's figures cover. */
function howFar({ hands, finished, read, since, teams }) {
  if (finished === 0) return "No hand is finished yet.";
  if (teams.length === 0) return "The hands are being counted…";
  const counted = read === undefined ? `${chips(hands)} finished hand${hands === 1 ? "" : "s"}` : `${chips(read)} of ${chips(finished)} hands so far; more are being counted`;
  return `Over ${counted}. Times and errors are counted since the server's start${since > 1 ? `, from hand ${chips(since)} on` : ""}.`;
}

async function ask(table) {
  try {
    const answer = await fetch(new URL(`api/tables/${encodeURIComponent(table)}/teams`, document.baseURI));
    if (answer.ok) return { told: await answer.json() };
    return { sentence: sentenceOf(await answer.text()) };
  } catch {
    return { sentence: "The server does not answer. It is asked again in a moment." };
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
