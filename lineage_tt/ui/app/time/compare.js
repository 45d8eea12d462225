/** Two to four points in one picture: what differs, counted, listed, and beside each other. */
import { useAnswer } from "../api.js";
import { Picture } from "../graph/picture.js";
import { countChanges, GLYPHS, shownAt } from "../graph/model.js";
import { Drawer } from "../graph/drawer.js";
import { html, useMemo, useRef, useState } from "../lib.js";
import { SqlDiff } from "../parts/sql.js";
import { Completeness, TooLarge } from "../parts/states.js";
import { readPoint } from "../points.js";
import { hrefWith, set } from "../state.js";
import { number, t } from "../texts.js";
import { formatTime, Time } from "../times.js";
import { LETTERS } from "./bar.js";

const FIRST_CHANGES = 200;
/** The list is drawn whole: so many are its most. */
const MAX_CHANGES = 5000;

/** A point in words. @param {any} basis */
export function wordsOf(basis) {
  return t("graph.point", { at: formatTime(basis.valid_at), n: basis.version });
}

/** @param {{model: any, pins: string[]}} props */
export function CompareBar({ model, pins }) {
  const tally = useMemo(() => (model ? countChanges(model) : null), [model]);
  const without = (i) => pins.filter((_, at) => at !== i).join(",") || null;
  return html`<section class="g-compare" aria-label=${t("graph.compare")}>
    ${pins.map(
      (
        pin,
        i,
      ) => html`<span class="g-pinned" key=${i}><b>${LETTERS[i]}</b> <${Time} at=${model?.bases[i]?.valid_at ?? readPoint(pin).valid} /> <span class="quiet">${model ? t("graph.version", { n: model.bases[i]?.version }) : ""}</span>
      <button type="button" class="g-link" aria-label=${t("graph.pin.remove", { letter: LETTERS[i] })} title=${t("graph.pin.remove", { letter: LETTERS[i] })} onClick=${() => set({ pins: without(i), edge: null })}>✕</button></span>`,
    )}
    <button type="button" class="button quiet" onClick=${() => set({ pins: [...pins].reverse().join(",") })}>⇄ ${t("graph.swap")}</button>
    <span class="g-gap"></span>
    ${tally && html`<span class="g-counts" role="status">${["added", "removed", "changed"].map((change) => html`<span class=${`g-chip-${change}`}><b>${GLYPHS[change]} ${number(tally[change])}</b> ${t(`graph.change.${change}`)}</span>`)}<span class="quiet">${number(tally.same)} ${t("graph.change.same")}</span></span>`}
    <a class="button" href=${hrefWith({ pins: null, view: null, edge: null })}>${t("graph.compare.end")}</a>
  </section>`;
}

/** The changes one by one. @param {{model: any, onLine: (line: any) => void, onClose: () => void}} props */
export function ChangeList({ model, onLine, onClose }) {
  const [all, setAll] = useState(false);
  const lines = useMemo(() => Object.keys(GLYPHS).flatMap((change) => model.lines.filter((line) => line.change === change)), [model]);
  return html`<${Drawer} label=${t("graph.changes")} title=${t("graph.changes.n", { n: lines.length })} onClose=${onClose}>
    ${!lines.length && html`<p class="quiet">${t("graph.changes.none")}</p>`}
    <ul class="g-changes">${lines.slice(0, all ? MAX_CHANGES : FIRST_CHANGES).map(
      (
        line,
      ) => html`<li key=${line.id}><button type="button" class="g-end" onClick=${() => onLine(line)}><span class=${`g-chip-${line.change}`} title=${t(`graph.change.${line.change}`)}>${GLYPHS[line.change]}<span class="sr-only"> ${t(`graph.change.${line.change}`)}</span></span>
      <span class="g-end-name"><span class="quiet">${line.from.box.label}</span>${line.from.index < 0 ? "" : ` · ${line.from.label}`} → <span class="quiet">${line.to.box.label}</span>${line.to.index < 0 ? "" : ` · ${line.to.label}`}</span></button></li>`,
    )}</ul>
    ${all && lines.length > MAX_CHANGES && html`<${TooLarge} shown=${MAX_CHANGES} total=${lines.length} />`}
    ${lines.length > FIRST_CHANGES && !all && html`<button type="button" class="button quiet" onClick=${() => setAll(true)}>${t("graph.more", { n: lines.length - FIRST_CHANGES })}</button>`}
  </>`;
}

/** A task's SQL at the first and the last point. @param {{tasks: string[], pins: string[], bases: any[]}} props */
export function SqlCompared({ tasks, pins, bases }) {
  const [task, setTask] = useState(tasks[0]);
  const chosen = tasks.includes(task) ? task : tasks[0];
  const found = useAnswer("/v1/sql", { task: chosen, at: `${pins[0]},${pins[pins.length - 1]}` });
  const result = found.data?.result;
  return html`<section><h3>${t("graph.sql.both")}</h3>
    ${tasks.length > 1 && html`<select aria-label=${t("graph.task")} value=${chosen} onChange=${(event) => setTask(event.target.value)}>${tasks.map((name) => html`<option value=${name}>${name}</option>`)}</select>`}
    ${result?.diff ? html`<${SqlDiff} lines=${result.diff} left=${wordsOf(bases[0])} right=${wordsOf(bases[bases.length - 1])} /><${Completeness} notes=${found.data.notes} />` : html`<p class="quiet">${found.problem ? found.problem.detail : result ? t("graph.sql.oneside") : "…"}</p>`}
  </section>`;
}

/** Up to four pictures beside each other; they move together. */
export function SideBySide({ model, look, about, passes, ...hooks }) {
  const stages = LETTERS.map(() => useRef(/** @type {any} */ (null)));
  const looks = useMemo(() => model.bases.map((_, i) => ({ ...look, shown: shownAt(model, i, passes) })), [model, look, passes]);
  const others = () => stages.map((stage) => stage.current).filter((stage) => stage?.model());
  return html`<div class=${`g-side g-side-${model.count}`}>${looks.map(
    (each, i) => html`<div class="g-pane" key=${i}>
    <p class="g-pane-name"><b>${LETTERS[i]}</b> ${wordsOf(model.bases[i])} <span class="quiet">${t("graph.lines", { n: each.shown.count })}</span></p>
    <div class="g-body"><${Picture} model=${model} look=${each} about=${about} label=${t("graph.picture", { node: LETTERS[i] })} stageRef=${stages[i]} others=${others} whole=${true} ...${hooks} /></div></div>`,
  )}</div>`;
}
