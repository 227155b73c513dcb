/** A person's seat: the connection of a player, the table, and the controls to answer. */

import { layCards } from "../cards.js";
import { cashControls } from "../cash.js";
import { ownClock } from "../clock.js";
import { controls } from "../controls.js";
import { glide } from "../motion.js";
import { moveControls } from "../moves.js";
import { make, put, visible } from "../dom.js";
import { identityAt, isSitting, keep, noteSitting } from "../identity.js";
import { canJoin, joinForm } from "../joining.js";
import { heldBy, isPoker } from "../layout.js";
import { takeSeat, watch } from "../live.js";
import { lineNode, logView, newsView } from "../log.js";
import { myQuestion } from "../mine.js";
import { pacer } from "../pace.js";
import { ratingForm } from "../rating.js";
import { show, start } from "../reducer.js";
import { farewell, having, situation, spoken, whyNoSeat, whyRefused } from "../situation.js";
import { tableView } from "../table.js";
import { ask, findRules, rate } from "../tables.js";
import { chips, plain } from "../words.js";

const CATCH_UP = 400; // milliseconds after a connection opens in which the hand under way is sent from its start
const TOLD = 8; // actions of others that are read aloud with a question

const URGENT = ["act", "snapshot", "view"]; // what cannot wait: a question of poker, and the state after a reconnect

/** Open the view in its element; see main.js. */
export function open(node, page) {
  const felt = make("section", "felt");
  felt.setAttribute("aria-label", "The table");
  const log = make("ol", "log");
  const form = joinForm(sit);
  const acting = controls(answer, complain);
  const playing = moveControls(answer, complain);
  const cash = cashControls((message) => seat?.send(message) === true, complain);
  const clock = ownClock(tick, (seconds) => announce(`${seconds} seconds left`));
  const cards = make("div", "hole");
  const words = make("p", "situation");
  const trouble = make("p", "trouble");
  const away = make("button", "leave", "Leave the table");
  const another = make("button", "another", "Play at another table");
  const said = make("p", "spoken");
  const news = make("p", "spoken");
  const rating = ratingForm((table, answer) => rate(table, { ...player, ...answer }));
  const last = make("section", "last-hand", make("h2", "", "Last hand"), make("ol", "lines"));
  const mine = make("div", "own", make("div", "holding", cards), make("div", "telling", words, clock.node, trouble), acting.node, playing.node, away, cash.node);
  const panel = make("section", "panel", form.node, mine, another, said, news);
  lay();

  const draw = [tableView(felt, (chair) => form.choose(chair), findRules), logView(log), newsView(news), panelView, lastView, (now) => rating.update(now, page.arena().ratings === true)];
  let state = start();
  let wanted = null; // the table in the address
  let watching = null; // the connection as a spectator, if there is no seat
  let seat = null; // the connection as a player
  let shown = false;
  let drawing = 0;
  let catchingUp = 0;
  let asked = null; // the question that is shown
  let player = null; // the player's team and code
  let leaving = { stack: 0, brought: null }; // the chips of the last team that left the player's seat
  let heard = 0; // lines of the log that were read aloud, or need not be

  const pace = pacer((message) => {
    if (message.ev === "LEFT" && message.seat === state.me?.seat) {
      leaving = { stack: message.stack, brought: state.seats[message.seat].brought };
    }
    state = show(state, message);
    if (message.type === "lobby" && hasLeft(message)) queueMicrotask(standUp);
    drawing ||= requestAnimationFrame(render);
  });

  /** Return whether the player's team is not in a lobby, as after it has left a cash table. */
  function hasLeft({ players }) {
    return seat !== null && state.me !== null && state.table.config.cash === true && !players.some((one) => one.team === player?.team);
  }

  /** Become a spectator after having left a cash table. */
  function standUp() {
    if (seat === null) return;
    noteSitting(state.table.id, false);
    stopPlaying();
    form.say(farewell(leaving), { isCalm: true });
    form.focus();
  }

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
    node.append(make("div", "stage", felt, panel), make("aside", "", rating.node, last, history));
    document.addEventListener("keydown", (event) => {
      const keys = state.view === null ? acting : playing;
      if (shown && seat !== null && keys.key(event)) event.preventDefault();
    });
  }

  function render() {
    drawing = 0;
    glide(node, () => draw.forEach((part) => part(state)));
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
    if (question !== asked) complain("");
    asked = question;
    const isCash = state.table.config.cash === true;
    visible(away, !isCash);
    visible(cash.node, isCash);
    const isOther = state.view !== null;
    mine.classList.toggle("other", isOther);
    for (const part of [acting.node, cards.parentNode]) visible(part, !isOther && (me.dealt || me.intent === 0));
    visible(playing.node, isOther);
    if (isCash) cash.update(state);
    acting.update(isOther || question?.other ? null : question);
    if (isOther) playing.update(state, question);
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

  /** Show a sentence next to the player's cards; a calm one is not about a fault. */
  function complain(sentence, { isCalm = false } = {}) {
    put(trouble, sentence);
    trouble.classList.toggle("calm", isCalm);
  }

  function announce(sentence) {
    put(said, sentence);
  }

  /** Return whether the player is done here: the match is over, or the player is out. */
  function isDone() {
    return state.match !== null || (state.me !== null && state.seats[state.me.seat].out);
  }

  // --- what one does

  /** Send an answer to the open question; return whether it was sent. */
  function answer(message) {
    const question = myQuestion(state);
    if (question === null) return false;
    const whole = { ...message, hand_id: question.hand, turn: question.turn };
    if (seat?.send(whole) !== true) {
      complain("The connection is lost. Your answer was not sent.");
      return false;
    }
    complain("");
    state = show(state, whole);
    return true;
  }

  function sit(who) {
    const table = state.table === null || (wanted === null && !canJoin(state, who)) ? wanted : state.table.id;
    form.say("");
    seat?.close();
    seat = takeSeat(table, { ...who, tables: !isPoker(state.table) }, {
      seen: () => (state.known === null || table === null ? 0 : state.known.seq - 1), // the hand under way from its start
      receive(message) {
        if (message.type === "welcome") seated(message, who);
        if (message.type === "error") {
          complain(whyRefused(message));
          playing.again();
          return;
        }
        if (message.type === "table") return; // of a team that has left: the lobby after it ends the connection
        pace.push(message);
        if (URGENT.includes(message.type)) hurryUp();
      },
      phase: connection,
      mayReturn: () => isSeatKept(who.team),
      refused(why) {
        if (["REPLACED", "GONE", "TEAM_TAKEN"].includes(why.code)) noteSitting(state.table?.id ?? table, false);
        stopPlaying();
        form.say(whyNoSeat(why));
        form.focus();
      },
    });
  }

  /** Return whether a lost connection can be opened again: at a cash table a team that has left would buy in again. */
  async function isSeatKept(name) {
    if (state.table?.config.cash !== true) return true;
    const table = await ask(`api/tables/${encodeURIComponent(state.table.id)}`, null);
    return table === null || table.players.some((player) => player.team === name);
  }

  function seated({ table_id: table }, who) {
    player = { team: who.team, code: who.code };
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
    const kept = "You have left. Your seat and your chips are kept. The table plays on without waiting for you.";
    form.say(kept, { isCalm: true });
    form.focus();
  }

  /** Go to the first other table with a free seat. */
  async function moveOn() {
    const here = state.table?.id ?? null;
    const next = (await page.tables()).find(({ table_id: id, over, free }) => id !== here && !over && free > 0);
    if (next === undefined) {
      const sentence = "No other table has a free seat now. The lobby lists all tables.";
      if (seat === null) form.say(sentence);
      else complain(sentence);
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
        const isThere = state.table?.config.cash !== true || message.players.some((player) => player.team === who?.team);
        if (seat === null && who !== null && isThere && isSitting(state.table?.id ?? table)) sit(who);
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
