/** What violates the rules at a point; only what is new since another one, if asked. */
import { useAnswer } from "../../api.js";
import { html } from "../../lib.js";
import { Chip, Name, Task } from "../../parts/names.js";
import { Answer, Completeness, Empty, TooLarge } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { pointParams } from "../../points.js";
import { at, set, state } from "../../state.js";
import { t } from "../../texts.js";
import { fromInput, toInput } from "../../times.js";

const SEVERITY_TONES = /** @type {Record<string, string>} */ ({ error: "bad", warning: "warn", info: "" });

/** A time that this address keeps under a key. @param {{name: string, label: string}} props */
export function Since({ name, label }) {
  return html`<label class="row">${label} <input type="datetime-local" step="1" value=${toInput(state.value[name] || "")} onChange=${(event) => set({ [name]: fromInput(event.target.value) || null })} /></label>`;
}

/** A task or a node. @param {{of: string}} props */
export function Subject({ of }) {
  return of.startsWith("task:") ? html`<${Task} of=${of.slice(5)} />` : html`<${Name} of=${of} />`;
}

export function RulesView() {
  const answer = useAnswer("/v1/rules", { ...pointParams(at.value), since: state.value.since, limit: 1000 });
  const columns = [
    {
      key: "severity",
      title: t("rules.severity"),
      text: (row) => row.severity,
      cell: (row) =>
        html`<${Chip} tone=${row.allowed ? "" : SEVERITY_TONES[row.severity]}>${row.allowed ? t("rules.allowed") : t(`severity.one.${row.severity}`)}</>`,
      width: "7rem",
    },
    { key: "rule", title: t("rules.rule"), text: (row) => row.rule, cell: (row) => html`<span class="mono">${row.rule}</span>`, width: "13rem" },
    { key: "subject", title: t("rules.subject"), text: (row) => row.subject, cell: (row) => html`<${Subject} of=${row.subject} />` },
    { key: "detail", title: t("rules.detail"), text: (row) => `${row.detail}${row.allowed ? ` (${row.allowed})` : ""}` },
    {
      key: "others",
      title: t("rules.others"),
      text: (row) => row.others.join(", "),
      cell: (row) => row.others.map((each) => html`<${Subject} of=${each} /> `),
    },
    { key: "owners", title: t("node.owners"), text: (row) => row.owners.join(", "), width: "7rem" },
  ];
  return html`<div class="row"><${Since} name="since" label=${t("rules.since")} />${state.value.since ? html`<button type="button" class="button" onClick=${() => set({ since: null })}>${t("rules.every")}</button>` : null}</div>
    <${Answer} of=${answer}>${(data) => html`
      <dl class="tiles">${["error", "warning", "info"].map((severity) => html`<div class="card"><dt>${t(`severity.${severity}`)}</dt><dd class="figure">${data.result.filter((row) => row.severity === severity && !row.allowed).length}</dd><dd class="quiet">${t(state.value.since ? "rules.new" : "rules.now")}</dd></div>`)}</dl>
      ${data.next_offset ? html`<${TooLarge} shown=${data.result.length} />` : null}
      <${Table} label=${t("govern.rules")} rows=${data.result} columns=${columns} rowKey=${(row) => [row.rule, row.subject, ...row.others].join(" ")} filter file="violations.csv" empty=${html`<${Empty} title=${t("rules.none")} />`} />
      <${Completeness} of=${data.completeness} notes=${data.notes} />`}</>`;
}
