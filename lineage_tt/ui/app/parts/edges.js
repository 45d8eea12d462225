/** Edges that begin and end, as a table. */
import { html } from "../lib.js";
import { t } from "../texts.js";
import { Time } from "../times.js";
import { Name } from "./names.js";
import { Empty } from "./states.js";
import { Table } from "./table.js";

/** @param {{rows: any[], name: string}} props */
export function EdgeTable({ rows, name }) {
  const of = (row) => row.after || row.before || {};
  const end = (row, side) =>
    of(row)[side] ? html`<${Name} of=${of(row)[side]} />` : of(row).node && side === "target" ? html`<${Name} of=${of(row).node} />` : null;
  const columns = [
    {
      key: "sign",
      title: "±",
      text: (row) => (row.after && row.before ? "~" : row.after ? "+" : "-"),
      cell: (row) => (row.after ? html`<b class="add" aria-label=${t("edge.begins")}>+</b>` : html`<b class="remove" aria-label=${t("edge.ends")}>−</b>`),
      width: "2.5rem",
    },
    {
      key: "source",
      title: t("edge.source"),
      text: (row) => of(row).source ?? of(row).key ?? "",
      cell: (row) => end(row, "source") || of(row).key || "",
      width: "18rem",
    },
    { key: "target", title: t("edge.target"), text: (row) => of(row).target ?? of(row).node ?? "", cell: (row) => end(row, "target"), width: "18rem" },
    {
      key: "kind",
      title: t("edge.kind"),
      text: (row) => [of(row).type, of(row).subtype].filter(Boolean).join(" "),
      cell: (row) => html`<span class="quiet">${[of(row).type, of(row).subtype].filter(Boolean).join(" ")}</span>`,
      width: "11rem",
    },
    {
      key: "expression",
      title: t("edge.expression"),
      text: (row) => of(row).expression ?? of(row).value ?? "",
      cell: (row) => html`<code>${of(row).expression ?? of(row).value ?? ""}</code>`,
    },
    {
      key: "from",
      title: t("edge.from"),
      text: (row) => row.valid_from,
      cell: (row) => html`<${Time} at=${row.valid_from} precision="day" />`,
      width: "7.5rem",
    },
    { key: "to", title: t("edge.to"), text: (row) => row.valid_to ?? "", cell: (row) => html`<${Time} at=${row.valid_to} precision="day" />`, width: "7.5rem" },
  ];
  return html`<${Table} label=${t("edge.table")} rows=${rows} columns=${columns} rowKey=${(row) => rows.indexOf(row)} filter=${rows.length > 12} file=${`edges.${name}.csv`} empty=${html`<${Empty} title=${t("edge.none")} hint=${t("edge.none.hint")} />`} />`;
}
