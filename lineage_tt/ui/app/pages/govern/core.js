/** Promised nodes, the chain of tasks that makes one as a timeline, and what a delay breaks. */
import { useAnswer } from "../../api.js";
import { html, useState } from "../../lib.js";
import { Chip, Name, Task } from "../../parts/names.js";
import { Answer, Completeness, Empty } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { pointParams } from "../../points.js";
import { at, hrefTo, set, state } from "../../state.js";
import { t } from "../../texts.js";

/** Seconds of the day in `HH:MM:SS`; hours may pass 24. @param {string} text */
function seconds(text) {
  const [hours, minutes, rest] = text.split(":").map(Number);
  return hours * 3600 + minutes * 60 + (rest || 0);
}

/** 1 h 20 min; negative with a sign. @param {number} length */
function duration(length) {
  const minutes = Math.round(Math.abs(length) / 60);
  const words = minutes >= 60 ? t("core.hours", { h: Math.floor(minutes / 60), m: minutes % 60 }) : t("core.minutes", { m: minutes });
  return length < 0 && minutes ? `−${words}` : words;
}

const short = (text) => (text ? text.replace(/:00$/, "") : "—");

export function CoreView() {
  return html`${state.value.node ? html`<${Chain} node=${state.value.node} />` : null}<${Promised} /><${Late} />`;
}

function Promised() {
  const answer = useAnswer("/v1/core", pointParams(at.value));
  const columns = [
    { key: "node", title: t("core.node"), text: (row) => row.node, cell: (row) => html`<${Name} of=${row.node} page="govern" values=${{ view: "core" }} />` },
    { key: "priority", title: t("core.priority"), text: (row) => row.priority ?? "", width: "6rem" },
    { key: "sla", title: t("core.sla"), text: (row) => row.sla ?? "", cell: (row) => short(row.sla), width: "7rem" },
    {
      key: "finish",
      title: t("core.finish"),
      text: (row) => row.finish ?? "",
      cell: (row) => html`<span class=${row.in_time === false ? "bad" : ""}>${short(row.finish)}</span>`,
      width: "7rem",
    },
    {
      key: "slack",
      title: t("core.slack"),
      text: (row) => row.slack_s ?? 0,
      cell: (row) =>
        row.slack_s === null ? "—" : html`<${Chip} tone=${row.slack_s < 0 ? "bad" : row.slack_s < 1800 ? "warn" : "good"}>${duration(row.slack_s)}</>`,
      width: "8rem",
    },
    { key: "tasks", title: t("core.tasks"), text: (row) => row.tasks.length, number: true, width: "5rem" },
    { key: "owners", title: t("node.owners"), text: (row) => row.owners.join(", "), width: "9rem" },
  ];
  return html`<section aria-labelledby="promised"><h2 id="promised">${t("core.promised")}</h2><p class="note">${t("core.utc")}</p><${Answer} of=${answer}>${(
    data,
  ) => html`
    <${Table} label=${t("core.promised")} rows=${data.result.nodes} columns=${columns} rowKey=${(row) => row.node} file="promises.csv" empty=${html`<${Empty} title=${t("core.none")} hint=${t("core.none.hint")} />`} />
    <${Completeness} of=${data.completeness} />`}</></section>`;
}

/** @param {{node: string}} props */
function Chain({ node }) {
  const answer = useAnswer("/v1/core", { node, ...pointParams(at.value) });
  const columns = [
    {
      key: "task",
      title: t("nav.task"),
      text: (row) => row.task_id,
      cell: (row) => html`${row.critical ? html`<b aria-label=${t("core.critical.one")}>●</b> ` : null}<${Task} of=${row.task_id} />`,
    },
    { key: "start", title: t("core.start"), text: (row) => row.start ?? "", cell: (row) => short(row.start), width: "6rem" },
    { key: "end", title: t("core.finish"), text: (row) => row.finish ?? "", cell: (row) => short(row.finish), width: "6rem" },
    {
      key: "takes",
      title: t("core.takes"),
      text: (row) => row.duration_s ?? 0,
      cell: (row) => (row.duration_from === "unknown" ? html`<span class="warn">${t("core.unknown")}</span>` : duration(row.duration_s)),
      width: "8rem",
    },
    {
      key: "slack",
      title: t("core.slack"),
      text: (row) => row.slack_s ?? 0,
      cell: (row) => (row.slack_s === null ? "—" : duration(row.slack_s)),
      width: "8rem",
    },
    { key: "after", title: t("core.after"), text: (row) => row.waits_for.join(", ") },
  ];
  return html`<section aria-labelledby="chain"><h2 id="chain"><${Name} of=${node} /></h2><${Answer} of=${answer}>${({ result, completeness }) => html`
    <p>${result.finish ? t(result.in_time === false ? "core.toolate" : "core.done", { at: short(result.finish), sla: short(result.sla) }) : ""}${result.durations_unknown ? html` <span class="warn">${t("core.unknown.n", { n: result.durations_unknown })}</span>` : null}</p>
    <${Timeline} of=${result} />
    <${Table} label=${t("core.chain")} rows=${result.tasks} columns=${columns} rowKey=${(row) => row.task_id} file="chain.csv" empty=${html`<${Empty} title=${t("core.chain.none")} />`} />
    <${Completeness} of=${completeness} />`}</></section>`;
}

/** Bars from start to finish; the table beside it says the same. @param {{of: any}} props */
function Timeline({ of }) {
  const tasks = of.tasks.filter((task) => task.start && task.finish);
  if (!tasks.length) return null;
  const sla = of.sla ? seconds(of.sla) : null;
  const from = Math.floor(Math.min(...tasks.map((task) => seconds(task.start))) / 3600) * 3600;
  const to = Math.ceil((Math.max(...tasks.map((task) => seconds(task.finish)), sla ?? 0) + 60) / 3600) * 3600;
  const place = (moment) => `${(100 * (moment - from)) / (to - from)}%`;
  const step = Math.max(1, Math.ceil((to - from) / 3600 / 12)) * 3600;
  const hours = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);
  return html`<div class="gantt" role="img" aria-label=${t("core.picture", { node: of.node, path: of.critical_path.join(" → ") })}>
    <div class="gantt-hours">${hours.map((hour) => html`<span style=${{ left: place(hour) }}>${String(hour / 3600).padStart(2, "0")}:00</span>`)}</div>
    ${tasks.map((task) => html`<div class="gantt-row"><span class="gantt-name mono" title=${task.task_id}>${task.task_id}</span><span class="gantt-line"><span class=${`gantt-bar ${task.critical ? "critical" : ""}`} style=${{ left: place(seconds(task.start)), width: place(from + seconds(task.finish) - seconds(task.start)) }}></span></span></div>`)}
    ${sla !== null ? html`<div class="gantt-sla"><span style=${{ left: place(sla) }}><b>${short(of.sla)}</b></span></div>` : null}
  </div><p class="note"><span class="gantt-key critical"></span> ${t("core.critical")} <span class="gantt-key"></span> ${t("core.others")} <span class="gantt-key sla"></span> ${t("core.sla")}</p>`;
}

function Late() {
  const { task = "", by = "" } = state.value;
  const [draft, setDraft] = useState({ task, by: by || "2h" });
  const answer = useAnswer(task && by ? "/v1/core/late" : null, { task, by, ...pointParams(at.value) });
  const columns = [
    {
      key: "node",
      title: t("core.node"),
      text: (row) => row.node,
      cell: (row) => html`<a class="name mono" href=${hrefTo("govern", { view: "core", node: row.node })}>${row.node}</a>`,
    },
    { key: "sla", title: t("core.sla"), text: (row) => row.sla ?? "", cell: (row) => short(row.sla), width: "7rem" },
    { key: "then", title: t("core.then"), text: (row) => row.late_finish ?? "", cell: (row) => short(row.late_finish), width: "7rem" },
    {
      key: "breaks",
      title: t("core.promise"),
      text: (row) => (row.breaks ? 1 : 0),
      cell: (row) => html`<${Chip} tone=${row.breaks ? "bad" : "good"}>${t(row.breaks ? "core.breaks" : row.broken ? "core.broken" : "core.holds")}</>`,
      width: "10rem",
    },
    { key: "tell", title: t("core.tell"), text: (row) => row.tell.join(", "), width: "12rem" },
  ];
  const ask = (event) => {
    event.preventDefault();
    set({ task: draft.task.trim(), by: draft.by.trim() });
  };
  return html`<section aria-labelledby="late"><h2 id="late">${t("core.late")}</h2>
    <form class="row" onSubmit=${ask}><label>${t("kind.task")} <input value=${draft.task} required onInput=${(event) => setDraft({ ...draft, task: event.target.value })} /></label>
      <label>${t("core.by")} <input size="6" value=${draft.by} required onInput=${(event) => setDraft({ ...draft, by: event.target.value })} /></label><button class="button primary">${t("core.ask")}</button></form>
    ${
      task && by
        ? html`<${Answer} of=${answer}>${(
            data,
          ) => html`<${Table} label=${t("core.late")} rows=${data.result.promises} columns=${columns} rowKey=${(row) => row.node} empty=${html`<${Empty} title=${t("core.nobody")} />`} />
      ${data.result.unsure.map((row) => html`<p class="warn" key=${row.node}>${row.node}: ${t("core.unknown.n", { n: row.durations_unknown })}</p>`)}
      <${Completeness} of=${data.completeness} />`}</>`
        : null
    }</section>`;
}
