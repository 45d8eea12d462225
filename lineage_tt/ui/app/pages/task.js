/** A task: its versions, its SQL at one or the difference of two, and what each version did to the edges. */
import { useAnswer } from "../api.js";
import { html } from "../lib.js";
import { EdgeTable } from "../parts/edges.js";
import { CopyLink } from "../parts/export.js";
import { Chip } from "../parts/names.js";
import { Answer, Completeness, Empty, Failed, Loading, TooLarge } from "../parts/states.js";
import { Sql, SqlDiff } from "../parts/sql.js";
import { Table } from "../parts/table.js";
import { pointWord } from "../points.js";
import { hrefTo, set, state } from "../state.js";
import { plain, t } from "../texts.js";
import { formatTime, Time } from "../times.js";
import { changeOf } from "./feed.js";

const MANY = 10000;

export function Page() {
  const task = state.value.task || "";
  const path = task.split("/").map(encodeURIComponent).join("/");
  const answer = useAnswer(task ? `/v1/tasks/${path}/versions` : null, { limit: MANY });
  const rows = answer.data ? [...answer.data.result].reverse() : [];
  const { a, b } = chosen(rows, state.value.b, state.value.a);
  if (!task)
    return html`<div class="page"><h1>${t("nav.task")}</h1><${Empty} title=${t("task.which")}><a class="button" href=${hrefTo("home")}>${t("nav.home")}</a></></div>`;
  return html`<div class="page page-task">
    <div class="head"><div class="head-name"><p class="quiet kicker">${t("kind.task")}</p><h1 class="mono">${task}</h1></div><${CopyLink} basis=${answer.data?.basis} changes=${{ a: a?.version, b: b?.version }} /></div>
    <${Answer} of=${answer}>${(data) => html`<${Versions} task=${task} rows=${rows} more=${data.next_offset !== null} basis=${data.basis} />`}</>
  </div>`;
}

/** Whether a version has a text to look at: a retract has none. @param {any} row */
const usable = (row) => row.status === "accepted" && Boolean(row.effective_at);

/** Which versions are chosen: those of the address, else the newest with a text and the one before it. @param {any[]} rows newest first */
export function chosen(rows, wantedB, wantedA) {
  const all = rows.filter(usable);
  const b = all.find((row) => String(row.version) === wantedB) || all[0] || null;
  const older = b ? all.filter((row) => row.version < b.version) : [];
  const a = all.find((row) => String(row.version) === wantedA) || older[0] || null;
  return { a, b };
}

/** @param {{task: string, rows: any[], more: boolean, basis: any}} props */
function Versions({ task, rows, more, basis }) {
  const { a, b } = chosen(rows, state.value.b, state.value.a);
  const view = state.value.view || "diff";
  const pick = (row) => (b && row.version < b.version ? set({ a: row.version, b: b.version }) : set({ b: row.version, a: null }));
  const columns = [
    {
      key: "version",
      title: t("task.version"),
      text: (row) => row.version,
      cell: (row) =>
        html`<span class="mono">v${row.version}</span> ${row === b ? html`<${Chip} tone="add">B</>` : row === a ? html`<${Chip} tone="remove">A</>` : null}`,
      width: "6rem",
    },
    {
      key: "op",
      title: t("task.op"),
      text: (row) => (row.status === "rejected" ? t("task.rejected") : t(`op.${row.op}`)),
      cell: (row) =>
        row.status === "rejected"
          ? html`<${Chip} tone="bad" title=${row.rejected_detail}>${row.rejected_code}</>`
          : html`${t(`op.${row.op}`)}${row.superseded_by ? html` <${Chip} tone="warn">${t("task.superseded", { v: String(row.superseded_by) })}</>` : null}${row.derived_from ? html` <${Chip} title=${t("task.derived.what")}>${t("task.derived")}</>` : null}`,
      width: "8rem",
    },
    {
      key: "effective",
      title: t("task.effective"),
      text: (row) => row.effective_at ?? "",
      cell: (row) => (row.effective_at ? html`<${Time} at=${row.effective_at} />` : ""),
      width: "9.5rem",
    },
    { key: "known", title: t("task.known"), text: (row) => row.system_time, cell: (row) => html`<${Time} at=${row.system_time} />`, width: "9.5rem" },
    { key: "actor", title: t("task.actor"), text: (row) => plain(row.actor ?? ""), width: "5.5rem" },
    { key: "reason", title: t("task.reason"), text: (row) => plain(row.reason ?? ""), least: "14rem" },
    {
      key: "coverage",
      title: t("task.coverage"),
      text: (row) => (row.coverage ? t(`coverage.${row.coverage}`) : ""),
      cell: (row) =>
        row.coverage && row.coverage !== "complete"
          ? html`<${Chip} tone=${row.coverage === "opaque" ? "bad" : "warn"}>${t(`coverage.${row.coverage}`)}</>`
          : html`<span class="quiet">${row.coverage ? t(`coverage.${row.coverage}`) : ""}</span>`,
      width: "5.5rem",
    },
    {
      key: "plus",
      title: "+",
      text: (row) => row.plus,
      cell: (row) => html`<span class="add">${row.plus ? `+${row.plus}` : ""}</span>`,
      number: true,
      width: "3rem",
    },
    {
      key: "minus",
      title: "−",
      text: (row) => row.minus,
      cell: (row) => html`<span class="remove">${row.minus ? `−${row.minus}` : ""}</span>`,
      number: true,
      width: "3rem",
    },
    {
      key: "choose",
      title: t("task.compare"),
      text: () => "",
      sort: false,
      width: "5rem",
      cell: (row) =>
        usable(row) && row !== b
          ? html`<button type="button" class="button quiet small" onClick=${() => pick(row)} aria-label=${`${t("task.choose", { v: String(row.version) })} ${b && row.version < b.version ? t("task.as.a") : t("task.as.b")}`}>${b && row.version < b.version ? t("task.as.a") : t("task.as.b")}</button>`
          : null,
    },
  ];
  return html`
    <section aria-labelledby="task-versions"><h2 id="task-versions">${t("task.versions")}</h2>
      ${more ? html`<${TooLarge} shown=${rows.length} />` : null}
      <${Table} label=${t("task.versions")} rows=${rows} columns=${columns} rowKey=${(row) => row.version} filter=${rows.length > 12} file=${`${task}.versions.csv`} onRow=${(row) => usable(row) && row !== b && pick(row)} selected=${(row) => row === a || row === b} empty=${html`<${Empty} title=${t("changes.none")} />`} />
      <${Completeness} basis=${basis} /></section>
    <section aria-labelledby="task-view"><div class="bar"><h2 id="task-view">${t("task.what")}</h2><div class="segmented" role="group" aria-label=${t("task.what")}>
      ${["diff", "sql", "edges"].map((name) => html`<button type="button" aria-pressed=${view === name ? "true" : "false"} onClick=${() => set({ view: name === "diff" ? null : name })}>${t(`task.view.${name}`)}</button>`)}</div></div>
      ${!b ? html`<${Empty} title=${t("task.no.version")} />` : view === "edges" ? html`<${Edges} version=${b.version} />` : html`<${Texts} task=${task} a=${view === "diff" ? a : null} b=${b} />`}</section>`;
}

/** @param {any} row */
const pointOf = (row) => pointWord({ valid: row.effective_at, version: row.version });

/** @param {{task: string, a: any, b: any}} props */
function Texts({ task, a, b }) {
  const answer = useAnswer("/v1/sql", { task, at: a ? `${pointOf(a)},${pointOf(b)}` : pointOf(b) });
  const title = (row) => `v${row.version} · ${formatTime(row.effective_at)}`;
  if (answer.problem) return html`<${Failed} problem=${answer.problem} retry=${answer.reload} />`;
  if (!answer.data || answer.stale) return html`<${Loading} />`;
  const { texts, diff } = answer.data.result;
  if (a && diff) return html`<${SqlDiff} lines=${diff} left=${title(a)} right=${title(b)} /><${Completeness} notes=${answer.data.notes} />`;
  return html`${texts.map((text, index) => {
    const row = a && index === 0 ? a : b;
    return html`<h3>${title(row)}</h3>${!text ? html`<p class="quiet none">${t("task.no.sql")}</p>` : text.kept === false ? html`<p class="quiet none">${t("task.not.kept", { policy: text.policy })}</p>` : html`<${Sql} text=${text.sql} label=${title(row)} />`}`;
  })}`;
}

/** What a version began and ended. @param {{version: number}} props */
export function Edges({ version }) {
  const answer = useAnswer("/v1/changes", { after: version - 1, limit: 1 });
  return html`<${Answer} of=${answer}>${(page) => {
    const event = page.result[0];
    const rows = event?.data.version === version ? changeOf(event).changes : [];
    return html`<${EdgeTable} rows=${rows} name=${`v${version}`} />`;
  }}</>`;
}
