/** The table view: a row for each line of the picture. */
import { html, useMemo } from "../lib.js";
import { Table } from "../parts/table.js";
import { t } from "../texts.js";
import { rowsOf } from "./export.js";
import { GLYPHS } from "./model.js";

/** @param {{model: any, shown: any, compared: boolean, node: string, onLine: (line: any) => void}} props */
export function LineTable({ model, shown, compared, node, onLine }) {
  const rows = useMemo(() => rowsOf(model, shown, compared), [model, shown, compared]);
  const yes = (value) => (value ? t("graph.yes") : t("graph.no"));
  const column = (key, width, cell) => ({ key, title: t(`graph.row.${key}`), width, sort: true, text: cell ?? ((row) => row[key]) });
  const columns = [
    ...(compared
      ? [
          {
            ...column("change", "6rem", (row) => (row.change === "same" ? "" : t(`graph.change.${row.change}`))),
            cell: (row) => row.change !== "same" && html`<span class=${`g-chip-${row.change}`}>${GLYPHS[row.change]} ${t(`graph.change.${row.change}`)}</span>`,
          },
        ]
      : []),
    column("source"),
    column("target"),
    column("kinds", "10rem"),
    column("tasks", "12rem"),
    column("certain", "5rem", (row) => yes(row.certain)),
    column("by_star", "5rem", (row) => yes(row.by_star)),
  ];
  return html`<div class="g-table"><${Table} label=${t("graph.table", { node })} rows=${rows} columns=${columns} rowKey=${(row) => row.line.id} file="lineage.csv" filter onRow=${(row) => onLine(row.line)} /></div>`;
}
