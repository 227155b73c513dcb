/** The connection to a table: messages as they come, and another try, later and later, whenever it is lost. */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

/** Milliseconds to wait before the next try: twice as long each time, up to a bound, and not all pages at once. */
export function backoff(tries, chance = Math.random()) {
  const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);
  return Math.round(longest * (0.5 + chance / 2));
}

/** The address of a table's stream, next to the page's own. */
export function watchAddress(table, page = document.baseURI) {
  return socketAddress("watch", table, page);
}

/** The address of a seat at a table; without a table, at the first whose match is not over. */
export function seatAddress(table, page = document.baseURI) {
  return socketAddress("ws", table, page);
}

/** The address that a bot is pointed at; where there are several tables it says which. */
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
 * Watch a table: `receive(message)` for everything that comes, `phase({ name, wait, reason })` whenever the connection
 * changes, `name` being "connecting", "live" or "lost". Returns `retry` and `close`.
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

/** Close a connection, one that is not open yet as soon as it is: browsers complain about it otherwise. */
export function hangUp(socket) {
  if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
  else socket?.close();
}

/** A frame as a message; null where it is none. */
export function read(data) {
  try {
    const message = JSON.parse(data);
    return typeof message?.type === "string" ? message : null;
  } catch {
    return null;
  }
}
