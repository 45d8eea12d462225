/**
 * What the page shows is what its address says: the query of the URL is the only state. Settings (theme, language, zone) are the
 * viewer's, kept in this browser; the address may override them (`?theme=dark&lang=zh&zone=UTC`), for links and tests.
 */
import { computed, effect, signal } from "./lib.js";

/** @typedef {Record<string, string>} State */

/** @returns {State} */
function read() {
  const found = /** @type {State} */ ({});
  for (const [key, value] of new URLSearchParams(location.search)) if (!(key in found)) found[key] = value;
  return found;
}

/** The address, as a signal: read `state.value.node`. Never write it: `go(hrefWith({…}))`. */
export const state = signal(read());
/** The page's name. */
export const page = computed(() => state.value.page || "home");
/** The point (see points.js) that pages answer at; "" is now, as known now. */
export const at = computed(() => state.value.at || "");

/** Keys that go along to every page. */
const CARRIED = ["at", "theme", "lang", "zone"];

/** The address of these values. Empty ones are left out. @param {Record<string, unknown>} values */
export function urlOf(values) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "" && value !== false && !(key === "page" && value === "home")) {
      query.append(key, String(value));
    }
  }
  return `/?${query}`.replace(/\?$/, "");
}

/** The address of another page; the point goes along unless `at` is given. @param {string} name @param {Record<string, unknown>} values */
export function hrefTo(name, values = {}) {
  const carried = Object.fromEntries(CARRIED.map((key) => [key, state.value[key]]));
  return urlOf({ page: name, ...carried, ...values });
}

/** The address of this page with other values; null takes one away. @param {Record<string, unknown>} changes */
export function hrefWith(changes) {
  return urlOf({ ...state.value, ...changes });
}

/** Go to an address. `replace`: without a step of the back button (dragging, typing). @param {string} href */
export function go(href, { replace = false } = {}) {
  if (href === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", href);
  arrive(!replace);
}

/** Change values of this page's address. @param {Record<string, unknown>} changes */
export function set(changes, options = {}) {
  go(hrefWith(changes), options);
}

/** Called with true where another page (or subject) came into view, so that the frame can move the focus. @type {Set<() => void>} */
export const arrivals = new Set();

/** @param {boolean} moved */
function arrive(moved) {
  const before = state.value;
  state.value = read();
  const other = ["page", "node", "task"].some((key) => before[key] !== state.value[key]);
  if (moved && other) {
    scrollTo(0, 0);
    for (const tell of arrivals) tell();
  }
}

/** Links of this page are followed without loading it again; those with a modifier key, a target or a download are the browser's. */
export function followLinks() {
  addEventListener("popstate", () => arrive(true));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || link.pathname !== "/" || link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

/** @param {string} key @param {string} fallback @param {string[] | null} allowed */
function setting(key, fallback, allowed) {
  let kept = fallback;
  try {
    kept = localStorage.getItem(`lineage-tt-${key}`) || fallback; // a browser may forbid it: then the setting lasts as long as the page
  } catch {}
  const chosen = signal(kept);
  const value = computed(() => {
    const wanted = state.value[key] || chosen.value;
    return allowed && !allowed.includes(wanted) ? fallback : wanted;
  });
  /** @param {string} wanted */
  const choose = (wanted) => {
    chosen.value = wanted;
    try {
      localStorage.setItem(`lineage-tt-${key}`, wanted);
    } catch {}
    if (state.value[key]) set({ [key]: null }, { replace: true });
  };
  return { value, choose };
}

const preferred = typeof navigator === "object" && /^zh/i.test(navigator.language || "") ? "zh" : "en";
/** "auto", "light" or "dark". `theme.value.value` reads it, `theme.choose("dark")` sets it. */
export const theme = setting("theme", "auto", ["auto", "light", "dark"]);
/** "en" or "zh". */
export const language = setting("lang", preferred, ["en", "zh"]);
/** "local" or "UTC". */
export const zone = setting("zone", "local", ["local", "UTC"]);

const systemDark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
const systemIsDark = signal(Boolean(systemDark?.matches));
systemDark?.addEventListener("change", (event) => {
  systemIsDark.value = event.matches;
});
/** Whether the page is dark now: for what is drawn on a canvas. */
export const dark = computed(() => (theme.value.value === "auto" ? systemIsDark.value : theme.value.value === "dark"));

/** Keep the document's theme and language those of the settings. */
export function applySettings() {
  effect(() => {
    document.documentElement.dataset.theme = theme.value.value;
  });
  effect(() => {
    document.documentElement.lang = language.value.value === "zh" ? "zh-CN" : "en";
  });
}
