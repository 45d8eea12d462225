/** Times in the viewer's zone, UTC on hover. Instants come and go as ISO 8601 in UTC; null is without end. */
import { html } from "./lib.js";
import { language, zone } from "./state.js";
import { t } from "./texts.js";

/** @param {Intl.DateTimeFormatOptions} options @param {string} inZone */
function formatter(options, inZone) {
  const locale = language.value.value === "zh" ? "zh-CN" : "en-GB";
  const key = JSON.stringify([locale, inZone, options]);
  let made = formatters.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(locale, { ...options, timeZone: inZone === "UTC" ? "UTC" : undefined, hourCycle: "h23" });
    formatters.set(key, made);
  }
  return made;
}
/** @type {Map<string, Intl.DateTimeFormat>} */
const formatters = new Map();

const DAY = { year: "numeric", month: "short", day: "numeric" };

/**
 * A time as text. `precision`: "day", "minute" (default), "second".
 * @param {string | null | undefined} iso @param {{precision?: string, inZone?: string}} options
 */
export function formatTime(iso, { precision = "minute", inZone = zone.value.value } = {}) {
  if (!iso) return t("time.never");
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const clock = precision === "day" ? {} : { hour: "2-digit", minute: "2-digit", ...(precision === "second" ? { second: "2-digit" } : {}) };
  return formatter(/** @type {Intl.DateTimeFormatOptions} */ ({ ...DAY, ...clock }), inZone).format(date);
}

/** How long ago, or in how long: "3 days ago". @param {string} iso @param {number} now milliseconds */
export function ago(iso, now = Date.now()) {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const steps = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([
    ["year", 31557600],
    ["month", 2629800],
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ]);
  const words = new Intl.RelativeTimeFormat(language.value.value === "zh" ? "zh-CN" : "en", { numeric: "auto" });
  for (const [unit, length] of steps) if (Math.abs(seconds) >= length) return words.format(Math.trunc(seconds / length), unit);
  return words.format(Math.trunc(seconds), "second");
}

/** The name of the viewer's zone: "UTC", "Europe/Amsterdam". */
export function zoneName() {
  return zone.value.value === "UTC" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** For `<input type="datetime-local">`: an instant as wall-clock time in the viewer's zone, to the second. @param {string} iso */
export function toInput(iso) {
  const date = new Date(iso);
  if (!iso || Number.isNaN(date.getTime())) return "";
  const shifted = new Date(date.getTime() - (zone.value.value === "UTC" ? 0 : date.getTimezoneOffset() * 60000));
  return shifted.toISOString().slice(0, 19);
}

/** The reverse: an instant in UTC, "" where there is none. @param {string} text */
export function fromInput(text) {
  if (!text) return "";
  const date = new Date(zone.value.value === "UTC" ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(/\.000Z$/, "Z");
}

/** A time as an element: the viewer's zone as text, UTC on hover. @param {{at: string | null | undefined, precision?: string, relative?: boolean}} props */
export function Time({ at, precision, relative }) {
  if (!at) return html`<span class="quiet">${t("time.never")}</span>`;
  const utc = `${formatTime(at, { precision: "second", inZone: "UTC" })} UTC`;
  return html`<time datetime=${at} title=${utc}>${relative ? ago(at) : formatTime(at, { precision })}</time>`;
}
