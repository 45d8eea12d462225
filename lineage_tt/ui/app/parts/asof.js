/** The point that the page answers at: when it was in force, and what was known when. */
import { html, useEffect, useState } from "../lib.js";
import { pointWord, readPoint } from "../points.js";
import { at, set } from "../state.js";
import { t } from "../texts.js";
import { formatTime, fromInput, toInput, zoneName } from "../times.js";

/** The two times of a point in words. @param {string} word */
export function pointText(word) {
  const { valid, system, version } = readPoint(word);
  const when = valid ? formatTime(valid) : t("asof.now");
  if (version !== null) return t("asof.version", { when, version: String(version) });
  return system ? t("asof.system", { when, known: formatTime(system) }) : when;
}

/** A line that says the point, and unfolds to a form that changes it. */
export function AsOf() {
  const point = readPoint(at.value);
  const [draft, setDraft] = useState({ valid: "", known: "" });
  useEffect(() => {
    setDraft({ valid: toInput(point.valid), known: point.version !== null ? "" : toInput(point.system) });
  }, [at.value]);
  const apply = (event) => {
    event.preventDefault();
    const system = fromInput(draft.known);
    set({ at: pointWord({ valid: fromInput(draft.valid), system, version: system ? null : point.version }) });
  };
  return html`<details class="asof"><summary class=${`button ${at.value ? "held" : ""}`}><span class="quiet">${t("asof.title")}</span> ${pointText(at.value)}</summary>
    <form class="card asof-card" onSubmit=${apply}>
      <label>${t("asof.valid")}<input type="datetime-local" step="1" value=${draft.valid} onInput=${(event) => setDraft({ ...draft, valid: event.target.value })} /></label>
      <label>${t("asof.known")}<input type="datetime-local" step="1" value=${draft.known} onInput=${(event) => setDraft({ ...draft, known: event.target.value })} /></label>
      <p class="quiet">${t("asof.what", { zone: zoneName() })}</p>
      <p class="row"><button class="button primary">${t("asof.do")}</button><button type="button" class="button" onClick=${() => set({ at: null })}>${t("asof.reset")}</button></p>
    </form></details>`;
}
