/** A dataset or a column: its columns, who looks after it, what writes and reads it, what became of its columns. */
import { useAnswer } from "../api.js";
import { html, useState } from "../lib.js";
import { AsOf } from "../parts/asof.js";
import { CopyLink } from "../parts/export.js";
import { Chip, Name, splitNode, Task } from "../parts/names.js";
import { Answer, Completeness, Empty } from "../parts/states.js";
import { Table } from "../parts/table.js";
import { at, hrefTo, state } from "../state.js";
import { t } from "../texts.js";
import { Time } from "../times.js";

export function Page() {
  const node = state.value.node || "";
  const answer = useAnswer(node ? "/v1/nodes" : null, { node, at: at.value });
  if (!node)
    return html`<div class="page"><h1>${t("nav.node")}</h1><${Empty} title=${t("node.which")}><a class="button" href=${hrefTo("home")}>${t("nav.home")}</a></></div>`;
  const { dataset, column } = splitNode(node);
  return html`<div class="page page-node">
    <div class="head"><div class="head-name"><p class="quiet kicker">${t(column === null ? "kind.dataset" : "kind.column")}${column === null ? null : html` · <${Name} of=${dataset} />`}</p><h1><${Name} of=${node} link=${false} /></h1></div>
      <div class="row"><${AsOf} /><a class="button primary" href=${hrefTo("graph", { node, direction: "up" })}>${t("node.up")}</a><a class="button" href=${hrefTo("graph", { node, direction: "down" })}>${t("node.down")}</a>
        <a class="button" href=${hrefTo("govern", { view: "labels", node })}>${t("govern.labels")}</a><a class="button" href=${hrefTo("govern", { view: "cause", node })}>${t("govern.cause")}</a>
        <${CopyLink} basis=${answer.data?.basis} /></div></div>
    <${Answer} of=${answer}>${(data) => html`<${AboutNode} answer=${data} />`}</>
  </div>`;
}

/** @param {{answer: any}} props */
function AboutNode({ answer }) {
  const found = answer.result;
  const whole = found.column === null;
  const stated = found.facts.filter((fact) => !["owner", "label", "description", "column"].includes(fact.key));
  return html`
    ${found.description ? html`<p class="lead">${found.description}</p>` : null}
    <dl class="facts">
      <div><dt>${t("node.owners")}</dt><dd>${found.owners.length ? found.owners.map((owner) => html`<${Chip}>${owner}</>`) : html`<span class="quiet">${t("node.none")}</span>`}</dd></div>
      <div><dt>${t("node.labels")}</dt><dd>${found.labels.length ? found.labels.map((label) => html`<${Chip} tone="accent">${label}</>`) : html`<span class="quiet">${t("node.none")}</span>`}</dd></div>
      ${stated.map((fact) => html`<div><dt>${fact.key}</dt><dd>${String(fact.value)}</dd></div>`)}
      ${!whole && found.columns[0] ? html`<div><dt>${t("node.type")}</dt><dd><${Type} of=${found.columns[0]} /></dd></div>` : null}
    </dl>
    <${Completeness} of=${answer.completeness} />
    ${found.truncated ? html`<p class="note warn" role="note">${t("node.truncated")}</p>` : null}
    <div class="columns">
      <div class="wide">${whole ? html`<section aria-labelledby="node-columns"><h2 id="node-columns">${t("node.columns")}</h2><${Columns} rows=${found.columns} dataset=${found.dataset} /></section>` : null}
        <section aria-labelledby="node-history"><h2 id="node-history">${t("node.history")}</h2>${found.history.length && found.history_of === "edges" ? html`<p class="note">${t("node.history.edges")}</p>` : null}<${ColumnHistory} rows=${found.history} whole=${whole} /></section></div>
      <div class="side">
        <section aria-labelledby="node-writers"><h2 id="node-writers">${t("node.writers")}</h2>${found.writers.length ? html`<ul class="list">${found.writers.map((each) => html`<li key=${each.task_id}><${Task} of=${each.task_id} /><span class="quiet">${t("n.edges", { n: each.edges })}</span></li>`)}</ul>` : html`<p class="quiet none">${t("node.writers.none")}</p>`}</section>
        <section aria-labelledby="node-readers"><h2 id="node-readers">${t("node.readers")}</h2>${
          found.readers.length
            ? html`<ul class="list">${found.readers.map(
                (
                  each,
                ) => html`<li key=${each.task_id}><div class="row spread"><${Task} of=${each.task_id} /><span class="quiet">${t("n.edges", { n: each.edges })}</span></div>
          <ul class="targets">${datasetsOf(each.targets).map((target) => html`<li key=${target}>→ <${Name} of=${target} /></li>`)}${each.targets_omitted ? html`<li class="quiet">${t("node.targets.more", { n: each.targets_omitted })}</li>` : null}</ul></li>`,
              )}</ul>`
            : html`<p class="quiet none">${t("node.readers.none")}</p>`
        }</section>
      </div>
    </div>`;
}

/** @param {string[]} nodes */
export function datasetsOf(nodes) {
  return [...new Set(nodes.map((node) => splitNode(node).dataset))];
}

/** @param {{of: any}} props */
function Type({ of }) {
  if (of.type) return html`<span class="mono">${of.type}</span>`;
  return html`<span class="quiet">${t("node.type.unknown")}</span>`;
}

/** @param {{rows: any[], dataset: string}} props */
function Columns({ rows, dataset }) {
  const owned = rows.some((row) => row.owners.length || row.labels.length);
  const described = rows.some((row) => row.description);
  const columns = [
    { key: "ordinal", title: "#", text: (row) => row.ordinal ?? "", number: true, width: "3.5rem" },
    {
      key: "column",
      title: t("node.column"),
      text: (row) => row.column,
      cell: (row) => html`<a class="mono name" href=${hrefTo("node", { node: row.node })}>${row.column}</a>`,
    },
    { key: "type", title: t("node.type"), text: (row) => row.type ?? "", cell: (row) => html`<${Type} of=${row} />`, width: "11rem" },
    {
      key: "origin",
      title: t("node.origin"),
      text: (row) => t(`origin.${row.origin}`),
      cell: (row) => html`<span class="quiet" title=${t(`origin.${row.origin}.what`)}>${t(`origin.${row.origin}`)}</span>`,
      width: "7rem",
    },
    ...(owned
      ? [
          {
            key: "labels",
            title: t("node.labels"),
            text: (row) => [...row.labels, ...row.owners].join(", "),
            cell: (row) =>
              html`${row.labels.map((label) => html`<${Chip} tone="accent">${label}</> `)}${row.owners.map((owner) => html`<${Chip}>${owner}</> `)}`,
          },
        ]
      : []),
    ...(described ? [{ key: "description", title: t("node.description"), text: (row) => row.description ?? "" }] : []),
    {
      key: "since",
      title: t("node.since"),
      text: (row) => row.since ?? "",
      cell: (row) => (row.since ? html`<${Time} at=${row.since} precision="day" />` : null),
      width: "9rem",
    },
    {
      key: "lineage",
      title: t("node.lineage"),
      text: () => "",
      sort: false,
      cell: (row) =>
        html`<a href=${hrefTo("graph", { node: row.node, direction: "both" })} aria-label=${t("node.graph.of", { name: row.column })}>${t("node.graph")}</a>`,
      width: "5rem",
    },
  ];
  return html`<${Table} label=${t("node.columns")} rows=${rows} columns=${columns} rowKey=${(row) => row.node} filter file=${`${dataset}.columns.csv`} empty=${html`<${Empty} title=${t("node.columns.none")} hint=${t("node.columns.none.hint")} />`} />`;
}

/** So many changes of columns are listed at first. */
const FIRST_ROWS = 50;
const TONES = /** @type {Record<string, [string, string]>} */ ({ appeared: ["add", "+"], removed: ["remove", "−"], "type-changed": ["change", "~"] });

/** @param {{rows: any[], whole: boolean}} props */
function ColumnHistory({ rows, whole }) {
  const [all, setAll] = useState(false);
  if (!rows.length) return html`<p class="quiet none">${t("node.history.none")}</p>`;
  return html`<ol class="history">${(all ? rows : rows.slice(0, FIRST_ROWS)).map((row) => {
    const [tone, sign] = TONES[row.change] || ["", "·"];
    return html`<li><span class="quiet when"><${Time} at=${row.valid_at} /></span><span class=${`sign ${tone}`} aria-hidden="true">${sign}</span><span>${whole ? html`<span class="mono">${row.column}</span> ` : null}${t(`column.${row.change}`)}${row.change === "type-changed" ? html` <span class="mono">${row.type_before ?? "?"} → ${row.type ?? "?"}</span>` : null}</span><span class="quiet">v${row.version}</span></li>`;
  })}</ol>${rows.length > FIRST_ROWS && !all ? html`<button type="button" class="button quiet" onClick=${() => setAll(true)}>${t("graph.more", { n: rows.length - FIRST_ROWS })}</button>` : null}`;
}
