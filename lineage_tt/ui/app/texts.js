/**
 * All words of the pages, in English and Chinese: texts.json, a line a text. `{name}` stands for a value; `{n:column|columns}` for a
 * number with its word ("1 column", "2,000 columns"; Chinese writes `{n} 列`). Texts `note.…` are sentences of the service: `of` is the
 * sentence as the service writes it, where English on a page differs from that.
 */
import { signal } from "./lib.js";
import { language } from "./state.js";

/** @typedef {Record<string, {en: string, zh: string, of?: string}>} Texts */
const texts = signal(/** @type {Texts} */ ({}));

/** @param {Texts} all */
export function setTexts(all) {
  texts.value = all;
}

/** Load the texts; once, before the first page. */
export async function loadTexts() {
  const answer = await fetch(new URL("./texts.json", import.meta.url));
  setTexts(await answer.json());
}

/** The text of a key in the viewer's language. An unknown key is shown as it is. @param {string} key @param {Record<string, unknown>} values */
export function t(key, values = {}) {
  const found = texts.value[key]?.[language.value.value === "zh" ? "zh" : "en"];
  return found === undefined ? key : fill(found, values);
}

/** A sentence of the service in the viewer's language. One that no text has is shown as it is. @param {string} sentence */
export function translated(sentence) {
  for (const [key, text] of Object.entries(texts.value)) {
    const found = key.startsWith("note.") && patternOf(text.of ?? text.en).exec(sentence);
    if (!found) continue;
    const kind = `kind.${found.groups?.kind}`; // "dataset" and its like are words of the service, too
    return t(key, has(kind) ? { ...found.groups, kind: t(kind) } : found.groups);
  }
  return sentence;
}

/** What a sentence with values in it looks like. @param {string} text */
function patternOf(text) {
  const literal = text.replace(/[.*+?^$()[\]\\|]/g, "\\$&");
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`, "s");
}

/** Whether there is a text of this key. @param {string} key */
export function has(key) {
  return key in texts.value;
}

/** @param {string} text @param {Record<string, unknown>} values */
export function fill(text, values) {
  return text.replace(/\{(\w+)(?::([^{}|]*)\|([^{}]*))?\}/g, (whole, name, one, many) => {
    if (!(name in values)) return whole;
    const value = values[name];
    const shown = typeof value === "number" ? number(value) : String(value);
    return many === undefined ? shown : `${shown} ${value === 1 ? one : many}`;
  });
}

/** A text whose marks of direction are seen, as Python shows them: they turn round what is beside them. @param {string} text */
export function plain(text) {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A number in the viewer's language: 2,000. @param {number} value @param {number} digits */
export function number(value, digits = 0) {
  return value.toLocaleString(language.value.value === "zh" ? "zh-CN" : "en-GB", { maximumFractionDigits: digits });
}

/** A size in bytes: 1.2 MB. @param {number} bytes */
export function size(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  for (; bytes >= 1000 && at < units.length - 1; at++) bytes /= 1000;
  return `${number(bytes, bytes < 10 && at ? 1 : 0)} ${units[at]}`;
}
