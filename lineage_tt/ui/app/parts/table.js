/** A table of any length: only the rows in view are in the document. Sort, filter, keyboard, CSV. */
import { html, useEffect, useLayoutEffect, useMemo, useName, useRef, useState } from "../lib.js";
import { number, t } from "../texts.js";
import { csvOf, download } from "./export.js";

const ROW_HEIGHT = 30; // pixels; style/base.css has the same height
const MARGIN = 8; // rows above and below the view
const ALL = 60; // tables up to this length are drawn whole, and are as high as they are

/**
 * `text` is what a cell is worth in words: for sorting, filtering and CSV. `cell` draws it (default: the text). `number`: aligned right; `least`: no narrower on a phone.
 * @typedef {{key: string, title: string, text: (row: any) => any, cell?: (row: any) => any, width?: string, least?: string, number?: boolean, sort?: boolean}} Column
 * @param {{label: string, rows: any[], columns: Column[], rowKey: (row: any) => string | number, file?: string, filter?: boolean, height?: string,
 *   onRow?: (row: any) => void, selected?: (row: any) => boolean, tone?: (row: any) => string, empty?: any, children?: any}} props
 */
export function Table({ label, rows, columns, rowKey, file, filter, height, onRow, selected, tone, empty, children }) {
  const name = useName("table");
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [order, setOrder] = useState({ key: "", down: false });
  const [wanted, setWanted] = useState("");
  const [top, setTop] = useState(0);
  const [seen, setSeen] = useState(600);
  const [active, setActive] = useState(0);

  const shown = useMemo(() => sorted(matching(rows, columns, wanted), columns, order), [rows, columns, wanted, order]);
  const [printing, setPrinting] = useState(false); // paper has no viewport: all rows are drawn
  useEffect(() => {
    const before = () => setPrinting(true);
    const after = () => setPrinting(false);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, []);
  const whole = printing || shown.length <= ALL;
  const first = whole ? 0 : Math.max(0, Math.floor(top / ROW_HEIGHT) - MARGIN);
  const last = whole ? shown.length : Math.min(shown.length, Math.ceil((top + seen) / ROW_HEIGHT) + MARGIN);

  useLayoutEffect(() => {
    if (box.current) setSeen(box.current.clientHeight || 600);
  }, [whole]);
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0;
    setTop(0);
    setActive(0);
  }, [wanted, order]);

  const onKeyDown = (event) => {
    if (event.target !== box.current) return;
    const page = Math.max(1, Math.floor(seen / ROW_HEIGHT) - 1);
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: shown.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const next = Math.min(Math.max(to, 0), shown.length - 1);
      setActive(next);
      const view = /** @type {HTMLElement} */ (box.current);
      const head = 32;
      if (next * ROW_HEIGHT < view.scrollTop) view.scrollTop = next * ROW_HEIGHT;
      else if ((next + 1) * ROW_HEIGHT + head > view.scrollTop + view.clientHeight) view.scrollTop = (next + 1) * ROW_HEIGHT + head - view.clientHeight;
    } else if (event.key === "Enter" && shown[active]) {
      if (onRow) onRow(shown[active]);
      else box.current?.querySelector(`[data-row="${active}"] a`)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
  };
  const sortBy = (column) =>
    setOrder((now) => (now.key !== column.key ? { key: column.key, down: false } : now.down ? { key: "", down: false } : { key: column.key, down: true }));
  const save = () =>
    download(
      file || "table.csv",
      csvOf(
        columns.map((column) => column.title),
        shown.map((row) => columns.map((column) => column.text(row))),
      ),
    );

  const focused = whole ? -1 : active;
  return html`<div class="table">
    ${
      filter || file || children
        ? html`<div class="bar table-bar">
      ${filter ? html`<input type="search" aria-label=${t("table.filter", { what: label })} placeholder=${t("table.filter.short")} value=${wanted} onInput=${(event) => setWanted(event.target.value)} />` : null}
      <span class="quiet" role="status">${wanted ? t("table.some", { shown: number(shown.length), n: rows.length }) : t("table.all", { n: rows.length })}</span>
      ${children}<span class="grow"></span>
      ${file && rows.length ? html`<button type="button" class="button quiet" onClick=${save}>${t("do.csv")}</button>` : null}
    </div>`
        : null
    }
    ${
      rows.length === 0 && empty
        ? empty
        : html`
    <div class=${`table-view ${whole ? "" : "virtual"}`} ref=${box} tabindex="0" role="group" aria-labelledby=${`${name}-caption`} style=${{ maxHeight: whole ? "" : height || "" }}
      onScroll=${
        whole
          ? undefined
          : (event) => {
              setTop(event.currentTarget.scrollTop);
              setSeen(event.currentTarget.clientHeight);
            }
      } onKeyDown=${whole ? undefined : onKeyDown}>
      <table aria-rowcount=${shown.length + 1}>
        <caption class="sr-only" id=${`${name}-caption`}>${label}</caption>
        <colgroup>${columns.map((column) => html`<col style=${{ width: column.width || "" }} />`)}</colgroup>
        <thead><tr aria-rowindex="1">${columns.map(
          (
            column,
          ) => html`<th scope="col" class=${column.number ? "number" : ""} style=${{ minWidth: column.least || "" }} aria-sort=${order.key === column.key ? (order.down ? "descending" : "ascending") : undefined}>
          ${column.sort === false ? column.title : html`<button type="button" class="sort" onClick=${() => sortBy(column)}>${column.title}<span aria-hidden="true">${order.key === column.key ? (order.down ? " ↓" : " ↑") : ""}</span></button>`}</th>`,
        )}</tr></thead>
        <tbody>
          ${first > 0 ? html`<tr class="gap" aria-hidden="true" key="above"><td colspan=${columns.length} style=${{ height: `${first * ROW_HEIGHT}px` }}></td></tr>` : null}
          ${shown.slice(first, last).map(
            (
              row,
              at,
            ) => html`<tr key=${rowKey(row)} data-row=${first + at} aria-rowindex=${first + at + 2} aria-selected=${selected ? (selected(row) ? "true" : "false") : undefined}
            class=${`${focused === first + at ? "active" : ""} ${onRow ? "clickable" : ""} ${tone ? tone(row) : ""}`} onClick=${onRow ? (event) => event.target.closest("a,button,input") || onRow(row) : undefined}>
            ${columns.map((column) => html`<td class=${column.number ? "number" : ""}>${column.cell ? column.cell(row) : column.text(row)}</td>`)}</tr>`,
          )}
          ${last < shown.length ? html`<tr class="gap" aria-hidden="true" key="below"><td colspan=${columns.length} style=${{ height: `${(shown.length - last) * ROW_HEIGHT}px` }}></td></tr>` : null}
        </tbody></table>
      ${rows.length && !shown.length ? html`<p class="table-none">${t("table.none", { text: wanted })}</p>` : null}
    </div>`
    }
  </div>`;
}

/** @param {any[]} rows @param {Column[]} columns @param {string} wanted */
export function matching(rows, columns, wanted) {
  const words = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return rows;
  return rows.filter((row) => {
    const text = columns
      .map((column) => column.text(row))
      .join("\n")
      .toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const collator = new Intl.Collator("en", { numeric: true });

/** @param {any[]} rows @param {Column[]} columns @param {{key: string, down: boolean}} order */
export function sorted(rows, columns, order) {
  const column = columns.find((each) => each.key === order.key);
  if (!column) return rows;
  const sign = order.down ? -1 : 1;
  return [...rows].sort((one, other) => {
    const left = column.text(one);
    const right = column.text(other);
    return sign * (typeof left === "number" && typeof right === "number" ? left - right : collator.compare(String(left ?? ""), String(right ?? "")));
  });
}
