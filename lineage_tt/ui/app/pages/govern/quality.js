/** How good the lineage itself is, by group; coverage and agreement as four quadrants. */
import { useAnswer } from "../../api.js";
import { html } from "../../lib.js";
import { Chip } from "../../parts/names.js";
import { Answer, Completeness, Empty } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { pointParams } from "../../points.js";
import { at, set, state } from "../../state.js";
import { number, t } from "../../texts.js";

const GROUPS = ["layer", "namespace", "owner", "all"];
const MEASURE_TONES = /** @type {Record<string, string>} */ ({ keep: "good", extend: "warn", correct: "warn", rebuild: "bad", measure: "" });
const percent = (part) => (part === null ? "—" : `${number(100 * part)} %`);

export function QualityView() {
  const by = GROUPS.includes(state.value.by || "") ? state.value.by : "layer";
  const answer = useAnswer("/v1/quality", { ...pointParams(at.value), by });
  const share = (row, part, whole) => (row[whole] ? row[part] / row[whole] : null);
  const columns = [
    { key: "group", title: t(`quality.by.${by}`), text: (row) => row.group, cell: (row) => html`<span class="mono">${row.group}</span>` },
    { key: "tasks", title: t("worth.tasks"), text: (row) => row.tasks, number: true, width: "5rem" },
    { key: "coverage", title: t("quality.complete"), text: (row) => row.coverage ?? -1, cell: (row) => percent(row.coverage), number: true, width: "7rem" },
    { key: "columns", title: t("worth.columns"), text: (row) => row.columns, number: true, width: "6rem" },
    {
      key: "sourced",
      title: t("quality.sourced"),
      text: (row) => share(row, "columns_sourced", "columns") ?? -1,
      cell: (row) => percent(share(row, "columns_sourced", "columns")),
      number: true,
      width: "7rem",
    },
    { key: "agreement", title: t("quality.agreement"), text: (row) => row.agreement ?? -1, cell: (row) => percent(row.agreement), number: true, width: "7rem" },
    { key: "stale", title: t("quality.stale"), text: (row) => row.stale, number: true, width: "6rem" },
    { key: "hand", title: t("quality.hand"), text: (row) => row.by_hand, number: true, width: "6rem" },
    {
      key: "fix",
      title: t("quality.first"),
      text: (row) => row.fix,
      cell: (row) => html`<${Chip} tone=${MEASURE_TONES[row.fix]}>${t(`quality.${row.fix}`)}</>`,
      width: "8rem",
    },
  ];
  return html`<fieldset class="row"><legend class="sr-only">${t("quality.group")}</legend><div class="segmented">${GROUPS.map((each) => html`<button type="button" aria-pressed=${each === by ? "true" : "false"} onClick=${() => set({ by: each })}>${t(`quality.by.${each}`)}</button>`)}</div></fieldset>
    <${Answer} of=${answer}>${(data) => html`<${Quadrants} groups=${data.result.groups} />
      <${Table} label=${t("govern.quality")} rows=${data.result.groups} columns=${columns} rowKey=${(row) => row.group} file="quality.csv" empty=${html`<${Empty} title=${t("worth.none")} />`} />
      <${Completeness} of=${data.completeness} notes=${data.notes} />`}</>`;
}

/** Which groups to correct, extend, rebuild or keep; those without a measured agreement stand apart. @param {{groups: any[]}} props */
function Quadrants({ groups }) {
  const box = (name) =>
    html`<div class="card quadrant"><h2>${t(`quality.${name}`)}</h2><p class="note">${t(`quality.${name}.what`)}</p><p class="row">${groups.filter((group) => group.fix === name && group.tasks).map((group) => html`<${Chip} tone=${MEASURE_TONES[name]} title=${`${percent(group.coverage)} · ${percent(group.agreement)}`}>${group.group} ${percent(group.coverage)}</>`)}</p></div>`;
  return html`<div class="quadrants" role="group" aria-label=${t("quality.quadrants")}>${["correct", "keep", "rebuild", "extend", "measure"].map(box)}</div>`;
}
