/** What a screen reader says when something has changed that the focus is not on. */
import { html, signal } from "../lib.js";

const said = signal("");

/** @param {string} text */
export function announce(text) {
  said.value = ""; // the same text twice is said twice
  requestAnimationFrame(() => {
    said.value = text;
  });
}

/** The live region; the frame has it once. */
export function Announcer() {
  return html`<div class="sr-only" role="status" aria-live="polite">${said.value}</div>`;
}
