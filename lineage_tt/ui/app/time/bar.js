/** The moment shown: a slider over valid time, one over what was known, and what is pinned for a comparison. */
import { useAnswer } from "../api.js";
import { stopOf, wordAt } from "../graph/source.js";
import { html } from "../lib.js";
import { basisWord, pointWord, readPoint } from "../points.js";
import { at, hrefWith, set } from "../state.js";
import { t } from "../texts.js";
import { Time } from "../times.js";
import { Slider } from "./slider.js";
import { micros } from "./window.js";

export const LETTERS = ["A", "B", "C", "D"];

/** @param {string | undefined} text @returns {string[]} the points pinned */
export function pinsOf(text) {
  return (text ?? "").split(",").filter(Boolean).slice(0, LETTERS.length);
}

/**
 * @param {{source: any, systems: any, question: any, wanted: Record<string, string>, word: string, onStep: (along: "valid" | "system", word: string, done: boolean) => void}} props
 *   `source`: the state of the picture; `systems`: change points over system time where its slider is open
 */
export function TimeBar({ source, systems, question, wanted, word, onStep }) {
  const { axis, basis, along } = source;
  const point = readPoint(word);
  const pinned = point.system || point.version !== null;
  const pins = pinsOf(wanted.pins);
  const known = wanted.known === "1";
  const now = Date.now() * 1000;
  const future = pinned && basis ? Math.min(now, micros(basis.system_time)) : now;
  const valid = along === "valid" ? axis : systems.validAxis;
  const system = along === "system" ? axis : systems.axis;
  const marks = pins.map((pin, i) => ({ letter: LETTERS[i], time: timeOf(pin) })).filter((pin) => Number.isFinite(pin.time));
  const pin = () => set({ pins: [...pins, basisWord(basis)].join(",") });
  return html`<section class="g-time" aria-label=${t("graph.time")}>
    <div class="g-when">
      <span>${t("graph.time.shown")} <strong>${basis ? html`<${Time} at=${basis.valid_at} precision="second" />` : "…"}</strong>
        ${basis && micros(basis.valid_at) > future ? html` <span class="chip warn">${t("graph.time.planned")}</span>` : ""}</span>
      ${pinned && basis && html`<span>${t("graph.time.asknown")} <strong><${Time} at=${basis.system_time} /></strong> <span class="quiet">${t("graph.version", { n: basis.version })}</span></span>`}
      <span class="g-gap"></span>
      ${word && html`<a class="button quiet" href=${hrefWith({ at: null })}>${t("graph.time.now")}</a>`}
      <button type="button" class="button" aria-pressed=${known ? "true" : "false"} onClick=${() => set({ known: known ? null : "1", ...(known ? { at: pointWord({ valid: point.valid }) || null } : {}) })}>${t("graph.time.known")}</button>
      <button type="button" class="button" disabled=${!basis || pins.length >= LETTERS.length} onClick=${pin}>${t("graph.pin", { letter: LETTERS[Math.min(pins.length, 3)] })}</button>
      ${pins.length === 1 && html`<span class="chip">A ${pins[0] && html`<${Time} at=${readPoint(pins[0]).valid} />`} <button type="button" class="g-link" aria-label=${t("graph.pin.remove", { letter: "A" })} onClick=${() => set({ pins: null })}>✕</button></span>`}
    </div>
    ${
      valid
        ? html`<${Slider} name=${t("graph.time.valid")} times=${valid.times} weights=${valid.weights} isos=${valid.isos} current=${valid.current} moment=${basis ? micros(basis.valid_at) : now}
      future=${future} pins=${marks} keys=${true} stop=${() => stopOf(at.value, valid, "valid")} onStep=${(index, done) => onStep("valid", wordAt(at.value, valid, "valid", index), done)} />`
        : html`<div class="g-slider g-waiting" role="status">${source.status === "failed" ? "" : t("graph.time.wait")}</div>`
    }
    ${
      known &&
      system &&
      html`<${Slider} name=${t("graph.time.system")} times=${system.isos.map(micros)} weights=${system.weights} isos=${system.isos} current=${system.current} moment=${basis ? micros(basis.system_time) : now}
      future=${Infinity} stop=${() => stopOf(at.value, system, "system")} onStep=${(index, done) => onStep("system", wordAt(at.value, system, "system", index), done)} />`
    }
    ${known && pinned && basis && html`<${NotYet} question=${question} basis=${basis} />`}
  </section>`;
}

function timeOf(pin) {
  const { valid } = readPoint(pin);
  return valid ? micros(valid) : Date.now() * 1000;
}

/** What is known of this moment by now and was not yet known then, and the reverse. */
function NotYet({ question, basis }) {
  const then = basisWord(basis);
  const found = useAnswer("/v1/layout", { ...question, at: `${then},${basis.valid_at}` });
  if (!found.data) return null;
  const tally = { added: 0, removed: 0, changed: 0, same: 0 };
  for (const line of found.data.result.lines) tally[line.change] += 1;
  const last = basisWord(found.data.basis[1]);
  if (!tally.added && !tally.removed && !tally.changed) return html`<p class="g-notyet" role="status">${t("graph.notyet.none")}</p>`;
  return html`<p class="g-notyet" role="status"><span aria-hidden="true">◷</span> ${t("graph.notyet", { added: tally.added, removed: tally.removed, changed: tally.changed })} <a href=${hrefWith({ pins: `${then},${last}` })}>${t("graph.notyet.compare")}</a></p>`;
}
