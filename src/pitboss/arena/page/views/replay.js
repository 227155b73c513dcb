/** Finished hands: a list with filters, and a viewer for the chosen hand; the address names the position. */

import { writePlace } from "../address.js";
import { handList } from "../handlist.js";
import { make, put, visible } from "../dom.js";
import { isPoker } from "../layout.js";
import { stepper } from "../stepper.js";
import { findRules } from "../tables.js";
import { whole } from "../words.js";

const AGAIN = 1000; // milliseconds until a hand that is not read yet is requested again
const TRIES = 60;
const LOOK_AGAIN = 2000; // milliseconds between two looks for a first finished hand

/** Open the view in its element; see main.js. */
export function open(node, page) {
  const title = make("h2", "title");
  const note = make("p", "note");
  note.setAttribute("role", "status");
  const phh = make("a", "", "Download as PHH");
  const copy = make("button", "", "Copy link");
  copy.type = "button";
  const viewer = make("div", "viewer");
  const list = handList(make("aside", "hands"), {
    ask: (query) => api(`hands?${query}`),
    place: (hand) => writePlace({ view: "replay", table, hand }),
    files: () => `${address()}/hands.phhs`,
  });
  node.append(make("div", "stage", make("header", "", title, phh, copy), note, viewer), list.node);
  let table = null;
  let poker = true;
  let shown = { table: null, hand: null };
  let looking = 0; // the timer, while no hand is finished
  let asking = 0; // counts requests, so that only the last answer is shown
  const steps = stepper(viewer, (at) => {
    if (shown.hand === null) return;
    shown = { ...shown, at };
    page.stay({ view: "replay", ...shown });
  }, findRules);

  phh.setAttribute("download", "");
  copy.addEventListener("click", () => {
    navigator.clipboard?.writeText(location.href).then(
      () => put(note, "The link to this position is copied."),
      () => put(note, `The link to this position: ${location.href}`),
    ) ?? put(note, `The link to this position: ${location.href}`);
  });

  function address() {
    return new URL(`api/tables/${encodeURIComponent(table)}`, document.baseURI).href;
  }

  async function api(path) {
    const answer = await fetch(`${address()}/${path}`);
    if (answer.ok) return answer.json();
    throw Object.assign(new Error(await answer.text()), { later: answer.status === 503 });
  }

  function showNote(words) {
    shown = { table: null, hand: null };
    visible(viewer, false);
    visible(phh, false);
    visible(copy, false);
    put(title, "Replay");
    put(note, words);
  }

  async function fetched(path, mine) {
    for (let tries = 0; ; tries++) {
      try {
        return await api(path);
      } catch (error) {
        if (!error.later || tries === TRIES) throw error;
        if (mine === asking) put(note, error.message);
        await new Promise((done) => setTimeout(done, AGAIN));
      }
    }
  }

  async function arrive(place) {
    const mine = ++asking;
    clearTimeout(looking);
    if (place.table !== shown.table || place.hand !== shown.hand) steps.close(); // its position is not the address any more
    table = place.table ?? table ?? (await firstTable());
    if (mine !== asking) return;
    if (table === null) return showNote("There is no table yet.");
    page.atTable(table);
    poker = isPoker(page.summary(table) ?? (await page.tables()).find(({ table_id: id }) => id === table));
    list.ofPoker(poker);
    try {
      const newest = await list.load(table, place.hand);
      if (mine !== asking) return;
      if (Number.isNaN(place.hand)) return showNote("The address has no valid hand number. Choose a hand from the list.");
      const number = place.hand ?? newest;
      if (number === null) {
        showNote(`No hand of ${table} is finished yet. The first one will be shown here.`);
        looking = setTimeout(() => arrive(place), LOOK_AGAIN);
        return;
      }
      if (shown.table === table && shown.hand === number && place.at === (shown.at ?? null)) return;
      const hand = await fetched(`hands/${number}`, mine);
      if (mine === asking) showHand(hand, number, place.at);
    } catch (error) {
      if (mine === asking) showNote(error.message || "The arena does not answer.");
    }
  }

  function showHand(hand, number, at) {
    for (const part of [viewer, copy]) visible(part, true);
    visible(phh, poker); // other games have no such file
    const past = steps.show(hand, at);
    shown = { table, hand: number, at: at ?? 0 };
    put(title, `Hand ${whole(number)} of ${table}`);
    put(note, past ? `This hand has no position ${whole(at)}; its end is shown.` : "");
    phh.href = `${address()}/hands/${number}.phh`;
    list.mark(number);
    page.title(`Hand ${whole(number)}`, table, "replay");
  }

  return {
    show: arrive,
    close() {
      asking += 1;
      clearTimeout(looking);
      steps.close();
    },
  };
}

async function firstTable() {
  const answer = await fetch(new URL("api/tables", document.baseURI)).catch(() => null);
  const tables = answer?.ok ? await answer.json() : [];
  return tables[0]?.table_id ?? null;
}
