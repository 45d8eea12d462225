/** SQL as text with line numbers, marked spans, and differences. Words are coloured by a small scanner; nothing is parsed. */
import { html, useEffect, useRef } from "../lib.js";
import { plain, t } from "../texts.js";

const WORDS = new Set(
  "ALL ALTER AND AS ASC BETWEEN BY CASE CAST CREATE CROSS DELETE DESC DISTINCT DROP ELSE END EXCEPT EXISTS EXPLODE FALSE FROM FULL GROUP HAVING IF IN INNER INSERT INTERSECT INTO IS JOIN LATERAL LEFT LIKE LIMIT MERGE MATCHED NOT NULL ON OR ORDER OUTER OVER OVERWRITE PARTITION PARTITIONED QUALIFY RIGHT ROWS SELECT SET TABLE THEN TRUE TRUNCATE UNION UPDATE USING VALUES VIEW WHEN WHERE WINDOW WITH".split(
    " ",
  ),
);
const TOKEN = /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^'\\]|\\[\s\S]|'')*'?)|("[^"\n]*"|`[^`\n]*`)|(\b\d+(?:\.\d+)?\b)|([A-Za-z_]\w*)/g;
const MAX_COLOURED = 200000; // beyond, no colours: the page stays quick

/**
 * Cut a text into pieces, each with its kind and the spans it is in; pieces never cross a line or a span's edge.
 * @param {string} text @param {{start: number, end: number}[]} spans
 * @returns {{text: string, kind: string, marked: boolean}[][]} pieces by line
 */
export function pieces(text, spans = []) {
  const cuts = new Set([0, text.length]);
  /** @type {Map<number, string>} */
  const kinds = new Map();
  if (text.length <= MAX_COLOURED) {
    for (const found of text.matchAll(TOKEN)) {
      const kind = found[1] ? "comment" : found[2] ? "string" : found[3] ? "" : found[4] ? "number" : WORDS.has(found[0].toUpperCase()) ? "word" : "";
      if (!kind) continue;
      kinds.set(found.index, kind);
      cuts.add(found.index).add(found.index + found[0].length);
    }
  }
  for (const { start, end } of spans) if (start < end && end <= text.length) cuts.add(start).add(end);
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) cuts.add(at).add(at + 1);
  const places = [...cuts].sort((one, other) => one - other);
  /** @type {{text: string, kind: string, marked: boolean}[][]} */
  const lines = [[]];
  let kind = "";
  let until = 0;
  for (let index = 0; index + 1 < places.length; index++) {
    const [from, to] = [places[index], places[index + 1]];
    if (kinds.has(from)) {
      kind = kinds.get(from) || "";
      TOKEN.lastIndex = from;
      until = from + (TOKEN.exec(text)?.[0].length || 0);
    } else if (from >= until) kind = "";
    const part = text.slice(from, to);
    if (part === "\n") lines.push([]);
    else lines[lines.length - 1].push({ text: part, kind, marked: spans.some((span) => span.start <= from && to <= span.end) });
  }
  TOKEN.lastIndex = 0;
  return lines;
}

/**
 * @param {{text: string, spans?: {start: number, end: number}[], bad?: number[], focus?: boolean, label?: string}} props
 *   bad: lines with an error; focus: the first span is scrolled into view
 */
export function Sql({ text, spans = [], bad = [], focus, label }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const mark = focus ? box.current?.querySelector("mark") : null;
    if (mark && box.current) box.current.scrollTop = Math.max(0, /** @type {HTMLElement} */ (mark).offsetTop - box.current.clientHeight / 3);
  }, [text, focus, spans.length]);
  return html`<div class="sql" ref=${box} tabindex="0" role="region" aria-label=${label || t("sql.label")}><ol>${pieces(text, spans).map(
    (line, at) => html`
    <li class=${bad.includes(at + 1) ? "bad" : ""}><code>${line.map((piece) => {
      const text = plain(piece.text);
      const word = piece.kind ? html`<span class=${`sql-${piece.kind}`}>${text}</span>` : text;
      return piece.marked ? html`<mark>${word}</mark>` : word;
    })}${"\n"}</code></li>`,
  )}</ol></div>`;
}

const SIGNS = /** @type {Record<string, string>} */ ({ same: " ", removed: "−", added: "+" });

/**
 * A line diff, one column; the sign and the background tell what a line is, and a word for screen readers.
 * @param {{lines: {op: string, left: number | null, right: number | null, text: string}[], left: any, right: any}} props
 */
export function SqlDiff({ lines, left, right }) {
  const changed = lines.filter((line) => line.op !== "same").length;
  return html`<div class="sql diff" tabindex="0" role="region" aria-label=${t("sql.diff")}>
    <p class="sql-head"><span class="remove">− ${left}</span> <span class="add">+ ${right}</span> <span class="quiet">${changed ? t("sql.changed", { n: changed }) : t("sql.equal")}</span></p>
    <table><tbody>${lines.map(
      (line) => html`<tr class=${line.op}><td class="line">${line.left ?? ""}</td><td class="line">${line.right ?? ""}</td>
      <td class="sign">${line.op === "same" ? "" : html`<span aria-hidden="true">${SIGNS[line.op]}</span><span class="sr-only">${t(`sql.${line.op}`)}</span>`}</td><td><code>${plain(line.text) || " "}</code></td></tr>`,
    )}</tbody></table></div>`;
}
