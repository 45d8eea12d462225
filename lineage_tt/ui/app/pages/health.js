/** Health: how far the service is, how well the store understands its tasks, what was rejected. */
import { mayWrite, post, useAnswer } from "../api.js";
import { html, useEffect, useState } from "../lib.js";
import { announce } from "../parts/announce.js";
import { Chip, Task } from "../parts/names.js";
import { Answer, Empty, TooLarge } from "../parts/states.js";
import { Table } from "../parts/table.js";
import { at } from "../state.js";
import { pointParams } from "../points.js";
import { number, size, t } from "../texts.js";
import { Time } from "../times.js";

const REFRESH_MS = 10000;

export function Page() {
  const stats = useAnswer("/v1/stats");
  useEffect(() => {
    const timer = setInterval(() => document.hidden || stats.reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [stats.reload]);
  return html`<div class="page page-health"><h1>${t("nav.health")}</h1>
    <${Answer} of=${stats}>${(data) => html`<${Figures} of=${data} />`}</>
    <${Coverage} /><${Letters} /></div>`;
}

/** @param {{of: any}} props */
function Figures({ of }) {
  const { store, state, tail, graph, memory, streams, failures, uptime_s } = of.result;
  const failed = Object.entries(failures || {});
  const tiles = [
    [
      t("health.state"),
      html`<span class=${state === "ready" ? "good" : "warn"}>${t(state === "ready" ? "health.ready" : "health.loading")}</span>`,
      t("health.uptime", { n: Math.round(uptime_s / 60) }),
    ],
    [t("health.version"), number(store.versions), of.basis.system_time ? html`<${Time} at=${of.basis.system_time} />` : ""],
    [
      t("health.lag"),
      tail ? html`<span class=${tail.behind || tail.error ? "bad" : "good"}>${number(tail.lag_ms)} ms</span>` : "—",
      tail?.error || t(tail?.behind ? "health.behind" : "health.caught"),
    ],
    [
      t("health.graph"),
      graph ? number(graph.rectangles) : "—",
      graph ? t("health.snapshot", { tail: number(graph.tail_rectangles), version: String(graph.version) }) : t("health.files"),
    ],
    [t("health.store"), size(store.bytes), t("health.store.files", { n: store.files })],
    [t("health.memory"), size(memory.resident_bytes), t("health.streams", { n: streams })],
  ];
  return html`<dl class="tiles">${tiles.map(([name, value, more]) => html`<div class="card"><dt>${name}</dt><dd class="figure">${value}</dd><dd class="quiet">${more}</dd></div>`)}</dl>
    ${failed.map(([what, why]) => html`<p class="bad" role="alert"><b>${what}</b>: ${String(why)}</p>`)}`;
}

/** So many reasons of a task are listed; CSV has all. */
const FEW = 3;
const REASON = (reason) => `${reason.code}: ${reason.detail}`;

function Coverage() {
  const answer = useAnswer("/v1/tasks", { ...pointParams(at.value), limit: 10000 });
  return html`<section aria-labelledby="coverage"><h2 id="coverage">${t("health.coverage")}</h2><${Answer} of=${answer}>${(data) => {
    const total = data.result.length;
    const gaps = data.result.filter((task) => task.coverage && task.coverage !== "complete");
    const opaque = gaps.filter((task) => task.coverage === "opaque").length;
    const partial = gaps.length - opaque;
    const good = total - gaps.length;
    const part = (n) => ({ width: `${total ? (100 * n) / total : 0}%` });
    const columns = [
      { key: "task", title: t("nav.task"), text: (row) => row.task_id, cell: (row) => html`<${Task} of=${row.task_id} />`, width: "16rem" },
      {
        key: "coverage",
        title: t("task.coverage"),
        text: (row) => t(`coverage.${row.coverage}`),
        cell: (row) => html`<${Chip} tone=${row.coverage === "opaque" ? "bad" : "warn"}>${t(`coverage.${row.coverage}`)}</>`,
        width: "7rem",
      },
      {
        key: "why",
        least: "14rem",
        title: t("health.why"),
        text: (row) => row.reasons.map(REASON).join("; "),
        cell: (row) =>
          html`${row.reasons.slice(0, FEW).map((reason) => html`<div>${REASON(reason)}</div>`)}${row.reasons.length > FEW ? html`<div class="quiet">${t("health.more", { n: row.reasons.length - FEW })}</div>` : null}`,
      },
    ];
    return html`<div class="meter" role="img" aria-label=${t("health.meter", { good, partial, opaque, total })}><span class="meter-good" style=${part(good)}></span><span class="meter-warn" style=${part(partial)}></span><span class="meter-bad" style=${part(opaque)}></span></div>
      <p class="note">${t("health.meter", { good, partial, opaque, total })}</p>
      ${data.next_offset ? html`<${TooLarge} shown=${total} />` : null}
      ${gaps.length ? html`<${Table} label=${t("health.coverage")} rows=${gaps} columns=${columns} rowKey=${(row) => row.task_id} filter file="coverage.csv" />` : null}`;
  }}</></section>`;
}

function Letters() {
  const answer = useAnswer("/v1/dead-letters", { waiting: true, limit: 1000 });
  const [picked, setPicked] = useState(/** @type {number[]} */ ([]));
  const [outcome, setOutcome] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const replay = async (versions) => {
    setBusy(true);
    const done = await post("/v1/dead-letters/replay", { versions });
    setBusy(false);
    setOutcome(done);
    setPicked([]);
    announce(done.ok ? t("letters.done", { n: versions.length }) : done.problem.detail);
    answer.reload();
  };
  const toggle = (version) => setPicked((now) => (now.includes(version) ? now.filter((each) => each !== version) : [...now, version]));
  const writes = mayWrite();
  const columns = [
    ...(writes
      ? [
          {
            key: "pick",
            title: t("letters.pick"),
            text: () => "",
            sort: false,
            width: "4.5rem",
            cell: (row) =>
              html`<input type="checkbox" aria-label=${t("letters.pick.one", { v: String(row.version) })} checked=${picked.includes(row.version)} onChange=${() => toggle(row.version)} />`,
          },
        ]
      : []),
    { key: "version", title: t("task.version"), text: (row) => row.version, cell: (row) => html`<span class="mono">v${row.version}</span>`, width: "5rem" },
    { key: "known", title: t("letters.when"), text: (row) => row.system_time, cell: (row) => html`<${Time} at=${row.system_time} />`, width: "11rem" },
    { key: "code", title: t("letters.code"), text: (row) => row.code, cell: (row) => html`<${Chip} tone="bad">${row.code}</>`, width: "12rem" },
    {
      key: "task",
      title: t("nav.task"),
      text: (row) => row.task_id ?? "",
      cell: (row) => html`<span class="mono">${row.task_id ?? ""}</span>`,
      width: "13rem",
    },
    { key: "detail", title: t("letters.detail"), least: "14rem", text: (row) => row.detail ?? "" },
  ];
  return html`<section aria-labelledby="letters"><h2 id="letters">${t("letters.title")}</h2><p class="note">${t(writes ? "letters.what" : "letters.readonly")}</p>
    ${outcome ? (outcome.ok ? html`<ul class="note" role="status">${outcome.data.result.map((each) => html`<li>v${each.version}: <b class=${each.status === "accepted" ? "good" : "warn"}>${each.status}</b>${each.as_version ? ` → v${each.as_version}` : ""} ${each.detail || ""}</li>`)}</ul>` : html`<p class="bad" role="alert">${outcome.problem.detail} ${outcome.problem.hint || ""}</p>`) : null}
    <${Answer} of=${answer}>${(
      data,
    ) => html`${data.next_offset ? html`<${TooLarge} shown=${data.result.length} />` : null}<${Table} label=${t("letters.title")} rows=${data.result} columns=${columns} rowKey=${(row) => row.version} filter file="dead-letters.csv" empty=${html`<${Empty} title=${t("letters.none")} hint=${t("letters.none.hint")} />`}>
      ${writes && data.result.length ? html`<button type="button" class="button" disabled=${busy || !picked.length} onClick=${() => replay(picked)}>${t("letters.replay", { n: picked.length })}</button>` : null}</>`}</></section>`;
}
