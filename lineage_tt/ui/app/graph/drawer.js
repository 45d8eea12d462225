/** What is behind a column or a line: beside the picture, so that it stays in view. */
import { useAnswer } from "../api.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib.js";
import { copyText } from "../parts/export.js";
import { Sql } from "../parts/sql.js";
import { Completeness, Failed, Loading, TooLarge } from "../parts/states.js";
import { basisWord, pointParams } from "../points.js";
import { hrefTo } from "../state.js";
import { number, plain, t } from "../texts.js";
import { formatTime, Time } from "../times.js";
import { Rectangles } from "../time/rectangles.js";

const FIRST_ENDS = 40;
/** The list is drawn whole, up to this many lines. */
const MAX_ENDS = 2000;
/** The most expressions of a line that are shown. */
const MAX_EXPRESSIONS = 5;
/** The most messages of an edge that are shown. */
const MAX_MESSAGES = 10;

/** @param {{title: any, label: string, onClose: () => void, children: any}} props */
export function Drawer({ title, label, onClose, children }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    // What had the focus may have gone with the drawer before this one.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
    const hear = (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) close.current();
    };
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, []);
  return html`<aside class="g-drawer g-over" ref=${box} aria-label=${label} tabindex="-1">
    <header><h2>${title}</h2><button type="button" class="button quiet" aria-label=${t("graph.close")} title=${t("graph.close")} onClick=${onClose}>✕</button></header>
    ${children}
  </aside>`;
}

/** @param {{node: any, shown: any, basis: any, level: string, path: string, onLine: (line: any) => void, onNode: (node: any) => void, onClose: () => void, onPath: () => void, onStart: () => void, onColumns: () => void}} props */
export function NodeDrawer({ node, shown, level, path, onLine, onNode, onClose, onPath, onStart, onColumns }) {
  const lines = (way) => [...node[way], ...(node.index < 0 ? node.box.rows.flatMap((row) => row[way]) : [])].filter((line) => shown.lines[line.id]);
  const kind = node.node.startsWith("task:") ? hrefTo("task", { task: node.node.slice(5) }) : hrefTo("node", { node: node.node });
  return html`<${Drawer} label=${t("graph.drawer.node")} title=${node.label} onClose=${onClose}>
    <p class="g-full mono">${node.node}</p>
    <div class="g-actions">
      <a class="button" href=${kind}>${t("graph.details")}</a>
      <button type="button" class="button" onClick=${onStart} disabled=${node.start}>${t("graph.start")}</button>
      <button type="button" class="button" aria-pressed=${path === node.node} onClick=${onPath}>${t("graph.path.from")}</button>
      ${level !== "task" && html`<button type="button" class="button" onClick=${onColumns}>${t("graph.columns")}</button>`}
    </div>
    ${path === node.node && html`<p class="g-note">${t("graph.path.choose")}</p>`}
    ${node.uncertain && html`<p class="g-note">${t("graph.uncertain")}</p>`}
    ${node.change !== "same" && html`<p class="g-note">${t(`graph.change.${node.change}`)}</p>`}
    <${Ends} title=${t("graph.from")} lines=${lines("into")} end="from" onLine=${onLine} onNode=${onNode} />
    <${Ends} title=${t("graph.to")} lines=${lines("out")} end="to" onLine=${onLine} onNode=${onNode} />
  </>`;
}

function Ends({ title, lines, end, onLine }) {
  const [all, setAll] = useState(false);
  return html`<section class="g-ends"><h3>${title} <span class="quiet">${number(lines.length)}</span></h3>
    <ul>${(all ? lines.slice(0, MAX_ENDS) : lines.slice(0, FIRST_ENDS)).map(
      (line) => html`<li key=${line.id}><button type="button" class="g-end" onClick=${() => onLine(line)}>
      <span class="g-end-name"><span class="quiet">${line[end].box.label}</span>${line[end].index < 0 ? "" : html` · ${line[end].label}`}</span> <${Kinds} line=${line} /></button></li>`,
    )}</ul>
    ${!lines.length && html`<p class="quiet">${t("graph.none")}</p>`}
    ${all && lines.length > MAX_ENDS && html`<${TooLarge} shown=${MAX_ENDS} total=${lines.length} />`}
    ${lines.length > FIRST_ENDS && !all && html`<button type="button" class="button quiet" onClick=${() => setAll(true)}>${t("graph.more", { n: lines.length - FIRST_ENDS })}</button>`}
  </section>`;
}

function Kinds({ line }) {
  return html`<span class=${line.direct ? "chip" : "chip g-chip-indirect"}>${line.kinds.join(", ")}</span>`;
}

/** @param {{line: any, basis: any, level: string, sql: any, onClose: () => void, onNode: (node: any) => void, onPoint: (valid: string, system: string) => void}} props */
export function LineDrawer({ line, basis, level, sql, onClose, onNode, onPoint }) {
  const [task, setTask] = useState(line.tasks[0] ?? "");
  useEffect(() => setTask(line.tasks[0] ?? ""), [line.source, line.target]);
  const title = html`<button type="button" class="g-link" onClick=${() => onNode(line.from)}>${line.from.label}</button> → <button type="button" class="g-link" onClick=${() => onNode(line.to)}>${line.to.label}</button>`;
  return html`<${Drawer} label=${t("graph.drawer.line")} title=${title} onClose=${onClose}>
    <p class="g-full mono">${line.source} → ${line.target}</p>
    <p><${Kinds} line=${line} />${" "}${!line.certain && html`<span class="chip warn">${t("graph.unsure")}</span>`}${" "}${line.by_star && html`<span class="chip warn">${t("graph.bystar")}</span>`}
      ${line.change !== "same" && html`${" "}<span class=${`chip g-chip-${line.change}`}>${t(`graph.change.${line.change}`)}</span>`}</p>
    ${line.expressions.slice(0, MAX_EXPRESSIONS).map((words) => html`<pre class="g-expression">${words}</pre>`)}
    ${line.expressions.length > MAX_EXPRESSIONS && html`<${TooLarge} shown=${MAX_EXPRESSIONS} total=${line.expressions.length} />`}
    ${sql}
    ${
      !sql &&
      html`<section><h3>${t("graph.sql")}</h3>
      ${line.tasks.length > 1 && html`<select aria-label=${t("graph.task")} value=${task} onChange=${(event) => setTask(event.target.value)}>${line.tasks.map((name) => html`<option value=${name}>${name}</option>`)}</select>`}
      ${task && html`<p><a href=${hrefTo("task", { task })}>${task}</a></p><${Slice} task=${task} basis=${basis} line=${line} level=${level} />`}
    </section>`
    }
    <${Behind} line=${line} basis=${basis} onPoint=${onPoint} />
  </>`;
}

/** The part of a task's text that makes the line. */
function Slice({ task, basis, line, level }) {
  const ends = level === "column" && !line.by_star ? { source: line.source, target: line.target } : {};
  const found = useAnswer("/v1/sql", { task, at: basisWord(basis), ...ends });
  if (found.problem) return html`<${Failed} problem=${found.problem} retry=${found.reload} />`;
  if (!found.data) return html`<${Loading} />`;
  const text = found.data.result.texts[0];
  if (!text) return html`<p class="quiet">${t("graph.sql.none")}</p>`;
  if (!text.kept || text.sql === null) return html`<p class="quiet">${t("graph.sql.withheld")}</p>`;
  const spans = text.spans ?? [];
  const exact = spans.filter((span) => span.what === "expression");
  return html`<${Sql} text=${text.sql} spans=${exact.length ? exact : spans} focus=${true} /><${Completeness} notes=${found.data.notes} />`;
}

/** Who put it in force, and all that was ever believed of it. */
function Behind({ line, basis, onPoint }) {
  const whole = (node) => (line.by_star ? `${node.split("#")[0]}#*` : node);
  const [source, target] = [whole(line.source), whole(line.target)];
  const params = useMemo(() => pointParams(basisWord(basis)), [basis]);
  const blame = useAnswer("/v1/blame", { source: line.source, target: line.target, ...params });
  const history = useAnswer("/v1/history", { node: source, target });
  return html`<section><h3>${t("graph.blame")}</h3>
      ${
        blame.problem
          ? html`<${Failed} problem=${blame.problem} retry=${blame.reload} />`
          : !blame.data
            ? html`<${Loading} />`
            : blame.data.result.length
              ? html`<ul class="g-blame">${blame.data.result.slice(0, MAX_MESSAGES).map(
                  ({ edge, message }) => html`<li>
          <p><strong>${plain(message.actor ?? t("graph.somebody"))}</strong> · <${Time} at=${message.effective_at ?? edge.valid_from} />${message.effective_at && message.system_time > message.effective_at && late(message) ? html` <span class="chip warn">${t("graph.late", { at: formatTime(message.system_time) })}</span>` : ""}</p>
          ${message.reason && html`<p>${plain(message.reason)}</p>`}
          <p class="quiet">${t(`op.${message.op}`)} · ${t("graph.version", { n: message.version })}${message.evidence ? ` · ${message.evidence}` : ""}</p></li>`,
                )}</ul>${blame.data.result.length > MAX_MESSAGES ? html`<${TooLarge} shown=${MAX_MESSAGES} total=${blame.data.next_offset ? undefined : blame.data.result.length} />` : null}`
              : html`<p class="quiet">${t("graph.blame.none")}</p>`
      }</section>
    <section><h3>${t("graph.history")}</h3>
      ${
        history.problem
          ? html`<${Failed} problem=${history.problem} retry=${history.reload} />`
          : !history.data
            ? html`<${Loading} />`
            : history.data.result.length
              ? html`<${Rectangles} beliefs=${history.data.result} valid=${basis.valid_at} system=${basis.system_time} now=${Date.now() * 1000} onPoint=${onPoint} />${history.data.next_offset ? html`<${TooLarge} shown=${history.data.result.length} />` : null}`
              : html`<p class="quiet">${t("graph.history.none")}</p>`
      }
      <${Completeness} basis=${history.data?.basis} />
      <p><button type="button" class="button quiet" onClick=${() => copyText(`${line.source} -> ${line.target}`)}>${t("graph.copy.edge")}</button></p></section>`;
}

function late(message) {
  return Date.parse(message.system_time) - Date.parse(message.effective_at) > 3_600_000;
}

/** All columns of a dataset: those in the picture first. Only the rows in view are in the document. */
export function ColumnsDrawer({ box, shown, basis, onColumn, onClose }) {
  const found = useAnswer("/v1/nodes", { node: box.dataset, at: basisWord(basis) });
  const [top, setTop] = useState(0);
  const [wanted, setWanted] = useState("");
  const related = new Set(box.rows.filter((row) => shown.nodes.has(row)).map((row) => row.node));
  const rows = useMemo(() => {
    const all = found.data?.result.columns ?? [];
    const missing = [...related].filter((node) => !all.some((each) => each.node === node)).map((node) => ({ node, column: node.split("#")[1], type: null }));
    return [...missing, ...all].sort((a, b) => Number(related.has(b.node)) - Number(related.has(a.node)));
  }, [found.data, box, shown]);
  const match = wanted ? rows.filter((row) => row.column.toLowerCase().includes(wanted.toLowerCase())) : rows;
  const first = Math.max(0, Math.floor(top / 26) - 5);
  const tail = match.slice(first, first + 50);
  return html`<${Drawer} label=${t("graph.columns")} title=${box.label} onClose=${onClose}>
    ${found.problem && html`<${Failed} problem=${found.problem} retry=${found.reload} />`}
    <p class="g-note" data-ready=${found.data ? "1" : null}>${found.data ? t("graph.columns.of", { n: related.size, all: number(rows.length) }) : html`<${Loading} />`}</p>
    <input type="search" class="g-find" aria-label=${t("graph.columns.find")} placeholder=${t("graph.columns.find")} value=${wanted} onInput=${(event) => setWanted(event.target.value)} />
    <div class="g-columns" tabindex="0" role="region" aria-label=${t("graph.columns")} onScroll=${(event) => setTop(event.target.scrollTop)}>
      <ul style=${{ height: `${match.length * 26}px` }}>${tail.map(
        (row, i) => html`<li key=${row.node} class=${related.has(row.node) ? "g-related" : ""} style=${{ top: `${(first + i) * 26}px` }}>
        <button type="button" class="g-end" onClick=${() => onColumn(row.node)}><span>${row.column}</span><span class="quiet mono">${row.type ?? ""}</span></button></li>`,
      )}</ul>
    </div>
  </>`;
}
