/** What tables are worth to others, and what could go. */
import { useAnswer } from "../../api.js";
import { html } from "../../lib.js";
import { Chip, Name, Task } from "../../parts/names.js";
import { Answer, Completeness, Empty, TooLarge } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { pointParams } from "../../points.js";
import { at } from "../../state.js";
import { number, t } from "../../texts.js";
import { Time } from "../../times.js";

const HEAT_TONES = /** @type {Record<string, string>} */ ({ hot: "bad", warm: "warn", cold: "accent" });

export function WorthView() {
  return html`<${Heat} /><${Going} />`;
}

function Heat() {
  const answer = useAnswer("/v1/heat", { ...pointParams(at.value), limit: 1000 });
  const of = (key, title) => ({
    key,
    title,
    number: true,
    width: "9rem",
    text: (row) => row.transitive[key],
    cell: (row) => t("worth.of", { direct: row.direct[key], all: row.transitive[key] }),
  });
  const columns = [
    { key: "node", title: t("nav.node"), text: (row) => row.node, cell: (row) => html`<${Name} of=${row.node} />` },
    {
      key: "heat",
      title: t("worth.heat"),
      text: (row) => row.heat,
      cell: (row) => html`<${Chip} tone=${HEAT_TONES[row.heat]}>${t(`worth.${row.heat}`)}</>`,
      width: "6rem",
    },
    { key: "rank", title: t("worth.rank"), text: (row) => row.rank, cell: (row) => number(row.rank, 4), number: true, width: "6rem" },
    of("tables", t("worth.tables")),
    of("columns", t("worth.columns")),
    of("tasks", t("worth.tasks")),
    of("people", t("worth.people")),
  ];
  return html`<section aria-labelledby="heat"><h2 id="heat">${t("worth.title")}</h2><p class="note">${t("worth.what")}</p><${Answer} of=${answer}>${(
    data,
  ) => html`
    <dl class="tiles">${Object.entries(data.result.classes).map(([name, n]) => html`<div class="card"><dt>${t(`worth.${name}`)}</dt><dd class="figure">${n}</dd><dd class="quiet">${t("worth.oftotal", { n: data.result.total })}</dd></div>`)}</dl>
    ${data.result.rows.length < data.result.total ? html`<${TooLarge} shown=${data.result.rows.length} total=${data.result.total} />` : null}
    <${Table} label=${t("worth.title")} rows=${data.result.rows} columns=${columns} rowKey=${(row) => row.node} filter file="heat.csv" height="420px" empty=${html`<${Empty} title=${t("worth.none")} />`} />
    <${Completeness} of=${data.completeness} notes=${data.notes} />`}</></section>`;
}

/** @param {{title: string, what: string, rows: string[][], joint: string}} props */
function Groups({ title, what, rows, joint }) {
  if (!rows.length) return null;
  return html`<section><h3>${title} (${number(rows.length)})</h3><p class="note">${what}</p><ul class="list">${rows.slice(0, 100).map((names) => html`<li class="row">${names.map((name, n) => html`${n ? html`<span class="quiet">${joint}</span>` : null}<${Name} of=${name} />`)}</li>`)}</ul>${rows.length > 100 ? html`<p class="note">${t("state.first", { shown: 100 })}</p>` : null}</section>`;
}

function Going() {
  const answer = useAnswer("/v1/redundancy", pointParams(at.value));
  const columns = [
    { key: "dataset", title: t("nav.node"), text: (row) => row.dataset, cell: (row) => html`<${Name} of=${row.dataset} />` },
    { key: "why", title: t("worth.why"), text: (row) => row.why, cell: (row) => t(`worth.why.${row.why}`), width: "10rem" },
    {
      key: "last",
      title: t("worth.last"),
      text: (row) => row.last ?? "",
      cell: (row) => (row.last ? html`<${Time} at=${row.last} />` : html`<span class="quiet">${t("worth.never")}</span>`),
      width: "10rem",
    },
    { key: "tasks", title: t("worth.makes"), text: (row) => row.tasks.join(", "), cell: (row) => row.tasks.map((task) => html`<${Task} of=${task} /> `) },
    { key: "owners", title: t("node.owners"), text: (row) => row.owners.join(", "), width: "8rem" },
  ];
  return html`<section aria-labelledby="going"><h2 id="going">${t("worth.going")}</h2><${Answer} of=${answer}>${({ result, completeness, notes }) => html`
    <${Groups} title=${t("worth.contained")} what=${t("worth.contained.what")} rows=${result.tables.map((each) => [each.dataset, each.like])} joint="⊆" />
    <${Groups} title=${t("worth.equal")} what=${t("worth.equal.what")} rows=${result.equal.map((each) => each.columns)} joint="=" />
    <section><h3>${t("worth.unused")} (${number(result.unused.length)})</h3>
    <${Table} label=${t("worth.unused")} rows=${result.unused} columns=${columns} rowKey=${(row) => `${row.why} ${row.dataset}`} filter file="unused.csv" empty=${html`<${Empty} title=${t("worth.unused.none")} />`} /></section>
    <p class="note">${t("worth.read", { read: result.texts_read, of: result.texts })}</p>
    <${Completeness} of=${completeness} notes=${notes} />`}</></section>`;
}
