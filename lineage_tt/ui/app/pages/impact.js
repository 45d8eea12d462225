/** Impact: paste or drop the SQL of tasks that would change; what it reads and writes, where it is wrong, who gets hurt. */
import { post } from "../api.js";
import { Still } from "../graph/still.js";
import { html, useState } from "../lib.js";
import { announce } from "../parts/announce.js";
import { Chip, Name, Task } from "../parts/names.js";
import { Completeness, Empty, Failed, Loading } from "../parts/states.js";
import { Sql } from "../parts/sql.js";
import { Table } from "../parts/table.js";
import { hrefTo, set, state } from "../state.js";
import { t } from "../texts.js";

const TONES = /** @type {Record<string, [string, string]>} */ ({
  breaking: ["bad", "✕"],
  "potentially-breaking": ["warn", "▲"],
  potentially_breaking: ["warn", "▲"],
  additive: ["add", "+"],
  none: ["good", "✓"],
  unknown: ["change", "?"],
});
/** How a dataset looks in the picture of all that is touched. */
const MARKS = {
  breaking: { ink: "--g-removed", sign: "✕ " },
  potentially_breaking: { ink: "--g-changed", sign: "▲ " },
  additive: { ink: "--g-added", sign: "+ " },
  unknown: { ink: "--g-unsure", sign: "? " },
};
const DIALECTS = ["hive", "spark", "trino", "presto", "bigquery", "snowflake", "postgres", "mysql", "clickhouse", "tsql", "duckdb"];
/** The most dropped files that are taken. */
const MAX_FILES = 50;
const DRAFT = "lineage-tt-impact";

/** The last text, for the life of the tab: an address is too short for it. */
function remembered() {
  try {
    return sessionStorage.getItem(DRAFT) || "";
  } catch {
    return "";
  }
}

export function Page() {
  const [files, setFiles] = useState(/** @type {{task: string, sql: string}[]} */ ([{ task: state.value.task || "", sql: remembered() }]));
  const [answer, setAnswer] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [dropped, setDropped] = useState(0);
  const change = (index, values) => setFiles((now) => now.map((file, at) => (at === index ? { ...file, ...values } : file)));
  const drop = async (event) => {
    event.preventDefault();
    setOver(false);
    setDropped(event.dataTransfer.files.length);
    const read = await Promise.all(
      [...event.dataTransfer.files].slice(0, MAX_FILES).map(async (file) => ({ task: file.name.replace(/\.\w+$/, ""), sql: await file.text() })),
    );
    if (read.length) setFiles((now) => [...now.filter((file) => file.sql.trim()), ...read]);
  };
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target.elements;
    try {
      sessionStorage.setItem(DRAFT, files[0].sql);
    } catch {}
    set({ task: files[0].task, dialect: form.dialect.value, namespace: form.namespace.value, database: form.database.value }, { replace: true });
    setBusy(true);
    const given = {
      dialect: form.dialect.value || undefined,
      namespace: form.namespace.value || undefined,
      default_database: form.database.value || undefined,
    };
    const done = await post("/v1/impact", {
      pictures: true,
      candidates: files.filter((file) => file.sql.trim()).map((file) => ({ task_id: file.task.trim() || "untitled", sql: file.sql, ...given })),
    });
    setBusy(false);
    setAnswer({ ...done, unread: files.filter((file) => file.task.trim() && !file.sql.trim()).length });
    announce(done.ok ? t("impact.verdict.is", { verdict: t(`class.${done.data.result.verdict}`) }) : done.problem.detail);
  };
  return html`<div class="page page-impact">
    <div class="head-name"><h1>${t("impact.title")}</h1><p class="quiet">${t("impact.what")}</p></div>
    <form class=${`card impact ${over ? "over" : ""}`} onSubmit=${submit} onDragOver=${(event) => {
      event.preventDefault();
      setOver(true);
    }} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      ${files.map(
        (file, index) => html`<div class="candidate" key=${index}>
        <div class="bar"><label>${t("impact.task")} <input value=${file.task} placeholder="dws_revenue_daily" maxlength="500" onInput=${(event) => change(index, { task: event.target.value })} /></label><span class="grow"></span>
          ${files.length > 1 ? html`<button type="button" class="button quiet small" onClick=${() => setFiles(files.filter((_, at) => at !== index))}>${t("impact.remove")}</button>` : null}</div>
        <textarea rows=${files.length > 1 ? 5 : 9} spellcheck=${false} aria-label=${t("impact.sql")} placeholder=${t("impact.sql.place")} value=${file.sql} onInput=${(event) => change(index, { sql: event.target.value })}></textarea></div>`,
      )}
      ${dropped > MAX_FILES ? html`<p class="note warn" role="note">${t("impact.files", { taken: MAX_FILES, of: dropped })}</p>` : null}
      <div class="bar"><label>${t("impact.dialect")} <input name="dialect" list="dialects" size="10" defaultValue=${state.value.dialect || "hive"} /></label><datalist id="dialects">${DIALECTS.map((name) => html`<option value=${name}></option>`)}</datalist>
        <label>${t("impact.namespace")} <input name="namespace" size="10" defaultValue=${state.value.namespace || "hive"} /></label>
        <label>${t("impact.database")} <input name="database" size="10" defaultValue=${state.value.database || ""} /></label><span class="grow"></span>
        <button type="button" class="button" onClick=${() => setFiles([...files, { task: "", sql: "" }])}>${t("impact.add")}</button>
        <button class="button primary" disabled=${busy || !files.some((file) => file.sql.trim())}>${t("impact.do")}</button></div>
    </form>
    ${busy ? html`<${Loading} what=${t("impact.busy")} />` : !answer ? html`<${Empty} title=${t("impact.none")} hint=${t("impact.none.hint")} />` : answer.ok ? html`<${Report} answer=${answer.data} files=${files} unread=${answer.unread} />` : html`<${Failed} problem=${answer.problem} />`}
  </div>`;
}

/** @param {{of: string}} props */
export function Class({ of }) {
  const [tone, sign] = TONES[of] || ["", "·"];
  return html`<${Chip} tone=${tone}><span aria-hidden="true">${sign}</span> ${t(`class.${of}`)}</>`;
}

/** @param {{answer: any, files: {task: string, sql: string}[], unread: number}} props   unread: tasks without SQL, which are not assessed */
function Report({ answer, files, unread }) {
  const found = answer.result;
  const findings = [
    { key: "class", title: t("impact.class"), text: (row) => row.class, cell: (row) => html`<${Class} of=${row.class} />`, width: "11rem" },
    {
      key: "subject",
      title: t("impact.subject"),
      text: (row) => row.subject ?? "",
      cell: (row) => (row.subject?.includes(":") ? html`<${Name} of=${row.subject} />` : (row.subject ?? "")),
      width: "20rem",
    },
    { key: "reason", title: t("impact.reason"), text: (row) => row.reason },
    { key: "owners", title: t("node.owners"), text: (row) => row.owners.join(", "), width: "8rem" },
  ];
  return html`
    <div class="verdict card"><div class="row"><h2>${t("impact.verdict")}</h2><${Class} of=${found.verdict} /><span class="quiet">${t("impact.counts", { findings: found.counts.findings, readers: found.counts.readers, plus: found.counts.edges_added, minus: found.counts.edges_removed })}</span></div></div>
    <${Completeness} of=${answer.completeness} notes=${found.notes} />
    ${unread ? html`<p class="note warn" role="note">${t("impact.unread", { n: unread })}</p>` : null}
    ${found.tasks.map((task) => html`<${Candidate} key=${task.task_id} task=${task} drawn=${found.pictures?.own[task.task_id]} undrawn=${found.pictures?.undrawn[task.task_id]} findings=${found.findings} sql=${files.find((file) => (file.task.trim() || "untitled") === task.task_id)?.sql || ""} />`)}
    <section aria-labelledby="impact-ripple"><h2 id="impact-ripple">${t("impact.ripple")}</h2>${found.pictures?.touched ? html`<${Still} drawn=${found.pictures.touched} marks=${MARKS} label=${t("impact.touched")} />` : null}${found.pictures?.touched?.left_out ? html`<p class="note">${t("impact.undrawn", { n: found.pictures.touched.left_out })}</p>` : null}<${Ripple} tasks=${found.tasks} readers=${found.readers} /></section>
    <section aria-labelledby="impact-findings"><h2 id="impact-findings">${t("impact.findings")}</h2><${Table} label=${t("impact.findings")} rows=${found.findings} columns=${findings} rowKey=${(row) => found.findings.indexOf(row)} filter=${found.findings.length > 12} file="impact.csv" empty=${html`<p class="quiet none">${t("impact.findings.none")}</p>`} /></section>
    ${found.backfill.length ? html`<section aria-labelledby="impact-backfill"><h2 id="impact-backfill">${t("impact.backfill")}</h2><ol class="list numbered">${found.backfill.map((step) => html`<li><${Task} of=${step.task_id} /> <span class="quiet">${step.reason}</span></li>`)}</ol></section>` : null}`;
}

/** A task that would change: its text with its errors in place, and its own lineage. @param {{task: any, findings: any[], sql: string, drawn: any, undrawn: number | undefined}} props   undrawn: how many edges are too many for a picture */
function Candidate({ task, findings, sql, drawn, undrawn }) {
  const wrong = findings.filter((each) => each.task === task.task_id && each.line !== null);
  const own = task.predicted.filter((edge) => edge.sign > 0);
  const columns = [
    { key: "source", title: t("edge.source"), text: (row) => row.source, cell: (row) => html`<${Name} of=${row.source} />` },
    { key: "target", title: t("edge.target"), text: (row) => row.target, cell: (row) => html`<${Name} of=${row.target} />` },
    {
      key: "kind",
      title: t("edge.kind"),
      text: (row) => `${row.type} ${row.subtype}`,
      cell: (row) => html`<span class="quiet">${row.type} ${row.subtype}</span>`,
      width: "12rem",
    },
    { key: "expression", title: t("edge.expression"), text: (row) => row.expression, cell: (row) => html`<code>${row.expression}</code>` },
  ];
  return html`<section aria-label=${task.task_id}><div class="row"><h2 class="mono">${task.task_id}</h2><${Class} of=${task.class} />${task.coverage ? html`<${Chip} tone=${task.coverage === "complete" ? "good" : task.coverage === "opaque" ? "bad" : "warn"}>${t(`coverage.${task.coverage}`)}</>` : null}${task.known ? null : html`<${Chip}>${t("impact.new")}</>`}</div>
    ${
      task.reasons.length
        ? html`<ul class="reasons">${task.reasons.map((reason) => {
            const at = wrong.find((each) => each.reason === reason);
            return html`<li>${at ? html`<b class="bad">${t("impact.at", { line: String(at.line), column: String(at.column ?? 1) })}</b> ` : null}${reason}</li>`;
          })}</ul>`
        : null
    }
    ${drawn ? html`<${Still} drawn=${drawn} compared=${task.known} label=${t("impact.picture", { task: task.task_id })} />` : null}
    ${undrawn ? html`<p class="note" role="note">${t("impact.undrawn.own", { n: undrawn })}</p>` : null}
    <details open=${wrong.length > 0}><summary>${t("impact.text")}</summary><${Sql} text=${sql} bad=${wrong.map((at) => at.line)} /></details>
    <details open=${wrong.length === 0 && !drawn}><summary>${t("impact.own", { n: own.length })}</summary><${Table} label=${t("impact.own", { n: own.length })} rows=${own} columns=${columns} rowKey=${(row) => own.indexOf(row)} file=${`${task.task_id}.edges.csv`} empty=${html`<p class="quiet none">${t("impact.own.none")}</p>`} /></details></section>`;
}

/** Who is reached, by steps from the change: a picture in columns, coloured by class. @param {{tasks: any[], readers: any[]}} props */
function Ripple({ tasks, readers }) {
  if (!readers.length) return html`<p class="quiet none">${t("impact.readers.none")}</p>`;
  const steps = [...new Set(readers.map((reader) => reader.steps))].sort((one, other) => one - other);
  return html`<div class="ripple" role="list" tabindex="0" aria-label=${t("impact.ripple")}>
    <div class="ripple-step" role="listitem"><h3>${t("impact.changed")}</h3>${tasks.flatMap((task) => task.writes.map((dataset) => html`<div class="ripple-box accent"><${Name} of=${dataset} /></div>`))}</div>
    ${steps.map(
      (step) =>
        html`<div class="ripple-step" role="listitem"><h3>${t("impact.steps", { n: step })}</h3>${readers
          .filter((reader) => reader.steps === step)
          .map(
            (reader) => html`<div class=${`ripple-box ${(TONES[reader.class] || [""])[0]}`}>
      <${Name} of=${reader.dataset} /><div class="row"><${Class} of=${reader.class} />${reader.protected ? html`<${Chip} tone="bad">${t("impact.protected")}</>` : null}</div>${reader.owners.length ? html`<p class="quiet">${reader.owners.join(", ")}</p>` : null}
      <a class="small" href=${hrefTo("graph", { node: reader.dataset, direction: "up", level: "table" })}>${t("node.graph")}</a></div>`,
          )}</div>`,
    )}</div>`;
}
