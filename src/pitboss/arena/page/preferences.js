/** The reader's preferences, kept in the browser's storage if it has one. */

/** Make a button switch a preference that is kept; calls `apply(on)` now and after each change. */
export function preference(button, key, fallback, apply) {
  let on = (remembered(key) ?? fallback) === "on";
  const set = () => {
    if (button.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", String(on));
    apply(on);
  };
  button.addEventListener("click", () => {
    on = !on;
    remember(key, on ? "on" : "off");
    set();
  });
  set();
}

/** Return the text kept under a key, or null. */
export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text under a key; null deletes it. */
export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // without storage the page still works
  }
}
