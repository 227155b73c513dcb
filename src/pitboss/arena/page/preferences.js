/** What the reader prefers, kept on this machine where the browser keeps such things. */

/** A button that is on or off, and stays so; `apply(on)` is called now and whenever it changes. */
export function preference(button, key, fallback, apply) {
  let on = (remembered(key) ?? fallback) === "on";
  const set = () => {
    button.setAttribute("aria-pressed", String(on));
    apply(on);
  };
  button.addEventListener("click", () => {
    on = !on;
    remember(key, on ? "on" : "off");
    set();
  });
  set();
}

/** What was kept under a key, null where there is nothing. */
export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text under a key; null forgets it. */
export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // a browser that keeps nothing still shows the page
  }
}
