/** Which nodes have labels; why one has them, since when, by which way; where a level falls. */
import { useAnswer } from "../../api.js";
import { html } from "../../lib.js";
import { Chip, Name, Task } from "../../parts/names.js";
import { Pick } from "../../parts/pick.js";
import { Answer, Completeness, Empty, TooLarge } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { pointParams } from "../../points.js";
import { at, hrefTo, state } from "../../state.js";
import { plain, t } from "../../texts.js";
import { Time } from "../../times.js";

export function LabelsView() {
  const node = state.value.node || "";
  return html`<${Pick} label=${t("labels.pick")} />
    ${node ? html`<${Why} node=${node} /><p><a href=${hrefTo("govern", { view: "labels" })}>${t("labels.all")}</a></p>` : html`<${All} /><${Falls} />`}`;
}

/** @param {{node: string}} props */
function Why({ node }) {
  const answer = useAnswer("/v1/labels", { node, ...pointParams(at.value) });
  return html`<section aria-labelledby="why"><h2 id="why"><${Name} of=${node} /></h2><${Answer} of=${answer}>${(data) => html`
    ${data.result.labels.length ? data.result.labels.map((each) => html`<${Label} key=${each.label} of=${each} />`) : html`<${Empty} title=${t("labels.none.here")} hint=${t("labels.none.hint")} />`}
    <${Completeness} of=${data.completeness} notes=${data.notes} />`}</></section>`;
}

/** @param {{of: any}} props */
function Label({ of }) {
  const by = of.brought_by;
  return html`<article class="card label-card"><p class="row"><${Chip} tone="accent">${of.label}</> <span>${of.since_exact ? t("labels.since") : t("labels.since.before")} <${Time} at=${of.since} /></span>${of.stated ? html` <span class="quiet">${t("labels.stated")}</span>` : null}</p>
    ${of.path.length ? html`<ol class="way"><li><${Name} of=${of.path[0].source} /></li>${of.path.map((hop) => html`<li><span class="quiet way-by">${hop.task_id ? html`<${Task} of=${hop.task_id} /> ${hop.subtype}` : t("labels.column")}</span><${Name} of=${hop.target} />${hop.expression ? html`<code class="way-text">${hop.expression}</code>` : null}</li>`)}</ol>` : null}
    ${by ? html`<p class="note">${t("labels.brought", { version: String(by.version) })} ${by.actor ? html`<b>${plain(by.actor)}</b>` : null}${by.reason ? html`: <bdi>${plain(by.reason)}</bdi>` : null}</p>` : null}
    ${of.path.length ? html`<p><a href=${hrefTo("graph", { node: of.path[of.path.length - 1].target, direction: "up" })}>${t("labels.graph")}</a></p>` : null}
  </article>`;
}

function All() {
  const answer = useAnswer("/v1/labels", { ...pointParams(at.value), limit: 1000 });
  const columns = [
    {
      key: "node",
      title: t("labels.node"),
      text: (row) => row.node,
      cell: (row) => html`<${Name} of=${row.node} page="govern" values=${{ view: "labels" }} />`,
    },
    {
      key: "labels",
      title: t("node.labels"),
      text: (row) => row.labels.join(", "),
      cell: (row) => row.labels.map((label) => html`<${Chip} tone="accent">${label}</> `),
      width: "22rem",
    },
  ];
  return html`<section aria-labelledby="all"><h2 id="all">${t("labels.nodes")}</h2><${Answer} of=${answer}>${(data) => html`
    ${data.next_offset ? html`<${TooLarge} shown=${data.result.length} />` : null}
    <${Table} label=${t("labels.nodes")} rows=${data.result} columns=${columns} rowKey=${(row) => row.node} filter file="labels.csv" empty=${html`<${Empty} title=${t("labels.none")} hint=${t("labels.none.hint")} />`} />
    <${Completeness} of=${data.completeness} notes=${data.notes} />`}</></section>`;
}

function Falls() {
  const answer = useAnswer("/v1/labels/scan", { ...pointParams(at.value), limit: 1000 });
  const columns = [
    {
      key: "target",
      title: t("labels.node"),
      text: (row) => row.target,
      cell: (row) => html`<${Name} of=${row.target} page="govern" values=${{ view: "labels" }} />`,
    },
    {
      key: "level",
      title: t("labels.level"),
      text: (row) => row.target_level ?? "",
      cell: (row) => html`<${Chip} tone="warn">${row.target_level ?? "—"}</>`,
      width: "8rem",
    },
    { key: "source", title: t("labels.source"), text: (row) => row.source, cell: (row) => html`<${Name} of=${row.source} />` },
    { key: "from", title: t("labels.source.level"), text: (row) => row.level, width: "8rem" },
    { key: "because", title: t("labels.because"), text: (row) => row.because, width: "8rem" },
    {
      key: "since",
      title: t("node.since"),
      text: (row) => row.since,
      cell: (row) => html`${row.since_exact ? null : html`${t("labels.since.before")} `}<${Time} at=${row.since} precision="day" />`,
      width: "8rem",
    },
    { key: "owners", title: t("node.owners"), text: (row) => row.owners.join(", "), width: "8rem" },
  ];
  return html`<section aria-labelledby="falls"><h2 id="falls">${t("labels.falls")}</h2><p class="note">${t("labels.falls.what")}</p><${Answer} of=${answer}>${(
    data,
  ) => html`
    ${data.next_offset ? html`<${TooLarge} shown=${data.result.length} />` : null}
    <${Table} label=${t("labels.falls")} rows=${data.result} columns=${columns} rowKey=${(row) => `${row.source} ${row.target} ${row.task_id}`} file="falls.csv" empty=${html`<${Empty} title=${t("labels.falls.none")} />`} />
    <${Completeness} of=${data.completeness} notes=${data.notes} />`}</></section>`;
}
