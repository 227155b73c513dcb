/** Teams' statistics: one table that compares all teams, and a card for each team with its chart and biggest pots. */

import { VIEWS, writePlace } from "./address.js";
import { winningsChart } from "./chart.js";
import { make, nameTag } from "./dom.js";
import { chips } from "./words.js";

const NONE = "–";

/** The columns: heading, meaning, and the text for a team. */
const COLUMNS = [
  ["Hands", "hands played", ({ hands }) => chips(hands)],
  ["Won", "chips won, or lost", ({ won }) => signed(won)],
  ["bb/100", "big blinds won per 100 hands, with the 95 % confidence interval", rate],
  ["VPIP", "share of hands in which the team put chips in by choice before the flop", ({ vpip }) => share(vpip)],
  ["PFR", "share of hands in which the team raised before the flop", ({ pfr }) => share(pfr)],
  ["Aggr.", "bets and raises as a share of all bets, raises, calls and folds after the first street", ({ aggression }) => share(aggression)],
  ["To showdown", "share of the hands that reached the second street in which the team went to showdown", ({ wtsd }) => share(wtsd)],
  ["At showdown", "chips won in hands with a showdown", (team) => signed(team.won_at_showdown)],
  ["Without", "chips won in hands without a showdown", (team) => signed(team.won_without_showdown)],
  ["Time a turn", "average time of a turn, and the longest", time],
  ["Missed", "turns the server played for the team: its time was up, or it was away", ({ timeouts }) => chips(timeouts)],
  ["Errors", "messages that the server refused", ({ errors }) => chips(errors ?? 0)],
];

/** The columns of poker alone. */
const OF_POKER = ["VPIP", "PFR", "Aggr.", "To showdown", "At showdown", "Without"];

/** Return the teams from first to last: by their chips, and of those without chips the one that played more hands. */
export function inOrder(teams) {
  return teams.toSorted((a, b) => b.won - a.won || b.hands - a.hands);
}

/** Whether the server played all turns of a team. */
function neverAnswers({ turns, timeouts }) {
  return turns > 0 && timeouts === turns;
}

/** Return a table of all teams. */
export function teamTable({ teams, unit }) {
  const columns = unit === "bb" ? COLUMNS : COLUMNS.filter(([name]) => !OF_POKER.includes(name));
  const heads = columns.map(([name, meaning]) => {
    const cell = make("th", "", unit === "bb" ? name : name.replace("bb/100", "Points/100"));
    cell.scope = "col";
    cell.title = meaning;
    return cell;
  });
  const first = make("th", "", "Team");
  first.scope = "col";
  const rows = teams.map((team) => {
    const head = make("th", "", nameTag(`name c${team.seat}`, team.team));
    if (neverAnswers(team)) head.append(make("span", "silent", "never answers"));
    head.scope = "row";
    return make("tr", "", head, ...columns.map(([, , entry]) => make("td", "", entry(team))));
  });
  return make("table", "compared", make("thead", "", make("tr", "", first, ...heads)), make("tbody", "", ...rows));
}

/** Return one team's card: its winnings in all, with and without showdown, and its biggest pots. */
export function teamCard(team, { unit }, table) {
  const total = team.line.map(([hands, won]) => [hands, won]);
  const shown = team.line.map(([hands, , at]) => [hands, at]);
  const other = team.line.map(([hands, won, at]) => [hands, won - at]);
  const split = team.won_at_showdown !== undefined;
  const lines = [
    ...(split ? [{ className: "shown", points: shown }, { className: "unshown", points: other }] : []),
    { className: `c${team.seat}`, points: total },
  ];
  const label = `Winnings of ${team.team}: ${signed(team.won)} chips in all`;
  const chart = winningsChart(lines, { label, unit: unit === "bb" ? "bb" : "points", width: 320, height: 160 });
  const legend = split
    ? [make("p", "legend", make("span", `key c${team.seat}`, "all"), make("span", "key shown", "at showdown"), make("span", "key unshown", "without"))]
    : [];
  return make("section", "team-card", make("h3", "", nameTag(`name c${team.seat}`, team.team)), chart, ...legend, ...(unit === "bb" ? biggest(team, table) : []));
}

function biggest({ pots }, table) {
  if (pots.length === 0) return [];
  const rows = pots.map(({ number, pot, delta }) => {
    const words = `Hand ${chips(number)}`;
    const name = VIEWS.has("replay") ? linked(words, { view: "replay", table, hand: number }) : words;
    return make("li", "", make("span", "", name), make("span", "", `pot ${chips(pot)}`), make("b", delta < 0 ? "loss" : "gain", signed(delta)));
  });
  return [make("h4", "", "Biggest pots"), make("ol", "big-pots", ...rows)];
}

function linked(words, place) {
  const link = make("a", "", words);
  link.href = writePlace(place);
  return link;
}

function signed(number) {
  if (number === undefined || number === null) return NONE;
  return number > 0 ? `+${chips(number)}` : chips(number).replace("-", "−");
}

function rate({ per_100: mean, per_100_low: low, per_100_high: high }) {
  if (mean === undefined || mean === null) return NONE;
  const rounded = (number) => signed(Math.abs(number) < 100 ? Math.round(number * 10) / 10 : Math.round(number));
  return low === undefined ? rounded(mean) : `${rounded(mean)} ± ${rounded((high - low) / 2).replace("+", "")}`;
}

function share(part) {
  return part === undefined || part === null ? NONE : `${Math.round(part * 100)} %`;
}

function time({ time: used }) {
  if (used === undefined || used.turns === 0) return NONE;
  return `${seconds(used.ms / used.turns)} (${seconds(used.longest_ms)})`;
}

function seconds(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
