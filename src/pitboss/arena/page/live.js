/** Connections to a table, as a spectator or as a player; a lost connection is opened again after a growing delay. */

const REPLACED = 4000;
const AGAINST_RULES = 1008;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

/** Return the milliseconds before the next try: twice as long each time, up to a limit, and random so that pages differ. */
export function backoff(tries, chance = Math.random()) {
  const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);
  return Math.round(longest * (0.5 + chance / 2));
}

/** Return the address of a table's stream for spectators, relative to the page. */
export function watchAddress(table, page = document.baseURI) {
  return socketAddress("watch", table, page);
}

/** Return the address of a seat at a table; without a table, of the first one whose match is not over. */
export function seatAddress(table, page = document.baseURI) {
  return socketAddress("ws", table, page);
}

/** Return the address for a bot; it names the table if there are several. */
export function botAddress(table, several, page = document.baseURI) {
  return socketAddress("ws", table === "T-1" && !several ? null : table, page);
}

function socketAddress(path, table, page) {
  const url = new URL(path, page);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.search = table === null ? "" : `?${new URLSearchParams({ table })}`;
  return url.href;
}

/**
 * Watch a table. Calls `receive(message)` for each message, and `phase({ name, wait, reason })` when the connection changes;
 * `name` is "connecting", "live" or "lost". Returns `retry` and `close`.
 */
export function watch(table, { receive, phase }) {
  let socket = null;
  let timer = 0;
  let tries = 0;
  let closed = false;

  function open() {
    clearTimeout(timer);
    phase({ name: "connecting", wait: 0, reason: "" });
    socket = new WebSocket(watchAddress(table));
    socket.addEventListener("message", ({ data }) => {
      tries = 0;
      const message = read(data);
      if (message !== null && !closed) receive(message);
    });
    socket.addEventListener("open", () => {
      if (!closed) phase({ name: "live", wait: 0, reason: "" });
    });
    socket.addEventListener("close", ({ reason }) => lost(reason));
  }

  function lost(reason) {
    if (closed) return;
    const wait = backoff(tries);
    tries += 1;
    phase({ name: "lost", wait, reason });
    timer = setTimeout(open, wait);
  }

  function retry() {
    if (closed || socket?.readyState !== WebSocket.CLOSED) return;
    open();
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    removeEventListener("online", retry);
    hangUp(socket);
  }

  addEventListener("online", retry);
  open();
  return { retry, close };
}

/** Close a connection. One that is still opening is closed once it is open, because browsers report an error otherwise. */
export function hangUp(socket) {
  if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
  else socket?.close();
}

/** Parse a frame as a message; returns null if it is not one. */
export function read(data) {
  try {
    const message = JSON.parse(data);
    return typeof message?.type === "string" ? message : null;
  } catch {
    return null;
  }
}

/**
 * Take a seat. Sends `team` and `code` in the hello, with the running number from `seen()`, and the fields of `cash`:
 * the buy-in and the seat that are wanted at a cash table; with `tables` the server sends table views.
 *
 * Calls `receive(message)` for each message once seated, `phase({ name, wait, reason })` when the connection changes, and
 * `refused({ code, msg, wait })` if there is no seat; the connection is then closed. A lost connection is opened again if
 * `mayReturn()` resolves to true. Returns `send`, `retry` and `close`.
 */
export function takeSeat(table, { team, code, cash = {}, tables = false }, { receive, phase, refused, seen, mayReturn }) {
  let socket = null;
  let timer = 0;
  let tries = 0;
  let seated = false; // on this connection
  let had = false; // whether an earlier connection had the seat
  let closed = false;

  async function open() {
    clearTimeout(timer);
    phase({ name: "connecting", wait: 0, reason: "" });
    seated = false;
    if (had && !(await mayReturn())) end({ code: "GONE", msg: "", wait: 0 });
    if (closed) return;
    socket = new WebSocket(seatAddress(table));
    const mine = socket;
    socket.addEventListener("open", () => closed || send({ type: "hello", team, join_code: code, resume_from: seen(), turns: true, tables, ...cash }));
    socket.addEventListener("message", ({ data }) => {
      const message = closed || mine !== socket ? null : read(data);
      if (message !== null) handle(message);
    });
    socket.addEventListener("close", (event) => {
      if (mine === socket) lost(event);
    });
  }

  function handle(message) {
    if (message.type === "welcome") {
      tries = 0;
      seated = had = true;
      phase({ name: "live", wait: 0, reason: "" });
    }
    if (!seated && message.type === "error") {
      end({ code: message.code, msg: message.msg, wait: message.retry_after_ms ?? 0 });
    } else receive(message);
  }

  function end(why) {
    close();
    refused(why);
  }

  function lost({ code: closedWith, reason }) {
    if (closed) return;
    if (closedWith === REPLACED) return end({ code: "REPLACED", msg: reason, wait: 0 });
    if (closedWith === AGAINST_RULES) return end({ code: "CLOSED", msg: reason, wait: 0 });
    const wait = backoff(tries);
    tries += 1;
    phase({ name: "lost", wait, reason });
    timer = setTimeout(open, wait);
  }

  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify({ v: 1, ...message }));
    return true;
  }

  function retry() {
    if (!closed && socket?.readyState === WebSocket.CLOSED) open();
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    removeEventListener("online", retry);
    hangUp(socket);
  }

  addEventListener("online", retry);
  open();
  return { send, retry, close };
}
