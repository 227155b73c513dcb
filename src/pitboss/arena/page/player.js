/** A player's connection to a table: hello, what comes, what one sends, and another try whenever it is lost. */

import { backoff, hangUp, read, seatAddress } from "./live.js";

const REPLACED = 4000;
const AGAINST_RULES = 1008;


/**
 * Take a seat: `team` and `code` are said in the hello, with the running number that `seen()` gives.
 *
 * `receive(message)` is called for everything that comes once the seat is one's own, `phase({ name, wait, reason })`
 * whenever the connection changes, and `refused({ code, msg, wait })` where there is no seat to be had; then it is over.
 * Gives back `send`, `retry` and `close`.
 */
export function takeSeat(table, { team, code }, { receive, phase, refused, seen }) {
  let socket = null;
  let timer = 0;
  let tries = 0;
  let seated = false; // on this very connection
  let closed = false;

  function open() {
    clearTimeout(timer);
    phase({ name: "connecting", wait: 0, reason: "" });
    seated = false;
    socket = new WebSocket(seatAddress(table));
    const mine = socket;
    socket.addEventListener("open", () => closed || send({ type: "hello", team, join_code: code, resume_from: seen() }));
    socket.addEventListener("message", ({ data }) => {
      const message = closed || mine !== socket ? null : read(data);
      if (message !== null) hear(message);
    });
    socket.addEventListener("close", (event) => {
      if (mine === socket) lost(event);
    });
  }

  function hear(message) {
    if (message.type === "welcome") {
      tries = 0;
      seated = true;
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
