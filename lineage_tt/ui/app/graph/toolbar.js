/** What is asked and how it is shown. Each control is a value of the address. */
import { html } from "../lib.js";
import { CopyLink, csvOf, download } from "../parts/export.js";
import { basisWord } from "../points.js";
import { set } from "../state.js";
import { t } from "../texts.js";
import { pngBlob, rowsOf, svgBlob } from "./export.js";
import { Filter } from "./filter.js";

const DEPTHS = ["1", "2", "3", "5", "10"];

/** As what the answer can be seen, the default first. @param {string} level @param {boolean} compared */
export function viewsOf(level, compared) {
  return ["picture", ...(compared ? ["side"] : []), "table", ...(level === "task" ? [] : ["groups"])];
}

/** A group of buttons of which one is chosen. */
export function Choice({ label, name, value, values, title = (each) => t(`graph.${name}.${each}`) }) {
  return html`<div class="segmented" role="group" aria-label=${label}>${values.map(
    (each) => html`<button type="button" aria-pressed=${each === value ? "true" : "false"}
    onClick=${() => set({ [name]: each === values[0] ? null : each, lock: null, edge: null, path: null })}>${title(each)}</button>`,
  )}</div>`;
}

/** @param {{question: any, wanted: any, model: any, shown: any, active: number, compared: boolean, basis: any, drawing: () => SVGSVGElement}} props */
export function Toolbar({ question, wanted, model, shown, active, compared, basis, drawing }) {
  const name = `lineage ${question.node}`;
  const csv = () => {
    const rows = rowsOf(model, shown, compared).map(({ line, ...row }) => row);
    const head = Object.keys(rows[0] ?? { source: 1, target: 1 });
    download(
      `${name}.csv`,
      csvOf(
        head,
        rows.map((row) => head.map((key) => row[key])),
      ),
    );
  };
  const close = (event) => event.currentTarget.closest("details").removeAttribute("open");
  return html`<div class="g-tools" role="toolbar" aria-label=${t("graph.tools")}>
    <${Choice} name="direction" label=${t("graph.direction")} value=${question.direction} values=${["both", "up", "down"]} />
    <${Choice} name="level" label=${t("graph.level")} value=${question.level} values=${["column", "table", "task"]} />
    <label class="g-field">${t("graph.depth")}<select value=${wanted.depth ?? ""} onChange=${(event) => set({ depth: event.target.value || null })}>
      <option value="">${t("graph.depth.all")}</option>${DEPTHS.map((each) => html`<option value=${each} selected=${each === wanted.depth}>${each}</option>`)}</select></label>
    <label class="g-field"><input type="checkbox" checked=${!!wanted.direct} onChange=${(event) => set({ direct: event.target.checked ? "1" : null })} />${t("graph.direct")}</label>
    ${!compared && html`<label class="g-field"><input type="checkbox" checked=${wanted.critical === "1"} onChange=${(event) => set({ critical: event.target.checked ? "1" : null, lock: null, edge: null, path: null })} />${t("graph.critical")}</label>`}
    <${Filter} model=${model} wanted=${wanted} active=${active} />
    <span class="g-gap"></span>
    <${Choice} name="view" label=${t("graph.view")} value=${wanted.view ?? "picture"} values=${viewsOf(question.level, compared)} />
    <div class="g-share"><details class="g-menu g-right"><summary class="button">${t("graph.export")}</summary><div class="g-panel">
      <button type="button" class="button quiet" disabled=${!model} onClick=${(event) => {
        close(event);
        csv();
      }}>CSV</button>
      <button type="button" class="button quiet" disabled=${!model} onClick=${(event) => {
        close(event);
        download(`${name}.svg`, svgBlob(drawing()), "image/svg+xml");
      }}>SVG</button>
      <button type="button" class="button quiet" disabled=${!model} onClick=${async (event) => {
        close(event);
        download(`${name}.png`, await pngBlob(drawing()), "image/png");
      }}>PNG</button>
      <button type="button" class="button quiet" disabled=${!model} onClick=${(event) => {
        close(event);
        print();
      }}>${t("graph.print")}</button></div></details>
    ${basis && html`<${CopyLink} basis=${basis} changes=${compared && model ? { pins: model.bases.map(basisWord).join(",") } : undefined} />`}</div>
  </div>`;
}
