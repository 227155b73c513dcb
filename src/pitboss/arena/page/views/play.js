/** A person's seat: the connection of a player, the table, and the controls to answer. */

import { layCards } from "../cards.js";
import { ownClock } from "../clock.js";
import { controls } from "../controls.js";
import { make, put, visible } from "../dom.js";
import { identityAt, isSitting, keep, noteSitting } from "../identity.js";
import { canJoin, joinForm } from "../joining.js";
import { heldBy } from "../layout.js";
import { takeSeat, watch } from "../live.js";
import { lineNode, logView, newsView } from "../log.js";
import { myQuestion } from "../mine.js";
import { pacer } from "../pace.js";
import { show, start } from "../reducer.js";
import { having, situation, spoken, whyNoSeat, whyRefused } from "../situation.js";
import { tableView } from "../table.js";
import { chips, plain } from "../words.js";

const CATCH_UP = 400; // milliseconds after a connection opens in which the hand under way is sent from its start
const TOLD = 8; // actions of others that are read aloud with a question
const ASKS = ["act", "ask", "snapshot", "view"];

/** Open the view in its element; see main.js. */
export function open(node, page) {
  const felt = make("section", "felt");
  felt.setAttribute("aria-label", "The table");
  const log = make("ol", "log");
  const form = joinForm(sit);
  const acting = controls(answer, (sentence) => put(trouble, sentence));
  const clock = ownClock(tick, (seconds) => announce(`${seconds} seconds left`));
  const cards = make("div", "hole");
  const words = make("p", "situation");
  const trouble = make("p", "trouble");
  const away = make("button", "leave", "Leave the table");
  const another = make("button", "another", "Play at another table");
  const said = make("p", "spoken");
  const news = make("p", "spoken");
  const last = make("section", "last-hand", make("h2", "", "Last hand"), make("ol", "lines"));
  const mine = make("div", "own", make("div", "holding", cards), make("div", "telling", words, clock.node, trouble), acting.node, away);
  const panel = make("section", "panel", form.node, mine, another, said, news);
  lay();

  const draw = [tableView(felt), logView(log), newsView(news), panelView, lastView];
  let state = start();
  let wanted = null; // the table in the address
  let watching = null; // the connection as a spectator, if there is no seat
  let seat = null; // the connection as a player
  let shown = false;
  let drawing = 0;
  let catchingUp = 0;
  let asked = null; // the question that is shown
  let heard = 0; // lines of the log that were read aloud, or need not be

  const pace = pacer((message) => {
    state = show(state, message);
    drawing ||= requestAnimationFrame(render);
  });

  function lay() {
    panel.setAttribute("aria-label", "Your seat");
    trouble.setAttribute("role", "alert");
    said.setAttribute("aria-live", "assertive");
    for (const button of [away, another]) button.type = "button";
    another.addEventListener("click", moveOn);
    away.addEventListener("click", leave);
    log.id = "play-log";
    log.tabIndex = 0;
    news.setAttribute("role", "status");
    log.setAttribute("aria-labelledby", "play-log-title");
    const heading = make("h2", "", "What happened");
    heading.id = "play-log-title";
    const history = make("section", "history", heading, log);
    node.append(make("div", "stage", felt, panel), make("aside", "", last, history));
    document.addEventListener("keydown", (event) => {
      if (shown && seat !== null && acting.key(event)) event.preventDefault();
    });
  }

  function render() {
    drawing = 0;
    for (const part of draw) part(state);
  }

  // --- what is shown

  function panelView() {
    const sits = seat !== null && state.me !== null;
    form.show(!sits);
    visible(mine, sits);
    form.update(state);
    visible(another, isDone() || (!sits && state.table !== null && !canJoin(state, { team: form.team() })));
    if (!sits) return;
    const question = myQuestion(state);
    const me = state.seats[state.me.seat];
    const held = state.hand === null || !me.dealt ? [] : heldBy(me, state.hand).map((card, k) => card ?? me.hole[k] ?? null);
    layCards(cards, me.cards ?? held);
    cards.classList.toggle("folded", me.folded);
    put(words, [situation(state, question), having(state)].join(" ").trim());
    if (question !== null && question !== asked) announce(spoken(state, question, sinceLast()));
    if (question !== asked) put(trouble, "");
    asked = question;
    acting.update(question);
    clock.update(question === null ? null : state.turn);
    if (question === null) name();
    const link = document.querySelector('#views a[href*="view=play"]');
    link?.classList.toggle("asked", question !== null && !shown); // another view is shown
  }

  /** Return what others have done since the last question, at most the last few actions. */
  function sinceLast() {
    const fresh = state.log.filter(({ n, kind }) => n >= heard && kind === "act");
    heard = state.said;
    return fresh.slice(-TOLD).map(plain);
  }

  /** Show the result of the last hand, since a table of bots begins the next one quickly. */
  function lastView({ log: lines, hand }) {
    const begins = lines.findLastIndex(({ kind }) => kind === "hand");
    const over = hand?.over === true;
    const end = over ? lines.length : begins;
    const from = over ? begins : lines.slice(0, Math.max(0, begins)).findLastIndex(({ kind }) => kind === "hand");
    const results = from < 0 ? [] : lines.slice(from, end).filter(({ kind }) => ["show", "win", "out"].includes(kind));
    const key = results.map(({ n }) => n).join();
    visible(last, results.length > 0);
    if (last.dataset.key === key) return;
    last.dataset.key = key;
    last.querySelector("ol").replaceChildren(...results.map(lineNode));
  }

  function tick(time) {
    if (time === null) name();
    else entitle(time.hurry ? `${time.seconds} s left · your turn` : "Your turn");
  }

  function name() {
    const number = state.hand?.number ?? null;
    entitle(seat === null ? "Take a seat" : number === null ? "Seated" : `Hand ${chips(number)}`, state.table?.id ?? "");
  }

  function entitle(...parts) {
    if (shown) page.title(...parts);
  }

  function announce(sentence) {
    put(said, sentence);
  }

  /** Return whether the player is done here: the match is over, or the player is out. */
  function isDone() {
    return state.match !== null || (state.me !== null && state.seats[state.me.seat].out);
  }

  // --- what one does

  function answer(message) {
    const question = myQuestion(state);
    if (question === null) return;
    const whole = { ...message, hand_id: question.hand, turn: question.turn };
    if (seat?.send(whole) !== true) {
      put(trouble, "The connection is lost. Your answer was not sent.");
      return;
    }
    put(trouble, "");
    state = show(state, whole);
  }

  function sit(who) {
    const table = state.table === null || (wanted === null && !canJoin(state, who)) ? wanted : state.table.id;
    form.say("");
    seat?.close();
    seat = takeSeat(table, who, {
      seen: () => (state.known === null || table === null ? 0 : state.known.seq - 1), // the hand under way from its start
      receive(message) {
        if (message.type === "welcome") seated(message, who);
        if (message.type === "error") {
          put(trouble, whyRefused(message));
          return;
        }
        pace.push(message);
        if (ASKS.includes(message.type)) hurryUp();
      },
      phase: connection,
      refused(why) {
        const left = why.code === "REPLACED";
        if (left || why.code === "TEAM_TAKEN") noteSitting(state.table?.id ?? table, false);
        stopPlaying();
        form.say(whyNoSeat(why));
        form.focus();
      },
    });
  }

  function seated({ table_id: table }, who) {
    watching?.close();
    watching = null;
    pace.clear();
    keep(table, who);
    noteSitting(table, true);
    page.atTable(table);
    if (shown) page.stay({ view: "play", table });
  }

  function leave() {
    seat?.send({ type: "leave" });
    noteSitting(state.table.id, false);
    stopPlaying();
    form.say("You have left. Your seat and your chips are kept. The table plays on without waiting for you.");
    form.focus();
  }

  /** Go to the first other table with a free seat. */
  async function moveOn() {
    const here = state.table?.id ?? null;
    const next = (await page.tables()).find(({ table_id: id, over, free }) => id !== here && !over && free > 0);
    if (next === undefined) {
      const sentence = "No other table has a free seat now. The lobby lists all tables.";
      if (seat === null) form.say(sentence);
      else put(trouble, sentence);
      return;
    }
    if (here !== null) noteSitting(here, false);
    page.go({ view: "play", table: next.table_id });
  }

  /** Give up the connection as a player, and watch. */
  function stopPlaying() {
    seat?.close();
    seat = null;
    pace.clear();
    announce("");
    look(state.table?.id ?? wanted);
  }

  // --- connections

  function connection(phase) {
    clearTimeout(catchingUp);
    pace.setLive(true);
    if (phase.name === "live") catchingUp = setTimeout(() => pace.setLive(false), CATCH_UP);
    if (shown) page.connection(phase, seat ?? watching);
    if (phase.name === "lost" && seat === null) lookFor(wanted);
  }

  /** After a lost connection: report that there is no such table, if that is the reason. */
  async function lookFor(table) {
    const tables = table === null ? [] : await page.tables();
    if (watching === null || tables.length === 0 || tables.some(({ table_id: id }) => id === table)) return;
    watching.close();
    watching = null;
    form.say(`There is no table ${JSON.stringify(table)} in this arena. The lobby lists all tables.`);
    if (shown) page.connection({ name: "live", wait: 0, reason: "" }, null);
  }

  /** Show all that waits, because the player's time is running. */
  function hurryUp() {
    pace.setLive(true);
    pace.setLive(false);
  }

  function look(table) {
    watching?.close();
    let first = true;
    watching = watch(table, {
      receive(message) {
        pace.push(message);
        if (message.type === "table") page.atTable(message.table_id);
        if (message.type !== "lobby" || !first) return;
        first = false;
        const who = identityAt(state.table?.id ?? table);
        if (seat === null && who !== null && isSitting(state.table?.id ?? table)) sit(who);
      },
      phase: connection,
    });
  }

  return {
    refresh: render,
    show({ table }) {
      shown = true;
      if (seat !== null && (table === null || table === state.table?.id)) {
        render();
        name();
        return;
      }
      seat?.close();
      seat = null;
      pace.clear();
      wanted = table;
      state = start();
      render();
      name();
      look(table);
      if (matchMedia("(pointer: fine)").matches) form.focus(); // on a phone the keyboard would cover the table
    },
    close() {
      shown = false;
      if (seat !== null) {
        render(); // the player keeps the seat while another view is shown
        return;
      }
      watching?.close();
      watching = null;
      pace.clear();
    },
  };
}
