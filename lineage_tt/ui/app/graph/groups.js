/** What the walk meets, summed up between groups (owners, systems, domains, …): a table; of a comparison, what differs. */
import { useAnswer } from "../api.js";
import { html } from "../lib.js";
import { Failed, Loading, TooLarge } from "../parts/states.js";
import { Table } from "../parts/table.js";
import { basisWord, pointParams } from "../points.js";
import { set } from "../state.js";
import { number, t } from "../texts.js";
import { GLYPHS } from "./model.js";

/** The levels of groups that `/v1/lineage` takes, the default first. */
export const GROUPS = ["owner", "domain", "layer", "system", "cluster", "namespace", "dataset"];
/** As many groups as a page of the API has. */
const MAX_GROUPS = 10_000;
/** What the API calls the group of what belongs to none. */
const NONE = "(none)";

/** @param {{question: any, by: string, bases: any[], filtered: boolean}} props `bases`: one point, or those that are compared */
export function Groups({ question, by, bases, filtered }) {
  const { node, direction, depth, direct_only } = question;
  const walk = { node, direction, depth, direct_only, level: by };
  const compared = bases.length > 1;
  const [first, last] = [basisWord(bases[0]), basisWord(bases[bases.length - 1])];
  const found = useAnswer(
    compared ? "/v1/diff" : "/v1/lineage",
    compared ? { ...walk, from: first, to: last } : { ...walk, ...pointParams(first), limit: MAX_GROUPS },
  );
  const named = (group) => (group === NONE ? t(`graph.by.none.${by === "owner" ? "owner" : "any"}`) : group);
  const count = (key) => ({
    key,
    title: t(`graph.group.${key}`),
    width: "8rem",
    number: true,
    sort: true,
    text: (row) => row[key],
    cell: (row) => number(row[key]),
  });
  const end = (key) => ({ key, title: t(`graph.row.${key}`), sort: true, text: (row) => named(row[key]) });
  const change = {
    key: "change",
    title: t("graph.row.change"),
    width: "7rem",
    sort: true,
    text: (row) => t(`graph.change.${row.change}`),
    cell: (row) => html`<span class=${`g-chip-${row.change}`}>${GLYPHS[row.change]} ${t(`graph.change.${row.change}`)}</span>`,
  };
  const columns = [
    ...(compared ? [change] : []),
    end("source"),
    end("target"),
    ...(compared ? ["before", "after"] : ["edges", "tasks", "source_datasets", "target_datasets"]).map(count),
  ];
  const rows = found.stale ? null : found.data?.result.groups;
  return html`<div class="g-table">
    <p class="row"><label class="g-field">${t("graph.by")}<select value=${by} onChange=${(event) => set({ by: event.target.value === GROUPS[0] ? null : event.target.value })}>
      ${GROUPS.map((each) => html`<option value=${each} selected=${each === by}>${t(`graph.by.${each}`)}</option>`)}</select></label>
      <span class="quiet">${t("graph.by.within")}${filtered ? ` ${t("graph.by.unfiltered")}` : ""}</span></p>
    ${
      found.problem
        ? html`<${Failed} problem=${found.problem} retry=${found.reload} />`
        : rows
          ? html`${found.data.result.truncated ? html`<${TooLarge} shown=${rows.length} />` : null}<${Table} label=${t("graph.groups", { node })} rows=${rows} columns=${columns} rowKey=${(row) => `${row.source} ${row.target}`} file="groups.csv" filter empty=${t("graph.groups.none")} />`
          : html`<${Loading} />`
    }</div>`;
}
