/** A live table: its connection, the pace, the state, and the parts of the page that show it. */

import { writePlace } from "../address.js";
import { make, put, visible } from "../dom.js";
import { inviteView } from "../invite.js";
import { watch } from "../live.js";
import { logView, newsView } from "../log.js";
import { glide } from "../motion.js";
import { nextView } from "../next.js";
import { pacer } from "../pace.js";
import { preference } from "../preferences.js";
import { inOrder, show, start } from "../reducer.js";
import { standingsView } from "../standings.js";
import { tableView } from "../table.js";
import { findRules } from "../tables.js";
import { chips } from "../words.js";

const CATCH_UP = 400; // milliseconds after a connection opens in which the hand under way is sent from its start

/** Open the view in its element; see main.js. */
export function open(node, page) {
  const find = (selector) => node.querySelector(selector);
  const next = nextView(find("#next"), page);
  const parts = [
    tableView(find("#felt"), null, findRules),
    logView(find("#log")),
    inviteView(find("#invite"), page),
    standingsView(find("#standings")),
    next,
    newsView(find("#news")),
    headView,
  ];
  let state = start();
  let drawing = 0;
  let line = null;
  let catchingUp = 0;

  const pace = pacer((message) => {
    state = show(state, message);
    if (message.type === "table") page.atTable(message.table_id);
    drawing ||= requestAnimationFrame(render); // one picture for many messages
  });

  function receive(message) {
    if (message.type !== "equities") return inOrder(message).forEach(pace.push);
    state = show(state, message); // equities arrive late, maybe for a hand that is not shown yet
    drawing ||= requestAnimationFrame(render);
  }

  function render() {
    drawing = 0;
    glide(node, () => parts.forEach((part) => part(state)));
  }

  /** Show the table's facts in the header. */
  function headView({ table, hand, view }) {
    if (table === null) return;
    const { sb, bb, ante, bring_in: bringIn, move_time_ms: time, max_hands: most } = table.config;
    const number = hand?.number ?? null;
    const of = most === undefined || most === null ? "" : ` of ${chips(most)}`;
    const game = view === null ? "" : ` · ${view.title}`;
    put(document.querySelector("#hand"), `${table.id}${game}${number === null ? "" : ` · hand ${chips(number)}${of}`}`);
    const antes = ante > 0 ? `Ante ${chips(ante)} · ` : "";
    const blinds = bringIn > 0 ? `Bring-in ${chips(bringIn)}, small bet ${chips(bb)} · ` : `Blinds ${chips(sb)}/${chips(bb)} · `;
    const stakes = document.querySelector("#stakes");
    put(stakes, `${bb > 0 ? antes + blinds : ""}${chips(time / 1000)} s a move`);
    stakes.title = stakes.textContent; // it may be cut
    page.title(number === null ? "" : `Hand ${chips(number)}`, table.id);
  }

  /** After a refused connection: report that there is no such table, if that is the reason. */
  async function lookFor(table) {
    const tables = await page.tables();
    if (line === null || tables.length === 0 || tables.some(({ table_id: id }) => id === table)) return;
    line.close();
    line = null;
    const link = make("a", "", "The lobby lists all tables.");
    link.href = writePlace({ view: "lobby" });
    find("#no-table").replaceChildren(make("p", "", `There is no table ${JSON.stringify(table)} in this arena. `, link));
    there(false);
    page.title("No such table");
    page.connection({ name: "live", wait: 0, reason: "" }, null);
  }

  /** Show the table, or the sentence that there is none. */
  function there(is) {
    visible(find("#no-table"), !is);
    visible(find("#felt"), is);
    visible(find("aside"), is);
    if (!is) for (const fact of ["#hand", "#stakes"]) put(document.querySelector(fact), "");
  }

  function isCalmPace() {
    return document.querySelector("#pace").getAttribute("aria-pressed") === "true";
  }

  preference(document.querySelector("#pace"), "calm-pace", "on", (on) => pace.setLive(!on));

  return {
    /** Draw again, because the list of tables has changed. */
    refresh: render,
    show({ table }) {
      this.close();
      state = start();
      there(true);
      render();
      line = watch(table, {
        receive,
        phase: (phase) => {
          clearTimeout(catchingUp);
          pace.setLive(true);
          if (phase.name === "live") catchingUp = setTimeout(() => pace.setLive(!isCalmPace()), CATCH_UP);
          page.connection(phase, line);
          if (phase.name === "lost" && table !== null && state.table === null) lookFor(table);
        },
      });
    },
    close() {
      line?.close();
      line = null;
      clearTimeout(catchingUp);
      pace.clear();
      next(start()); // no longer go to another table automatically
    },
  };
}
